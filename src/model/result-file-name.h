/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A program under guard names its files as it likes. These make names of them that can stand among
 * the user's own: valid UTF-8 without control characters or signs that turn the direction of
 * writing, which become "_"; and none begins with "-", which commands would take for an option, or
 * with ".", which hides it and is where other programs look for what they should do. Two names can
 * become the same one. Pure: nothing is looked up. */

/* The last part of `path`, to be put into a folder of the user's: "plots/.a\n.png" → "_.a_.png". */
char *fh_result_path_to_name (const char *path);
/* All of `path`, each part on its own. */
char *fh_result_path_to_path (const char *path);
/* "plot.png" → "plot (2).png", for when the other one is taken. Also no longer than a name may
 * be. */
char *fh_result_name_with_number (const char *name, guint number);

G_END_DECLS
