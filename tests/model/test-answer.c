/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer.h"

/* Of one block: "action language file". */
typedef struct
{
  const char *name;
  const char *text;
  const char *told;
} Case;

static const Case cases[] = {
  { "python", "```python\nx\n```", "run python -" },
  { "alias", "```Py\nx\n```", "run python -" },
  { "guessed", "```\npip install autogen\n```", "run sh - guess" },
  { "guessed-python", "```\nimport os\nos.getcwd()\n```", "run python - guess" },
  { "not-guessed", "```\nHello, world.\n```", "save - block-1.txt guess" },
  { "guessed-plain-python", "```\nx = 1\ny = x*2\n```", "run python - guess" },
  { "guessed-no-language", "```\nhost = localhost\n```", "save - block-1.txt guess" },
  { "save-only", "```html\n<p>\n```", "save - block-1.html" },
  { "data", "```json\n{}\n```", "save - block-1.json" },
  { "unsupported", "```cobol\nx\n```", "unsupported - -" },
  { "named", "```python\n# filename: test.py\nprint(1)\n```", "run python test.py" },
  { "named-in-folders", "```python\n# filename: ./a//b/test.py\n```", "run python a/b/test.py" },
  { "named-in-capitals", "```python\n#Filename:test.py\n```", "run python test.py" },
  { "named-script", "```js\n// filename: test.js\n```", "save javascript test.js" },
  { "named-style", "```css\n/* filename: test.css */\n```", "save - test.css" },
  { "named-page", "```html\n<!-- filename: test.html -->\n```", "save - test.html" },
  { "colon-in-name", "```python\n# filename: a:b.py\n```", "run python a:b.py" },
  { "absolute", "```python\n# filename: /tmp/test.py\n```", "bad-name python /tmp/test.py" },
  { "above", "```python\n# filename: ../x.py\n```", "bad-name python ../x.py" },
  { "above-later", "```python\n# filename: a/../../x.py\n```", "bad-name python a/../../x.py" },
  { "workspace-itself", "```python\n# filename: .\n```", "bad-name python " },
  { "no-name", "```python\n# filename:\n```", "bad-name python " },
  { "named-above", "Create `index.html`:\n\n```html\n<p>\n```", "save - index.html" },
  { "named-above-bold", "**`src/app.py`:**\n```python\nx\n```", "run python src/app.py" },
  { "named-above-plain", "**./app.js**\n```js\nx\n```", "save javascript app.js" },
  { "named-by-heading", "### 2. The style, `style.css`\n```css\nx\n```", "save - style.css" },
  { "named-above-text", "`notes.md`:\n```\nHello, world.\n```", "save - notes.md guess" },
  { "named-twice", "In `a.py`:\n```python\n# filename: b.py\n```", "run python b.py" },
  { "other-name-above", "Then run `app.py`:\n```bash\npython app.py\n```", "run bash -" },
  { "two-names-above", "From `a.py` to `b.py`:\n```python\nx\n```", "run python -" },
  { "name-in-sentence", "I changed `a.py` a bit.\n```python\nx\n```", "run python -" },
  { "call-above", "Call `np.py()`:\n```python\nx\n```", "run python -" },
  { "bad-name-above", "Create `../a.py`:\n```python\nx\n```", "run python -" },
  { "name-far-above", "Create `a.py`:\n\n\n```python\nx\n```", "run python -" },
  { "comment", "```python\n# This script prints hello\n```", "run python -" },
  { "step", "```python\n# Step 1/2: load\n```", "run python -" },
  { "coding", "```python\n# -*- coding: utf-8 -*-\n```", "run python -" },
  { "interpreter", "```python\n#!/usr/bin/env python3\n```", "run python -" },
  { "c", "```c\nint main(void){}\n```", "run c -" },
  { "guessed-javascript", "```\nconsole.log(1)\n```", "save javascript block-1.js guess" },
  { "version", "```python3.11\nx\n```", "run python -" },
  { "old-version", "```python2.7\nx\n```", "unsupported - -" },
  { "python-prompts", "```pycon\n>>> 1\n1\n```", "run python -" },
  { "console-prompts", "```console\n$ ls\na\n```", "run sh -" },
  { "console-python", "```console\n>>> 1\n1\n```", "run python -" },
  { "console-output", "```console\na\n```", "save - block-1.txt" },
  { "output", "Output:\n```\nimport os\n```", "save - block-1.txt guess" },
  { "output-bold", "**Expected output:**\n\n```console\n$ ls\n```", "save - block-1.txt" },
  { "output-of-code", "Output:\n```python\nx\n```", "run python -" },
  { "no-output", "The output is read by this:\n```\nimport os\n```", "run python - guess" },
  { "here-document", "```sh\ncat <<EOF\na\n```", "unclosed sh -" },
  { "second-line", "```python\n\n# filename: a.py\n```", "run python -" },
};

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (expected->text);
  const FhAnswerBlock *block = blocks->pdata[0];
  g_autofree char *told = g_strdup_printf ("%s %s %s%s",
                                           fh_block_action_to_string (block->action),
                                           block->language != NULL ? block->language->id : "-",
                                           block->file_name != NULL ? block->file_name : "-",
                                           block->is_guess ? " guess" : "");

  g_assert_cmpuint (blocks->len, ==, 1);
  g_assert_cmpstr (told, ==, expected->told);
}

