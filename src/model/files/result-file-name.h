/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The program chooses the names of its files. These functions make names that are safe among the
 * user's own files: valid UTF-8, with control characters and direction controls replaced by "_",
 * and without a leading "-", which commands take for an option, or ".", which hides the file and
 * may make it a configuration file. Two names can become the same. Pure. */

/* The last part of `path`, to be put into a folder of the user's: "plots/.a\n.png" → "_.a_.png". */
char *fh_result_path_to_name (const char *path);
/* All of `path`, each part on its own. */
char *fh_result_path_to_path (const char *path);
/* "plot.png" → "plot (2).png", if the other name is in use. No longer than a name may be. */
char *fh_result_name_with_number (const char *name, guint number);
