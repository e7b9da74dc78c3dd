/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The code of the only fenced block (CommonMark 0.30, "Fenced code blocks") in `text`, with its
 * last newline, or NULL when there is none or more than one. `info` gets the first word behind the
 * opening fence, "" when there is none. A block that is never closed reaches to the end. */
char *fh_markdown_fence_unwrap (const char *text, char **info);

G_END_DECLS
