/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "markdown-blocks.h"

#include <cmark.h>
#include <string.h>

/* So deep Markdown in Markdown is followed, and blocks that are indented too far. */
#define MAX_DEPTH 4
/* So deep lists and quotes in each other are followed: as one line can begin them, and by its
 * indentation. */
#define MAX_MARKERS     32
#define MAX_INDENTATION 256
/* In bytes. A longer line above a block is a paragraph, and could be megabytes. */
#define MAX_ABOVE 1000

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

typedef struct
{
  const char *text;
  char *simple;  /* the text as cmark gets it; every byte is in the same place */
  GArray *lines; /* gsize: where each line begins, and the end of the text */
  guint first;   /* of its lines, in the whole text */
  guint depth;
  guint first_text; /* the first and the last line that is neither empty nor a fence; 0: none */
  guint last_text;
  GArray *texts; /* FhMarkdownLines; nullable */
  GPtrArray *blocks;
} Search;

static void find_in (const char *text, guint first, guint depth, const Search *whole);

/* Finds the end of a line as cmark does: LF, CR LF and CR. */
static gsize
line_end (const char *text, gsize at)
{
  at += strcspn (text + at, "\r\n");
  if (text[at] == '\r' && text[at + 1] == '\n')
    return at + 2;
  return text[at] != '\0' ? at + 1 : at;
}

static GArray *
find_lines (const char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize at = 0;

  while (text[at] != '\0')
    {
      g_array_append_val (lines, at);
      at = line_end (text, at);
    }
  g_array_append_val (lines, at);
  return lines;
}

static gboolean
is_marker (char c)
{
  return c == '>' || c == '-' || c == '+' || c == '*' || g_ascii_isdigit (c);
}

/* Blanks out what only means something inside a paragraph. Links, emphasis, entities and HTML would
 * hide blocks, and some of them take cmark quadratic time (CVE-2023-22483 to -22486). So would
 * deep nesting. Every byte stays in its place. */
static void
simplify_line (char *line, gsize size)
{
  gsize n_markers = 0;
  gboolean at_start = TRUE;

  for (gsize i = 0; i < size; i++)
    {
      const char c = line[i];

      at_start = at_start && (is_marker (c) || c == ' ' || c == '\t' || c == '.' || c == ')');
      n_markers += at_start && is_marker (c);
      if (strchr ("[]!_<&\\|=#", c) != NULL || (c == '*' && !at_start) ||
          (at_start && (n_markers > MAX_MARKERS || i > MAX_INDENTATION)))
        line[i] = 'x';
    }
}

static void
hide_fences (char *line, gsize size)
{
  for (gsize i = 0; i < size; i++)
    {
      if (line[i] == '`' || line[i] == '~')
        line[i] = 'x';
    }
}

/* Whether a line of that number in the whole text is text inside a program. */
static gboolean
is_text (const Search *search, guint number)
{
  for (guint i = 0; search->texts != NULL && i < search->texts->len; i++)
    {
      const FhMarkdownLines *text = &g_array_index (search->texts, FhMarkdownLines, i);

      if (number >= text->first && number <= text->last)
        return TRUE;
    }
  return FALSE;
}

static char *
simplify (const Search *search)
{
  char *simple = g_strdup (search->text);

  for (guint i = 0; i + 1 < search->lines->len; i++)
    {
      const gsize begin = g_array_index (search->lines, gsize, i);
      const gsize size = strcspn (simple + begin, "\r\n");

      if (i == 0 && g_str_has_prefix (simple, BYTE_ORDER_MARK))
        memset (simple, ' ', strlen (BYTE_ORDER_MARK));
      simplify_line (simple + begin, size);
      if (is_text (search, search->first + i))
        hide_fences (simple + begin, size);
    }
  return simple;
}

/* The line of that number, from 1 on, in `text` or `simple`; empty if there is none. */
static const char *
get_line (const Search *search, const char *text, guint number, gsize *size)
{
  const char *line = "";

  if (number >= 1 && number < search->lines->len)
    line = text + g_array_index (search->lines, gsize, number - 1);
  *size = strcspn (line, "\r\n");
  return line;
}

