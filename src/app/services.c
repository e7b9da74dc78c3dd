/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "services.h"

struct _FhServices
{
  GObject parent_instance;

  FhSettings *settings;
  FhBackend *backend;
  FhHistory *history;
  FhDrafts *drafts;
  FhProtection *protection;
  FhContainerProbes *container_probes;
  FhRunRecorder *recorder;
};

G_DEFINE_FINAL_TYPE (FhServices, fh_services, G_TYPE_OBJECT)

static void
fh_services_dispose (GObject *object)
{
  FhServices *self = FH_SERVICES (object);

  g_clear_object (&self->settings);
  g_clear_object (&self->backend);
  g_clear_object (&self->history);
  g_clear_object (&self->drafts);
  g_clear_object (&self->protection);
  g_clear_object (&self->container_probes);
  g_clear_object (&self->recorder);

  G_OBJECT_CLASS (fh_services_parent_class)->dispose (object);
}

static void
fh_services_class_init (FhServicesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_services_dispose;
}

static void
fh_services_init (FhServices *self)
{
}

FhServices *
fh_services_new (FhSettings *settings, FhBackend *backend, FhHistory *history, FhDrafts *drafts)
{
  FhServices *self;

  g_return_val_if_fail (FH_IS_SETTINGS (settings), NULL);
  g_return_val_if_fail (FH_IS_BACKEND (backend), NULL);
  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);
  g_return_val_if_fail (FH_IS_DRAFTS (drafts), NULL);

  self = g_object_new (FH_TYPE_SERVICES, NULL);
  self->settings = g_object_ref (settings);
  self->backend = g_object_ref (backend);
  self->history = g_object_ref (history);
  self->drafts = g_object_ref (drafts);
  self->protection = fh_protection_new ();
  self->container_probes = fh_container_probes_new ();
  self->recorder = fh_run_recorder_new (history, settings);
  return self;
}

FhSettings *
fh_services_get_settings (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->settings;
}

FhBackend *
fh_services_get_backend (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->backend;
}

FhHistory *
fh_services_get_history (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->history;
}

FhDrafts *
fh_services_get_drafts (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->drafts;
}

FhProtection *
fh_services_get_protection (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->protection;
}

FhContainerProbes *
fh_services_get_container_probes (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->container_probes;
}

FhRunRecorder *
fh_services_get_recorder (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->recorder;
}
