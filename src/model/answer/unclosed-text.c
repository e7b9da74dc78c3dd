/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unclosed-text.h"

#include <string.h>

/* A shell's code that nests deeper, or begins more here-documents in a line, is not understood. */
#define MAX_DEPTH 64
#define MAX_HERE  8

/* A quotation mark of a typesetter has so many bytes of UTF-8. */
#define MARK_BYTES 3

/* A shell's code is one of these at each place (POSIX.1-2017, Shell Command Language, 2.2, 2.3
 * and 2.6). */
typedef enum
{
  COMMANDS,   /* also between "$(" or "(" and ")" */
  BACKTICKS,  /* commands between backticks */
  QUOTES,     /* "…" */
  EXPANSION,  /* ${…} */
  ARITHMETIC, /* $((…)) and ((…)) */
  GROUP,      /* (…) in arithmetic */
} Place;

typedef struct
{
  const char *code;
  const char *at;
  guint line;
  Place places[MAX_DEPTH];
  guint depth;
  FhUnclosedText here[MAX_HERE]; /* begun in this line */
  guint n_here;
  gboolean is_lost; /* the code is not understood */
  guint8 *kinds;    /* FhCodeByte for each byte; nullable */
} Shell;

void
fh_unclosed_text_free (FhUnclosedText *text)
{
  g_free (text->end);
  g_free (text);
}

/* Whether a quotation mark of a typesetter begins there: U+2018 to U+201F. */
static gboolean
is_mark (const char *at)
{
  return g_str_has_prefix (at, "\xe2\x80") && ((guint8) at[2] & 0xf8) == 0x98;
}

static gboolean
is_double (const char *mark)
{
  return (guint8) mark[2] >= 0x9c;
}

/* An apostrophe in a word is no quotation mark. */
static gboolean
is_in_word (const char *code, const char *at)
{
  return !is_double (at) && (guint8) at[2] == 0x99 && at > code &&
         (g_ascii_isalnum (at[-1]) || (guint8) at[-1] >= 0x80);
}

/* Returns what is behind a string between quotation marks of a typesetter that begins and ends in
 * this line. NULL if none does, and if it would end earlier with the quotes of code. */
static const char *
skip_marked (const char *code, const char *at)
{
  const char quotes[] = { is_mark (at) && is_double (at) ? '"' : '\'', '\n', '\0' };

  if (!is_mark (at) || is_in_word (code, at))
    return NULL;
  for (const char *end = at + MARK_BYTES; *end != '\0' && strchr (quotes, *end) == NULL; end++)
    {
      if (is_mark (end) && is_double (end) == is_double (at) &&
          (is_double (end) || !g_ascii_isalnum (end[MARK_BYTES])))
        return end + MARK_BYTES;
    }
  return NULL;
}

static void
note_code (guint8 *kinds, gsize at)
{
  if (kinds != NULL)
    kinds[at] = FH_CODE_BYTE_CODE;
}

static void
note_marks (guint8 *kinds, gsize begin, gsize end)
{
  if (kinds == NULL)
    return;
  memset (kinds + begin, FH_CODE_BYTE_QUOTE, MARK_BYTES);
  memset (kinds + end - MARK_BYTES, FH_CODE_BYTE_QUOTE, MARK_BYTES);
}

/* Skips a string from behind its first quote. NULL if it has no end. */
static const char *
skip_python_string (const char *at, const char *quotes, guint *line)
{
  const gsize n = strlen (quotes);

  for (; *at != '\0'; at++)
    {
      if (strncmp (at, quotes, n) == 0)
        return at + n;
      if (*at == '\n' && n == 1)
        return at;
      if (*at == '\\' && at[1] != '\0')
        at++;
      *line += *at == '\n';
    }
  return n == 1 ? at : NULL;
}

static FhUnclosedText *
find_in_python (const char *code, guint8 *kinds)
{
  guint line = 1;

  for (const char *at = code; *at != '\0';)
    {
      const char one[] = { *at, '\0' };
      const char three[] = { *at, *at, *at, '\0' };
      const gboolean is_long = strncmp (at, three, 3) == 0;
      const guint begin = line;
      const char *end;

      if (*at == '#')
        at += strcspn (at, "\n");
      else if ((end = skip_marked (code, at)) != NULL)
        {
          note_marks (kinds, at - code, end - code);
          at = end;
        }
      else if (*at == '"' || *at == '\'')
        {
          at = skip_python_string (at + (is_long ? 3 : 1), is_long ? three : one, &line);
          if (at == NULL)
            return g_memdup2 (&(FhUnclosedText){ .line = begin, .end = g_strdup (three) },
                              sizeof (FhUnclosedText));
        }
      else
        {
          note_code (kinds, at - code);
          line += *at++ == '\n';
        }
    }
  return NULL;
}

static Place
get_place (const Shell *shell)
{
  return shell->places[shell->depth];
}

static gboolean
has_commands (const Shell *shell)
{
  return get_place (shell) == COMMANDS || get_place (shell) == BACKTICKS;
}

