/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drafts.h"
#include "history.h"
#include "picture-decoder.h"
#include "probes.h"
#include "recorder.h"
#include "settings.h"

/* The objects that the application owns and all windows share. Immutable; handed to each window and
 * tab, so that a test can build them around a backend and a history of its own. */
#define FH_TYPE_SERVICES (fh_services_get_type ())
G_DECLARE_FINAL_TYPE (FhServices, fh_services, FH, SERVICES, GObject)

/* `backend`: for runs on this computer; NULL is the default one. */
FhServices *
fh_services_new (FhSettings *settings, FhBackend *backend, FhHistory *history, FhDrafts *drafts);

/* All borrowed. */
FhSettings *fh_services_get_settings (FhServices *self);
FhHistory *fh_services_get_history (FhServices *self);
FhDrafts *fh_services_get_drafts (FhServices *self);
FhProbes *fh_services_get_probes (FhServices *self);
FhPictureDecoder *fh_services_get_decoder (FhServices *self);
FhRecorder *fh_services_get_recorder (FhServices *self);

/* Changes that other processes make to the history are seen from now on. After it was opened, which
 * may have something to say. */
void fh_services_watch_history (FhServices *self);
