/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "result-file.h"

G_BEGIN_DECLS

/* Result files become files of the user's: under names that can do no harm, never executable, never
 * through a link, and never in place of what is there already. */

/* Regular, and with its content at hand. */
gboolean fh_file_saving_is_possible (FhResultFile *file);

/* Writes one to the place that the user chose, and agreed to replace if there was something. */
void fh_file_saving_save_async (FhResultFile *file,
                                GFile *place,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean fh_file_saving_save_finish (GAsyncResult *result, GError **error);

/* Writes all that can be saved below `folder`, in folders of their own as in the workspace. What
 * has a name that is taken gets another one: "plot (2).png". The number of files written, 0 with an
 * error; the first error ends it. */
void fh_file_saving_save_all_async (FhResultFiles *files,
                                    GFile *folder,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
guint fh_file_saving_save_all_finish (GAsyncResult *result, GError **error);

G_END_DECLS
