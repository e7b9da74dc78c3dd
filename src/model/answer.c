/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "answer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "answer-reading.h"
#include "readable-text.h"
#include "run-error.h"
#include "run-files.h"
#include "unclosed-text.h"

/* These languages are written to the workspace and not run; the suffix is that of a file which the
 * answer does not name. The first three are those of AutoGen; the others are data and documents
 * that an answer shows, which must not keep its code from running. */
static const struct
{
  const char *word;
  const char *suffix;
} saved[] = {
  { "javascript", "js" },
  { "html", "html" },
  { "css", "css" },
  { "js", "js" },
  { "json", "json" },
  { "jsonc", "json" },
  { "yaml", "yaml" },
  { "yml", "yml" },
  { "toml", "toml" },
  { "ini", "ini" },
  { "xml", "xml" },
  { "csv", "csv" },
  { "sql", "sql" },
  { "diff", "diff" },
  { "patch", "patch" },
  { "markdown", "md" },
  { "md", "md" },
  { "text", "txt" },
  { "txt", "txt" },
  { "plaintext", "txt" },
  { "plain", "txt" },
  { "output", "txt" },
  { "console", "txt" },
  { "shell-session", "txt" },
  { "shellsession", "txt" },
  { "sh-session", "txt" },
  { "bash-session", "txt" },
  { "terminal", "txt" },
  { "log", "txt" },
  { "dockerfile", "dockerfile" },
  { "makefile", "mk" },
};

/* Around "filename: …" in a first line. */
static const struct
{
  const char *begin;
  const char *end;
} comments[] = {
  { "<!--", "-->" },
  { "/*", "*/" },
  { "//", "" },
  { "#", "" },
};

/* Only so much of the text before a fence is searched: more is not needed, and could take long. */
#define MAX_PROSE      1000
#define MAX_PROSE_LINE 200

#define NAME_WORD "filename:"

/* A file name in a sentence has no others, so that a call or a pattern is none. */
#define NAME_CHARS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
#define NAME_MARKERS "#*:>- \t"

/* A reason is a sentence or two. */
#define MAX_REASON 2000

/* The words are in the order of FhBlockAction. */
static const char *const actions[] = {
  "run", "ask", "save", "unsupported", "bad-name", "unclosed"
};

FhAnswerBlock *
fh_answer_block_new (const FhLanguage *language, const char *code)
{
  FhAnswerBlock *block = g_new0 (FhAnswerBlock, 1);

  block->number = 1;
  block->word = g_strdup (language->id);
  block->language = language;
  block->code = g_strdup (code);
  block->line = 1;
  return block;
}

void
fh_answer_block_free (FhAnswerBlock *block)
{
  g_free (block->word);
  g_free (block->above);
  g_free (block->file_name);
  g_free (block->code);
  g_free (block->missing_end);
  g_free (block);
}

/* "./a//b.py" is "a/b.py". */
static char *
simplify_path (const char *path)
{
  g_auto (GStrv) parts = NULL;
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  if (*path == '/')
    return g_strdup (path);
  parts = g_strsplit (path, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*parts[i] != '\0' && !g_str_equal (parts[i], "."))
        g_ptr_array_add (kept, parts[i]);
    }
  g_ptr_array_add (kept, NULL);
  return g_strjoinv ("/", (char **) kept->pdata);
}

/* The name that a first line gives to the block: only with the word, so that an ordinary comment is
 * not taken for a name. NULL if it gives none. */
static char *
dup_file_name (const char *code)
{
  g_autofree char *line = g_strstrip (g_strndup (code, strcspn (code, "\n")));

  for (guint i = 0; i < G_N_ELEMENTS (comments); i++)
    {
      char *at = line;

      if (!g_str_has_prefix (line, comments[i].begin) || !g_str_has_suffix (line, comments[i].end))
        continue;
      line[strlen (line) - strlen (comments[i].end)] = '\0';
      at += strlen (comments[i].begin);
      at += strspn (at, " \t");
      if (g_ascii_strncasecmp (at, NAME_WORD, strlen (NAME_WORD)) != 0)
        return NULL;
      return simplify_path (g_strstrip (at + strlen (NAME_WORD)));
    }
  return NULL;
}

