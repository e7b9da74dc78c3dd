/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "answer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "answer-names.h"
#include "answer-reading.h"
#include "answer-references.h"
#include "odd-characters.h"
#include "readable-text.h"
#include "run-error.h"
#include "run-files.h"
#include "unclosed-text.h"
#include "word-list.h"

/* Only so much of the text before a fence is searched: more is not needed, and could take long. */
#define MAX_PROSE      1000
#define MAX_PROSE_LINE 200

/* A repair names so many of the lines that it changed. */
#define MAX_TOLD 8

/* A reason is a sentence or two. */
#define MAX_REASON 2000

/* The words are in the order of FhBlockAction. */
static const char *const actions[] = { "run",      "ask",      "save", "unsupported",
                                       "bad-name", "unclosed", NULL };

FH_DEFINE_WORDS (FhBlockAction, fh_block_action, actions)

FhAnswerBlock *
fh_answer_block_new (const FhLanguage *language, const char *code)
{
  FhAnswerBlock *block = g_new0 (FhAnswerBlock, 1);

  block->number = block->n_blocks = 1;
  block->word = g_strdup (language->id);
  block->language = language;
  block->code = g_strdup (code);
  block->line = 1;
  return block;
}

/* A block owns these strings. */
static const gsize strings[] = {
  G_STRUCT_OFFSET (FhAnswerBlock, word),      G_STRUCT_OFFSET (FhAnswerBlock, info),
  G_STRUCT_OFFSET (FhAnswerBlock, above),     G_STRUCT_OFFSET (FhAnswerBlock, file_name),
  G_STRUCT_OFFSET (FhAnswerBlock, code),      G_STRUCT_OFFSET (FhAnswerBlock, mended),
  G_STRUCT_OFFSET (FhAnswerBlock, end_token), G_STRUCT_OFFSET (FhAnswerBlock, missing_end),
};

void
fh_answer_block_free (FhAnswerBlock *block)
{
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (G_STRUCT_MEMBER (char *, block, strings[i]));
  g_free (block);
}

/* Whether the line above says that the block is what a program prints: it shows no code to run. */
static gboolean
is_output (const FhAnswerBlock *block)
{
  static const char *const ends[] = {
    "output",         "outputs",      "output is",  "prints",  "result",
    "you should see", "you will see", "you'll see", "ausgabe", "ausgegeben",
  };
  g_autofree char *line = g_ascii_strdown (block->above != NULL ? block->above : "", -1);
  const char *stripped = fh_answer_names_strip (line);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      const char *end = strlen (stripped) >= strlen (ends[i])
                            ? stripped + strlen (stripped) - strlen (ends[i])
                            : NULL;

      if (end != NULL && g_str_equal (end, ends[i]) &&
          (end == stripped || !g_ascii_isalnum (end[-1])))
        return block->is_guess || fh_answer_reading_is_terminal (block->word);
    }
  return FALSE;
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

static void
choose_action (FhAnswerBlock *block)
{
  if (block->file_name != NULL && !fh_run_file_path_is_safe (block->file_name))
    block->action = FH_BLOCK_BAD_NAME;
  else if (fh_answer_names_find_suffix (block) != NULL)
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
  const char *suffix = fh_answer_names_find_suffix (block);

  if (block->action != FH_BLOCK_SAVE || block->file_name != NULL)
    return;
  if (suffix == NULL)
    suffix = block->language->suffixes[0] + 1;
  block->file_name = g_strdup_printf ("block-%u.%s", number, suffix);
  block->is_named_by_us = TRUE;
}

/* Puts what is meant in the place of characters that only look like those of code. */
static void
replace_odd_characters (FhAnswerBlock *block)
{
  g_autoptr (GArray) lines = NULL;
  g_autoptr (GString) numbers = g_string_new (NULL);
  char *code = block->language != NULL
                   ? fh_odd_characters_replace (block->language, block->code, &lines)
                   : NULL;

  if (code == NULL)
    return;
  g_free (block->code);
  block->code = code;
  for (guint i = 0; i < MIN (lines->len, MAX_TOLD); i++)
    g_string_append_printf (numbers,
                            "%s%u",
                            i > 0 ? ", " : "",
                            block->line + g_array_index (lines, guint, i) - 1);
  if (lines->len > MAX_TOLD)
    g_string_append (numbers, ", …");
  g_free (block->mended);
  block->mended = g_string_free (g_steal_pointer (&numbers), FALSE);
}

