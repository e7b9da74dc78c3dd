/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-choices.h"

static const char text[] =
    "```python\none\n```\n\n```\nHello, world.\n```\n\n```python\nthree\n```\n\n"
    "```python\n# filename: ../x.py\n```\n";

/* "run python, save -": of all blocks. */
static char *
tell (GHashTable *choices, const char *const *policies)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  GString *told = g_string_new (NULL);

  fh_answer_choices_apply (choices, policies, blocks);
  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      g_string_append_printf (told,
                              "%s%s %s",
                              i > 0 ? ", " : "",
                              fh_block_action_to_string (block->action),
                              block->language != NULL ? block->language->id : "-");
    }
  return g_string_free (told, FALSE);
}

#define assert_told(choices, policies, expected)                                                   \
  {                                                                                                \
    g_autofree char *told = tell (choices, policies);                                              \
                                                                                                   \
    g_assert_cmpstr (told, ==, expected);                                                          \
  }

static void
test_blocks (void)
{
  g_autoptr (GHashTable) choices = fh_answer_choices_new ();
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);

  assert_told (choices, NULL, "run python, save -, run python, bad-name python");
  fh_answer_choices_set_language (choices, blocks->pdata[1], fh_language_lookup ("sh"));
  assert_told (choices, NULL, "run python, run sh, run python, bad-name python");
  /* What is a page for one language may be a program in another. */
  fh_answer_choices_set_language (choices, blocks->pdata[1], fh_language_lookup ("javascript"));
  assert_told (choices, NULL, "run python, save javascript, run python, bad-name python");
}

/* A draft of an earlier version may have an action for one block. */
static void
test_old_draft (void)
{
  g_autoptr (GHashTable) choices = fh_answer_choices_new ();
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "python\none\n", -1);

  g_hash_table_replace (choices, g_steal_pointer (&key), g_strdup ("- ask"));
  assert_told (choices, NULL, "ask python, save -, run python, bad-name python");
  /* What is chosen for all blocks of the language replaces it. */
  fh_answer_choices_set_policy (choices, blocks, fh_language_lookup ("python"), FH_BLOCK_SAVE);
  assert_told (choices, NULL, "save python, save -, save python, bad-name python");
}

static void
test_policies (void)
{
  static const char *const all_ask[] = { "nonsense", "python=run", "all=ask", NULL };
  g_autoptr (GHashTable) choices = fh_answer_choices_new ();
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  const FhLanguage *python = fh_language_lookup ("python");

  assert_told (choices, all_ask, "ask python, save -, ask python, bad-name python");
  fh_answer_choices_set_language (choices, blocks->pdata[1], python);
  assert_told (choices, all_ask, "ask python, ask python, ask python, bad-name python");
  fh_answer_choices_set_policy (choices, blocks, python, FH_BLOCK_SAVE);
  assert_told (choices, all_ask, "save python, save python, save python, bad-name python");
}

/* As from a file that something has damaged. */
static void
test_damaged (void)
{
  static const char *const values[] = { "",
                                        "python",
                                        "cobol run x",
                                        "cobol burn",
                                        "- unsupported" };
  static const char *const keys[] = { "python", "", "sh" };

  for (guint i = 0; i < G_N_ELEMENTS (values) * G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GHashTable) choices = fh_answer_choices_new ();

      g_hash_table_replace (choices,
                            g_strdup (keys[i % G_N_ELEMENTS (keys)]),
                            g_strdup (values[i / G_N_ELEMENTS (keys)]));
      assert_told (choices, NULL, "run python, save -, run python, bad-name python");
    }
}

/* The key of a block says nothing about another one. */
static void
test_changed_text (void)
{
  g_autoptr (GHashTable) choices = fh_answer_choices_new ();
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks ("```python\none more\n```\n");
  g_autoptr (GPtrArray) others = fh_answer_find_blocks ("```sh\none\n```\n");

  fh_answer_choices_set_language (choices, blocks->pdata[0], fh_language_lookup ("sh"));
  fh_answer_choices_set_language (choices, others->pdata[0], fh_language_lookup ("lua"));
  assert_told (choices, NULL, "run python, save -, run python, bad-name python");
}

static void
test_many (void)
{
  g_autoptr (GHashTable) choices = fh_answer_choices_new ();

  for (guint i = 0; i < 5000; i++)
    {
      g_autofree char *answer = g_strdup_printf ("```sh\n%u\n```\n", i);
      g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (answer);

      fh_answer_choices_set_language (choices, blocks->pdata[0], fh_language_lookup ("python"));
    }
  g_assert_cmpuint (g_hash_table_size (choices), ==, 1000);
}

static void
test_as_written (void)
{
  g_autoptr (GHashTable) choices = fh_answer_choices_new ();
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks ("```python\nx\n```\n");

  g_assert_false (fh_answer_choices_is_as_written (choices));
  fh_answer_choices_set_as_written (choices, TRUE);
  g_assert_true (fh_answer_choices_is_as_written (choices));
  fh_answer_choices_apply (choices, NULL, blocks);
  g_assert_cmpint (((FhAnswerBlock *) blocks->pdata[0])->action, ==, FH_BLOCK_RUN);
  fh_answer_choices_set_as_written (choices, FALSE);
  g_assert_cmpuint (g_hash_table_size (choices), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/answer-choices/blocks", test_blocks);
  g_test_add_func ("/answer-choices/old-draft", test_old_draft);
  g_test_add_func ("/answer-choices/policies", test_policies);
  g_test_add_func ("/answer-choices/damaged", test_damaged);
  g_test_add_func ("/answer-choices/changed-text", test_changed_text);
  g_test_add_func ("/answer-choices/many", test_many);
  g_test_add_func ("/answer-choices/as-written", test_as_written);
  return g_test_run ();
}