static void
enter (Shell *shell, Place place, guint size)
{
  shell->at += size;
  if (shell->depth + 1 < MAX_DEPTH)
    shell->places[++shell->depth] = place;
  else
    shell->is_lost = TRUE;
}

static void
leave (Shell *shell, guint size)
{
  shell->at += size;
  if (shell->depth > 0)
    shell->depth--;
}

/* Skips what is behind a single quote. `escapes`: it is $'…', in which a backslash escapes. */
static void
skip_single_quotes (Shell *shell, gboolean escapes)
{
  for (; *shell->at != '\'' && *shell->at != '\0'; shell->at++)
    {
      if (escapes && *shell->at == '\\' && shell->at[1] != '\0')
        shell->at++;
      shell->line += *shell->at == '\n';
    }
  if (*shell->at == '\0')
    shell->is_lost = TRUE;
  else
    shell->at++;
}

/* Takes the word behind "<<", with its quotes taken off. */
static void
begin_here (Shell *shell)
{
  g_autoptr (GString) word = g_string_new (NULL);
  FhUnclosedText *here = &shell->here[shell->n_here];

  shell->at += 2;
  if (shell->n_here == MAX_HERE)
    {
      shell->is_lost = TRUE;
      return;
    }
  here->may_be_indented = *shell->at == '-';
  shell->at += here->may_be_indented;
  shell->at += strspn (shell->at, " \t");
  for (; g_ascii_isalnum (*shell->at) || (*shell->at != '\0' && strchr ("_-.!%+'\"\\", *shell->at));
       shell->at++)
    {
      if (strchr ("'\"\\", *shell->at) == NULL)
        g_string_append_c (word, *shell->at);
    }
  if (word->len == 0 || (*shell->at != '\0' && strchr (" \t\r\n;&|<>)`", *shell->at) == NULL))
    {
      shell->is_lost = TRUE;
      return;
    }
  here->line = shell->line;
  here->is_here = TRUE;
  here->end = g_strdup (word->str);
  shell->n_here++;
}

gboolean
fh_unclosed_text_ends_in (const FhUnclosedText *text, const char *line, gsize size)
{
  const gsize n = strlen (text->end);

  if (!text->is_here)
    return g_strstr_len (line, (gssize) size, text->end) != NULL;
  for (; size > 0 && *line == '\t' && text->may_be_indented; size--)
    line++;
  return size == n && memcmp (line, text->end, n) == 0;
}

/* Whether the word begins the line and what is behind it ends the command around it, which bash
 * accepts as an end. */
static gboolean
ends_with_command (const Shell *shell, const FhUnclosedText *here, const char *line)
{
  const gsize n = strlen (here->end);

  return shell->depth > 0 && strncmp (line, here->end, n) == 0 && strchr (")`", line[n]) != NULL;
}

/* Skips the texts of all here-documents that the line has begun. TRUE if the last of them has an
 * end, else it is the one with the number `*open`. */
static gboolean
skip_here (Shell *shell, guint *open)
{
  for (*open = 0; *open < shell->n_here; (*open)++)
    {
      const FhUnclosedText *here = &shell->here[*open];
      gsize size;

      for (;; shell->at += size + 1, shell->line++)
        {
          size = strcspn (shell->at, "\n");
          if (ends_with_command (shell, here, shell->at))
            {
              shell->at += strlen (here->end);
              return TRUE;
            }
          if (shell->at[size] == '\0' && !fh_unclosed_text_ends_in (here, shell->at, size))
            return FALSE;
          if (fh_unclosed_text_ends_in (here, shell->at, size))
            break;
        }
      shell->at += size + (shell->at[size] == '\n');
      shell->line++;
    }
  return TRUE;
}

static void
step_in_arithmetic (Shell *shell)
{
  const char *at = shell->at;

  if (*at == '(')
    enter (shell, GROUP, 1);
  else if (*at == ')' && get_place (shell) == GROUP)
    leave (shell, 1);
  else if (*at == ')')
    leave (shell, at[1] == ')' ? 2 : 1);
  else
    shell->at++;
}

/* "#" begins a comment, and "((" arithmetic, only where a word begins. */
static gboolean
begins_word (const Shell *shell)
{
  return shell->at == shell->code || strchr (" \t\r\n;&|()`", shell->at[-1]) != NULL;
}

static void
step_in_commands (Shell *shell)
{
  const char *at = shell->at;
  const char *end = skip_marked (shell->code, at);

  if (*at == '#' && begins_word (shell))
    shell->at += strcspn (at, "\n");
  else if (end != NULL)
    {
      note_marks (shell->kinds, at - shell->code, end - shell->code);
      shell->at = end;
    }
  else if (*at == '\'')
    {
      shell->at++;
      skip_single_quotes (shell, FALSE);
    }
  else if (g_str_has_prefix (at, "<<<"))
    shell->at += 3;
  else if (g_str_has_prefix (at, "<<"))
    begin_here (shell);
  else if (g_str_has_prefix (at, "((") && begins_word (shell))
    enter (shell, ARITHMETIC, 2);
  else if (*at == '(')
    enter (shell, COMMANDS, 1);
  else if (*at == ')' && get_place (shell) == COMMANDS)
    leave (shell, 1);
  else
    {
      note_code (shell->kinds, at - shell->code);
      shell->at++;
    }
}

