/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-reading.h"

#include <string.h>

#include "traceback-parser.h"
#include "unclosed-text.h"
#include "word-list.h"

/* So many longer blocks are looked for in an answer: each time it is read to its end. */
#define MAX_TRIES 16
/* So many tokens that may end an answer are tried: each time as many longer blocks are looked for.
 */
#define MAX_ENDS 3

/* MIME types and highlighters put these in front of the name of a language. */
static const char *const prefixes[] = {
  "text/", "application/", "x-", "language-", "lang-", NULL,
};

/* Words of terminals, and of the tools in which models run code themselves. */
static const char *const python_words[] = {
  "pycon",   "python-console", "python-repl",      "pyrepl",
  "doctest", "tool_code",      "code_interpreter", NULL,
};

static const char *const terminals[] = {
  "console", "shell-session", "shellsession", "sh-session", "bash-session", "terminal", NULL,
};

/* "python3.11" is Python and "c++17" is C++, but Python 2 is not what is run here. */
static const FhLanguage *
lookup_without_version (const char *word)
{
  const gsize size = strcspn (word, "0123456789");
  g_autofree char *name = g_strndup (word, size);
  const FhLanguage *language = fh_language_lookup (name);

  if (size == 0 || word[size] == '\0' || word[size + strspn (word + size, "0123456789.")] != '\0')
    return NULL;
  return language == fh_language_lookup ("python") && word[size] != '3' ? NULL : language;
}

const FhLanguage *
fh_answer_reading_language (const char *word, const char *code, gboolean *is_guess)
{
  const FhLanguage *language;

  g_return_val_if_fail (word != NULL && code != NULL && is_guess != NULL, NULL);

  *is_guess = *word == '\0';
  if (*is_guess)
    return fh_traceback_begins (code) ? NULL : fh_language_guess (NULL, code);
  if (g_strv_contains (python_words, word))
    return fh_language_lookup ("python");
  language = fh_language_lookup (word);
  if (language != NULL)
    return language;
  for (guint i = 0; prefixes[i] != NULL; i++)
    {
      if (g_str_has_prefix (word, prefixes[i]))
        word += strlen (prefixes[i]);
    }
  language = fh_language_lookup (word);
  return language != NULL ? language : lookup_without_version (word);
}

gboolean
fh_answer_reading_is_terminal (const char *word)
{
  g_return_val_if_fail (word != NULL, FALSE);

  return g_strv_contains (terminals, word);
}

/* The tokens that end a turn, by the chat templates that the model families publish. */
#define END_TOKENS                                                                                 \
  "(?:<\\|(?:im_end|endoftext|eot_id|eom_id|end_of_text|end|return|eos|END_OF_TURN_TOKEN)\\|>"     \
  "|<\xef\xbd\x9c"                                                                                 \
  "end[\xe2\x96\x81_]+of[\xe2\x96\x81_]+sentence\xef\xbd\x9c>"                                     \
  "|</s>|<eos>|<end_of_turn>|\\[/INST\\]|\\[/ASSISTANT\\])"

/* The tokens that begin the turn of somebody else. */
#define START_TOKENS                                                                               \
  "\\G\\s*(?:<\\|(?:im_start|start_header_id|user|system|begin_of_text)\\|>|<start_of_turn>"       \
  "|<bos>|(?:<s>\\s*)?\\[INST\\])"

/* Whether a text up to `end` is what a model wrote for itself, and has fences. The tag that begins
 * it is often left out, because it belongs to the prompt. */
static gboolean
is_thought (const char *text, const char *end, const char *begin_tag)
{
  const char *begin = g_strstr_len (text, end - text, begin_tag);

  return (begin == NULL || begin == text + strspn (text, " \t\r\n")) &&
         (g_strstr_len (text, end - text, "```") != NULL ||
          g_strstr_len (text, end - text, "~~~") != NULL);
}

/* Finds a tag that is the last of its line. */
static const char *
find_at_line_end (const char *text, const char *tag)
{
  const char *found = text;

  while ((found = strstr (found, tag)) != NULL)
    {
      const char *behind = found + strlen (tag);

      behind += strspn (behind, " \t");
      if (strchr ("\r\n", *behind) != NULL)
        return found;
      found++;
    }
  return NULL;
}

/* The lines are counted as cmark does. */
static guint
number_of_line (const char *text, const char *at)
{
  guint line = 1;

  for (; text < at; text++)
    line += *text == '\n' || (*text == '\r' && text[1] != '\n');
  return line;
}

guint
fh_answer_frame_find_thoughts (const char *text)
{
  static const char *const tags[] = { "think>", "thinking>", "reasoning>" };

  g_return_val_if_fail (text != NULL, 0);

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      g_autofree char *begin = g_strconcat ("<", tags[i], NULL);
      g_autofree char *end = g_strconcat ("</", tags[i], NULL);
      const char *found = find_at_line_end (text, end);

      if (found != NULL && is_thought (text, found, begin))
        return number_of_line (text, found);
    }
  return 0;
}

