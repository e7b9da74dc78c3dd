/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

#include <string.h>

/* How much of the source is used to guess. */
#define GUESS_BYTES ((gsize) 16 << 10)
/* Bytes of a line that is held against a pattern: with more, that could take long. */
#define MAX_WHOLE 200
/* More than there are in the table. */
#define MAX_LANGUAGES 32

typedef enum
{
  AT_START, /* of a line. A word that ends in a letter must end there in the line, too */
  AT_END,
  ANYWHERE,
  WHOLE, /* a pattern with "*" */
} Place;

/* An id that is none is the name of a language that cannot be run. */
typedef struct
{
  const char *id;
  Place place;
  const char *words; /* between "|" */
} Hint;

/* Each of these is in lines of one language only; the first one that is found counts. */
static const Hint hints[] = {
  { "php", AT_START, "<?php" },
  { "HTML", AT_START, "<!DOCTYPE|<html" },
  { "C#", AT_START, "using System" },
  { "C#", WHOLE, "Console.Write*" },
  { "C#", AT_START, "static void Main(" },
  { "Swift", AT_START, "import Foundation|import UIKit|import SwiftUI" },
  { "Kotlin", AT_START, "fun main(" },
  { "TypeScript", AT_START, "export interface |export type " },
  { "javascript",
    AT_START,
    "export default |export function |export async |export class |export const " },
  { "javascript", WHOLE, "export {*" },
  { "cpp", AT_START, "#include <iostream>" },
  { "c", AT_START, "#include <" },
  { "cpp", ANYWHERE, "std::" },
  { "cpp", AT_START, "using namespace " },
  { "java", AT_START, "public class " },
  { "java", ANYWHERE, "System.out." },
  { "java", AT_START, "import java." },
  { "go", AT_START, "package main|func main(" },
  { "go", ANYWHERE, "fmt.Print" },
  { "rust", AT_START, "fn main(" },
  { "rust", ANYWHERE, "println!(" },
  { "rust", AT_START, "let mut " },
  { "javascript", ANYWHERE, "console.log(|require('|require(\"| from '| from \"" },
  { "javascript", AT_END, "=> {" },
  { "perl", AT_START, "use strict|my $" },
  { "ruby", AT_START, "puts " },
  { "r", AT_START, "library(" },
  { "powershell", AT_START, "Write-Host |Write-Output " },
  { "python", AT_START, "import |from |def " },
  { "python", WHOLE, "class *:" },
  { "python", AT_START, "print(|async def|with open(|elif |except |try:|\"\"\"" },
  { "bash", AT_START, "[[ |declare |shopt |mapfile |source " },
  { "sh",
    AT_START,
    "echo |printf |export |set -|cd |mkdir |fi|done|esac|cat |ls |rm |sudo |grep |pip |"
    "pip3 |python |python3 |curl " },
  { "sh",
    WHOLE,
    "git clone *|git status*|git add *|git commit *|git push*|git checkout *|"
    "npm install*|npm run *|docker run *|docker build *|apt install *|apt-get install *|"
    "brew install *|chmod +x *" },
  { "sh", AT_START, "if [ " },
  { "bash", AT_START, "if [[ " },
  { "sh", AT_START, "while [ " },
  { "bash", AT_START, "while [[ " },
  { "sh", AT_END, "; then|; do" },
};

/* Several languages have these: they count where nothing else was found. */
static const Hint weak_hints[] = {
  { "TypeScript", WHOLE, "interface *{" },
  { "javascript", WHOLE, "const *=*|let *=*|var *=*|function *(*{*|async function *|class *{" },
  { "python", AT_START, "@" },
  { "python", AT_END, "():|):" },
};

