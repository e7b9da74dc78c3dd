/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "traceback-parser.h"

#define FH_OUTPUT_SOURCES_MAX 50

/* The files by whose names output tells of the user's own source. */
GPtrArray *fh_output_sources_new (void);

/* One name counts once, and more than FH_OUTPUT_SOURCES_MAX are left out: all output is searched
 * for each. `file_name`: as for fh_traceback_find. `number`: of the block of an answer that it
 * holds; 0: the program, or in an answer the block that prints the line. */
void fh_output_sources_add (GPtrArray *sources, const char *file_name, guint number);

const char *fh_output_sources_get_file_name (GPtrArray *sources, guint index);

/* Looks for all of them in a line of output. In `place` the cell may be the number of a block. */
gboolean
fh_output_sources_find (GPtrArray *sources, const char *line, gsize size, FhSourcePlace *place);
