/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-language.h"

/* Word processors, web pages and some models write quotation marks, spaces and signs that look like
 * those of code and are not. Replaces those outside of strings and comments by what they stand for.
 * In Python none of them is valid there. For languages other than Python and shells only lines that
 * have no other quotes are looked at, and no program that may have texts of several lines.
 *
 * `lines`: the numbers of the lines that were changed, from 1 on. (element-type guint) (out)
 * (transfer full). Returns NULL, and no lines, if nothing was replaced. (transfer full) */
char *fh_odd_characters_replace (const FhLanguage *language, const char *code, GArray **lines);