/* A long line is no title: looking for a name in it would take long. */
static void
test_long_line_above (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) blocks = NULL;

  for (guint i = 0; i < 500000; i++)
    g_string_append (text, "`a ");
  g_string_append (text, "`index.html`:\n```html\n<p>\n```\n");
  blocks = fh_answer_find_blocks (text->str);
  g_assert_cmpuint (blocks->len, ==, 1);
  g_assert_cmpstr (((FhAnswerBlock *) blocks->pdata[0])->above, ==, "");
  g_assert_cmpstr (((FhAnswerBlock *) blocks->pdata[0])->file_name, ==, "block-1.html");
}

static void
test_problems (void)
{
  g_autoptr (GPtrArray) blocks =
      fh_answer_find_blocks ("```cobol\nx\n```\n```sh\n# filename: /x\n```\n```sh\nls\n```\n");
  g_autofree char *unsupported = fh_answer_block_dup_problem (blocks->pdata[0]);
  g_autofree char *bad_name = fh_answer_block_dup_problem (blocks->pdata[1]);

  g_assert_cmpstr (unsupported, ==, "Unsupported language cobol");
  g_assert_cmpstr (bad_name, ==, "Filename is not in the workspace");
  g_assert_null (fh_answer_block_dup_problem (blocks->pdata[2]));
}

/* Shapes of answers that AutoGen's extractor is tested with: each block as "word language". */
static void
test_extractor (void)
{
  static const struct
  {
    const char *text;
    const char *told;
  } expected[] = {
    { "\nFor example:\n```\nprint(\"found it\")\n```\n", ":python;" },
    { "Fetch:\n```python\ndef fetch(url):\n    import json\n    return json.loads(url)\n```\n"
      "Try:\n```python\nurl = \"[1]\"\nfirst, = fetch(url)\nprint(f\"First: {first}\")\n```\n",
      "python:python;python:python;" },
    { "\nFetch:\n   ```python\n   def fetch(url):\n       return url\n   ```\n", "python:python;" },
    { "\r\nFetch:\r\n``` python\r\ndef fetch(url):\r\n   return url\r\n```\r\n", "python:python;" },
    { "\nIn a shell:\n```bash\necho 'found it'\n```\n", "bash:bash;" },
    { "\nThis is C#, with \"\" for nothing\n```\nusing System;\nusing System.Linq;\n\n"
      "namespace Example\n{\n    class Program\n    {\n        static void Main(string[] args)\n"
      "        {\n            Console.WriteLine(\"Found it\");\n        }\n    }\n}\n```\n",
      ":-;" },
    { "\nclass A\n```\nclass A {\n    static void Main() {\n    }\n}\n```\n", ":-;" },
    { "\nThis is an answer without code.\n", "" },
    { "Use ```print(1)``` for that.\n", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (expected[i].text);
      g_autoptr (GString) told = g_string_new (NULL);

      for (guint j = 0; j < blocks->len; j++)
        {
          const FhAnswerBlock *block = blocks->pdata[j];

          g_string_append_printf (told,
                                  "%s:%s;",
                                  block->word,
                                  block->language != NULL ? block->language->id : "-");
        }
      g_assert_cmpstr (told->str, ==, expected[i].told);
    }
}

static void
test_saved (void)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks ("```html\n<p>\n```\n```\nHello.\n```\n");
  g_autofree char *page = fh_answer_block_dup_saved (blocks->pdata[0]);
  g_autofree char *unknown = fh_answer_block_dup_saved (blocks->pdata[1]);

  g_assert_cmpstr (page, ==, "Code saved to block-1.html");
  g_assert_cmpstr (unknown, ==, "Unknown language. Code saved to block-2.txt");
}

static const char *
code_of (GPtrArray *blocks, guint index)
{
  return ((const FhAnswerBlock *) blocks->pdata[index])->code;
}

/* What a terminal showed: only what was typed is run, in its lines. Examples without a language,
 * and those of another one, are as they are. */