static GRegex *
get_end_tokens (void)
{
  static GRegex *regex;

  return fh_regex_once (&regex,
                        "(" END_TOKENS ")(?:[ \\t]*" END_TOKENS ")*[ \\t]*$",
                        G_REGEX_MULTILINE | G_REGEX_NEWLINE_ANYCRLF);
}

/* Whether there is nothing between the beginning of the line and the token, or a fence. Alone, some
 * tokens are also tags of HTML and of forums. */
static gboolean
is_alone (const char *text, gsize token)
{
  gsize at = token;
  gboolean is_fence = FALSE;

  for (; at > 0 && strchr (" \t`~", text[at - 1]) != NULL; at--)
    is_fence |= strchr ("`~", text[at - 1]) != NULL;
  if (at > 0 && text[at - 1] != '\n' && text[at - 1] != '\r')
    return FALSE;
  return is_fence || g_str_has_prefix (text + token, "<|") ||
         g_str_has_prefix (text + token, "<end_") || g_str_has_prefix (text + token, "<\xef");
}

gboolean
fh_answer_frame_find_end (const char *text, gsize from, FhAnswerEnd *end)
{
  const gsize size = strlen (text);
  g_autoptr (GMatchInfo) match = NULL;

  g_return_val_if_fail (from <= size && end != NULL, FALSE);

  for (gboolean found = g_regex_match_full (get_end_tokens (), text, -1, from, 0, &match, NULL);
       found;
       found = g_match_info_next (match, NULL))
    {
      int first, last, behind;
      gboolean is_end;

      g_match_info_fetch_pos (match, 0, &first, &behind);
      g_match_info_fetch_pos (match, 1, NULL, &last);
      is_end = text[behind + strspn (text + behind, " \t\r\n")] == '\0' ||
               g_regex_match_simple (START_TOKENS, text + behind, G_REGEX_RAW, 0);
      if (!is_end && !is_alone (text, first))
        continue;
      *end = (FhAnswerEnd){ .size = first,
                            .next = behind,
                            .line = number_of_line (text, text + first),
                            .token = g_strndup (text + first, last - first),
                            .is_followed = !is_end };
      return TRUE;
    }
  return FALSE;
}

/* Returns the line behind the marks of lists and quotes. */
static const char *
skip_markers (const char *line)
{
  return line + strspn (line, "> \t");
}

/* "```python" is 'p' for a fence that names a language, "```" is 'b' for a bare one, and everything
 * else is 0, also "```x``` is code". */
static char
fence_kind (const char *line)
{
  const char mark[] = { *line, '\0' };
  gsize size;

  if (*line != '`' && *line != '~')
    return 0;
  size = strspn (line, mark);
  if (size < 3 || strchr (line + size, '`') != NULL)
    return 0;
  return line[size + strspn (line + size, " \t")] == '\0' ? 'b' : 'p';
}

/* Whether the line begins a text with the same end, as no text of that end has inside. */
static gboolean
begins_again (const FhUnclosedText *text, const char *line)
{
  const char *at = text->is_here ? strstr (line, "<<") : NULL;

  if (at == NULL)
    return FALSE;
  at += 2 + strspn (at + 2, "- \t'\"\\");
  return g_str_has_prefix (at, text->end);
}

/* Finds the line in which the text ends, if it is one that would be written into a text: what it
 * has of fences are pairs, and it does not begin again. 0 if there is none. `begin`: of the text,
 * an index of lines. `after`: the fence that ended the block, likewise. */
static guint
find_end (char **lines, guint begin, guint after, const FhUnclosedText *text)
{
  gboolean is_open = FALSE;

  for (guint i = begin + 1; lines[i] != NULL; i++)
    {
      const char *line = skip_markers (lines[i]);
      const char kind = fence_kind (line);

      if (i > after && (fh_unclosed_text_ends_in (text, line, strlen (line)) ||
                        fh_unclosed_text_ends_in (text, lines[i], strlen (lines[i]))))
        return is_open ? 0 : i + 1;
      if (begins_again (text, line) || (kind == 'p' && is_open))
        return 0;
      is_open ^= kind != 0;
    }
  return 0;
}

static guint
count_lines (const char *code)
{
  guint n = 0;

  for (; (code = strchr (code, '\n')) != NULL; code++)
    n++;
  return n;
}

/* Returns the text that a block leaves open. A block at whose end the answer ends cannot be longer.
 */
