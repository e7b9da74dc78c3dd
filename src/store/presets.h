/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-options.h"

/* Options under a name, in $XDG_CONFIG_HOME/fumehood/presets: one key file each, NAME.ini, readable
 * only for the user. A key is that of the option, such as "limits.wall_ms", and its value is JSON.
 * What is chosen for one run only, such as a guard that is off, is not in it. All of these
 * functions read and write small files, so that a window calls them in a thread.
 *
 * Earlier versions wrote NAME.json. Loading such a preset writes NAME.ini and removes the old file,
 * but keeps it if it is damaged. */

/* Whether it can name a preset: 1 to 64 letters, digits, dots, dashes and underscores, not
 * beginning with a dot or a dash. FALSE with FH_RUN_ERROR_INVALID, a sentence. */
gboolean fh_preset_check_name (const char *name, GError **error);

/* NULL with an error that names the preset if it does not exist or one of its values is invalid.
 * An invalid value is never replaced by a default. (transfer full) */
FhRunOptions *fh_preset_load (const char *name, GError **error);

/* Replaces a preset of that name. */
gboolean fh_preset_save (const char *name, const FhRunOptions *options, GError **error);

/* All names, sorted. (transfer full) */
GStrv fh_preset_list (void);

/* `was`: what was in it, to save it again; NULL if it was damaged. (transfer full) */
gboolean fh_preset_delete (const char *name, FhRunOptions **was, GError **error);
