/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"
#include "container-probes.h"
#include "drafts.h"
#include "history.h"
#include "protection.h"
#include "run-recorder.h"
#include "settings.h"

G_BEGIN_DECLS

/* What the application owns and all windows share. Immutable; handed to each window and tab, so
 * that a test can build them around a backend and a history of its own. */
#define FH_TYPE_SERVICES (fh_services_get_type ())
G_DECLARE_FINAL_TYPE (FhServices, fh_services, FH, SERVICES, GObject)

FhServices *
fh_services_new (FhSettings *settings, FhBackend *backend, FhHistory *history, FhDrafts *drafts);

/* All borrowed. */
FhSettings *fh_services_get_settings (FhServices *self);
FhBackend *fh_services_get_backend (FhServices *self);
FhHistory *fh_services_get_history (FhServices *self);
FhDrafts *fh_services_get_drafts (FhServices *self);
FhProtection *fh_services_get_protection (FhServices *self); /* on this computer */
FhContainerProbes *fh_services_get_container_probes (FhServices *self);
FhRunRecorder *fh_services_get_recorder (FhServices *self);

G_END_DECLS
