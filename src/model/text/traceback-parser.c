/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the file name first and then parses the text around it. The forms:
 *
 *   File "/workspace/main.py", line 3        Python's tracebacks and syntax errors
 *   (main.py, line 3)                        the text of a SyntaxError that was caught
 *   main.sh: line 3: …                       bash
 *   /workspace/main.sh: 3: …                 dash and other shells
 *   File "<cell 4>", line 3                  a cell of a session
 *   main.py:3:7 … or main.py:3: …            warnings, compilers, JavaScript
 */
#include "traceback-parser.h"

#include <string.h>

/* So many bytes from the beginning of a line are searched. */
#define MAX_LINE 4096

static const char workspace[] = "/workspace/";
static const char file_word[] = "File \"";
static const char shared_prefix[] = "fumehood-";

/* Followed by eight digits and a dash. */
#define SHARED_PREFIX_SIZE (sizeof shared_prefix - 1 + 8 + 1)

typedef struct
{
  const char *text;
  gsize size;
  gsize at;
} Scan;

static gboolean
take (Scan *scan, const char *word)
{
  gsize size = strlen (word);

  if (scan->size - scan->at < size || memcmp (scan->text + scan->at, word, size) != 0)
    return FALSE;
  scan->at += size;
  return TRUE;
}

/* A number from 1 on that is not followed by a letter. */
static gboolean
take_number (Scan *scan, guint *number)
{
  gsize at = scan->at;
  guint value = 0;

  while (at < scan->size && g_ascii_isdigit (scan->text[at]) && value < G_MAXINT / 10 - 1)
    value = value * 10 + (guint) (scan->text[at++] - '0');
  if (value == 0 ||
      (at < scan->size && (g_ascii_isalnum (scan->text[at]) || scan->text[at] == '_')))
    return FALSE;
  *number = value;
  scan->at = at;
  return TRUE;
}

/* The line, and perhaps the column, right after the file name. */
static gboolean
take_position (Scan *scan, FhSourcePlace *place)
{
  Scan column;

  place->column = 0;
  if (take (scan, "\", line ") || take (scan, ", line ") || take (scan, ": line "))
    return take_number (scan, &place->line);
  if (take (scan, ": "))
    /* A number counts only if a colon follows: "main.py: 3 tests failed" names no line. */
    return take_number (scan, &place->line) && scan->at < scan->size && scan->text[scan->at] == ':';
  if (!take (scan, ":") || !take_number (scan, &place->line))
    return FALSE;
  column = *scan;
  if (take (&column, ":") && take_number (&column, &place->column))
    *scan = column;
  return TRUE;
}

static gboolean
is_part_of_name (char c)
{
  return g_ascii_isalnum (c) || (c & 0x80) != 0 || strchr ("_-.+~@%/\\", c) != NULL;
}

static gboolean
ends_with (const char *text, gsize size, const char *word)
{
  gsize n = strlen (word);

  return size >= n && memcmp (text + size - n, word, n) == 0;
}

/* The program's file has a longer name in a shared folder, which ends with the usual one:
 * "fumehood-0123abcd-main.py". Returns the size of the prefix. */
static gsize
size_of_shared_prefix (const char *line, gsize name)
{
  const char *prefix;

  if (name < SHARED_PREFIX_SIZE || line[name - 1] != '-')
    return 0;
  prefix = line + name - SHARED_PREFIX_SIZE;
  if (memcmp (prefix, shared_prefix, strlen (shared_prefix)) != 0)
    return 0;
  for (gsize i = strlen (shared_prefix); i < SHARED_PREFIX_SIZE - 1; i++)
    {
      if (!g_ascii_isxdigit (prefix[i]))
        return 0;
    }
  return SHARED_PREFIX_SIZE;
}

/* Finds the beginning of the path that ends with `name`. FALSE: it is the end of another file's
 * name. */
static gboolean
find_beginning (const char *line, gsize name, gsize *start)
{
  gsize at = name - size_of_shared_prefix (line, name);

  if (ends_with (line, at, workspace))
    at -= strlen (workspace);
  else if (ends_with (line, at, "./"))
    at -= strlen ("./");
  if (ends_with (line, at, "file://"))
    at -= strlen ("file://");
  if (at > 0 && is_part_of_name (line[at - 1]))
    return FALSE;
  *start = ends_with (line, at, file_word) ? at - strlen (file_word) : at;
  return TRUE;
}

/* The rest of a cell's name. */
static gboolean
take_cell (Scan *scan, FhSourcePlace *place)
{
  return take_number (scan, &place->cell) && take (scan, ">");
}

gboolean
fh_traceback_find (const char *line, gsize size, const char *file_name, FhSourcePlace *place)
{
  gboolean is_cell;
  gsize name_size;
  Scan scan;

  g_return_val_if_fail (line != NULL || size == 0, FALSE);
  g_return_val_if_fail (file_name != NULL && *file_name != '\0', FALSE);
  g_return_val_if_fail (place != NULL, FALSE);

  is_cell = g_str_equal (file_name, FH_TRACEBACK_CELL);
  name_size = strlen (file_name);
  scan = (Scan){ .text = line, .size = MIN (size, MAX_LINE) };
  while (scan.at < scan.size)
    {
      const char *name = memmem (line + scan.at, scan.size - scan.at, file_name, name_size);
      FhSourcePlace found = { 0 };

      if (name == NULL)
        return FALSE;
      scan.at = (gsize) (name - line) + name_size;
      if (find_beginning (line, (gsize) (name - line), &found.start) &&
          (!is_cell || take_cell (&scan, &found)) && take_position (&scan, &found))
        {
          found.end = scan.at;
          *place = found;
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
fh_traceback_begins (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  return g_str_has_prefix (text + strspn (text, " \t\r\n"), "Traceback (most recent call last):");
}
