/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The code of the only fenced block (CommonMark 0.30, "Fenced code blocks") in `text`, with its
 * last newline; NULL if there is none or more than one. `info` is set to the first word after the
 * opening fence, or "". An unclosed block reaches to the end. */
char *fh_markdown_fence_unwrap (const char *text, char **info);

G_END_DECLS
