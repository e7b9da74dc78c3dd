/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "result-file.h"

G_BEGIN_DECLS

/* Puts what a program left into a folder of the user's, under names of result-file-name.h. Nothing
 * that is there is followed or overwritten: a file whose name is taken gets another one. */

/* Opens the folder, which is made, for its owner alone, when it is missing. Returns a descriptor
 * to be closed, or -1. */
int fh_save_files_open (const char *folder, GError **error);

/* Saves all that have a content. What could not be saved, and what got another name, is said on
 * standard error. FALSE when a file could not be written. */
gboolean fh_save_files (FhResultFiles *files, int folder);

G_END_DECLS
