/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "container-options.h"
#include "run-limits.h"

/* The user's settings: a property for each key of the schema, of the same name.
 *
 * Properties: color-scheme (string: follow, light, dark), font-size (points), zoom (percent),
 * presenter-view, wrap-lines, line-numbers, default-time-limit (ms), default-memory-limit (bytes),
 * language (id), place (string: computer, container), engine (string: auto, docker, podman), image,
 * prepare-runs, keep-history, block-policies (string: see fh_answer_set_policies), history-size
 * (runs, 0: all), window-width, window-height, window-maximized, show-sidebar, split-wide,
 * split-narrow (shares of the editor, 0–1). */
#define FH_TYPE_SETTINGS (fh_settings_get_type ())
G_DECLARE_FINAL_TYPE (FhSettings, fh_settings, FH, SETTINGS, GObject)

FhSettings *fh_settings_new (void);

/* The limits of a new tab: the defaults with the user's time and memory. */
FhRunLimits fh_settings_get_default_limits (FhSettings *self);

/* The container of a new tab, which weakens nothing. TRUE: its programs run there. `image` is owned
 * by the caller and borrowed by the options. */
gboolean
fh_settings_get_default_container (FhSettings *self, FhContainerOptions *options, char **image);