/* Where the name of a file stands in the place of a language, its suffix says the language. */
static void
take_file_for_word (FhAnswerBlock *block)
{
  const char *dot = strrchr (block->word, '.');
  FhAnswerBlock named = { .code = block->code };

  if (block->language != NULL || dot == NULL || dot[1] == '\0')
    return;
  named.word = g_strdup (dot + 1);
  named.language = fh_answer_reading_language (named.word, block->code, &named.is_guess);
  if (named.language != NULL || fh_answer_names_find_suffix (&named) != NULL)
    {
      block->language = named.language;
      g_free (block->word);
      block->word = g_steal_pointer (&named.word);
    }
  g_free (named.word);
}

/* Returns how many bytes of indentation the lines share; 0 if they do not all begin alike. */
static gsize
find_shared_indentation (const char *code)
{
  const char *first = NULL;
  gsize shared = 0;

  for (const char *line = code; *line != '\0'; line += *line == '\n')
    {
      gsize size = strspn (line, " \t");

      if (line[size] != '\n' && line[size] != '\0' && first == NULL)
        {
          first = line;
          shared = size;
        }
      else if (line[size] != '\n' && line[size] != '\0')
        {
          shared = MIN (shared, size);
          while (shared > 0 && memcmp (first, line, shared) != 0)
            shared--;
        }
      line += strcspn (line, "\n");
    }
  return shared;
}

/* Python does not run code whose first line is indented. */
static void
take_off_indentation (FhAnswerBlock *block)
{
  const gsize shared = find_shared_indentation (block->code);
  GString *code;

  if (shared == 0 || block->language == NULL || !g_str_equal (block->language->id, "python"))
    return;
  code = g_string_new (NULL);
  for (const char *line = block->code; *line != '\0';)
    {
      const gsize size = strcspn (line, "\n") + (strchr (line, '\n') != NULL);
      const gsize skipped = MIN (shared, strspn (line, " \t"));

      g_string_append_len (code, line + skipped, (gssize) (size - skipped));
      line += size;
    }
  g_free (block->code);
  block->code = g_string_free (code, FALSE);
  block->is_shifted = TRUE;
}

/* Finds the language of a block that was found. */
static void
set_language (FhAnswerBlock *block)
{
  block->language = fh_answer_reading_language (block->word, block->code, &block->is_guess);
  take_file_for_word (block);
  /* Editors write "12:15:app.py" above lines that a file already has: they are no program. */
  if (block->info != NULL && g_regex_match_simple ("^\\d+:\\d+:", block->info, G_REGEX_RAW, 0))
    {
      g_free (block->word);
      block->word = g_strdup ("text");
      block->language = NULL;
    }
  if (is_output (block))
    block->language = NULL;
}

static GPtrArray *
find_blocks (const char *text, gboolean as_written)
{
  GPtrArray *blocks = as_written ? fh_markdown_blocks_find (text) : fh_answer_reading_find (text);

  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];

      block->number = i + 1;
      set_language (block);
      if (!as_written)
        {
          strip_prompts (block);
          replace_odd_characters (block);
          take_off_indentation (block);
        }
      fh_answer_names_set (block);
      find_missing_end (block);
      choose_action (block);
    }
  if (!as_written)
    fh_answer_references_find (blocks);
  for (guint i = 0; i < blocks->len; i++)
    {
      set_file_name (blocks->pdata[i], i + 1);
      ((FhAnswerBlock *) blocks->pdata[i])->n_blocks = blocks->len;
    }
  return blocks;
}

GPtrArray *
fh_answer_find_blocks (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return find_blocks (text, FALSE);
}