static FhUnclosedText *
find_unclosed (const FhAnswerBlock *block)
{
  gboolean is_guess;
  const FhLanguage *language = fh_answer_reading_language (block->word, block->code, &is_guess);

  return language == NULL || block->is_open ? NULL : fh_unclosed_text_find (language, block->code);
}

/* Adds the lines of a block's unclosed text to those whose fences are text. FALSE if the text does
 * not end further down. */
static gboolean
add_longer (GArray *texts, const FhAnswerBlock *block, const FhUnclosedText *text, char **lines)
{
  const guint fence = block->line + count_lines (block->code);
  const guint first = block->line + text->line - 1;
  const FhMarkdownLines longer = { first, find_end (lines, first - 1, fence - 1, text), fence };

  if (longer.last != 0)
    g_array_append_val (texts, longer);
  return longer.last != 0;
}

/* Notes in each block that became longer which fence does not end it. */
static void
note_fences (GPtrArray *blocks, GArray *texts)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];
      const guint end = block->line + count_lines (block->code);

      for (guint j = texts->len; j > 0; j--)
        {
          const FhMarkdownLines *text = &g_array_index (texts, FhMarkdownLines, j - 1);

          if (text->first >= block->line && text->last < end)
            block->passed = text->fence;
        }
    }
}

/* Finds the blocks of a text that has nothing behind its answer. */
static GPtrArray *
find_blocks (const char *text)
{
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (FhMarkdownLines));
  g_auto (GStrv) lines = NULL;
  FhMarkdownLines thoughts = { .first = 1, .last = fh_answer_frame_find_thoughts (text) };
  GPtrArray *blocks;
  guint n_tries = 0;

  if (thoughts.last > 0)
    g_array_append_val (texts, thoughts);
  blocks = thoughts.last > 0 ? fh_markdown_blocks_find_around (text, texts)
                             : fh_markdown_blocks_find (text);
  for (guint i = 0; i < blocks->len && n_tries < MAX_TRIES;)
    {
      g_autoptr (FhUnclosedText) unclosed = find_unclosed (blocks->pdata[i]);

      n_tries += unclosed != NULL;
      if (unclosed != NULL && lines == NULL)
        lines = g_regex_split_simple ("\r\n|\r|\n", text, G_REGEX_RAW, 0);
      if (unclosed == NULL || !add_longer (texts, blocks->pdata[i], unclosed, lines))
        {
          i++;
          continue;
        }
      g_ptr_array_unref (blocks);
      blocks = fh_markdown_blocks_find_around (text, texts);
    }
  note_fences (blocks, texts);
  if (blocks->len > 0)
    ((FhAnswerBlock *) blocks->pdata[0])->thoughts = thoughts.last;
  return blocks;
}

static FhAnswerBlock *
last_of (GPtrArray *blocks)
{
  return blocks->len > 0 ? blocks->pdata[blocks->len - 1] : NULL;
}

/* Whether the answer may end at that token, by the blocks before it: a program can have the tokens
 * of a model in its own texts. */
static gboolean
may_end (GPtrArray *blocks, const FhAnswerEnd *end)
{
  const FhAnswerBlock *last = last_of (blocks);
  g_autoptr (FhUnclosedText) text = NULL;
  gboolean is_guess;
  const FhLanguage *language;

  if (last == NULL || !last->is_open)
    return last != NULL;
  language = fh_answer_reading_language (last->word, last->code, &is_guess);
  if (language != NULL)
    text = fh_unclosed_text_find (language, last->code);
  return text == NULL && !end->is_followed;
}

static gboolean
are_same (GPtrArray *some, GPtrArray *others)
{
  if (some->len != others->len)
    return FALSE;
  for (guint i = 0; i < some->len; i++)
    {
      const FhAnswerBlock *one = some->pdata[i];
      const FhAnswerBlock *other = others->pdata[i];

      if (!g_str_equal (one->code, other->code) || one->is_open != other->is_open)
        return FALSE;
    }
  return TRUE;
}

GPtrArray *
fh_answer_reading_find (const char *text)
{
  FhAnswerEnd end = { 0 };
  GPtrArray *blocks;

  g_return_val_if_fail (text != NULL, NULL);

  blocks = find_blocks (text);
  for (guint n = 0; n < MAX_ENDS && fh_answer_frame_find_end (text, end.next, &end); n++)
    {
      g_autofree char *token = g_steal_pointer (&end.token);
      g_autofree char *answer = g_strndup (text, end.size);
      g_autoptr (GPtrArray) shorter = find_blocks (answer);

      if (!may_end (shorter, &end))
        continue;
      if (are_same (blocks, shorter))
        break;
      last_of (shorter)->end_line = end.line;
      last_of (shorter)->end_token = g_steal_pointer (&token);
      g_ptr_array_unref (blocks);
      return g_steal_pointer (&shorter);
    }
  return blocks;
}
