/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-backend.h"

#include "container-sandbox.h"

#define FH_TYPE_CONTAINER_BACKEND (fh_container_backend_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerBackend, fh_container_backend, FH, CONTAINER_BACKEND, GObject)

struct _FhContainerBackend
{
  GObject parent_instance;

  FhContainerOptions *options;
};

static void backend_iface_init (FhBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhContainerBackend,
                               fh_container_backend,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_BACKEND, backend_iface_init))

static FhSandbox *
fh_container_backend_prepare (FhBackend *backend, FhRunRequest *request)
{
  return fh_container_sandbox_new (FH_CONTAINER_BACKEND (backend)->options,
                                   fh_run_request_get_limits (request));
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GError *error = NULL;
  FhBackendProbe *probe = fh_container_probe_finish (result, &error);

  if (probe != NULL)
    g_task_return_pointer (task, probe, (GDestroyNotify) fh_backend_probe_free);
  else
    g_task_return_error (task, error);
}

static void
fh_container_backend_probe (FhBackend *backend, GTask *task)
{
  fh_container_probe_async (FH_CONTAINER_BACKEND (backend)->options,
                            g_task_get_cancellable (task),
                            probed_cb,
                            g_object_ref (task));
}

static void
fh_container_backend_finalize (GObject *object)
{
  fh_container_options_free (FH_CONTAINER_BACKEND (object)->options);

  G_OBJECT_CLASS (fh_container_backend_parent_class)->finalize (object);
}

static void
fh_container_backend_class_init (FhContainerBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_container_backend_finalize;
}

static void
backend_iface_init (FhBackendInterface *iface)
{
  iface->probe = fh_container_backend_probe;
  iface->prepare = fh_container_backend_prepare;
}

static void
fh_container_backend_init (FhContainerBackend *self)
{
}

FhBackend *
fh_container_backend_new (const FhContainerOptions *options)
{
  FhContainerBackend *self = g_object_new (FH_TYPE_CONTAINER_BACKEND, NULL);

  self->options = fh_container_options_copy (options);
  return FH_BACKEND (self);
}