/* "javascript=run", "python=ask", "all=save". */
static gboolean
parse_policy (const char *policy, char **word, FhBlockAction *action, GError **error)
{
  const char *equals = strchr (policy, '=');

  if (equals == NULL || equals == policy || !fh_block_action_from_string (equals + 1, action) ||
      *action > FH_BLOCK_SAVE)
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
  block->needed_by = 0;
  block->run_by = 0;
  fh_answer_names_set (block);
  find_missing_end (block);
  block->action = FH_BLOCK_RUN;
  choose_action (block);
  set_file_name (block, number);
}

/* A block that another one runs stays saved: it is asked about where that runs. */
static void
apply_policy (GPtrArray *blocks, const char *word, FhBlockAction action)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];

      if (!is_meant (block, word))
        continue;
      block->is_asked = action == FH_BLOCK_ASK;
      if (block->run_by == 0 || action == FH_BLOCK_SAVE)
        fh_answer_block_set_action (block, i + 1, action);
    }
}

/* A person who wants to be asked about a block is also asked about the blocks that run it. */
static void
ask_for_what_runs (GPtrArray *blocks)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      for (guint n = 0; block->is_asked && block->run_by != 0 && n < blocks->len; n++)
        {
          FhAnswerBlock *other = blocks->pdata[block->run_by - 1];

          if (other->action == FH_BLOCK_RUN)
            other->action = FH_BLOCK_ASK;
          other->is_asked = TRUE;
          block = other;
        }
    }
}