/* Finds the fence in a line, behind spaces and the marks of lists and quotes. */
static const char *
find_fence (const char *line, gsize size)
{
  for (gsize i = 0; i + 3 <= size; i++)
    {
      if (memcmp (line + i, "```", 3) == 0 || memcmp (line + i, "~~~", 3) == 0)
        return line + i;
    }
  return NULL;
}

/* "```python", "``` {.python}", "```python:a/b.py" and "```python {1,3}". */
static char *
dup_word (const Search *search, guint number)
{
  gsize size;
  const char *line = get_line (search, search->text, number, &size);
  const char *end = line + size;
  const char *at = find_fence (line, size);
  const char *start;

  if (at == NULL)
    return g_strdup ("");
  at += strspn (at, *at == '`' ? "`" : "~");
  while (at < end && strchr (" \t{.", *at) != NULL)
    at++;
  start = at;
  while (at < end && strchr (" \t{},:;", *at) == NULL)
    at++;
  return g_ascii_strdown (start, at - start);
}

/* All behind the fence; NULL if that is only a word of letters. */
static char *
dup_info (const Search *search, guint number)
{
  gsize size;
  const char *line = get_line (search, search->text, number, &size);
  const char *at = find_fence (line, size);
  g_autofree char *info = NULL;

  if (at == NULL || size > MAX_ABOVE)
    return NULL;
  at += strspn (at, *at == '`' ? "`" : "~");
  info = g_strstrip (g_strndup (at, line + size - at));
  return strpbrk (info, " \t:=.{") != NULL ? g_steal_pointer (&info) : NULL;
}

/* The line above the fence in line `start`, or above an empty one; "" if that is the fence of
 * another block, or too long to be a title. */
static char *
dup_above (const Search *search, guint start)
{
  gsize size = 0;
  const char *line = "";

  for (guint back = 1; back <= 2 && back < start; back++)
    {
      line = get_line (search, search->text, start - back, &size);
      if (strspn (line, " \t") < size)
        break;
    }
  if (size > MAX_ABOVE || find_fence (line, size) != NULL)
    return g_strdup ("");
  return g_strndup (line, size);
}

/* The code as it is in the text: as many bytes of the end of each line as cmark says are code. */
static char *
dup_code (const Search *search, const char *literal, guint first)
{
  GString *code = g_string_new (NULL);

  for (guint number = first; *literal != '\0'; number++)
    {
      const gsize wanted = strcspn (literal, "\n");
      gsize size;
      const char *line = get_line (search, search->text, number, &size);
      const gsize kept = MIN (wanted, size);

      /* A tab that is partly indentation counts as spaces. */
      for (gsize i = kept; i < wanted; i++)
        g_string_append_c (code, ' ');
      g_string_append_len (code, line + size - kept, (gssize) kept);
      g_string_append_c (code, '\n');
      literal += wanted + (literal[wanted] == '\n');
    }
  return g_string_free (code, FALSE);
}

