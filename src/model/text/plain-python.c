/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plain-python.h"

#include <string.h>

#define OPERATORS "+-*/%()[]{},.:<>=!&|^~@"

static const char *const words[] = { "and", "or", "not", "in", "is", "if", "else", NULL };
static const char *const known[] = { "True",  "False", "None", "print", "len",    "range",
                                     "sum",   "max",   "min",  "abs",   "round",  "int",
                                     "float", "str",   "list", "dict",  "set",    "tuple",
                                     "bool",  "type",  "zip",  "map",   "sorted", NULL };

typedef struct
{
  GHashTable *names;  /* that were assigned */
  gboolean has_value; /* the last token was one, so that the next one cannot be */
  guint n_assigned;
} Reader;

/* Behind a string, or NULL if it is not closed in its line. */
static const char *
skip_string (const char *at)
{
  const char quote = *at++;

  while (*at != '\0' && *at != quote)
    at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
  return *at == quote ? at + 1 : NULL;
}

/* Behind a name or a number, NULL if it cannot be here. */
static const char *
read_word (Reader *self, const char *line, const char *at)
{
  const char *end = at;
  g_autofree char *word = NULL;

  while (g_ascii_isalnum (*end) || *end == '_')
    end++;
  word = g_strndup (at, (gsize) (end - at));
  if (g_strv_contains (words, word))
    {
      self->has_value = FALSE;
      return end;
    }
  if (self->has_value)
    return NULL;
  self->has_value = TRUE;
  if (g_ascii_isdigit (*word) || (at > line && at[-1] == '.') || g_strv_contains (known, word) ||
      g_hash_table_contains (self->names, word))
    return end;
  /* The word has to be the first of its line, see read_line. */
  return at == line ? end : NULL;
}

static gboolean
read_values (Reader *self, const char *line)
{
  self->has_value = FALSE;
  for (const char *at = line; at != NULL;)
    {
      at += strspn (at, " \t");
      if (*at == '\0' || *at == '#')
        return self->has_value;
      if (g_ascii_isalnum (*at) || *at == '_')
        at = read_word (self, line, at);
      else if ((*at == '"' || *at == '\'') && !self->has_value)
        {
          at = skip_string (at);
          self->has_value = TRUE;
        }
      else if (strchr (OPERATORS, *at) != NULL)
        self->has_value = strchr (")]}", *at++) != NULL;
      else
        return FALSE;
    }
  return FALSE;
}

/* "x = 1", "x += 1", "print (x)". */
static gboolean
read_line (Reader *self, const char *line)
{
  const gsize size = strspn (line, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
  const char *rest = line + size + strspn (line + size, " \t");
  g_autofree char *name = g_strndup (line, size);
  const gboolean is_known = g_strv_contains (known, name);

  if (size == 0 || g_ascii_isdigit (*line) || !read_values (self, line))
    return FALSE;
  if (*rest == '(')
    return is_known;
  if (strchr ("+-*/", *rest) != NULL && g_hash_table_contains (self->names, name))
    rest++;
  if (rest[0] != '=' || rest[1] == '=' || is_known)
    return FALSE;
  g_hash_table_add (self->names, g_steal_pointer (&name));
  self->n_assigned++;
  return TRUE;
}

gboolean
fh_python_is_plain (char **lines)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reader self = { .names = names };

  g_return_val_if_fail (lines != NULL, FALSE);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (*lines[i] != '\0' && *lines[i] != '#' && !read_line (&self, lines[i]))
        return FALSE;
    }
  return self.n_assigned > 0;
}
