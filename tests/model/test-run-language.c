/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

#include <string.h>

static void
test_table (void)
{
  const FhLanguage *languages = fh_language_list ();
  guint count = 0;

  for (; languages[count].id != NULL; count++)
    {
      const FhLanguage *language = &languages[count];

      g_assert_true (fh_language_lookup (language->id) == language);
      g_assert_nonnull (language->name);
      g_assert_nonnull (language->interpreter);
      g_assert_nonnull (language->source_view_id);
      g_assert_null (strchr (language->file_name, '/'));
      for (guint i = 0; language->aliases[i] != NULL; i++)
        g_assert_true (fh_language_lookup (language->aliases[i]) == language);
    }
  g_assert_cmpuint (count, >=, 3);
  g_assert_cmpuint (count, <=, 32);
  g_assert_cmpstr (languages[0].id, ==, "python");
}

static void
test_lookup (void)
{
  g_assert_cmpstr (fh_language_lookup ("PYTHON")->id, ==, "python");
  g_assert_cmpstr (fh_language_lookup ("Py")->id, ==, "python");
  g_assert_cmpstr (fh_language_lookup ("bash")->id, ==, "bash");
  g_assert_cmpstr (fh_language_lookup ("shell")->id, ==, "sh");
  g_assert_null (fh_language_lookup (""));
  g_assert_null (fh_language_lookup ("brainfuck"));
  g_assert_null (fh_language_lookup ("python "));
}

static void
assert_guess (const char *file_name, const char *source, const char *id)
{
  const FhLanguage *language = fh_language_guess (file_name, source);

  g_assert_cmpstr (language != NULL ? language->id : NULL, ==, id);
}

static void
test_guess_by_file_name (void)
{
  assert_guess ("x.py", NULL, "python");
  assert_guess ("/tmp/a b/X.PY", NULL, "python");
  assert_guess ("x.sh", NULL, "sh");
  assert_guess ("x.bash", NULL, "bash");
  assert_guess ("x.py", "echo hello", "python");
  assert_guess ("x.sh", "#!/bin/bash\necho", "bash");
  assert_guess ("x.sh", "#!/usr/bin/python3\n", "sh");
  assert_guess ("py", NULL, NULL);
  assert_guess ("notes.txt", NULL, NULL);
  assert_guess (NULL, NULL, NULL);
}

static void
test_guess_by_interpreter (void)
{
  assert_guess (NULL, "#!/usr/bin/env python3\nprint(1)\n", "python");
  assert_guess (NULL, "#!/usr/bin/env -S PYTHONPATH=/x python3.11 -u\n", "python");
  assert_guess (NULL, "#! /bin/sh -e\n", "sh");
  assert_guess (NULL, "#!/bin/dash", "sh");
  assert_guess (NULL, "#!/usr/bin/env bash\r\n", "bash");
  assert_guess (NULL, "#!/usr/bin/awk -f\n", NULL);
  assert_guess (NULL, "#!\n", NULL);
  assert_guess ("script", "#!/bin/bash\n", "bash");
}

static void
test_guess_by_lines (void)
{
  assert_guess (NULL, "print('hello')\n", "python");
  assert_guess (NULL, "from math import pi\ndef f(x):\n  return x\n", "python");
  assert_guess (NULL, "for i in 1 2 3; do\n  echo $i\ndone\n", "sh");
  assert_guess (NULL, "if [[ $a == b* ]]; then\n  echo yes\nfi\n", "bash");
  assert_guess (NULL, "echo hello\n", "sh");
  assert_guess (NULL, "a = 1 + 1\n", "python");
  assert_guess (NULL, "x = 1\ny = x*2\n", "python");
  assert_guess (NULL, "host = localhost\n", NULL);
  assert_guess (NULL, "", NULL);
  assert_guess (NULL, "first things first\n", NULL);
  assert_guess (NULL, "import x from './x.js';\nconsole.log(x);\n", "javascript");
  assert_guess (NULL, "function f() {\n  const a = 1;\n  return a;\n}\n", "javascript");
  assert_guess (NULL, "#include <stdio.h>\nint main(void) { return 0; }\n", "c");
  assert_guess (NULL, "#include <stdio.h>\nstd::string x;\n", "cpp");
  assert_guess (NULL, "using System;\nclass A {\n}\n", NULL);
  assert_guess (NULL, "<html>\n<p>\n", NULL);
  assert_guess (NULL, "import os\nprint('said const ')\ndef f():\n  pass\n", "python");
}

/* What more than one language has counts where there is nothing else. */
static void
test_guess_by_weak_words (void)
{
  assert_guess (NULL, "class Point {\n}\n", "javascript");
  assert_guess (NULL, "class Point:\n  x = 1\n", "python");
  assert_guess (NULL, "export function f() {\n  return 1;\n}\n", "javascript");
  assert_guess (NULL, "export PATH=/bin\n", "sh");
  assert_guess (NULL, "function add(a, b) { return a + b; }\n", "javascript");
  assert_guess (NULL, "const x = 1;\n", "javascript");
  assert_guess (NULL, "@cached\nasync def f():\n  pass\n", "python");
  assert_guess (NULL, "function f() {\n  echo hi\n}\n", "sh");
  assert_guess (NULL, "#include <stdio.h>\nconst int x = 1;\nconst int y = 1;\n", "c");
  assert_guess (NULL, "<?php\necho 1;\necho 2;\n", "php");
  assert_guess (NULL, "import com.example.Thing;\n", NULL);
  assert_guess (NULL, "import Foundation\nlet x = 5\n", NULL);
}

