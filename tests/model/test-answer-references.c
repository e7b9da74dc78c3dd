/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-references.h"

#include "answer.h"

/* Each block is "ACTION NAME needed_by run_by|", with "-" for no name. */
static const struct
{
  const char *name;
  const char *text;
  const char *told;
} cases[] = {
  { "import",
    "```python\n# helper.py\ndef f(): pass\n```\n```python\nimport helper\n```\n",
    "save helper.py 2 2|run - 0 0|" },
  { "import-later",
    "```python\nfrom lib.helper import f\n```\n```python\n# lib/helper.py\ndef f(): pass\n```\n",
    "run - 0 0|save lib/helper.py 1 1|" },
  { "import-with-main",
    "```python\n# helper.py\nif __name__ == '__main__': pass\n```\n```python\nimport helper as h\n"
    "```\n",
    "run helper.py 2 0|run - 0 0|" },
  { "import-of-another",
    "```python\n# helper.py\nx = 1\n```\n```python\nimport helpers\nfrom xhelper import helper\n"
    "```\n",
    "run - 0 0|run - 0 0|" },
  { "import-list",
    "```python\n# helper.py\nx = 1\n```\n```python\nimport os, helper\n```\n",
    "save helper.py 2 2|run - 0 0|" },
  { "import-each-other",
    "```python\n# a.py\nimport b\n```\n```python\n# b.py\nimport a\n```\n",
    "save a.py 2 2|run b.py 1 0|" },
  { "open",
    "```python\n# a.py\nx = 1\n```\n```python\nprint(open('a.py').read())\n```\n",
    "run a.py 2 0|run - 0 0|" },
  { "run",
    "```python\n# a.py\nx = 1\n```\n```sh\npython3 -u ./a.py --fast\n```\n",
    "save a.py 2 2|run - 0 0|" },
  { "run-of-a-chain",
    "```python\n# lib.py\nx = 1\n```\n```python\n# app.py\nimport lib\n```\n```sh\npython app.py\n"
    "```\n",
    "save lib.py 2 2|save app.py 3 3|run - 0 0|" },
  { "run-before",
    "```sh\ncd . && python a.py\n```\n```python\n# a.py\nx = 1\n```\n",
    "run - 0 0|save a.py 1 1|" },
  { "run-of-an-older-version",
    "```python\n# a.py\nx = 1\n```\n```sh\npython a.py\n```\n```python\n# filename: a.py\nx = 2\n"
    "```\n```sh\npython a.py\n```\n",
    "save a.py 2 2|run - 0 0|save a.py 4 4|run - 0 0|" },
  { "run-of-what-has-no-name",
    "Save it:\n```python\nx = 1\n```\n```bash\npython app.py\n```\n",
    "save app.py 2 2|run - 0 0|" },
  { "run-of-one-of-two",
    "```python\nx = 1\n```\n```python\ny = 1\n```\n```bash\npython app.py\n```\n",
    "run - 0 0|run - 0 0|run - 0 0|" },
  { "run-of-what-another-writes",
    "```python\nopen('app.py', 'w').write('')\n```\n```bash\npython app.py\n```\n",
    "run - 0 0|run - 0 0|" },
  { "shows-only",
    "```python\n# a.py\nx = 1\n```\n```sh\ncat a.py\necho b/a.py\n```\n",
    "run a.py 2 0|run - 0 0|" },
  { "another-path",
    "```python\n# a.py\nx = 1\n```\n```sh\npython b/a.py\necho a.pyc\n```\n",
    "run - 0 0|run - 0 0|" },
  { "comment",
    "```python\n# a.py\nx = 1\n```\n```sh\n# python a.py\nls\n```\n",
    "run a.py 2 0|run - 0 0|" },
  { "compiled",
    "```c\n// filename: a.c\nint main(void){}\n```\n```sh\ngcc -o a a.c && ./a\n```\n",
    "save a.c 2 2|run - 0 0|" },
  { "shown-in-a-here-document",
    "```python\n# a.py\nx = 1\n```\n```sh\ncat > README <<E\npython a.py\nE\n```\n",
    "run a.py 2 0|run - 0 0|" },
  { "shown-in-a-docstring",
    "```python\n# a.py\nx = 1\n```\n```python\n'''\nimport a\n'''\n```\n",
    "run - 0 0|run - 0 0|" },
  { "import-as",
    "```python\n# a.py\nx = 1\n```\n```python\nimport os as o, re, a\n```\n",
    "save a.py 2 2|run - 0 0|" },
  { "alone", "```python\n# a.py\nimport a\n```\n", "run - 0 0|" },
};

static char *
dup_told (GPtrArray *blocks)
{
  GString *told = g_string_new (NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      g_string_append_printf (told,
                              "%s %s %u %u|",
                              fh_block_action_to_string (block->action),
                              block->file_name != NULL ? block->file_name : "-",
                              block->needed_by,
                              block->run_by);
    }
  return g_string_free (told, FALSE);
}

static void
test_case (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (cases[i].text);
  g_autofree char *told = dup_told (blocks);

  g_assert_cmpstr (told, ==, cases[i].told);
}

/* What is to be asked about is asked about where it runs, and what is only saved stays so. */
static void
test_policies (void)
{
  static const struct
  {
    const char *policies[3];
    const char *told;
  } expected[] = {
    { { "python=run" }, "save a.py 2 2|run - 0 0|" },
    { { "python=ask" }, "save a.py 2 2|ask - 0 0|" },
    { { "python=ask", "sh=run" }, "save a.py 2 2|ask - 0 0|" },
    { { "python=ask", "python=run" }, "save a.py 2 2|run - 0 0|" },
    { { "all=save" }, "save a.py 2 2|save block-2.sh 0 0|" },
    { { "sh=save", "python=run" }, "save a.py 2 2|save block-2.sh 0 0|" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GPtrArray) blocks =
          fh_answer_find_blocks ("```python\n# a.py\nx = 1\n```\n```sh\npython a.py\n```\n");
      g_autofree char *told = NULL;

      g_assert_true (fh_answer_set_policies (blocks, expected[i].policies, NULL));
      told = dup_told (blocks);
      g_assert_cmpstr (told, ==, expected[i].told);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/answer-references/%s", cases[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/answer-references/policies", test_policies);
  return g_test_run ();
}