/* Steps over what a shell reads alike in commands, quotes and expansions, such as a backslash or
 * "$(". FALSE if there is nothing of the kind. */
static gboolean
step_anywhere (Shell *shell)
{
  const char *at = shell->at;
  const Place place = get_place (shell);

  if (*at == '\\' && at[1] != '\0')
    {
      shell->line += at[1] == '\n';
      shell->at += 2;
    }
  else if (g_str_has_prefix (at, "$(("))
    enter (shell, ARITHMETIC, 3);
  else if (g_str_has_prefix (at, "$("))
    enter (shell, COMMANDS, 2);
  else if (g_str_has_prefix (at, "${"))
    enter (shell, EXPANSION, 2);
  else if (g_str_has_prefix (at, "$'") && place != QUOTES)
    {
      shell->at += 2;
      skip_single_quotes (shell, TRUE);
    }
  else if (*at == '"' && place == QUOTES)
    leave (shell, 1);
  else if (*at == '"')
    enter (shell, QUOTES, 1);
  else if (*at == '`' && place == BACKTICKS)
    leave (shell, 1);
  else if (*at == '`')
    enter (shell, BACKTICKS, 1);
  else if (*at == '}' && place == EXPANSION)
    leave (shell, 1);
  else
    return FALSE;
  return TRUE;
}

static void
clear_here (Shell *shell)
{
  for (guint i = 0; i < shell->n_here; i++)
    g_clear_pointer (&shell->here[i].end, g_free);
  shell->n_here = 0;
}

static FhUnclosedText *
find_in_shell (const char *code, guint8 *kinds)
{
  Shell shell = { .code = code, .at = code, .line = 1, .kinds = kinds };
  FhUnclosedText *found = NULL;

  while (*shell.at != '\0' && !shell.is_lost && found == NULL)
    {
      guint open = 0;

      if (*shell.at == '\n')
        {
          shell.at++;
          shell.line++;
          if (shell.n_here > 0 && has_commands (&shell) && !skip_here (&shell, &open))
            {
              found = g_memdup2 (&shell.here[open], sizeof *found);
              shell.here[open].end = NULL;
            }
          else if (has_commands (&shell))
            clear_here (&shell);
        }
      else if (step_anywhere (&shell))
        continue;
      else if (has_commands (&shell))
        step_in_commands (&shell);
      else if (get_place (&shell) == ARITHMETIC || get_place (&shell) == GROUP)
        step_in_arithmetic (&shell);
      else
        shell.at++;
    }
  clear_here (&shell);
  return found;
}

/* Tells code from strings in a line of a language that is not known well: all before the first
 * quote and the first comment is code. */
static void
find_code_in_line (const char *code, const char *line, gsize size, guint8 *kinds)
{
  static const char *const ends[] = { "//", "--", "/*", "#", "\"", "'", "`" };
  gsize n = line[strspn (line, " \t")] == '*' ? 0 : size;

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      const char *end = g_strstr_len (line, (gssize) n, ends[i]);

      if (end != NULL)
        n = (gsize) (end - line);
    }
  for (const char *at = line; at < line + n;)
    {
      const char *end = skip_marked (code, at);

      if (end != NULL && end <= line + n)
        note_marks (kinds, at - code, end - code);
      else
        note_code (kinds, at - code);
      at = end != NULL ? end : at + 1;
    }
}

/* A program with one of these may have a text of several lines, in which nothing is code. */
static gboolean
may_have_text (const char *code)
{
  static const char *const begins[] = { "`", "\"\"\"", "<<", "[[", "=begin", "@\"", "?>", "/*" };

  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    {
      if (strstr (code, begins[i]) != NULL)
        return TRUE;
    }
  return FALSE;
}

FhUnclosedText *
fh_unclosed_text_find (const FhLanguage *language, const char *code)
{
  g_return_val_if_fail (language != NULL && code != NULL, NULL);

  if (g_str_equal (language->id, "python"))
    return find_in_python (code, NULL);
  if (g_str_equal (language->id, "sh") || g_str_equal (language->id, "bash"))
    return find_in_shell (code, NULL);
  return NULL;
}

guint8 *
fh_unclosed_text_find_code (const FhLanguage *language, const char *code)
{
  guint8 *kinds;
  g_autoptr (FhUnclosedText) text = NULL;

  g_return_val_if_fail (language != NULL && code != NULL, NULL);

  kinds = g_malloc0 (strlen (code) + 1);
  if (g_str_equal (language->id, "python"))
    text = find_in_python (code, kinds);
  else if (g_str_equal (language->id, "sh") || g_str_equal (language->id, "bash"))
    text = find_in_shell (code, kinds);
  else if (!may_have_text (code))
    {
      for (const char *line = code; *line != '\0'; line += line[0] == '\n')
        {
          const gsize size = strcspn (line, "\n");

          find_code_in_line (code, line, size, kinds);
          line += size;
        }
    }
  return kinds;
}