static void
assert_foreign (const char *file_name, const char *source, const char *name)
{
  g_assert_cmpstr (fh_language_find_foreign (file_name, source), ==, name);
}

static void
test_foreign (void)
{
  assert_foreign ("app.ts", "let x = 1", "TypeScript");
  assert_foreign ("/tmp/X.HTML", "", "HTML");
  assert_foreign (NULL, "using System;\nnamespace A\n{\n    class B\n    {\n", "C#");
  assert_foreign (NULL, "import Foundation\nlet x = 5\n", "Swift");
  assert_foreign (NULL, "<!DOCTYPE html>\n<html>\n", "HTML");
  assert_foreign ("x.py", "<html>\n", NULL);
  assert_foreign ("x.ts", "#!/usr/bin/node\n", NULL);
  assert_foreign ("notes.txt", "a = 1\n", NULL);
  assert_foreign (NULL, "import os\nx = [\n<html>\n]\nprint(x)\n", NULL);
  assert_foreign (NULL, "", NULL);
}

static void
test_guess_of_a_flood (void)
{
  g_autofree char *line = g_strnfill (4 << 20, 'x');
  g_autofree char *lines = g_strnfill (4 << 20, '\n');

  assert_guess (NULL, line, NULL);
  assert_guess (NULL, lines, NULL);
}

static void
assert_typed (const char *text, const char *typed, const char *id)
{
  const FhLanguage *language = NULL;
  g_autofree char *code = fh_language_strip_prompts (text, FALSE, &language);

  g_assert_cmpstr (code, ==, typed);
  g_assert_cmpstr (language != NULL ? language->id : NULL, ==, id);
}

static void
test_prompts (void)
{
  assert_typed ("\n>>> for i in range(2):\n...     print(i)\n... \n0\n1\n>>> 1/0\n"
                "Traceback (most recent call last):\n  ...\nZeroDivisionError: division by zero\n",
                "for i in range(2):\n    print(i)\n\n1/0\n",
                "python");
  assert_typed ("    >>> def f():\r\n    ...\r\n    ...   \r\n    >>>\r\n    3\r\n",
                "def f():\n\n  \n\n",
                "python");
  assert_typed ("$ echo hi\nhi\n$ cat a |\n> 1\n$\n", "echo hi\ncat a |\n\n", "sh");
  assert_typed ("$ docker run \\\n>   --rm \\\n    image\n$ [[ a ]]\n",
                "docker run \\\n  --rm \\\n    image\n[[ a ]]\n",
                "bash");
  assert_typed ("In [1]: for i in x:\n   ...:     f(i)\n   ...: \n1\nOut[1]: 2\n\nIn [2]: y\n",
                "for i in x:\n    f(i)\n\ny\n",
                "python");
  assert_typed ("user@host:~/a$ ls\nb\n[me@host a]$ pwd\n(venv) $ x\nroot@host:/# id\n",
                "ls\npwd\nx\nid\n",
                "sh");
  assert_typed ("# first\n$ ls\nb\n# then\n$ pwd\n", "# first\nls\n# then\npwd\n", "sh");
  /* The language of what was typed is a shell's, whatever the words are. */
  assert_typed ("$ import x\n", "import x\n", "sh");
}

/* The lines have their numbers. */
static void
test_prompts_of_lines (void)
{
  const FhLanguage *language = NULL;
  g_autofree char *code = fh_language_strip_prompts ("\n$ cd a\nsaid\n$ ls\n", TRUE, &language);

  g_assert_cmpstr (code, ==, "\ncd a\n\nls\n");
}

static void
test_no_prompts (void)
{
  assert_typed ("", NULL, NULL);
  assert_typed ("$\n\n", NULL, NULL);
  assert_typed (">>>", NULL, NULL);
  assert_typed ("$HOME/bin/x\n", NULL, NULL);
  assert_typed (">>>x\n", NULL, NULL);
  assert_typed ("print(1)\n>>> print(2)\n", NULL, NULL);
  assert_typed ("> echo\n", NULL, NULL);
  assert_typed ("... x\n", NULL, NULL);
  assert_typed ("# see me@host (twice)\necho\n", NULL, NULL);
  assert_typed ("In [1] we see\n", NULL, NULL);
  assert_typed ("% ls\n", NULL, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-language/table", test_table);
  g_test_add_func ("/run-language/lookup", test_lookup);
  g_test_add_func ("/run-language/guess-by-file-name", test_guess_by_file_name);
  g_test_add_func ("/run-language/guess-by-interpreter", test_guess_by_interpreter);
  g_test_add_func ("/run-language/guess-by-lines", test_guess_by_lines);
  g_test_add_func ("/run-language/guess-by-weak-words", test_guess_by_weak_words);
  g_test_add_func ("/run-language/foreign", test_foreign);
  g_test_add_func ("/run-language/guess-of-a-flood", test_guess_of_a_flood);
  g_test_add_func ("/run-language/prompts", test_prompts);
  g_test_add_func ("/run-language/prompts-of-lines", test_prompts_of_lines);
  g_test_add_func ("/run-language/no-prompts", test_no_prompts);
  return g_test_run ();
}
