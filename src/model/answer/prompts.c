/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

#include <string.h>

#define PYTHON_PROMPT       ">>>"
#define PYTHON_CONTINUATION "..."
#define SHELL_PROMPT        "$"
#define SHELL_CONTINUATION  ">"

/* "In [1]: " and "   ...: " of IPython, and "user@host:~/a$ " and "(venv) $ " of shells. */
#define IPYTHON_PROMPT       "^\\s*In \\[\\d+\\]: ?"
#define IPYTHON_CONTINUATION "^\\s*\\.\\.\\.: ?"
#define HOST_PROMPT                                                                                \
  "^\\s*(?:\\([\\w.-]+\\) ?\\$|(?:\\([\\w.-]+\\) ?)?\\[?[\\w.-]+@[\\w.-]+[: ][^\\s$#%]*\\]? "      \
  "?[$%#])"                                                                                        \
  "(?: |$)"

/* A prompt is not longer. */
#define MAX_PROMPT 120

static gboolean
is_blank (const char *line)
{
  return line[strspn (line, " \t\n")] == '\0';
}

/* Returns what was typed behind a prompt, or NULL if the line does not begin with it. Editors that
 * remove spaces at the end of lines leave the prompt alone. */
static const char *
skip_plain (const char *line, const char *prompt)
{
  line += strspn (line, " \t");
  if (!g_str_has_prefix (line, prompt))
    return NULL;
  line += strlen (prompt);
  if (*line == ' ')
    return line + 1;
  return strchr ("\t\r\n", *line) != NULL ? line : NULL;
}

/* Returns what is behind a prompt that the pattern finds at the beginning of the line. */
static const char *
skip_pattern (const char *line, const char *pattern)
{
  g_autofree char *begin = g_strndup (line, MAX_PROMPT);
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  int end = 0;

  if (!g_regex_match (regex, begin, 0, &match) || !g_match_info_fetch_pos (match, 0, NULL, &end))
    return NULL;
  return line + end;
}

static const char *
skip_python_prompt (const char *line)
{
  const char *rest = skip_plain (line, PYTHON_PROMPT);

  return rest != NULL || strstr (line, "In [") == NULL ? rest : skip_pattern (line, IPYTHON_PROMPT);
}

static const char *
skip_shell_prompt (const char *line)
{
  const char *rest = skip_plain (line, SHELL_PROMPT);

  return rest != NULL || strpbrk (line, "@(") == NULL ? rest : skip_pattern (line, HOST_PROMPT);
}

static const char *
skip_prompt (const char *line, gboolean is_python)
{
  return is_python ? skip_python_prompt (line) : skip_shell_prompt (line);
}

static const char *
skip_python_continuation (const char *line)
{
  const char *rest = skip_plain (line, PYTHON_CONTINUATION);

  return rest != NULL || strstr (line, "...:") == NULL ? rest
                                                       : skip_pattern (line, IPYTHON_CONTINUATION);
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
  const char *rest =
      is_python ? skip_python_continuation (line) : skip_plain (line, SHELL_CONTINUATION);

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
      const char *begun = skip_prompt (*line, is_python);
      /* The last line is empty if the text ends with a newline. */
      const gboolean is_end = line[1] == NULL && **line == '\0';

      code = begun != NULL ? begun : skip_continuation (*line, code, is_python);
      /* Comments are kept. A line of output that looks like one does no harm as code. */
      if (code == NULL && **line == '#')
        code = *line;
      if (code != NULL || (keep_lines && !is_end))
        g_string_append_printf (typed, "%s\n", code != NULL ? code : "");
    }
  return typed;
}

/* Returns the first line that is neither empty nor a comment. */
static const char *
skip_comments (const char *text)
{
  while (strchr ("#\r\n", *text) != NULL && *text != '\0')
    {
      text += strcspn (text, "\n");
      text += *text == '\n';
    }
  return text;
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
  is_python = skip_prompt (skip_comments (begin), TRUE) != NULL;
  if (!is_python && skip_prompt (skip_comments (begin), FALSE) == NULL)
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
