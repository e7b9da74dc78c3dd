/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-backend.h"

#include "container-probe.h"
#include "container-sandbox.h"

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

static const char *
fh_container_backend_get_id (FhBackend *backend)
{
  return "container";
}

static FhSandbox *
fh_container_backend_prepare (FhBackend *backend, const FhRunLimits *limits)
{
  return fh_container_sandbox_new (FH_CONTAINER_BACKEND (backend)->options, limits);
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
fh_container_backend_probe_async (FhBackend *backend,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (backend, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_container_backend_probe_async);
  fh_container_probe_async (FH_CONTAINER_BACKEND (backend)->options, cancellable, probed_cb, task);
}

static FhBackendProbe *
fh_container_backend_probe_finish (FhBackend *backend, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, backend), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
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
  iface->get_id = fh_container_backend_get_id;
  iface->probe_async = fh_container_backend_probe_async;
  iface->probe_finish = fh_container_backend_probe_finish;
  iface->prepare = fh_container_backend_prepare;
}

static void
fh_container_backend_init (FhContainerBackend *self)
{
}

FhContainerBackend *
fh_container_backend_new (const FhContainerOptions *options)
{
  FhContainerBackend *self;

  g_return_val_if_fail (options != NULL, NULL);

  self = g_object_new (FH_TYPE_CONTAINER_BACKEND, NULL);
  self->options = fh_container_options_copy (options);
  return self;
}