/* Takes the marks of lists, headings and bold text from both ends. */
static char *
strip_markers (char *text)
{
  gsize size;

  text += strspn (text, NAME_MARKERS);
  for (size = strlen (text); size > 0 && strchr (NAME_MARKERS, text[size - 1]) != NULL; size--)
    text[size - 1] = '\0';
  return text;
}

/* Whether the line above says that the block is what a program prints: it shows no code to run. */
static gboolean
is_output (const FhAnswerBlock *block)
{
  static const char *const words[] = {
    "output", "expected output", "example output", "sample output", "ausgabe", NULL,
  };
  g_autofree char *line = g_ascii_strdown (block->above != NULL ? block->above : "", -1);
  const char *stripped = strip_markers (line);

  return (block->is_guess || fh_answer_reading_is_terminal (block->word)) &&
         g_strv_contains (words, stripped);
}

/* Keeps only what was typed if the block is a terminal's text. The lines keep their numbers. */
static void
strip_prompts (FhAnswerBlock *block)
{
  const gboolean is_terminal = fh_answer_reading_is_terminal (block->word);
  const FhLanguage *typed = NULL;
  g_autofree char *code = NULL;

  if (block->is_guess || (block->language == NULL && !is_terminal) || is_output (block))
    return;
  code = fh_language_strip_prompts (block->code, TRUE, &typed);
  if (code == NULL ||
      (!is_terminal && !g_str_equal (typed->source_view_id, block->language->source_view_id)))
    return;
  if (is_terminal)
    {
      block->language = typed;
      g_free (block->word);
      block->word = g_strdup (typed->id);
    }
  g_free (block->code);
  block->code = g_steal_pointer (&code);
  block->is_typed = TRUE;
}

/* A shell runs what a here-document without an end leaves of a program, and calls that a success.
 */
static void
find_missing_end (FhAnswerBlock *block)
{
  g_autoptr (FhUnclosedText) text =
      block->language != NULL ? fh_unclosed_text_find (block->language, block->code) : NULL;

  g_clear_pointer (&block->missing_end, g_free);
  if (text == NULL || !text->is_here)
    return;
  block->missing_end = g_steal_pointer (&text->end);
  block->missing_line = block->line + text->line - 1;
}

static const char *
find_suffix (const FhAnswerBlock *block)
{
  const char *word = block->word;

  if (block->is_guess)
    word = block->language != NULL ? block->language->id : "text";
  for (guint i = 0; i < G_N_ELEMENTS (saved); i++)
    {
      if (g_str_equal (saved[i].word, word))
        return saved[i].suffix;
    }
  return NULL;
}

/* Whether a file of that name may have the block's code: "Then run `app.py`:" above a shell command
 * does not name it. */
static gboolean
may_be_named (const FhAnswerBlock *block, const char *name)
{
  const char *suffix = strrchr (name, '.');
  const char *usual = find_suffix (block);

  if (suffix == NULL || suffix == name || suffix[1] == '\0' || !fh_run_file_path_is_safe (name) ||
      name[strspn (name, NAME_CHARS)] != '\0')
    return FALSE;
  if (block->language != NULL && g_strv_contains (block->language->suffixes, suffix))
    return TRUE;
  return usual != NULL && (*block->word == '\0' || g_str_equal (suffix + 1, usual) ||
                           g_str_equal (suffix + 1, block->word));
}

/* The name that the line above gives to the block: "Create `index.html`:", "**a/b.py**" and
 * "### `a.css`". NULL if it gives none. */
static char *
dup_name_above (const FhAnswerBlock *block)
{
  g_autofree char *line = g_strchomp (g_strdup (block->above != NULL ? block->above : ""));
  g_auto (GStrv) parts = g_strsplit (line, "`", -1);
  g_autofree char *path = NULL;
  const char *name = "";

  if (g_strv_length (parts) != 3)
    name = strip_markers (line);
  else if (*line == '#' || g_str_has_suffix (line, ":") || g_str_has_suffix (line, ":**") ||
           (*strip_markers (parts[0]) == '\0' && *strip_markers (parts[2]) == '\0'))
    name = parts[1];
  path = simplify_path (name);
  return may_be_named (block, path) ? g_steal_pointer (&path) : NULL;
}

