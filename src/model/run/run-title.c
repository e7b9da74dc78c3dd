/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-title.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "readable-text.h"

#define MAX_CHARS 80

/* How much of a source is searched for a title. */
#define MAX_SEARCH ((gsize) 4096)

/* Before and after code in an answer. */
#define FENCE "```"

/* Python looks for its encoding there (PEP 263). */
#define ENCODING_LINES 2

/* A part of the source: a line, or the rest of one. */
typedef struct
{
  const char *at;
  const char *end;
} Span;

/* `docstring`: the quote of one that began with nothing behind it, else 0.
 * `open`: what ends a preamble of several lines, else 0; `preamble`: the first of them, nullable.
 * `code`: the first line of code behind it, nullable.
 */
typedef struct
{
  guint line;
  char docstring;
  char open;
  char *preamble;
  char *code;
} Search;

/* Bidirectional marks, embeddings, overrides and isolates: in a title they would change how a row
 * of a list reads. */
static gboolean
turns_text_around (gunichar c)
{
  return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

/* One line that fits in a list: control characters become spaces, which are joined. */
static char *
tidy (Span span)
{
  g_autofree char *text = fh_valid_text_new (span.at, (gsize) (span.end - span.at));
  GString *title = g_string_new (NULL);
  guint count = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (g_unichar_isspace (c) || g_unichar_iscntrl (c) || turns_text_around (c))
        {
          if (title->len == 0 || title->str[title->len - 1] == ' ')
            continue;
          c = ' ';
        }
      if (count++ == MAX_CHARS)
        {
          g_string_set_size (title, strlen (g_strchomp (title->str)));
          g_string_append (title, "…");
          break;
        }
      g_string_append_unichar (title, c);
    }
  return g_strchomp (g_string_free (title, FALSE));
}

static Span
trim (Span span)
{
  while (span.at < span.end && g_ascii_isspace (*span.at))
    span.at++;
  while (span.at < span.end && g_ascii_isspace (span.end[-1]))
    span.end--;
  return span;
}

static gboolean
begins_with (Span span, const char *text)
{
  gsize size = strlen (text);

  return (gsize) (span.end - span.at) >= size && memcmp (span.at, text, size) == 0;
}

/* "# -*- coding: utf-8 -*-", "# vim: set fileencoding=latin-1:" */
static gboolean
names_encoding (Span comment)
{
  const char *found = g_strstr_len (comment.at, comment.end - comment.at, "coding");

  found = found != NULL ? found + strlen ("coding") : comment.end;
  return found < comment.end && (*found == ':' || *found == '=');
}

/* "-----", "%%" and the like at either end of a comment; a single "-" belongs to the text. */
static Span
strip_ruler (Span comment)
{
  static const char ruler[] = "-=*~_%+#";
  const char *at = comment.at;
  const char *end = comment.end;

  while (at < end && strchr (ruler, *at) != NULL && *at != '\0')
    at++;
  while (end > at && strchr (ruler, end[-1]) != NULL && end[-1] != '\0')
    end--;
  if (at - comment.at > 1)
    comment.at = at;
  if (comment.end - end > 1)
    comment.end = MAX (end, comment.at);
  return trim (comment);
}

static gboolean
is_triple (const char *at, const char *end, char quote)
{
  return end - at >= 3 && at[0] == quote && at[1] == quote && at[2] == quote;
}

static Span
strip_end_of_docstring (Span span, char quote)
{
  if (is_triple (span.end - MIN (span.end - span.at, 3), span.end, quote))
    span.end -= 3;
  return trim (span);
}

/* A line that begins with a docstring, or is one: r"""Text, "Text". FALSE: it is neither. */
static gboolean
strip_quotes (Search *search, Span *span)
{
  const char *at = span->at;
  char quote;

  while (at < span->end && at - span->at < 2 && strchr ("rRuUbBfF", *at) != NULL && *at != '\0')
    at++;
  if (at == span->end || (*at != '"' && *at != '\''))
    return FALSE;
  quote = *at;
  if (is_triple (at, span->end, quote))
    {
      *span = strip_end_of_docstring ((Span){ at + 3, span->end }, quote);
      if (span->at == span->end)
        search->docstring = quote;
      return TRUE;
    }
  if (memchr (at + 1, quote, (gsize) (span->end - at - 1)) != span->end - 1)
    return FALSE;
  *span = trim ((Span){ at + 1, span->end - 1 });
  return TRUE;
}

