/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-reading.h"

#include <string.h>

/* The line, the token and what stands before it; "" if there is none. */
static void
test_end (void)
{
  static const struct
  {
    const char *text;
    const char *told;
  } expected[] = {
    { "a\n```<|im_end|>\n", "2 <|im_end|> a\n```|" },
    { "a\n  <|eot_id|>  \nb", "2 <|eot_id|> a\n  |followed" },
    { "a</s>", "1 </s> a|" },
    { "a</s>\nb", "" },
    { "a<|im_end|>\n<|im_start|>user\nb", "1 <|im_end|> a|" },
    { "a <end_of_turn>\r\n\r\n<start_of_turn>user\n", "1 <end_of_turn> a |" },
    { "a</s></s>\n", "1 </s> a|" },
    { "if a == '<|im_end|>':\n  b", "" },
    { "a\n<｜end▁of▁sentence｜>", "2 <｜end▁of▁sentence｜> a\n|" },
    { "a [/INST]\n", "1 [/INST] a |" },
    { "<|endoftext|>", "1 <|endoftext|> |" },
    { "</s>\na", "" },
    { "a\n[/INST]\nb", "" },
    { "a\n```</s>\nb", "2 </s> a\n```|followed" },
    { "<|other|>\n", "" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      FhAnswerEnd end = { 0 };
      g_autofree char *told = NULL;

      if (fh_answer_frame_find_end (expected[i].text, 0, &end))
        told = g_strdup_printf ("%u %s %.*s|%s",
                                end.line,
                                end.token,
                                (int) end.size,
                                expected[i].text,
                                end.is_followed ? "followed" : "");
      g_assert_cmpstr (told != NULL ? told : "", ==, expected[i].told);
      g_free (end.token);
    }
}

static void
test_next_end (void)
{
  const char *text = "<|end|>\na\n<end_of_turn>\nb\n";
  FhAnswerEnd end = { 0 };

  for (guint line = 1; line <= 3; line += 2)
    {
      g_assert_true (fh_answer_frame_find_end (text, end.next, &end));
      g_assert_cmpuint (end.line, ==, line);
      g_free (end.token);
    }
  g_assert_false (fh_answer_frame_find_end (text, end.next, &end));
}

/* They end behind the last of their lines, also if that has more than the tag. */
static void
test_thoughts (void)
{
  static const struct
  {
    const char *text;
    guint line;
  } expected[] = {
    { "<think>\n```\na\n```\nSo.</think>\n", 5 },
    { "```\na\n```\n</think>  \nb", 4 },
    { "<think>\na\n</think>\n", 0 },
    { "a\n<think>\n```\n```\n</think>\n", 0 },
    { "```\nx = '</think>'\n```\n", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (fh_answer_frame_find_thoughts (expected[i].text), ==, expected[i].line);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/answer-frame/end", test_end);
  g_test_add_func ("/answer-frame/next-end", test_next_end);
  g_test_add_func ("/answer-frame/thoughts", test_thoughts);
  return g_test_run ();
}