static void
name_file (FhAnswerBlock *block)
{
  g_free (block->file_name);
  block->file_name = dup_file_name (block->code);
  if (block->file_name == NULL)
    block->file_name = dup_name_above (block);
}

static void
choose_action (FhAnswerBlock *block)
{
  if (block->file_name != NULL && !fh_run_file_path_is_safe (block->file_name))
    block->action = FH_BLOCK_BAD_NAME;
  else if (find_suffix (block) != NULL)
    block->action = FH_BLOCK_SAVE;
  else if (block->language == NULL)
    block->action = FH_BLOCK_UNSUPPORTED;
  else if (block->missing_end != NULL)
    block->action = FH_BLOCK_UNCLOSED;
}

/* A name for a file that the answer does not name. */
static void
set_file_name (FhAnswerBlock *block, guint number)
{
  const char *suffix = find_suffix (block);

  if (block->action != FH_BLOCK_SAVE || block->file_name != NULL)
    return;
  if (suffix == NULL)
    suffix = block->language->suffixes[0] + 1;
  block->file_name = g_strdup_printf ("block-%u.%s", number, suffix);
}

GPtrArray *
fh_answer_find_blocks (const char *text)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  g_autoptr (GPtrArray) found = NULL;

  g_return_val_if_fail (text != NULL, blocks);

  found = fh_answer_reading_find (text);
  for (guint i = 0; i < found->len; i++)
    {
      FhMarkdownBlock *part = found->pdata[i];
      FhAnswerBlock *block = g_new0 (FhAnswerBlock, 1);

      block->number = i + 1;
      block->word = g_steal_pointer (&part->word);
      block->code = g_steal_pointer (&part->code);
      block->line = part->line;
      block->is_open = part->is_open;
      block->passed = part->passed;
      block->thoughts = part->thoughts;
      block->above = g_steal_pointer (&part->above);
      block->language = fh_answer_reading_language (block->word, block->code, &block->is_guess);
      if (is_output (block))
        block->language = NULL;
      strip_prompts (block);
      name_file (block);
      find_missing_end (block);
      choose_action (block);
      set_file_name (block, i + 1);
      g_ptr_array_add (blocks, block);
    }
  return blocks;
}

const char *
fh_block_action_to_string (FhBlockAction action)
{
  g_return_val_if_fail (action < G_N_ELEMENTS (actions), NULL);

  return actions[action];
}

/* "javascript=run", "python=ask", "all=save". */
static gboolean
parse_policy (const char *policy, char **word, FhBlockAction *action, GError **error)
{
  const char *equals = strchr (policy, '=');

  *action = FH_BLOCK_RUN;
  while (equals != NULL && *action <= FH_BLOCK_SAVE && !g_str_equal (equals + 1, actions[*action]))
    (*action)++;
  if (equals == NULL || equals == policy || *action > FH_BLOCK_SAVE)
    return fh_run_error_refuse (
        error,
        _ ("“%s” is no policy. It is a language or “all”, “=”, and “run”, “ask” or "
           "“save”, such as javascript=run."),
        policy);
  *word = g_ascii_strdown (policy, equals - policy);
  return TRUE;
}

static gboolean
is_meant (const FhAnswerBlock *block, const char *word)
{
  return g_str_equal (word, "all") || g_str_equal (word, block->word) ||
         (block->language != NULL && block->language == fh_language_lookup (word));
}

gboolean
fh_answer_block_set_action (FhAnswerBlock *block, guint number, FhBlockAction action)
{
  g_return_val_if_fail (block != NULL && action <= FH_BLOCK_SAVE, FALSE);

  if (block->action == FH_BLOCK_BAD_NAME || block->language == NULL ||
      (block->missing_end != NULL && action != FH_BLOCK_SAVE))
    return FALSE;
  block->action = action;
  set_file_name (block, number);
  return TRUE;
}

