/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A place in the user's own source that a line of output names. */
typedef struct
{
  guint line;   /* from 1 */
  guint column; /* from 1, 0: unknown */
  guint cell;   /* of a session, from 1; 0: not in a cell */
  gsize start;  /* the part of the line of output that names it, in bytes */
  gsize end;
} FhSourcePlace;

/* This file name stands for the code of any cell of a session, which is called "<cell 3>". */
#define FH_TRACEBACK_CELL "<cell "

/* Looks for `file_name` ("main.py", also as "/workspace/main.py") with a line number in one line of
 * output, in the forms of Python tracebacks, bash and sh ("main.sh: line 3:"), and "main.py:3:7".
 * The line is hostile: only a bounded part is read, and nothing is allocated. */
gboolean
fh_traceback_find (const char *line, gsize size, const char *file_name, FhSourcePlace *place);

/* Whether `text` begins as an error of Python, which people copy instead of the program. */
gboolean fh_traceback_begins (const char *text);