static gboolean
says_something (const char *title)
{
  for (; *title != '\0'; title = g_utf8_next_char (title))
    {
      if (g_unichar_isalnum (g_utf8_get_char (title)))
        return TRUE;
    }
  return FALSE;
}

/* Whether a line is one that many programs begin with, which does not tell one from another. */
static gboolean
begins_preamble (Span span)
{
  static const char *const beginnings[] = {
    "import ",  "from ",        "#include <",     "#include \"",   "#include<",
    "#define ", "#pragma ",     "use ",           "using ",        "package ",
    "require ", "require(",     "library(",       "set -",         "require_relative ",
    "<?php",    "'use strict'", "\"use strict\"", "extern crate ",
  };
  const char *semicolon = memchr (span.at, ';', (gsize) (span.end - span.at));

  /* "import os; os.fork ()" tells something. */
  if (semicolon != NULL && semicolon + 1 < span.end)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    {
      if (begins_with (span, beginnings[i]))
        return TRUE;
    }
  return FALSE;
}

/* TRUE if the line is of no interest when there is another one. */
static gboolean
skip_preamble (Search *search, Span span)
{
  const char last = span.at < span.end ? span.end[-1] : '\0';

  if (search->open == '\\')
    {
      search->open = last == '\\' ? '\\' : '\0';
      return TRUE;
    }
  if (search->open != '\0')
    {
      if (memchr (span.at, search->open, (gsize) (span.end - span.at)) != NULL)
        search->open = '\0';
      return TRUE;
    }
  if (search->docstring != '\0' || !begins_preamble (span))
    return FALSE;
  search->open = last == '(' ? ')' : last == '{' ? '}' : last == '\\' ? '\\' : '\0';
  if (search->preamble == NULL)
    search->preamble = tidy (span);
  return TRUE;
}

/* "fib()" of "def fib(n):", "Stack" of "class Stack:"; NULL if Python defines nothing there, or
 * what most programs define. */
static char *
title_of_definition (Span line)
{
  static const char *const words[] = { "def ", "async def ", "class " };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const char *at = line.at + strlen (words[i]);
      const char *end = at;
      g_autofree char *name = NULL;

      if (!begins_with (line, words[i]))
        continue;
      while (end < line.end && (g_ascii_isalnum (*end) || *end == '_'))
        end++;
      if (end == at || end == line.end || (*end != '(' && *end != ':'))
        return NULL;
      name = g_strndup (at, (gsize) (end - at));
      if (g_str_equal (name, "main"))
        return NULL;
      return g_strconcat (name, *words[i] == 'c' ? "" : "()", NULL);
    }
  return NULL;
}

/* Once there was code, only what tells more than its first line: a comment, or a name. */
static char *
title_of_later_line (Span line)
{
  g_autofree char *title = title_of_definition (line);

  if (title != NULL || !begins_with (line, "# "))
    return g_steal_pointer (&title);
  title = tidy (strip_ruler (trim ((Span){ line.at + 1, line.end })));
  return says_something (title) ? g_steal_pointer (&title) : NULL;
}

/* NULL when the line is none to take, or code, which is kept. */
static char *
title_of_line (Search *search, Span line)
{
  Span span = trim (line);
  gboolean is_code = FALSE;
  g_autofree char *title = NULL;

  search->line++;
  if (search->code != NULL)
    return title_of_later_line (line);
  if (begins_with (span, "#!") || begins_with (span, FENCE) || skip_preamble (search, span))
    return NULL;
  if (begins_with (span, "#"))
    {
      if (search->line <= ENCODING_LINES && names_encoding (span))
        return NULL;
      while (begins_with (span, "#"))
        span.at++;
      span = strip_ruler (trim (span));
    }
  else if (search->docstring != '\0')
    span = strip_end_of_docstring (span, search->docstring);
  else
    is_code = !strip_quotes (search, &span);
  title = tidy (span);
  if (is_code ? *title == '\0' : !says_something (title))
    return NULL;
  if (!is_code)
    return g_steal_pointer (&title);
  search->code = g_steal_pointer (&title);
  return title_of_definition (line);
}