/* Files that are no programs of ours, whatever is in them. */
static const struct
{
  const char *suffix;
  const char *name;
} foreign_files[] = {
  { ".ts", "TypeScript" }, { ".tsx", "TypeScript" },  { ".mts", "TypeScript" },
  { ".jsx", "JSX" },       { ".cs", "C#" },           { ".swift", "Swift" },
  { ".kt", "Kotlin" },     { ".kts", "Kotlin" },      { ".scala", "Scala" },
  { ".dart", "Dart" },     { ".hs", "Haskell" },      { ".jl", "Julia" },
  { ".ex", "Elixir" },     { ".exs", "Elixir" },      { ".clj", "Clojure" },
  { ".zig", "Zig" },       { ".vb", "Visual Basic" }, { ".bat", "Batch" },
  { ".cob", "COBOL" },     { ".cbl", "COBOL" },       { ".f90", "Fortran" },
  { ".html", "HTML" },     { ".htm", "HTML" },        { ".svg", "SVG" },
  { ".xml", "XML" },       { ".css", "CSS" },         { ".scss", "SCSS" },
  { ".json", "JSON" },     { ".jsonc", "JSON" },      { ".ipynb", "Jupyter" },
  { ".yaml", "YAML" },     { ".yml", "YAML" },        { ".toml", "TOML" },
  { ".ini", "INI" },       { ".csv", "CSV" },         { ".sql", "SQL" },
};

/* Languages that can do all that another one can: one line that only they understand outweighs any
 * number of lines that both do. */
static const struct
{
  const char *id;
  const char *base;
} extensions[] = {
  { "bash", "sh" },
  { "cpp", "c" },
};

static const FhLanguage *
guess_by_file_name (const char *file_name)
{
  g_autofree char *lower = g_ascii_strdown (file_name, -1);

  for (const FhLanguage *at = fh_language_list (); at->id != NULL; at++)
    {
      for (const char *const *suffix = at->suffixes; *suffix != NULL; suffix++)
        {
          if (g_str_has_suffix (lower, *suffix))
            return at;
        }
    }
  return NULL;
}

/* "#!/usr/bin/env -S python3.11 -u" and "#!/bin/bash": the program's base name, without a
 * version. `line` begins after the "#!" and is changed. */
static const FhLanguage *
guess_by_interpreter (char *line)
{
  g_auto (GStrv) words = g_strsplit_set (g_strstrip (line), " \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *program = NULL;

      if (words[i][0] == '\0' || words[i][0] == '-' || strchr (words[i], '=') != NULL)
        continue;
      program = g_path_get_basename (words[i]);
      if (g_str_equal (program, "env"))
        continue;
      if (g_str_has_prefix (program, "python") || g_str_has_prefix (program, "pypy"))
        return fh_language_lookup ("python");
      return fh_language_lookup (program);
    }
  return NULL;
}

static gboolean
has_word (const char *line, const char *word, gsize size, Place place)
{
  const gsize length = strlen (line);
  g_autofree char *pattern = NULL;

  switch (place)
    {
    case WHOLE:
      pattern = length <= MAX_WHOLE ? g_strndup (word, size) : NULL;
      return pattern != NULL && g_pattern_match_simple (pattern, line);
    case ANYWHERE:
      return memmem (line, length, word, size) != NULL;
    case AT_END:
      return length >= size && memcmp (line + length - size, word, size) == 0;
    case AT_START:
    default:
      return strncmp (line, word, size) == 0 &&
             !(g_ascii_isalnum (word[size - 1]) &&
               (g_ascii_isalnum (line[size]) || line[size] == '_'));
    }
}

/* No statement of Python or a shell ends so. */
static gboolean
ends_otherwise (const char *line, const char *id)
{
  return (g_str_equal (id, "python") || g_str_equal (id, "sh") || g_str_equal (id, "bash")) &&
         (g_str_has_suffix (line, "{") ||
          (g_str_has_suffix (line, ";") && !g_str_has_suffix (line, ";;")));
}

/* NULL if there is nothing to go by. */
static const char *
guess_by_line (char *line, const Hint *some, guint n_hints)
{
  g_strstrip (line);
  for (guint i = 0; i < n_hints; i++)
    {
      gsize size;

      for (const char *at = some[i].words; *at != '\0'; at += size + (at[size] == '|'))
        {
          size = strcspn (at, "|");
          if (has_word (line, at, size, some[i].place) && !ends_otherwise (line, some[i].id))
            return some[i].id;
        }
    }
  return NULL;
}

static const char *
find_base (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (extensions); i++)
    {
      if (g_str_equal (extensions[i].id, id))
        return extensions[i].base;
    }
  return id;
}

/* The language that most lines speak for; the first of the table in a tie, but none that cannot be
 * run. `foreign`: the name of such a one if most speak for it. FALSE if no line says anything. */
