/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-probe.h"
#include "container-sandbox.h"
#include "native-backend.h"

#define FH_TYPE_CHOSEN_BACKEND (fh_chosen_backend_get_type ())
G_DECLARE_FINAL_TYPE (FhChosenBackend, fh_chosen_backend, FH, CHOSEN_BACKEND, GObject)

struct _FhChosenBackend
{
  GObject parent_instance;

  FhTier tier;                   /* of this computer: the one to probe, or AUTO */
  FhContainerOptions *container; /* NULL: this computer */
};

static void backend_iface_init (FhBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhChosenBackend,
                               fh_chosen_backend,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_BACKEND, backend_iface_init))

static void
fh_chosen_backend_probe (FhBackend *backend, GTask *task)
{
  FhChosenBackend *self = FH_CHOSEN_BACKEND (backend);

  if (self->container != NULL)
    fh_container_probe (self->container, task);
  else
    fh_native_probe (self->tier, task);
}

static FhSandbox *
fh_chosen_backend_prepare (FhBackend *backend, FhRunRequest *request)
{
  FhChosenBackend *self = FH_CHOSEN_BACKEND (backend);

  if (self->container == NULL)
    return fh_native_sandbox_new ();
  return fh_container_sandbox_new (self->container, fh_run_request_get_limits (request));
}

static void
fh_chosen_backend_finalize (GObject *object)
{
  fh_container_options_free (FH_CHOSEN_BACKEND (object)->container);

  G_OBJECT_CLASS (fh_chosen_backend_parent_class)->finalize (object);
}

static void
fh_chosen_backend_class_init (FhChosenBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_chosen_backend_finalize;
}

static void
backend_iface_init (FhBackendInterface *iface)
{
  iface->probe = fh_chosen_backend_probe;
  iface->prepare = fh_chosen_backend_prepare;
}

static void
fh_chosen_backend_init (FhChosenBackend *self)
{
}

FhBackend *
fh_backend_new (FhTier tier, const FhContainerOptions *container)
{
  FhChosenBackend *self = g_object_new (FH_TYPE_CHOSEN_BACKEND, NULL);

  self->tier = tier;
  self->container = container != NULL ? fh_container_options_copy (container) : NULL;
  return FH_BACKEND (self);
}
