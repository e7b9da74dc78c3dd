/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

#include <string.h>

/* How much of the source is used to guess. */
#define GUESS_BYTES ((gsize) 16 << 10)

static const char *const python_aliases[] = { "py", "python3", "py3", "pyw", "ipython", NULL };
static const char *const sh_aliases[] = { "shell", "dash", "posix", NULL };
static const char *const bash_aliases[] = { "shellscript", "shell-script", NULL };

static const char *const python_suffixes[] = { ".py", ".pyw", NULL };
static const char *const sh_suffixes[] = { ".sh", NULL };
static const char *const bash_suffixes[] = { ".bash", NULL };

static const FhLanguage python = {
  .id = "python",
  .name = "Python",
  .file_name = "main.py",
  .interpreter = "python3",
  .source_view_id = "python3",
  .aliases = python_aliases,
  .suffixes = python_suffixes,
};

static const FhLanguage sh = {
  .id = "sh",
  .name = "Shell",
  .file_name = "main.sh",
  .interpreter = "sh",
  .source_view_id = "sh",
  .aliases = sh_aliases,
  .suffixes = sh_suffixes,
};

static const FhLanguage bash = {
  .id = "bash",
  .name = "Bash",
  .file_name = "main.sh",
  .interpreter = "bash",
  .source_view_id = "sh",
  .aliases = bash_aliases,
  .suffixes = bash_suffixes,
};

static const FhLanguage *const languages[] = { &python, &sh, &bash, NULL };
#define N_LANGUAGES (G_N_ELEMENTS (languages) - 1)

/* A language that cannot be run: what looks like it must not be taken for Python or a shell. */
static const FhLanguage foreign = { .id = "" };

/* Words at the beginning of a line that only one language has. A word that ends in a letter must be
 * followed by something that cannot be part of a name. */
static const struct
{
  const char *word;
  const FhLanguage *language;
} first_words[] = {
  { "import ", &python }, { "from ", &python },     { "def ", &python }, { "class ", &python },
  { "print(", &python },  { "async def", &python }, { "@", &python },    { "with open(", &python },
  { "elif ", &python },   { "except ", &python },   { "try:", &python }, { "\"\"\"", &python },
  { "[[ ", &bash },       { "declare ", &bash },    { "shopt ", &bash }, { "mapfile ", &bash },
  { "function ", &bash }, { "source ", &bash },     { "echo ", &sh },    { "printf ", &sh },
  { "export ", &sh },     { "set -", &sh },         { "cd ", &sh },      { "mkdir ", &sh },
  { "fi", &sh },          { "done", &sh },          { "esac", &sh },     { "cat ", &sh },
  { "ls ", &sh },         { "rm ", &sh },           { "sudo ", &sh },    { "grep ", &sh },
  { "pip ", &sh },        { "pip3 ", &sh },         { "python3 ", &sh }, { "curl ", &sh },
  { "if [ ", &sh },       { "if [[ ", &bash },      { "while [ ", &sh }, { "while [[ ", &bash },
  { "python ", &sh },
};

/* The same for languages that cannot be run. They are looked for first, anywhere in a line. */
static const char *const foreign_words[] = {
  "console.log(",  " from '",       " from \"",     "const ",     "let ",
  "=> {",          "require('",     "<!DOCTYPE",    "<html",      "#include <",
  "public class ", "using System",  "package main", "func main(", "fn main(",
  "System.out.",   "Console.Write", "std::",        "<?php",      "println!(",
};

/* The same for the ends of lines. */
static const struct
{
  const char *word;
  const FhLanguage *language;
} last_words[] = {
  { "; then", &sh },
  { "; do", &sh },
  { "():", &python },
  { "):", &python },
};

const FhLanguage *const *
fh_language_list (void)
{
  return languages;
}

char *
fh_language_dup_ids (const char *separator)
{
  const char *ids[N_LANGUAGES + 1] = { NULL };

  for (guint i = 0; i < N_LANGUAGES; i++)
    ids[i] = languages[i]->id;
  return g_strjoinv (separator, (char **) ids);
}

static gboolean
is_called (const FhLanguage *language, const char *name)
{
  if (g_ascii_strcasecmp (name, language->id) == 0)
    return TRUE;
  for (guint i = 0; language->aliases[i] != NULL; i++)
    {
      if (g_ascii_strcasecmp (name, language->aliases[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

const FhLanguage *
fh_language_lookup (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; languages[i] != NULL; i++)
    {
      if (is_called (languages[i], name))
        return languages[i];
    }
  return NULL;
}

static const FhLanguage *
guess_by_file_name (const char *file_name)
{
  g_autofree char *lower = g_ascii_strdown (file_name, -1);

  for (guint i = 0; i < N_LANGUAGES; i++)
    {
      for (const char *const *suffix = languages[i]->suffixes; *suffix != NULL; suffix++)
        {
          if (g_str_has_suffix (lower, *suffix))
            return languages[i];
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
        return &python;
      return fh_language_lookup (program);
    }
  return NULL;
}

static const FhLanguage *
guess_by_line (char *line)
{
  g_strstrip (line);
  for (guint i = 0; i < G_N_ELEMENTS (foreign_words); i++)
    {
      if (strstr (line, foreign_words[i]) != NULL)
        return &foreign;
    }
  for (guint i = 0; i < G_N_ELEMENTS (first_words); i++)
    {
      const char *word = first_words[i].word;
      gsize size = strlen (word);

      if (strncmp (line, word, size) == 0 && !(g_ascii_isalnum (word[size - 1]) &&
                                               (g_ascii_isalnum (line[size]) || line[size] == '_')))
        return first_words[i].language;
    }
  for (guint i = 0; i < G_N_ELEMENTS (last_words); i++)
    {
      if (g_str_has_suffix (line, last_words[i].word))
        return last_words[i].language;
    }
  return NULL;
}

/* The language that most lines speak for; the first of them in a tie, but none that cannot be run.
 * Bash is a kind of sh: one line that only bash understands outweighs any number of lines that both
 * do. */
static const FhLanguage *
guess_by_lines (char **lines)
{
  guint n_lines[N_LANGUAGES] = { 0 };
  guint n_foreign = 0;
  gboolean has_bash = FALSE;
  guint best = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const FhLanguage *language = guess_by_line (lines[i]);

      has_bash |= language == &bash;
      n_foreign += language == &foreign;
      for (guint j = 0; j < N_LANGUAGES; j++)
        n_lines[j] += languages[j] == (language == &bash ? &sh : language);
    }
  for (guint i = 1; i < N_LANGUAGES; i++)
    {
      if (n_lines[i] > n_lines[best])
        best = i;
    }
  if (n_lines[best] <= n_foreign)
    return NULL;
  return languages[best] == &sh && has_bash ? &bash : languages[best];
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
  if (by_name == &sh && by_interpreter == &bash)
    return &bash;
  if (by_name != NULL)
    return by_name;
  if (by_interpreter != NULL)
    return by_interpreter;
  return guess_by_lines (lines);
}
