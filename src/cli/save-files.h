/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "result-file.h"

/* Saves the files that a program left behind in a folder of the user's, under names from
 * result-file-name.h. Existing files are not overwritten and links are not followed: if a name is
 * taken, another one is used. */

/* Opens the folder; creates it for its owner alone if it is missing. Returns a descriptor to close,
 * or -1. */
int fh_save_files_open (const char *folder, GError **error);

/* Saves all files with content. Files that could not be saved or got another name are reported on
 * standard error. FALSE if one could not be written. */
gboolean fh_save_files (FhResultFiles *files, int folder);