/* Models begin with a word that tells nothing: "Sure! ", "Of course, ". */
static const char *
skip_courtesy (const char *text)
{
  static const char *const words[] = {
    "Sure", "Certainly", "Of course", "Absolutely", "Great",
    "Klar", "Natürlich", "Gerne",     "Sicher",     "Okay",
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const gsize size = strlen (words[i]);

      if (strncmp (text, words[i], size) == 0 && text[size] != '\0' &&
          strchr ("!,.:", text[size]) != NULL && says_something (text + size))
        return text + size + 1 + strspn (text + size + 1, " ");
    }
  return text;
}

/* A line of prose without the marks of Markdown, and without a colon at its end. */
static char *
tidy_prose (Span line)
{
  g_autofree char *text = tidy (line);
  const char *at = skip_courtesy (text);
  GString *title = g_string_new (NULL);

  if (*at != '\0')
    {
      g_string_append_unichar (title, g_unichar_toupper (g_utf8_get_char (at)));
      g_string_append (title, g_utf8_next_char (at));
    }
  g_string_replace (title, "`", "", 0);
  g_string_replace (title, "**", "", 0);
  if (g_str_has_suffix (title->str, ":"))
    g_string_truncate (title, title->len - 1);
  return g_string_free (title, FALSE);
}

/* Returns how deep in code an answer is after a fence: one that names a language begins a block,
 * also in a text of another block. */
static guint
depth_after_fence (Span line, guint depth)
{
  while (line.at < line.end && *line.at == *FENCE)
    line.at++;
  return line.at < line.end || depth == 0 ? depth + 1 : depth - 1;
}

/* The first heading of an answer, else its first line of prose; NULL if it has neither. */
static char *
title_of_answer (const char *at, const char *end)
{
  guint depth = 0;
  g_autofree char *title = NULL;

  while (at < end)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *next = newline != NULL ? newline + 1 : end;
      Span line = trim ((Span){ at, next });
      const gboolean is_fence = begins_with (line, FENCE);
      const gboolean is_heading = begins_with (line, "#");

      at = next;
      if (is_fence)
        depth = depth_after_fence (line, depth);
      if (is_fence || depth > 0 || (title != NULL && !is_heading))
        continue;
      while (begins_with (line, "#"))
        line.at++;
      g_free (title);
      title = tidy_prose (trim (line));
      if (is_heading && says_something (title))
        break;
      if (!says_something (title))
        g_clear_pointer (&title, g_free);
    }
  return g_steal_pointer (&title);
}

char *
fh_run_title_of_source (GBytes *source)
{
  Search search = { 0 };
  const char *at;
  const char *end;
  char *title = NULL;
  gsize size;

  g_return_val_if_fail (source != NULL, NULL);

  at = g_bytes_get_data (source, &size);
  /* An empty source has no bytes at all, and C forbids to add even 0 to NULL. */
  end = size > 0 ? at + MIN (size, MAX_SEARCH) : at;
  if (size > 0 &&
      (begins_with ((Span){ at, end }, FENCE) || g_strstr_len (at, end - at, "\n" FENCE) != NULL))
    title = title_of_answer (at, end);
  while (title == NULL && at < end)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *next = newline != NULL ? newline + 1 : end;

      title = title_of_line (&search, (Span){ at, next });
      at = next;
    }
  if (title == NULL)
    title = g_strdup (search.code != NULL ? search.code : search.preamble);
  g_free (search.preamble);
  g_free (search.code);
  return title;
}

char *
fh_run_title_choose (const char *title, GBytes *source)
{
  g_autofree char *chosen = NULL;

  g_return_val_if_fail (source != NULL, NULL);

  if (title != NULL)
    chosen = tidy ((Span){ title, title + strlen (title) });
  if (chosen == NULL || *chosen == '\0')
    {
      g_free (chosen);
      chosen = fh_run_title_of_source (source);
    }
  return chosen != NULL ? g_steal_pointer (&chosen) : g_strdup (_ ("Untitled"));
}
