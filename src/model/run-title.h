/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A short title for lists of runs and tabs: the first meaningful line of `source`, without comment
 * marks and docstring quotes; blank lines, "#!", the encoding and rulers are skipped. NULL when
 * nothing is left. Owned by the caller. */
char *fh_run_title_of_source (GBytes *source);

/* `title` (nullable) as one line that is safe in a list; if empty, the title of the source. Never
 * empty. Owned by the caller. */
char *fh_run_title_choose (const char *title, GBytes *source);

G_END_DECLS