void
fh_answer_block_set_language (FhAnswerBlock *block, guint number, const FhLanguage *language)
{
  g_return_if_fail (block != NULL && language != NULL);

  g_free (block->word);
  block->word = g_strdup (language->id);
  block->language = language;
  block->is_guess = FALSE;
  name_file (block);
  find_missing_end (block);
  block->action = FH_BLOCK_RUN;
  choose_action (block);
  set_file_name (block, number);
}

static void
apply_policy (GPtrArray *blocks, const char *word, FhBlockAction action)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      if (is_meant (blocks->pdata[i], word))
        fh_answer_block_set_action (blocks->pdata[i], i + 1, action);
    }
}

gboolean
fh_answer_set_policies (GPtrArray *blocks, const char *const *policies, GError **error)
{
  g_return_val_if_fail (blocks != NULL && policies != NULL, FALSE);

  for (; *policies != NULL; policies++)
    {
      g_autofree char *word = NULL;
      FhBlockAction action;

      if (!parse_policy (*policies, &word, &action, error))
        return FALSE;
      apply_policy (blocks, word, action);
    }
  return TRUE;
}

static gboolean
has_suffix (const char *file_name, const char *suffix)
{
  g_autofree char *lower = g_ascii_strdown (file_name, -1);

  return g_str_has_suffix (lower, suffix);
}

/* A quote that is not closed in its line, where a value begins. */
#define UNCLOSED(q)                                                                                \
  "^[^" q "]*(?:" q "[^" q "]*" q "[^" q "]*)*"                                                    \
  "(?:(?:=|<-|\\becho(?: -\\w+)?|\\bprintf)\\s*" q "[^" q "]*|[(,]\\s*" q ")$"

/* A line that begins a string or a comment of several lines: only there a program can have a fence.
 * What else looks like code is found in prose as well. */
static GRegex *
get_opening (void)
{
  static const char *const openings[] = {
    "(?:^|[=([{,]|[\"']:|\\breturn)\\s*[rbufRBUF]{0,2}(\"\"\"|''')(?!\\)|.*\\g{-1})",
    UNCLOSED ("\""),
    UNCLOSED ("'"),
    "(?:=\\s|\\()`$",
    "^/\\*(?!.*\\*/)",
    "^<#(?!.*#>)",
    "(?:=\\s*|\\()\\[=*\\[$",
    "@[\"']$",
    "(?:^|[\\s(=])<<[-~]?([\"']?)[A-Z][A-Z_]*\\g{-1}\\s*(?:[;,|>)].*)?$",
    "^<\\?php\\b",
  };
  static GRegex *opening;

  if (g_once_init_enter (&opening))
    {
      g_autoptr (GString) all = g_string_new (openings[0]);

      for (guint i = 1; i < G_N_ELEMENTS (openings); i++)
        g_string_append_printf (all, "|%s", openings[i]);
      g_once_init_leave (&opening, g_regex_new (all->str, G_REGEX_RAW, 0, NULL));
    }
  return opening;
}

/* Whether the text before its first fence is a program's. */
static gboolean
begins_as_program (const char *text, const FhAnswerBlock *first)
{
  /* The lines are counted as cmark does. */
  g_auto (GStrv) lines = g_regex_split_simple ("\r\n|\r|\n", text, G_REGEX_RAW, 0);

  for (guint i = 0; i < MAX_PROSE && lines[i] != NULL && i + 2 < first->line; i++)
    {
      g_autofree char *line = g_strstrip (g_strndup (lines[i], MAX_PROSE_LINE));

      if (g_regex_match (get_opening (), line, 0, NULL))
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
fh_answer_parse (const char *file_name, const char *text)
{
  g_autoptr (GPtrArray) blocks = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (file_name != NULL && (has_suffix (file_name, ".md") || has_suffix (file_name, ".markdown")))
    return fh_answer_find_blocks (text);
  if (file_name != NULL && fh_language_guess (file_name, NULL) != NULL)
    return NULL;
  /* Most texts are programs, which are told at once. */
  if (g_str_has_prefix (text, "#!") ||
      (strstr (text, "```") == NULL && strstr (text, "~~~") == NULL))
    return NULL;
  blocks = fh_answer_find_blocks (text);
  if (blocks->len == 0 || begins_as_program (text, blocks->pdata[0]))
    return NULL;
  return g_steal_pointer (&blocks);
}

static FhAnswerBlock *
copy_block (const FhAnswerBlock *block)
{
  FhAnswerBlock *copy = g_memdup2 (block, sizeof *block);

  copy->word = g_strdup (block->word);
  copy->above = g_strdup (block->above);
  copy->file_name = g_strdup (block->file_name);
  copy->code = g_strdup (block->code);
  copy->missing_end = g_strdup (block->missing_end);
  return copy;
}

GPtrArray *
fh_answer_blocks_copy (GPtrArray *blocks)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);

  g_return_val_if_fail (blocks != NULL, copies);

  for (guint i = 0; i < blocks->len; i++)
    g_ptr_array_add (copies, copy_block (blocks->pdata[i]));
  return copies;
}

