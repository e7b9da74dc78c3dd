/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* What models write to solve a problem goes on where the prompt ends, or it is an answer in
 * Markdown, as chat models write it. */

/* The first code block of Python in an answer, or the first that names no language. NULL: the
 * completion is plain, and has to stay as it is. (transfer full) */
char *fh_batch_completion_unwrap (const char *completion);

/* Whether something in it is not Python but of the chat around it: a fence, or the name of a token
 * such as <|endoftext|>. */
gboolean fh_batch_completion_has_marks (const char *completion);
