/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The candidate that `word` is most likely a slip of the keys for; NULL when none is close. Owned
 * by `candidates`, which may be in any order. */
const char *fh_suggestion_find (const char *word, const char *const *candidates);
