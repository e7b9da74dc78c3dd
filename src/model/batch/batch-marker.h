/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-result.h"

/* A program in Python that tests itself has not passed if it ends before its tests have: with
 * sys.exit (0), for example. Its last statement writes a word to standard output that nothing else
 * writes. */

/* Appends that statement. Returns the word, which follows from the program. (transfer full) */
char *fh_batch_marker_append (GString *program);

gboolean fh_batch_marker_is_in (FhOutputLog *output, const char *marker);

/* The result without the word: what the program itself wrote. If output was left out, the word
 * stays. (transfer full) */
FhRunResult *fh_batch_marker_remove (FhRunResult *result, const char *marker);