static void
test_prompts (void)
{
  g_autoptr (GPtrArray) blocks =
      fh_answer_find_blocks ("```bash\n$ cd a\nsaid\n$ ls\n```\n```python\n>>> 1\n1\n```\n"
                             "```console\n$ ls\nsaid\n```\n"
                             "```python\n$ ls\n```\n```\n$ ls\n```\n");

  g_assert_cmpstr (code_of (blocks, 0), ==, "cd a\n\nls\n");
  g_assert_cmpstr (code_of (blocks, 1), ==, "1\n\n");
  g_assert_cmpstr (code_of (blocks, 2), ==, "ls\n\n");
  for (guint i = 3; i < blocks->len; i++)
    g_assert_cmpstr (code_of (blocks, i), ==, "$ ls\n");
}

#define README "cat > README.md <<'EOF'\n# Title\n\n```python\nprint(1)\n```\nEOF\nls\n"

static void
test_repairs (void)
{
  static const char *const expected[] = {
    "The fence in line 7 did not end the block: it is part of a text.",
    "The prompts and the output of a terminal were left out.",
    NULL,
    "The answer ends inside the block: it may be cut off.",
  };
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (
      "```sh\n" README "```\n```pycon\n>>> 1\n1\n```\n```sh\nls\n```\n```sh\nls\n");

  g_assert_cmpuint (blocks->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < blocks->len; i++)
    {
      g_auto (GStrv) repairs = fh_answer_block_dup_repairs (blocks->pdata[i]);

      g_assert_cmpstr (repairs[0], ==, expected[i]);
      g_assert_true (repairs[0] == NULL || repairs[1] == NULL);
    }
}

/* Nobody can say that it runs as it is; it can be saved, or get another language. */
static void
test_missing_end (void)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks ("x\n```sh\nls\ncat <<EOF\n```\n");
  FhAnswerBlock *block = blocks->pdata[0];
  g_autofree char *problem = fh_answer_block_dup_problem (block);

  g_assert_cmpstr (problem, ==, "The text that line 4 begins has no end: there is no line “EOF”");
  g_assert_false (fh_answer_block_set_action (block, 1, FH_BLOCK_RUN));
  fh_answer_block_set_language (block, 1, fh_language_lookup ("bash"));
  g_assert_cmpint (block->action, ==, FH_BLOCK_UNCLOSED);
  g_assert_true (fh_answer_block_set_action (block, 1, FH_BLOCK_SAVE));
  g_assert_cmpstr (block->file_name, ==, "block-1.bash");
  fh_answer_block_set_language (block, 1, fh_language_lookup ("lua"));
  g_assert_cmpint (block->action, ==, FH_BLOCK_RUN);
}

static char *
dup_actions (const char *const *policies)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (
      "```py\n```\n```js\n```\n```html\n```\n```sh\n# filename: /x\n```\n```cobol\n```\n");
  GString *told = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (!fh_answer_set_policies (blocks, policies, &error))
    g_string_append (told, "refused");
  for (guint i = 0; error == NULL && i < blocks->len; i++)
    g_string_append_c (
        told,
        *fh_block_action_to_string (((const FhAnswerBlock *) blocks->pdata[i])->action));
  return g_string_free (told, FALSE);
}

