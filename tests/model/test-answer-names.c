/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-names.h"

#include "answer.h"

/* An answer of one block, and the name of its file; NULL if it gives none. */
static const struct
{
  const char *text;
  const char *name;
} named[] = {
  { "```python\n# filename: a/b.py\n```\n", "a/b.py" },
  { "```python\n# File: a.py\n```\n", "a.py" },
  { "```python\n# File: a.txt\n```\n", NULL },
  { "```sh\n#!/bin/sh\n# path: ./run.sh\n```\n", "run.sh" },
  { "```python\n# a.py\n```\n", NULL },
  { "```css\n/* a.css */\n```\n", "a.css" },
  { "```html\n<!-- a.html -->\n<p>\n```\n", "a.html" },
  { "```sql\n-- a.sql\nSELECT 1;\n```\n", "a.sql" },
  { "```python title=\"a.py\"\n```\n", "a.py" },
  { "```python filename=src/a.py {1,3}\n```\n", "src/a.py" },
  { "```{.python .numberLines name='a.py'}\n```\n", "a.py" },
  { "```python:src/a.py\n```\n", "src/a.py" },
  { "```js server.js\n```\n", "server.js" },
  { "```js [server.js]\n```\n", "server.js" },
  { "```python // a.py\n```\n", "a.py" },
  { "```a.py\n```\n", "a.py" },
  { "```data/config.json\n{}\n```\n", "data/config.json" },
  { "```python3.11\n```\n", NULL },
  { "```python copy\n```\n", NULL },
  { "```python title=\"../a.py\"\n```\n", NULL },
  { "```python title=\"An example\"\n```\n", NULL },
  { "Create `a.py`:\n```python\n```\n", "a.py" },
  { "**a.py**\n\n```python\n```\n", "a.py" },
  { "Create `Makefile`:\n```makefile\nall:\n```\n", "Makefile" },
  { "Run `a.py`:\n```sh\n```\n", NULL },
};

static void
test_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    {
      g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (named[i].text);
      const FhAnswerBlock *block = blocks->pdata[0];

      g_test_message ("%s", named[i].text);
      g_assert_cmpuint (blocks->len, ==, 1);
      if (named[i].name == NULL)
        g_assert_null (block->file_name);
      else
        g_assert_cmpstr (block->file_name, ==, named[i].name);
    }
}

static void
test_candidate (void)
{
  FhAnswerBlock block = { .word = (char *) "python",
                          .language = fh_language_lookup ("python"),
                          .code = (char *) "# lib/a.py\nx = 1\n" };
  g_autofree char *name = fh_answer_names_dup_candidate (&block);

  g_assert_cmpstr (name, ==, "lib/a.py");
  block.code = (char *) "# See a.py\n";
  g_assert_null (fh_answer_names_dup_candidate (&block));
  g_assert_true (fh_answer_names_fits (&block, "a.py"));
  g_assert_false (fh_answer_names_fits (&block, "a.js"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/answer-names/names", test_names);
  g_test_add_func ("/answer-names/candidate", test_candidate);
  return g_test_run ();
}
