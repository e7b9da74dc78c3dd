/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "services.h"

#include "history-watch.h"
#include "parts/calls.h"

struct _FhServices
{
  GObject parent_instance;

  FhSettings *settings;
  FhHistory *history;
  FhHistoryWatch *watch;
  FhDrafts *drafts;
  FhProbes *probes;
  FhPictureDecoder *decoder;
  FhRecorder *recorder;
};

G_DEFINE_FINAL_TYPE (FhServices, fh_services, G_TYPE_OBJECT)

static void
fh_services_dispose (GObject *object)
{
  FhServices *self = FH_SERVICES (object);

  g_clear_object (&self->settings);
  g_clear_pointer (&self->watch, fh_history_watch_free);
  g_clear_object (&self->history);
  g_clear_object (&self->drafts);
  g_clear_object (&self->decoder);
  g_clear_object (&self->probes);
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
  g_return_val_if_fail (backend == NULL || FH_IS_BACKEND (backend), NULL);
  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);
  g_return_val_if_fail (FH_IS_DRAFTS (drafts), NULL);

  self = g_object_new (FH_TYPE_SERVICES, NULL);
  self->settings = g_object_ref (settings);
  self->history = g_object_ref (history);
  self->drafts = g_object_ref (drafts);
  self->probes = fh_probes_new (backend);
  self->decoder = fh_picture_decoder_new (self->probes);
  self->recorder = fh_recorder_new (history);
  fh_bind (settings, "keep-history", self->recorder, "keep-history");
  fh_bind (settings, "history-size", self->recorder, "history-size");
  return self;
}

void
fh_services_watch_history (FhServices *self)
{
  g_return_if_fail (FH_IS_SERVICES (self));

  if (self->watch == NULL)
    self->watch = fh_history_watch_new (self->history);
}

FhSettings *
fh_services_get_settings (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->settings;
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

FhProbes *
fh_services_get_probes (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->probes;
}

FhPictureDecoder *
fh_services_get_decoder (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->decoder;
}

FhRecorder *
fh_services_get_recorder (FhServices *self)
{
  g_return_val_if_fail (FH_IS_SERVICES (self), NULL);

  return self->recorder;
}
