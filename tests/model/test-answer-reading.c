/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-reading.h"

#define README   "cat > README.md <<'EOF'\n# Title\n\n```python\nprint(1)\n```\nEOF\nls\n"
#define DOCUMENT "TEXT = \"\"\"Usage:\n```\nx\n```\n\"\"\"\nprint(TEXT)\n"

/* Fences inside a text of a program. Each block: "passed code|". */
static void
test_longer (void)
{
  static const struct
  {
    const char *text;
    const char *told;
  } expected[] = {
    { "```bash\n" README "```\nThen:\n```sh\nls\n```\n", "7 " README "|0 ls\n|" },
    { "1. ```bash\n   cat <<A\n   ```\n   x\n   ```\n   A\n   ```\n2. No\n",
      "3 cat <<A\n```\nx\n```\nA\n|" },
    { "```python\r\nx = '''\r\n```sh\r\nls\r\n```\r\n'''\r\n```\r\n",
      "5 x = '''\n```sh\nls\n```\n'''\n|" },
    { "~~~sh\ncat <<A\n~~~\nx\n~~~\nA\n~~~\n", "3 cat <<A\n~~~\nx\n~~~\nA\n|" },
    { "```python\n" DOCUMENT "```\n```sh\ncat <<A\n```\nls\n```\nA\n```\n",
      "3 " DOCUMENT "|11 cat <<A\n```\nls\n```\nA\n|" },
    /* Two texts in one block. */
    { "```sh\ncat <<A\n```\n1\n```\nA\ncat <<B\n```\n2\n```\nB\n```\n",
      "3 cat <<A\n```\n1\n```\nA\ncat <<B\n```\n2\n```\nB\n|" },
    /* The next block has the same word: this one only lacks its end. */
    { "```sh\ncat <<A\nx\n```\nOr:\n```sh\ncat <<A\ny\nA\n```\n",
      "0 cat <<A\nx\n|0 cat <<A\ny\nA\n|" },
    { "```sh\ncat <<A\nx\n```\nOr:\n```py\nA\n```\nEnd\n", "0 cat <<A\nx\n|0 A\n|" },
    /* A string without an end: Python says so. */
    { "```python\nx = '''\n```\nText\n```python\ny = '''a'''\n```\n",
      "0 x = '''\n|0 y = '''a'''\n|" },
    { "```sh\ncat <<A\nx\n", "0 cat <<A\nx\n|" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GPtrArray) blocks = fh_answer_reading_find (expected[i].text);
      g_autoptr (GString) told = g_string_new (NULL);

      for (guint j = 0; j < blocks->len; j++)
        {
          const FhAnswerBlock *block = blocks->pdata[j];

          g_string_append_printf (told, "%u %s|", block->passed, block->code);
        }
      g_assert_cmpstr (told->str, ==, expected[i].told);
    }
}

/* Many blocks that might be longer: not each of them is followed to the end of the answer. */
static void
test_many_unclosed (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) blocks = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "```sh\ncat <<A\n```\nx\n");
  for (guint i = 0; i < 300000; i++)
    g_string_append (text, "text\n");
  blocks = fh_answer_reading_find (text->str);
  g_assert_cmpuint (blocks->len, ==, 1000);
  for (guint i = 0; i < blocks->len; i++)
    g_assert_cmpuint (((FhAnswerBlock *) blocks->pdata[i])->passed, ==, 0);
}

/* The line that ends the thoughts, and the code of the blocks after it. */
static void
test_thoughts (void)
{
  static const struct
  {
    const char *text;
    const char *told;
  } expected[] = {
    { "<think>\nOr:\n```py\n1\n```\n</think>\nSo:\n```py\n2\n```\n", "6 2\n|" },
    { "\n<thinking>\n```py\n1\n</thinking>\n```py\n2\n```\n", "5 2\n|" },
    { "Or:\n```py\n1\n```\n</think>\n```py\n2\n```\n", "5 2\n|" },
    { "<think>\nNothing.\n</think>\n```py\n2\n```\n", "0 2\n|" },
    { "```py\ns = '''<think>\n</think>\n'''\n```\n", "0 s = '''<think>\n</think>\n'''\n|" },
    { "```py\ns = '</think>'\n```\n", "0 s = '</think>'\n|" },
    { "<think>\n```py\n1\n```\n", "0 1\n|" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GPtrArray) blocks = fh_answer_reading_find (expected[i].text);
      g_autoptr (GString) told = g_string_new (NULL);

      for (guint j = 0; j < blocks->len; j++)
        {
          const FhAnswerBlock *block = blocks->pdata[j];

          g_string_append_printf (told, "%u %s|", block->thoughts, block->code);
        }
      g_assert_cmpstr (told->str, ==, expected[i].told);
    }
}

/* `id`: "-" for a language that is none. */
static void
test_language (void)
{
  static const struct
  {
    const char *word, *id;
  } expected[] = {
    { "py", "python" },
    { "python3.11", "python" },
    { "python2.7", "-" },
    { "python2", "-" },
    { "c++17", "cpp" },
    { "lua5.4", "lua" },
    { "3", "-" },
    { "python3x", "-" },
    { "text/x-python", "python" },
    { "language-bash", "bash" },
    { "pycon", "python" },
    { "console", "-" },
  };
  gboolean is_guess;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const FhLanguage *language =
          fh_answer_reading_language (expected[i].word, "import os\n", &is_guess);

      g_assert_cmpstr (language != NULL ? language->id : "-", ==, expected[i].id);
      g_assert_false (is_guess);
    }
  g_assert_true (fh_answer_reading_language ("", "import os\n", &is_guess) ==
                 fh_language_lookup ("python"));
  g_assert_true (is_guess);
  g_assert_true (fh_answer_reading_is_terminal ("console"));
  g_assert_false (fh_answer_reading_is_terminal ("pycon"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answer-reading/longer", test_longer);
  g_test_add_func ("/answer-reading/many-unclosed", test_many_unclosed);
  g_test_add_func ("/answer-reading/thoughts", test_thoughts);
  g_test_add_func ("/answer-reading/language", test_language);
  return g_test_run ();
}
