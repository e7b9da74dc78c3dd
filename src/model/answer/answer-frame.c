/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-frame.h"

#include <string.h>

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

/* Counts the lines as cmark does. */
static guint
count_lines (const char *text, const char *end)
{
  guint line = 1;

  for (const char *at = text; at < end; at++)
    line += *at == '\n' || (*at == '\r' && at[1] != '\n');
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
        return count_lines (text, found);
    }
  return 0;
}

static GRegex *
get_end_tokens (void)
{
  static GRegex *regex;

  if (g_once_init_enter (&regex))
    g_once_init_leave (&regex,
                       g_regex_new ("(" END_TOKENS ")(?:[ \\t]*" END_TOKENS ")*[ \\t]*$",
                                    G_REGEX_RAW | G_REGEX_MULTILINE | G_REGEX_NEWLINE_ANYCRLF,
                                    0,
                                    NULL));
  return regex;
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
                            .line = count_lines (text, text + first),
                            .token = g_strndup (text + first, last - first),
                            .is_followed = !is_end };
      return TRUE;
    }
  return FALSE;
}
