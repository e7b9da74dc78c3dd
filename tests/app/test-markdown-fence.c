/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <string.h>

#include "editor/markdown-fence.h"

typedef struct
{
  const char *name;
  const char *text;
  const char *code; /* NULL: left as it is */
  const char *info;
} Case;

static const Case cases[] = {
  { "plain", "```python\nprint(1)\n```\n", "print(1)\n", "python" },
  { "without-language", "```\nls\n```", "ls\n", "" },
  { "tildes", "~~~sh\nls\n~~~", "ls\n", "sh" },
  { "prose-around", "Here it is:\n\n```py\nx = 1\n```\n\nEnjoy!\n", "x = 1\n", "py" },
  { "blank-lines-kept", "```\na\n\n\nb\n```", "a\n\n\nb\n", "" },
  { "longer-fence", "````md\n```\ninner\n```\n````", "```\ninner\n```\n", "md" },
  { "shorter-does-not-close", "````\na\n```\nb\n````", "a\n```\nb\n", "" },
  { "other-mark-does-not-close", "```\na\n~~~\nb\n```", "a\n~~~\nb\n", "" },
  { "text-behind-does-not-close", "```\na\n``` no\n```", "a\n``` no\n", "" },
  { "never-closed", "```python\nprint(1)", "print(1)\n", "python" },
  { "indented", "  ```python\n  if x:\n      y\n  ```", "if x:\n    y\n", "python" },
  { "carriage-returns", "```python\r\nprint(1)\r\n```\r\n", "print(1)\n", "python" },
  { "attributes", "```python {.line}\nx\n```", "x\n", "python" },
  { "attributes-in-one", "```python,ignore\nx\n```", "x\n", "python" },
  { "empty-block", "```python\n```", "", "python" },
  { "two-blocks", "```\na\n```\n\n```\nb\n```", NULL, NULL },
  { "no-block", "print('```')\n", NULL, NULL },
  { "inline-code", "```x``` is code\n", NULL, NULL },
  { "four-spaces-are-code", "    ```\n    a\n    ```\n", NULL, NULL },
  { "two-marks", "``\na\n``\n", NULL, NULL },
  { "nothing", "", NULL, NULL },
};

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autofree char *info = NULL;
  g_autofree char *code = fh_markdown_fence_unwrap (expected->text, &info);

  g_assert_cmpstr (code, ==, expected->code);
  g_assert_cmpstr (info, ==, expected->info);
}

/* A fence in every place of a long text must not take long. */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new ("```\n");
  g_autofree char *code = NULL;

  for (guint i = 0; i < 200000; i++)
    g_string_append (text, "~~~ x\n");
  code = fh_markdown_fence_unwrap (text->str, NULL);
  g_assert_cmpstr (code, ==, text->str + strlen ("```\n"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/app/markdown-fence/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/app/markdown-fence/long", test_long);
  return g_test_run ();
}
