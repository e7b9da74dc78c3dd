/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

#include <string.h>

#define PYTHON_PROMPT       ">>>"
#define PYTHON_CONTINUATION "..."
#define SHELL_PROMPT        "$"
#define SHELL_CONTINUATION  ">"

static gboolean
is_blank (const char *line)
{
  return line[strspn (line, " \t\n")] == '\0';
}

/* Returns what was typed behind a prompt, or NULL if the line does not begin with it. Editors that
 * remove spaces at the end of lines leave the prompt alone. */
static const char *
skip_prompt (const char *line, const char *prompt)
{
  line += strspn (line, " \t");
  if (!g_str_has_prefix (line, prompt))
    return NULL;
  line += strlen (prompt);
  if (*line == ' ')
    return line + 1;
  return strchr ("\t\r\n", *line) != NULL ? line : NULL;
}

static gboolean
goes_on (const char *code)
{
  return g_str_has_suffix (code, "\\");
}

/* A line that goes on with the code before it, as the terminal shows it or as manuals print it.
 * NULL: it was printed. */
static const char *
skip_continuation (const char *line, const char *code, gboolean is_python)
{
  const char *rest = skip_prompt (line, is_python ? PYTHON_CONTINUATION : SHELL_CONTINUATION);

  if (is_python || code == NULL || !goes_on (code))
    return is_python && code != NULL ? rest : NULL;
  return rest != NULL ? rest : line;
}

/* Returns what was typed in those lines. */
static GString *
strip (char **lines, gboolean is_python, gboolean keep_lines)
{
  GString *typed = g_string_new (NULL);
  const char *code = NULL; /* of the line before, if it was typed */

  for (char **line = lines; *line != NULL; line++)
    {
      const char *begun = skip_prompt (*line, is_python ? PYTHON_PROMPT : SHELL_PROMPT);
      /* Behind the last newline. */
      const gboolean is_end = line[1] == NULL && **line == '\0';

      code = begun != NULL ? begun : skip_continuation (*line, code, is_python);
      if (code != NULL || (keep_lines && !is_end))
        g_string_append_printf (typed, "%s\n", code != NULL ? code : "");
    }
  return typed;
}

char *
fh_language_strip_prompts (const char *text, gboolean keep_lines, const FhLanguage **language)
{
  const char *begin;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) typed = NULL;
  gboolean is_python;

  g_return_val_if_fail (text != NULL && language != NULL, NULL);

  begin = text + strspn (text, "\r\n");
  is_python = skip_prompt (begin, PYTHON_PROMPT) != NULL;
  if (!is_python && skip_prompt (begin, SHELL_PROMPT) == NULL)
    return NULL;
  lines = g_regex_split_simple ("\r\n|\n", keep_lines ? text : begin, G_REGEX_RAW, 0);
  typed = strip (lines, is_python, keep_lines);
  if (is_blank (typed->str))
    return NULL;
  *language = is_python ? fh_language_lookup ("python") : fh_language_guess (NULL, typed->str);
  if (*language == NULL || !(is_python || g_str_equal ((*language)->id, "bash")))
    *language = fh_language_lookup ("sh");
  return g_string_free (g_steal_pointer (&typed), FALSE);
}