void
fh_answer_run_diffs (GPtrArray *blocks)
{
  g_return_if_fail (blocks != NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];

      if (block->language != NULL && g_str_equal (block->language->id, "diff") &&
          block->action == FH_BLOCK_SAVE)
        {
          block->action = FH_BLOCK_RUN;
          if (block->is_named_by_us)
            g_clear_pointer (&block->file_name, g_free);
        }
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
  ask_for_what_runs (blocks);
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

#define UNCLOSED_IN_LINE UNCLOSED ("\"") "|" UNCLOSED ("'")

/* A line that begins a string or a comment of several lines: only there a program can have a fence.
 * What else looks like code is found in prose as well. */
static GRegex *
get_opening (void)
{
  static GRegex *opening;

  return fh_regex_once (
      &opening,
      "(?:^|[=([{,]|[\"']:|\\breturn)\\s*[rbufRBUF]{0,2}(\"\"\"|''')(?!\\)|.*\\g{-1})"
      "|" UNCLOSED_IN_LINE "|(?:=\\s|\\()`$"
      "|^/\\*(?!.*\\*/)"
      "|^<#(?!.*#>)"
      "|(?:=\\s*|\\()\\[=*\\[$"
      "|@[\"']$"
      "|(?:^|[\\s(=])<<[-~]?([\"']?)[A-Z][A-Z_]*\\g{-1}\\s*(?:[;,|>)].*)?$"
      "|^<\\?php\\b",
      0);
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
fh_answer_parse (const char *file_name, const char *text, gboolean as_written)
{
  g_autoptr (GPtrArray) blocks = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (file_name != NULL && (has_suffix (file_name, ".md") || has_suffix (file_name, ".markdown")))
    return find_blocks (text, as_written);
  if (file_name != NULL && fh_language_guess (file_name, NULL) != NULL)
    return NULL;
  /* Most texts are programs, which are told at once. */
  if (g_str_has_prefix (text, "#!") ||
      (strstr (text, "```") == NULL && strstr (text, "~~~") == NULL))
    return NULL;
  blocks = find_blocks (text, as_written);
  if (blocks->len == 0 || begins_as_program (text, blocks->pdata[0]))
    return NULL;
  return g_steal_pointer (&blocks);
}

static FhAnswerBlock *
copy_block (const FhAnswerBlock *block)
{
  FhAnswerBlock *copy = g_memdup2 (block, sizeof *block);

  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    G_STRUCT_MEMBER (char *, copy, strings[i]) =
        g_strdup (G_STRUCT_MEMBER (char *, block, strings[i]));
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

static void
add_repair (GStrvBuilder *repairs, char *sentence)
{
  g_strv_builder_add (repairs, sentence);
  g_free (sentence);
}

/* Tells what other blocks have to do with this one. */
static void
add_references (GStrvBuilder *repairs, const FhAnswerBlock *block)
{
  if (block->run_by != 0 && block->action == FH_BLOCK_SAVE)
    add_repair (repairs,
                g_strdup_printf (_ ("It is saved as “%s” and not run by itself: block %u uses it."),
                                 block->file_name,
                                 block->run_by));
  else if (block->needed_by != 0 && (block->is_named_by_need || block->needed_by < block->number))
    add_repair (repairs,
                g_strdup_printf (_ ("It is also saved as “%s”: block %u needs it."),
                                 block->file_name,
                                 block->needed_by));
}

/* The characters of a word at a fence that are shown. */
#define MAX_WORD 20

/* The names of files that are saved and not run. */
static const struct
{
  const char *word;
  const char *name;
} file_kinds[] = {
  { "css", "CSS" },           { "csv", "CSV" }, { "html", "HTML" }, { "json", "JSON" },
  { "markdown", "Markdown" }, { "sql", "SQL" }, { "text", "Text" }, { "toml", "TOML" },
  { "txt", "Text" },          { "xml", "XML" }, { "yaml", "YAML" }, { "yml", "YAML" },
};

char *
fh_answer_block_dup_language (const FhAnswerBlock *block)
{
  g_autofree char *readable = NULL;

  g_return_val_if_fail (block != NULL, NULL);

  if (block->language != NULL && !block->is_guess)
    return g_strdup (block->language->name);
  if (block->language != NULL)
    /* Translators: the name of a language that is a guess. */
    return g_strdup_printf (_ ("%s?"), block->language->name);
  if (fh_answer_block_is_unknown (block) || *block->word == '\0')
    return g_strdup (_ ("Unknown language"));
  for (guint i = 0; i < G_N_ELEMENTS (file_kinds); i++)
    if (g_ascii_strcasecmp (block->word, file_kinds[i].word) == 0)
      return g_strdup (file_kinds[i].name);
  readable = fh_readable_text_new (block->word, strlen (block->word));
  if (g_utf8_strlen (readable, -1) > MAX_WORD)
    *g_utf8_offset_to_pointer (readable, MAX_WORD) = '\0';
  return g_steal_pointer (&readable);
}

char *
fh_answer_block_dup_place (const FhAnswerBlock *block)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (block != NULL, NULL);

  name = block->language != NULL ? g_strdup (block->language->name)
                                 : fh_answer_block_dup_language (block);
  /* Translators: the name of a language, the number of a line. */
  return g_strdup_printf (_ ("%s, line %u"), name, block->line);
}

char **
fh_answer_block_dup_repairs (const FhAnswerBlock *block)
{
  g_autoptr (GStrvBuilder) repairs = g_strv_builder_new ();

  g_return_val_if_fail (block != NULL, NULL);

  if (block->thoughts != 0)
    add_repair (
        repairs,
        g_strdup_printf (_ ("The model wrote the lines up to %u for itself: no code in them runs."),
                         block->thoughts));
  if (block->passed != 0)
    add_repair (
        repairs,
        g_strdup_printf (_ ("The fence in line %u did not end the block: it is part of a text."),
                         block->passed));
  if (block->is_typed)
    g_strv_builder_add (repairs, _ ("The prompts and the output of a terminal were left out."));
  if (block->is_shifted)
    g_strv_builder_add (repairs, _ ("The indentation that all its lines share was taken off."));
  if (block->mended != NULL)
    /* Translators: followed by numbers of lines. */
    add_repair (repairs,
                g_strdup_printf ("%s: %s",
                                 _ ("Quotes, spaces and signs that only look like those of code "
                                    "were read as those"),
                                 block->mended));
  add_references (repairs, block);
  if (block->end_token != NULL)
    add_repair (repairs,
                g_strdup_printf (_ ("The model ended its answer in line %u, with “%s”: no code "
                                    "behind that runs."),
                                 block->end_line,
                                 block->end_token));
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
