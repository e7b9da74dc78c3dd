/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

#include <string.h>

/* How much of the source is used to guess. */
#define GUESS_BYTES ((gsize) 16 << 10)
/* More than there are in the table. */
#define MAX_LANGUAGES 32

typedef enum
{
  AT_START, /* of a line. A word that ends in a letter must end there in the line, too */
  AT_END,
  ANYWHERE,
} Place;

/* What only one language has in a line; the first one that is found counts. An empty id stands for
 * languages that cannot be run: what looks like them must not be taken for Python or a shell. */
static const struct
{
  const char *word;
  const char *id;
  Place place;
} hints[] = {
  { "<?php", "php", AT_START },
  { "<!DOCTYPE", "", AT_START },
  { "<html", "", AT_START },
  { "using System", "", AT_START },
  { "Console.Write", "", AT_START },
  { "#include <iostream>", "cpp", AT_START },
  { "#include <", "c", AT_START },
  { "std::", "cpp", ANYWHERE },
  { "using namespace ", "cpp", AT_START },
  { "public class ", "java", AT_START },
  { "System.out.", "java", ANYWHERE },
  { "import java.", "java", AT_START },
  { "package main", "go", AT_START },
  { "func main(", "go", AT_START },
  { "fmt.Print", "go", ANYWHERE },
  { "fn main(", "rust", AT_START },
  { "println!(", "rust", ANYWHERE },
  { "let mut ", "rust", AT_START },
  { "console.log(", "javascript", ANYWHERE },
  { "require('", "javascript", ANYWHERE },
  { "require(\"", "javascript", ANYWHERE },
  { " from '", "javascript", ANYWHERE },
  { " from \"", "javascript", ANYWHERE },
  { "const ", "javascript", AT_START },
  { "let ", "javascript", AT_START },
  { "=> {", "javascript", AT_END },
  { "use strict", "perl", AT_START },
  { "my $", "perl", AT_START },
  { "puts ", "ruby", AT_START },
  { "library(", "r", AT_START },
  { "Write-Host ", "powershell", AT_START },
  { "Write-Output ", "powershell", AT_START },
  { "import ", "python", AT_START },
  { "from ", "python", AT_START },
  { "def ", "python", AT_START },
  { "class ", "python", AT_START },
  { "print(", "python", AT_START },
  { "async def", "python", AT_START },
  { "@", "python", AT_START },
  { "with open(", "python", AT_START },
  { "elif ", "python", AT_START },
  { "except ", "python", AT_START },
  { "try:", "python", AT_START },
  { "\"\"\"", "python", AT_START },
  { "[[ ", "bash", AT_START },
  { "declare ", "bash", AT_START },
  { "shopt ", "bash", AT_START },
  { "mapfile ", "bash", AT_START },
  { "source ", "bash", AT_START },
  { "echo ", "sh", AT_START },
  { "printf ", "sh", AT_START },
  { "export ", "sh", AT_START },
  { "set -", "sh", AT_START },
  { "cd ", "sh", AT_START },
  { "mkdir ", "sh", AT_START },
  { "fi", "sh", AT_START },
  { "done", "sh", AT_START },
  { "esac", "sh", AT_START },
  { "cat ", "sh", AT_START },
  { "ls ", "sh", AT_START },
  { "rm ", "sh", AT_START },
  { "sudo ", "sh", AT_START },
  { "grep ", "sh", AT_START },
  { "pip ", "sh", AT_START },
  { "pip3 ", "sh", AT_START },
  { "python ", "sh", AT_START },
  { "python3 ", "sh", AT_START },
  { "curl ", "sh", AT_START },
  { "if [ ", "sh", AT_START },
  { "if [[ ", "bash", AT_START },
  { "while [ ", "sh", AT_START },
  { "while [[ ", "bash", AT_START },
  { "; then", "sh", AT_END },
  { "; do", "sh", AT_END },
  { "():", "python", AT_END },
  { "):", "python", AT_END },
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

  for (const FhLanguage *const *at = fh_language_list (); *at != NULL; at++)
    {
      for (const char *const *suffix = (*at)->suffixes; *suffix != NULL; suffix++)
        {
          if (g_str_has_suffix (lower, *suffix))
            return *at;
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
has_word (const char *line, const char *word, Place place)
{
  const gsize size = strlen (word);

  if (place == ANYWHERE)
    return strstr (line, word) != NULL;
  if (place == AT_END)
    return g_str_has_suffix (line, word);
  return strncmp (line, word, size) == 0 &&
         !(g_ascii_isalnum (word[size - 1]) && (g_ascii_isalnum (line[size]) || line[size] == '_'));
}

/* NULL if there is nothing to go by. */
static const char *
guess_by_line (char *line)
{
  g_strstrip (line);
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    {
      if (has_word (line, hints[i].word, hints[i].place))
        return hints[i].id;
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
 * run. */
static const FhLanguage *
guess_by_lines (char **lines)
{
  const FhLanguage *const *languages = fh_language_list ();
  guint n_lines[MAX_LANGUAGES] = { 0 };
  const FhLanguage *extended[MAX_LANGUAGES] = { NULL };
  guint n_foreign = 0, best = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *id = guess_by_line (lines[i]);

      n_foreign += id != NULL && *id == '\0';
      for (guint j = 0; id != NULL && languages[j] != NULL; j++)
        {
          if (!g_str_equal (languages[j]->id, find_base (id)))
            continue;
          n_lines[j]++;
          if (!g_str_equal (languages[j]->id, id))
            extended[j] = fh_language_lookup (id);
        }
    }
  for (guint i = 1; languages[i] != NULL; i++)
    {
      if (n_lines[i] > n_lines[best])
        best = i;
    }
  if (n_lines[best] <= n_foreign)
    return NULL;
  return extended[best] != NULL ? extended[best] : languages[best];
}

const FhLanguage *
fh_language_guess (const char *file_name, const char *source)
{
  const FhLanguage *by_name = file_name != NULL ? guess_by_file_name (file_name) : NULL;
  const FhLanguage *by_interpreter = NULL;
  g_autofree char *start = NULL;
  g_auto (GStrv) lines = NULL;

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
  return guess_by_lines (lines);
}
