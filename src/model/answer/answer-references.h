/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Finds which blocks of an answer need the files of others: they import, open or run them. Sets
 * `needed_by` and `run_by` of each block, and the names of files that only such a block tells. A
 * block that another one runs is saved and not run by itself. `blocks`: (element-type
 * FhAnswerBlock), with their names and actions. */
void fh_answer_references_find (GPtrArray *blocks);
