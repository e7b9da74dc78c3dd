/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Any bytes as text that may be shown: valid UTF-8 in which every invalid byte became U+FFFD and
 * every NUL U+2400. Owned by the caller. */
char *fh_valid_text_new (const void *bytes, gsize size);

/* TRUE when the bytes are text as they are: valid UTF-8 without a NUL. */
gboolean fh_valid_text_check (const void *bytes, gsize size);

G_END_DECLS
