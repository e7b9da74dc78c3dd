/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"

/* More are left out. */
#define FH_MARKDOWN_BLOCKS_MAX 1000
/* A longer text has no blocks. */
#define FH_MARKDOWN_MAX ((gsize) 2 << 20)

/* Lines of a text, from 1 on, which are text inside a program: their fences mean nothing. */
typedef struct
{
  guint first;
  guint last;
  guint fence; /* one of them, which would end the block otherwise */
} FhMarkdownLines;

/* All fenced code blocks (CommonMark 0.30, section 4.5), also in lists and quotes, after HTML and
 * behind any number of spaces. Those in a block that is Markdown itself are found in its place. Set
 * are `word`, `info`, `above`, `code`, `line` and `is_open`. (element-type FhAnswerBlock) */
GPtrArray *fh_markdown_blocks_find (const char *text);

/* The same, without the fences in those lines. (element-type FhAnswerBlock) (transfer full)
 * `texts`: (element-type FhMarkdownLines). */
GPtrArray *fh_markdown_blocks_find_around (const char *text, GArray *texts);
