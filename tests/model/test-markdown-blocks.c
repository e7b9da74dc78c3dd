/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "markdown-blocks.h"

#include <string.h>

/* Each block as "line word code|", with "!" if it is not closed. */
typedef struct
{
  const char *name;
  const char *text;
  const char *blocks;
} Case;

static const Case cases[] = {
  { "plain", "```python\nprint(1)\n```\n", "2 python print(1)\n|" },
  { "without-language", "```\nls\n```", "2  ls\n|" },
  { "tildes", "~~~sh\nls\n~~~", "2 sh ls\n|" },
  { "prose-around", "Here it is:\n\n```py\nx = 1\n```\n\nEnjoy!\n", "4 py x = 1\n|" },
  { "two", "```a\n1\n```\ntext\n```b\n2\n```\n", "2 a 1\n|6 b 2\n|" },
  { "blank-lines-kept", "```\na\n\n\nb\n```", "2  a\n\n\nb\n|" },
  { "shorter-does-not-close", "````\na\n``\nb\n````", "2  a\n``\nb\n|" },
  { "other-mark-does-not-close", "```\na\n~~~\nb\n```", "2  a\n~~~\nb\n|" },
  { "text-behind-does-not-close", "```\na\n``` no\n```", "2  a\n``` no\n|" },
  { "never-closed", "```python\nprint(1)", "2 python print(1)\n!|" },
  { "indented", "  ```python\n  if x:\n      y\n  ```", "2 python if x:\n    y\n|" },
  { "indented-far",
    "Text:\n\n      ```python\n      if x:\n        y\n      ```\n",
    "4 python if x:\n  y\n|" },
  { "tab", "Text:\n\n\t```sh\n\tls\n\t```\n", "4 sh ls\n|" },
  { "in-a-list", "1. First\n   ```sh\n   ls\n   ```\n2. Second\n", "3 sh ls\n|" },
  { "in-a-deeper-list",
    "- a\n  - b\n\n    ```sh\n    ls -l\n      x\n    ```\n",
    "5 sh ls -l\n  x\n|" },
  { "in-a-quote", "> ```sh\n> ls\n> ```\n", "2 sh ls\n|" },
  { "quote-ends-it", "> ```sh\n> ls\ntext\n", "2 sh ls\n!|" },
  { "carriage-returns", "```python\r\nprint(1)\r\n```\r\n", "2 python print(1)\n|" },
  { "after-html",
    "<details>\n<summary>Code</summary>\n```sh\nls\n```\n</details>\n",
    "4 sh ls\n|" },
  { "in-markdown", "````markdown\n# Title\n```sh\nls\n```\n````\n", "4 sh ls\n|" },
  { "in-markdown-in-markdown",
    "``````md\n`````md\n````md\n```sh\nls\n```\n````\n`````\n``````\n",
    "5 sh ls\n|" },
  { "in-broken-markdown", "```markdown\nText\n```sh\nls\n```\n", "4 sh ls\n!|" },
  { "markdown-alone", "```md\n# Title\n```\n", "2 md # Title\n|" },
  { "attributes", "```python {.line}\nx\n```", "2 python x\n|" },
  { "attributes-in-one", "```python,ignore\nx\n```", "2 python x\n|" },
  { "pandoc", "``` {.python .numbers}\nx\n```", "2 python x\n|" },
  { "path-behind", "```python:a/b.py\nx\n```", "2 python x\n|" },
  { "upper-case", "```PYTHON\nx\n```", "2 python x\n|" },
  { "special-characters",
    "```c++\na[0] = b < c & *d | \\n _e_ # !\n```",
    "2 c++ a[0] = b < c & *d | \\n _e_ # !\n|" },
  { "empty", "```python\n```", "2 python |" },
  { "rules-in-code", "```yaml\n---\n- a\n---\n===\n```\n", "2 yaml ---\n- a\n---\n===\n|" },
  { "escaped", "\\```sh\nls\n", "" },
  { "inline-code", "```x``` is code\n", "" },
  { "indented-code", "Text\n\n    x = 1\n", "" },
  { "two-marks", "``\na\n``\n", "" },
  { "no-block", "print('```')\n", "" },
  { "nothing", "", "" },
};

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autoptr (GPtrArray) blocks = fh_markdown_blocks_find (expected->text);
  g_autoptr (GString) told = g_string_new (NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      g_string_append_printf (told,
                              "%u %s %s%s|",
                              block->line,
                              block->word,
                              block->code,
                              block->is_open ? "!" : "");
    }
  g_assert_cmpstr (told->str, ==, expected->blocks);
}

static char *
repeat (const char *text, guint n)
{
  GString *whole = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (whole, text);
  return g_string_free (whole, FALSE);
}

/* What takes a parser of Markdown quadratic time; each of them would run for minutes. */
static void
test_hostile (void)
{
  static const char *const pieces[] = { "[",    "![",  "*a_ ", "<",   "&",       "> ",    "- ",
                                        "`a``", "]( ", "\\",   "~~~", "[a](b\n", "    -", "```\n" };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      const guint n = (guint) (FH_MARKDOWN_MAX / 2 / strlen (pieces[i]));
      g_autofree char *start = repeat (pieces[i], n);
      g_autofree char *blank = repeat ("\n", FH_MARKDOWN_MAX / 2 - 1);
      g_autofree char *text = g_strconcat (start, blank, NULL);
      g_autoptr (GPtrArray) blocks = fh_markdown_blocks_find (text);

      g_assert_cmpuint (blocks->len, <=, FH_MARKDOWN_BLOCKS_MAX);
    }
}

static void
test_limits (void)
{
  g_autofree char *many = repeat ("```\na\n```\n", FH_MARKDOWN_BLOCKS_MAX + 1);
  g_autofree char *long_text = repeat ("```\na\n```\n", FH_MARKDOWN_MAX / 10 + 1);
  g_autoptr (GPtrArray) blocks = fh_markdown_blocks_find (many);
  g_autoptr (GPtrArray) none = fh_markdown_blocks_find (long_text);

  g_assert_cmpuint (blocks->len, ==, FH_MARKDOWN_BLOCKS_MAX);
  g_assert_cmpuint (none->len, ==, 0);
}

/* Markdown in Markdown, so deep that looking into each level twice would take for ever. */
static void
test_deep (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) blocks = NULL;

  for (guint depth = 60; depth > 3; depth--)
    {
      g_autofree char *fence = g_strnfill (depth, '`');

      g_string_append_printf (text, "Words.\n%smarkdown\n", fence);
    }
  g_string_append (text, "```sh\nls\n");
  blocks = fh_markdown_blocks_find (text->str);
  g_assert_cmpuint (blocks->len, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/markdown-blocks/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/markdown-blocks/hostile", test_hostile);
  g_test_add_func ("/markdown-blocks/limits", test_limits);
  g_test_add_func ("/markdown-blocks/deep", test_deep);
  return g_test_run ();
}