static gboolean
is_closed (const Search *search, guint start, guint end)
{
  gsize size;
  const char *line = get_line (search, search->text, end, &size);
  const char *fence = find_fence (line, size);

  if (end <= start || fence == NULL)
    return FALSE;
  for (const char *at = fence; at < line + size; at++)
    {
      if (*at != *fence && !g_ascii_isspace (*at))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_markdown (const char *word)
{
  return g_str_equal (word, "markdown") || g_str_equal (word, "md");
}

static gboolean
has_fence (const char *code)
{
  return strstr (code, "```") != NULL || strstr (code, "~~~") != NULL;
}

/* If not, it is code because of its indentation, and its text begins in its first line. */
static gboolean
is_fenced (const Search *search, cmark_node *node, guint start)
{
  const char *literal = cmark_node_get_literal (node);
  const gsize before = (gsize) MAX (cmark_node_get_start_column (node) - 1, 0);
  gsize size;
  const char *line = get_line (search, search->simple, start, &size);

  if (before >= size || find_fence (line + before, size - before) != line + before)
    return FALSE;
  return strcspn (literal, "\n") != size - before ||
         strncmp (literal, line + before, size - before) != 0;
}

static void
find_text (Search *search)
{
  for (guint number = 1; number < search->lines->len; number++)
    {
      gsize size;
      const char *line = get_line (search, search->text, number, &size);

      if (strspn (line, "`~ \t") >= size)
        continue;
      if (search->first_text == 0)
        search->first_text = number;
      search->last_text = number;
    }
}

/* Whether the text leaves a block open: then the fence around it ended too early. What is in the
 * blocks is not looked at, so that nested ones do not multiply the work. */
static gboolean
leaves_open (const char *code)
{
  g_autoptr (GPtrArray) blocks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  const Search whole = { .blocks = blocks };

  find_in (code, 1, MAX_DEPTH, &whole);
  return blocks->len > 0 && ((FhAnswerBlock *) blocks->pdata[blocks->len - 1])->is_open;
}

/* Whether the blocks in the code of a block count: its fence is around a whole answer, and not
 * around an example. */
static gboolean
is_wrapper (const Search *search, cmark_node *node, gboolean has_fences, const char *code)
{
  const gboolean is_whole = (guint) cmark_node_get_start_line (node) <= search->first_text &&
                            (guint) cmark_node_get_end_line (node) >= search->last_text;

  return !has_fences || is_whole || leaves_open (code);
}

static void
add_block (const Search *search, cmark_node *node)
{
  const guint start = (guint) cmark_node_get_start_line (node);
  const gboolean has_fences = is_fenced (search, node, start);
  const guint first = has_fences ? start + 1 : start;
  g_autofree char *word = has_fences ? dup_word (search, start) : g_strdup ("markdown");
  g_autofree char *code = dup_code (search, cmark_node_get_literal (node), first);
  FhAnswerBlock *block;

  if (is_markdown (word) && has_fence (code) && search->depth < MAX_DEPTH &&
      is_wrapper (search, node, has_fences, code))
    {
      find_in (code, search->first + first - 1, search->depth + 1, search);
      return;
    }
  /* A last fence without anything behind it ends what has no beginning. */
  if (!has_fences || search->blocks->len >= FH_MARKDOWN_BLOCKS_MAX ||
      (*code == '\0' && *word == '\0' &&
       !is_closed (search, start, (guint) cmark_node_get_end_line (node))))
    return;
  block = g_new0 (FhAnswerBlock, 1);
  block->word = g_steal_pointer (&word);
  block->info = dup_info (search, start);
  block->above = dup_above (search, start);
  block->code = g_steal_pointer (&code);
  block->line = search->first + first - 1;
  block->is_open = !is_closed (search, start, (guint) cmark_node_get_end_line (node));
  g_ptr_array_add (search->blocks, block);
}

static void
find_in (const char *text, guint first, guint depth, const Search *whole)
{
  Search search = { .text = text,
                    .first = first,
                    .depth = depth,
                    .texts = whole->texts,
                    .blocks = whole->blocks };
  cmark_node *document;
  cmark_iter *iter;

  search.lines = find_lines (text);
  search.simple = simplify (&search);
  find_text (&search);
  document = cmark_parse_document (search.simple, strlen (search.simple), CMARK_OPT_DEFAULT);
  iter = cmark_iter_new (document);
  while (cmark_iter_next (iter) != CMARK_EVENT_DONE)
    {
      cmark_node *node = cmark_iter_get_node (iter);

      if (cmark_node_get_type (node) == CMARK_NODE_CODE_BLOCK)
        add_block (&search, node);
    }
  cmark_iter_free (iter);
  cmark_node_free (document);
  g_array_unref (search.lines);
  g_free (search.simple);
}

GPtrArray *
fh_markdown_blocks_find_around (const char *text, GArray *texts)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  const Search whole = { .texts = texts, .blocks = blocks };

  g_return_val_if_fail (text != NULL, blocks);

  if (has_fence (text) && strlen (text) <= FH_MARKDOWN_MAX)
    find_in (text, 1, 0, &whole);
  return blocks;
}

GPtrArray *
fh_markdown_blocks_find (const char *text)
{
  return fh_markdown_blocks_find_around (text, NULL);
}