char *
fh_answer_block_dup_problem (const FhAnswerBlock *block)
{
  g_autofree char *word = NULL;

  g_return_val_if_fail (block != NULL, NULL);

  switch (block->action)
    {
    case FH_BLOCK_UNSUPPORTED:
      word = fh_readable_text_new (block->word, strlen (block->word));
      /* Translators: %s is what stands behind “```”. */
      return g_strdup_printf (_ ("Unsupported language %s"), word);
    case FH_BLOCK_BAD_NAME:
      return g_strdup (_ ("Filename is not in the workspace"));
    case FH_BLOCK_UNCLOSED:
      word = fh_readable_text_new (block->missing_end, strlen (block->missing_end));
      /* Translators: the line in which a here-document of a shell begins, and its word. */
      return g_strdup_printf (_ ("The text that line %u begins has no end: there is no line “%s”"),
                              block->missing_line,
                              word);
    case FH_BLOCK_RUN:
    case FH_BLOCK_ASK:
    case FH_BLOCK_SAVE:
    default:
      return NULL;
    }
}

char *
fh_answer_dup_refusal (const char *reason)
{
  g_autofree char *line = NULL;
  g_autofree char *cut = NULL;

  line = g_utf8_make_valid (reason != NULL ? reason : "", -1);
  g_strstrip (g_strdelimit (line, "\n\r\t", ' '));
  if (*line == '\0')
    return g_strdup (_ ("Code execution was not approved."));
  cut = g_utf8_substring (line, 0, MIN (g_utf8_strlen (line, -1), MAX_REASON));
  return g_strdup_printf (_ ("Code execution was not approved. Reason: %s"), cut);
}

char **
fh_answer_block_dup_repairs (const FhAnswerBlock *block)
{
  g_autoptr (GStrvBuilder) repairs = g_strv_builder_new ();

  g_return_val_if_fail (block != NULL, NULL);

  if (block->thoughts != 0)
    {
      g_autofree char *repair = g_strdup_printf (
          _ ("The model wrote the lines up to %u for itself: no code in them runs."),
          block->thoughts);

      g_strv_builder_add (repairs, repair);
    }
  if (block->passed != 0)
    {
      g_autofree char *repair =
          g_strdup_printf (_ ("The fence in line %u did not end the block: it is part of a text."),
                           block->passed);

      g_strv_builder_add (repairs, repair);
    }
  if (block->is_typed)
    g_strv_builder_add (repairs, _ ("The prompts and the output of a terminal were left out."));
  if (block->is_open)
    g_strv_builder_add (repairs, _ ("The answer ends inside the block: it may be cut off."));
  return g_strv_builder_end (repairs);
}

gboolean
fh_answer_block_is_unknown (const FhAnswerBlock *block)
{
  g_return_val_if_fail (block != NULL, FALSE);

  return block->is_guess && block->language == NULL;
}

char *
fh_answer_block_dup_saved (const FhAnswerBlock *block)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (block != NULL && block->file_name != NULL, NULL);

  text = g_strdup_printf (_ ("Code saved to %s"), block->file_name);
  if (!fh_answer_block_is_unknown (block))
    return g_steal_pointer (&text);
  /* Translators: %s is “Code saved to …”. */
  return g_strdup_printf (_ ("Unknown language. %s"), text);
}
