/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "result-file.h"

/* Saves result files as files of the user: under safe names, never executable, never through a
 * symbolic link, never replacing a file without asking. */

/* Whether the file can be saved: it is a regular one whose content was kept. */
gboolean fh_file_saving_is_possible (FhResultFile *file);

/* Writes or replaces `place`, which the user has chosen in a dialog. */
void fh_file_saving_save_async (FhResultFile *file,
                                GFile *place,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean fh_file_saving_save_finish (GAsyncResult *result, GError **error);

/* Writes all files below `folder`, with their subfolders. A name that is taken becomes
 * "plot (2).png". `folder` must be local, without symbolic links in its path that others could have
 * made (opened-path.h). Stops at the first error. Returns the number of files, 0 on error. */
void fh_file_saving_save_all_async (FhResultFiles *files,
                                    GFile *folder,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
guint fh_file_saving_save_all_finish (GAsyncResult *result, GError **error);
