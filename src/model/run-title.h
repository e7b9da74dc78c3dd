/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One short line for lists of runs and tabs: what the first line of `source` says that says
 * something. Marks of comments and the quotes of a docstring are taken off; blank lines, "#!", the
 * encoding and mere rulers are passed over. NULL when nothing is left. Owned by the caller. */
char *fh_run_title_of_source (GBytes *source);

/* `title` (nullable) without what would break a list; when it is empty, that of the source; never
 * empty. Owned by the caller. */
char *fh_run_title_choose (const char *title, GBytes *source);

G_END_DECLS
