/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Any bytes as one line that people can trust to be what it looks like: as fh_valid_text_new, and
 * every control character, line break and sign that turns the direction of writing became "\u202e"
 * in letters. Owned by the caller. */
char *fh_readable_text_new (const void *bytes, gsize size);

G_END_DECLS