static gboolean
guess_by_hints (char **lines,
                const Hint *some,
                guint n_hints,
                const FhLanguage **language,
                const char **foreign)
{
  const FhLanguage *languages = fh_language_list ();
  guint n_lines[MAX_LANGUAGES] = { 0 };
  const FhLanguage *extended[MAX_LANGUAGES] = { NULL };
  const char *name = NULL;
  guint n_foreign = 0, best = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *id = guess_by_line (lines[i], some, n_hints);

      if (id != NULL && fh_language_lookup (id) == NULL)
        {
          name = id;
          n_foreign++;
        }
      for (guint j = 0; id != NULL && languages[j].id != NULL; j++)
        {
          if (!g_str_equal (languages[j].id, find_base (id)))
            continue;
          n_lines[j]++;
          if (!g_str_equal (languages[j].id, id))
            extended[j] = fh_language_lookup (id);
        }
    }
  for (guint i = 1; languages[i].id != NULL; i++)
    {
      if (n_lines[i] > n_lines[best])
        best = i;
    }
  if (n_lines[best] > n_foreign)
    *language = extended[best] != NULL ? extended[best] : &languages[best];
  else if (n_foreign > n_lines[best])
    *foreign = name;
  return n_lines[best] > 0 || n_foreign > 0;
}

#define OPERATORS "+-*/%()[]{},.:<>=!&|^~@"

/* Words and functions of Python that are in any program. */
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

static const FhLanguage *
guess_by_lines (char **lines, const char **foreign)
{
  const FhLanguage *language = NULL;

  *foreign = NULL;
  if (!guess_by_hints (lines, hints, G_N_ELEMENTS (hints), &language, foreign) &&
      !guess_by_hints (lines, weak_hints, G_N_ELEMENTS (weak_hints), &language, foreign) &&
      fh_python_is_plain (lines))
    language = fh_language_lookup ("python");
  return language;
}

/* Most lines of a change are those of another language. */
static gboolean
begins_as_diff (const char *source)
{
  const char *second = strchr (source, '\n');

  return g_str_has_prefix (source, "diff --git ") ||
         (g_str_has_prefix (source, "--- ") && second != NULL &&
          g_str_has_prefix (second + 1, "+++ "));
}

const FhLanguage *
fh_language_guess (const char *file_name, const char *source)
{
  const FhLanguage *by_name = file_name != NULL ? guess_by_file_name (file_name) : NULL;
  const FhLanguage *by_interpreter = NULL;
  g_autofree char *start = NULL;
  g_auto (GStrv) lines = NULL;
  const char *foreign;

  if (source == NULL)
    return by_name;
  start = g_strndup (source, GUESS_BYTES);
  lines = g_strsplit (start, "\n", -1);
  if (lines[0] != NULL && g_str_has_prefix (lines[0], "#!"))
    by_interpreter = guess_by_interpreter (lines[0] + 2);

  /* Bash scripts have the suffix ".sh" as well; the first line decides. */
  if (by_name != NULL && by_interpreter != NULL && g_str_equal (by_name->id, "sh") &&
      g_str_equal (by_interpreter->id, "bash"))
    return by_interpreter;
  if (by_name != NULL)
    return by_name;
  if (by_interpreter != NULL)
    return by_interpreter;
  if (begins_as_diff (start))
    return fh_language_lookup ("diff");
  return guess_by_lines (lines, &foreign);
}

const char *
fh_language_find_foreign (const char *file_name, const char *source)
{
  g_autofree char *lower = file_name != NULL ? g_ascii_strdown (file_name, -1) : NULL;
  g_autofree char *start = NULL;
  g_auto (GStrv) lines = NULL;
  const char *foreign = NULL;

  g_return_val_if_fail (source != NULL, NULL);

  if (g_str_has_prefix (source, "#!") ||
      (file_name != NULL && guess_by_file_name (file_name) != NULL))
    return NULL;
  for (guint i = 0; lower != NULL && i < G_N_ELEMENTS (foreign_files); i++)
    {
      if (g_str_has_suffix (lower, foreign_files[i].suffix))
        return foreign_files[i].name;
    }
  start = g_strndup (source, GUESS_BYTES);
  lines = g_strsplit (start, "\n", -1);
  guess_by_lines (lines, &foreign);
  return foreign;
}
