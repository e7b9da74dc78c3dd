/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* What a guard is made of (fh_guard_state_get_layers), in the user's language. */
char *fh_guard_words_dup_layers (const char *layers);
