/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks come in the order of their lines, and their code is that of the text. */
#include "answer.h"
#include "fuzz-target.h"
#include "markdown-blocks.h"
#include "run-files.h"

#include <string.h>

static void
check_block (const FhAnswerBlock *block, const char *text)
{
  g_autofree char *problem = fh_answer_block_dup_problem (block);

  g_assert (block->line >= 1 && block->line <= strlen (text) + 1);
  g_assert (*block->code == '\0' || g_str_has_suffix (block->code, "\n"));
  g_assert ((problem != NULL) == (block->action >= FH_BLOCK_UNSUPPORTED));
  if (block->action == FH_BLOCK_RUN)
    g_assert (block->language != NULL);
  if (block->action == FH_BLOCK_SAVE)
    g_assert (block->file_name != NULL);
  if (block->action != FH_BLOCK_BAD_NAME && block->file_name != NULL)
    g_assert (fh_run_file_path_is_safe (block->file_name));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  g_autoptr (GPtrArray) answer = fh_answer_parse (NULL, text, FALSE);
  guint line = 0;

  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      check_block (block, text);
      g_assert (block->line >= line);
      line = block->line;
    }
  g_assert (answer == NULL || answer->len == blocks->len);
  return 0;
}
