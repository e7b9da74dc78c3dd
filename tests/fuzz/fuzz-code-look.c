/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report that is accepted says nothing but names and lines of the code, and can be told. */
#include "code-look.h"
#include "fuzz-target.h"

#include <string.h>

#define CODE  "a\nb\nc"
#define START 7

static void
check_finding (const FhLookFinding *finding)
{
  g_assert (finding->reason != NULL && finding->sentence != NULL);
  g_assert (finding->line >= START && finding->line < START + 3);
  g_assert (finding->reaches < 1u << FH_LOOK_N_REACHES);
  g_assert (g_utf8_validate (finding->name, -1, NULL));
  for (const char *at = finding->name; *at != '\0'; at++)
    g_assert (!g_ascii_iscntrl (*at));
}

static void
check_look (const FhCodeLook *look)
{
  g_autofree char *summary = fh_code_look_dup_summary (look);
  g_autofree char *text = fh_code_look_dup_text (look);
  g_autoptr (JsonObject) object = fh_code_look_to_json (look);

  for (guint i = 0; i < look->findings->len; i++)
    check_finding (look->findings->pdata[i]);
  g_assert (*summary != '\0' && strchr (summary, '\n') == NULL);
  g_assert (g_str_has_suffix (text, "\n"));
  g_assert (json_object_get_int_member (object, "lines") == 3);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *report = g_strndup ((const char *) data, size);
  g_autoptr (GPtrArray) blocks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  FhAnswerBlock *block = fh_answer_block_new (fh_language_lookup ("python"), CODE);
  g_autoptr (GPtrArray) looks = NULL;

  block->line = START;
  g_ptr_array_add (blocks, block);
  looks = fh_code_look_parse (report, blocks);
  for (guint i = 0; looks != NULL && i < looks->len; i++)
    check_look (looks->pdata[i]);
  return 0;
}
