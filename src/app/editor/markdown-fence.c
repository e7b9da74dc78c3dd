/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/markdown-fence.h"

#include <string.h>

#define MAX_INDENT 3

/* A line that may open or close a block. */
typedef struct
{
  char mark;         /* '`' or '~' */
  gsize length;      /* of the fence: 3 or more */
  gsize indent;      /* spaces before it */
  const char *after; /* the rest of its line */
} Fence;

static const char *
line_end (const char *line)
{
  const char *end = strchr (line, '\n');

  return end != NULL ? end : line + strlen (line);
}

static const char *
next_line (const char *line)
{
  const char *end = line_end (line);

  return *end != '\0' ? end + 1 : NULL;
}

static gboolean
parse_fence (const char *line, Fence *fence)
{
  const char *at = line;

  fence->indent = strspn (at, " ");
  at += fence->indent;
  if (fence->indent > MAX_INDENT || (*at != '`' && *at != '~'))
    return FALSE;
  fence->mark = *at;
  fence->length = strspn (at, fence->mark == '`' ? "`" : "~");
  fence->after = at + fence->length;
  return fence->length >= 3;
}

/* With another backtick on the line it would be inline code. */
static gboolean
opens (const Fence *fence)
{
  return fence->mark != '`' ||
         memchr (fence->after, '`', (gsize) (line_end (fence->after) - fence->after)) == NULL;
}

static gboolean
closes (const Fence *fence, const Fence *open)
{
  const char *end = line_end (fence->after);

  if (fence->mark != open->mark || fence->length < open->length)
    return FALSE;
  for (const char *at = fence->after; at < end; at++)
    {
      if (!g_ascii_isspace (*at))
        return FALSE;
    }
  return TRUE;
}

/* The next line, from `line` on, that opens a block, or NULL. */
static const char *
find_open (const char *line, Fence *fence)
{
  for (; line != NULL; line = next_line (line))
    {
      if (parse_fence (line, fence) && opens (fence))
        return line;
    }
  return NULL;
}

static void
append_line (GString *code, const char *line, gsize indent)
{
  const char *end = line_end (line);

  for (gsize i = 0; i < indent && *line == ' '; i++)
    line++;
  if (end > line && end[-1] == '\r')
    end--;
  g_string_append_len (code, line, end - line);
  g_string_append_c (code, '\n');
}

static char *
first_word (const char *text)
{
  text += strspn (text, " \t");
  return g_strndup (text, strcspn (text, " \t\r\n{,"));
}

char *
fh_markdown_fence_unwrap (const char *text, char **info)
{
  g_autoptr (GString) code = NULL;
  Fence open;
  Fence fence;
  const char *line;

  g_return_val_if_fail (text != NULL, NULL);

  line = find_open (text, &open);
  if (line == NULL)
    return NULL;

  code = g_string_new (NULL);
  for (line = next_line (line); line != NULL; line = next_line (line))
    {
      if (parse_fence (line, &fence) && closes (&fence, &open))
        break;
      if (*line != '\0')
        append_line (code, line, open.indent);
    }
  if (line != NULL && find_open (next_line (line), &fence) != NULL)
    return NULL;

  if (info != NULL)
    *info = first_word (open.after);
  return g_string_free (g_steal_pointer (&code), FALSE);
}
