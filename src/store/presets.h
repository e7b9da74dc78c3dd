/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-options.h"

G_BEGIN_DECLS

/* Options under a name, in $XDG_CONFIG_HOME/fumehood/presets: one JSON file each, readable only for
 * the user, with the members of a draft. What is chosen for one run only, such as a guard that is
 * off, is not in it. These functions read and write small files. */

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

/* The same for a window, in a thread. */
void fh_preset_list_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
GStrv fh_preset_list_finish (GAsyncResult *result, GError **error);
void fh_preset_load_async (const char *name,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer data);
FhRunOptions *fh_preset_load_finish (GAsyncResult *result, GError **error);
void fh_preset_save_async (const char *name,
                           const FhRunOptions *options,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer data);
gboolean fh_preset_save_finish (GAsyncResult *result, GError **error);
void fh_preset_delete_async (const char *name,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer data);
gboolean fh_preset_delete_finish (GAsyncResult *result, FhRunOptions **was, GError **error);

G_END_DECLS
