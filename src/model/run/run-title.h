/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A short title for lists of runs and tabs: the docstring or the first comment of `source`, else
 * the first name that Python defines, else the first line of code; of an answer its first heading,
 * else its first line. Blank lines, "#!", the encoding and rulers are skipped. NULL when nothing is
 * left. Owned by the caller. */
char *fh_run_title_of_source (GBytes *source);

/* `title` (nullable) as one line that is safe in a list; if empty, the title of the source. Never
 * empty. Owned by the caller. */
char *fh_run_title_choose (const char *title, GBytes *source);