/* r: run, a: ask, s: save, b: bad name, u: unsupported. */
static void
test_policies (void)
{
  static const struct
  {
    const char *const policies[3];
    const char *actions;
  } expected[] = {
    { { NULL }, "rssbu" },
    { { "JavaScript=run", NULL }, "rrsbu" },
    { { "node=run", "python=save", NULL }, "srsbu" },
    { { "all=save", NULL }, "sssbu" },
    { { "all=run", "python=save", NULL }, "srsbu" },
    { { "html=run", NULL }, "rssbu" },
    { { "python=ask", NULL }, "assbu" },
    { { "all=ask", "python=run", NULL }, "rasbu" },
    { { "javascript", NULL }, "refused" },
    { { "=run", NULL }, "refused" },
    { { "python=unsupported", NULL }, "refused" },
    { { "python=", NULL }, "refused" },
    { { "python=always", NULL }, "refused" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *told = dup_actions (expected[i].policies);

      g_assert_cmpstr (told, ==, expected[i].actions);
    }
}

static gboolean
is_answer (const char *file_name, const char *text)
{
  g_autoptr (GPtrArray) blocks = fh_answer_parse (file_name, text, FALSE);

  return blocks != NULL;
}

/* A copy has all of a block, and changing it leaves the block as it is. */
static void
test_copy (void)
{
  g_autoptr (GPtrArray) blocks =
      fh_answer_parse (NULL, "See:\n```python\n# filename: a.py\nx = 1\n```\n```cobol\ny\n", FALSE);
  g_autoptr (GPtrArray) copies = fh_answer_blocks_copy (blocks);
  FhAnswerBlock *copy = copies->pdata[0];
  const FhAnswerBlock *block = blocks->pdata[0];

  g_assert_cmpuint (copies->len, ==, 2);
  g_assert_cmpstr (copy->code, ==, block->code);
  g_assert_cmpstr (copy->file_name, ==, "a.py");
  g_assert_true (copy->language == block->language && copy->line == block->line);
  g_assert_true (fh_answer_block_set_action (copy, 1, FH_BLOCK_ASK));
  g_assert_cmpint (block->action, ==, FH_BLOCK_RUN);
  copy = copies->pdata[1];
  g_assert_cmpstr (copy->word, ==, "cobol");
  g_assert_true (copy->is_open && copy->number == 2);
}

/* What is a whole answer, and what a program that has fences in it. */
static void
test_is_one (void)
{
  static const char docstring[] = "import re\n\ndef f():\n    \"\"\"\n    ```sh\n    ls\n    ```\n";
  static const char prose[] = "Here is the script.\n\n```python\nprint(1)\n```\n";

  g_assert_true (is_answer ("x.md", "no block"));
  g_assert_true (is_answer ("X.MARKDOWN", ""));
  g_assert_true (is_answer (NULL, prose));
  g_assert_true (is_answer ("answer.txt", prose));
  g_assert_true (is_answer (NULL, "```python\nimport os\n```\n"));
  g_assert_true (is_answer (NULL, "# Title\n\n~~~sh\nls\n~~~\n"));
  g_assert_true (is_answer (NULL, "Text\r```sh\rls\r```\rText\r"));
  g_assert_true (is_answer (NULL, "```python\r\nx\rc\n\tint\n\t```\n"));
  g_assert_false (is_answer (NULL, docstring));
  g_assert_false (is_answer ("x.py", prose));
  g_assert_false (is_answer (NULL, "#!/bin/sh\ncat <<E\n```\n```\nE\n"));
  g_assert_false (is_answer (NULL, "#!/bin/sh\n# Shows how\nls\n```sh\nls\n```\n"));
  g_assert_false (is_answer (NULL, "print(1)\n"));
  g_assert_false (is_answer (NULL, ""));
}

/* Words of code in prose, and whole lines of it: none of these is a program. */
static void
test_prose (void)
{
  static const char *const prose[] = {
    "Here is the script (Python 3.11):",
    "The numbers come\nfrom the file that you have, and\nimport works as before.",
    "Replace console.log(x) as below, and keep require('fs'):",
    "In Go that is fmt.Println, in C++ std::cout:",
    "@alice asked how `main()` works, so here it is():",
    "class names are kept:\nprint(x) shows them.",
    "cd into the folder; then\necho is not needed.",
    "let us see what => {",
    "Docstrings (\"\"\") and heredocs (`cat <<EOF`) stay, and so does `NAME=`",
    "It splits at '=' or at ',', and it doesn't care about \"=\"",
    "Use `a << B` to shift, and /* this */ for comments.",
    "def f():\n    pass\n\nis what you had. Better:",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prose); i++)
    {
      g_autofree char *text =
          g_strconcat (prose[i], "\n\n```python\nx\n```\n\n```sh\nls\n```\n", NULL);

      g_test_message ("%s", prose[i]);
      g_assert_true (is_answer (NULL, text));
      g_assert_true (is_answer ("answer.txt", text));
    }
}

/* Programs of all kinds have fences in their strings and comments. */
static void
test_programs (void)
{
  static const char *const programs[] = {
    "\"\"\"Tells how:",
    "# Makes a page.\n\nimport os\n\nPAGE = f'''\\",
    "def f():\n    return \"\"\"",
    "ask(model, r\"\"\"text",
    "all = {\"prompt\": \"\"\"",
    "cat > README.md <<'END_OF_FILE'",
    "puts <<~TEXT",
    "tee x <<EOF | less",
    "set -e\necho \"Run this:",
    "text='",
    "local page = [[",
    "x <- 'Text",
    "/**\n * How to use it:\n *",
    "const page = `",
    "$text = @\"",
    "<?php\necho 1; ?>",
    "<#\n.SYNOPSIS",
  };

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *text = g_strconcat (programs[i], "\n```sh\nls\n```\n", NULL);

      g_test_message ("%s", programs[i]);
      g_assert_false (is_answer (NULL, text));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/answer/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/answer/long-line-above", test_long_line_above);
  g_test_add_func ("/answer/problems", test_problems);
  g_test_add_func ("/answer/extractor", test_extractor);
  g_test_add_func ("/answer/saved", test_saved);
  g_test_add_func ("/answer/prompts", test_prompts);
  g_test_add_func ("/answer/repairs", test_repairs);
  g_test_add_func ("/answer/missing-end", test_missing_end);
  g_test_add_func ("/answer/policies", test_policies);
  g_test_add_func ("/answer/is-one", test_is_one);
  g_test_add_func ("/answer/copy", test_copy);
  g_test_add_func ("/answer/prose", test_prose);
  g_test_add_func ("/answer/programs", test_programs);
  return g_test_run ();
}
