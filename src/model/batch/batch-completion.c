/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-completion.h"

#include <string.h>

#include "answer.h"
#include "markdown-blocks.h"

/* The line with which a completion goes on with its prompt, or is a program itself. One space is
 * what some models put before their first word. */
#define PLAIN "^(?:  |\\t| ?(?:async def|class|def|from|import)\\b| ?@)"

#define MARKS "^ {0,3}(?:```|~~~)|<\\|[A-Za-z_]+\\|>|</s>|<eos>|<end_of_turn>|\\[/INST\\]"

/* Whether it begins as code does. A fence may be indented. */
static gboolean
begins_as_code (const char *completion)
{
  const char *line = completion;

  for (const char *at = completion; g_ascii_isspace (*at); at++)
    {
      if (*at == '\n')
        line = at + 1;
    }
  if (g_str_has_prefix (line + strspn (line, " "), "```"))
    return FALSE;
  return g_regex_match_simple (PLAIN, line, G_REGEX_RAW, 0);
}

static gboolean
is_python (const FhMarkdownBlock *block)
{
  const FhLanguage *language = fh_language_lookup (block->word);

  return language != NULL && g_str_equal (language->id, "python");
}

char *
fh_batch_completion_unwrap (const char *completion)
{
  g_autoptr (GPtrArray) answer = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  FhMarkdownBlock *found = NULL;

  if (!begins_as_code (completion))
    answer = fh_answer_parse (NULL, completion, FALSE);
  if (answer == NULL)
    return NULL;
  blocks = fh_markdown_blocks_find (completion);
  for (guint i = 0; i < blocks->len; i++)
    {
      FhMarkdownBlock *block = blocks->pdata[i];

      /* One that is not closed was cut off, or is the end of one that was opened in the prompt. */
      if (block->is_open || (*block->word != '\0' && !is_python (block)))
        continue;
      if (found == NULL || (*found->word == '\0' && *block->word != '\0'))
        found = block;
    }
  return found != NULL ? g_steal_pointer (&found->code) : NULL;
}

gboolean
fh_batch_completion_has_marks (const char *completion)
{
  return g_regex_match_simple (MARKS, completion, G_REGEX_RAW | G_REGEX_MULTILINE, 0);
}
