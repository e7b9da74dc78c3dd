/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* More are left out. */
#define FH_MARKDOWN_BLOCKS_MAX 1000
/* A longer text has no blocks. */
#define FH_MARKDOWN_MAX ((gsize) 2 << 20)

/* A fenced code block (CommonMark 0.30, section 4.5). */
typedef struct
{
  char *word;       /* the first word after the opening fence, in lower case; "" if there is none */
  char *info;       /* all that stands after the opening fence, if it is more; NULL else */
  char *above;      /* the line above it or above an empty one; "" for none and a long one */
  char *code;       /* with its last newline; "\r\n" becomes "\n" */
  guint line;       /* of the first line of the code in the text, from 1 on */
  gboolean is_open; /* the text ends before the closing fence */
  guint thoughts;   /* the line that ends what the model wrote for itself before it; or 0 */
  guint passed;     /* the line of a fence that does not end it, though it could; 0 for none */
  guint end_line;   /* of the token that ends the answer, for the last block; or 0 */
  char *end_token;  /* "<|im_end|>"; NULL without that line */
} FhMarkdownBlock;

/* Lines of a text, from 1 on, which are text inside a program: their fences mean nothing. */
typedef struct
{
  guint first;
  guint last;
  guint fence; /* one of them, which would end the block otherwise */
} FhMarkdownLines;

void fh_markdown_block_free (FhMarkdownBlock *block);

/* All fenced blocks, also in lists and quotes, after HTML and behind any number of spaces. Those in
 * a block that is Markdown itself are found in its place. (element-type FhMarkdownBlock) */
GPtrArray *fh_markdown_blocks_find (const char *text);

/* The same, without the fences in those lines. (element-type FhMarkdownBlock) (transfer full)
 * `texts`: (element-type FhMarkdownLines). */
GPtrArray *fh_markdown_blocks_find_around (const char *text, GArray *texts);
