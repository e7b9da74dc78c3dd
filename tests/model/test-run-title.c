/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-title.h"

#include <string.h>

static void
assert_title (const char *title, const char *source, gsize size, const char *expected)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (source, size);
  g_autofree char *chosen = fh_run_title_choose (title, bytes);

  g_assert_cmpstr (chosen, ==, expected);
}

#define OF_SOURCE(source, expected) assert_title (NULL, source, sizeof source - 1, expected)

static void
test_given (void)
{
  assert_title ("A title", "x", 1, "A title");
  assert_title ("# Notes", "x", 1, "# Notes");
  assert_title ("", "x = 1", 5, "x = 1");
  assert_title (" \n ", "x = 1", 5, "x = 1");
  assert_title ("two\nlines\tof\x1b[31m text", "x", 1, "two lines of [31m text");
  assert_title ("bad \xff byte", "x", 1, "bad \uFFFD byte");
  assert_title ("evil \u202Etxt.py", "x", 1, "evil txt.py");
}

static void
test_code (void)
{
  OF_SOURCE ("\n  \n  x = 1\ny", "x = 1");
  OF_SOURCE ("a\r\nb", "a");
  OF_SOURCE ("}", "}");
  OF_SOURCE ("x = \"\"\"", "x = \"\"\"");
  OF_SOURCE ("\"a\" + \"b\"", "\"a\" + \"b\"");
  OF_SOURCE ("f = '#'", "f = '#'");
  OF_SOURCE ("bare", "bare");
  OF_SOURCE ("nul\0here", "nul␀here");
}

/* What many programs begin with is the title only of those that have nothing else. */
static void
test_preamble (void)
{
  OF_SOURCE ("import socket\nfrom os import path\n\ns = socket.socket()\n", "s = socket.socket()");
  OF_SOURCE ("import os\n\n# Count words\nx = 1\n", "Count words");
  OF_SOURCE ("import socket\n", "import socket");
  OF_SOURCE ("import os; print(os.getpid())\nx = 1\n", "import os; print(os.getpid())");
  OF_SOURCE ("import java.util.List;\nclass A {}\n", "class A {}");
  OF_SOURCE ("from os import (\n    path,\n    sep,\n)\nx = 1\n", "x = 1");
  OF_SOURCE ("from os import path, \\\n    sep\nx = 1\n", "x = 1");
  OF_SOURCE ("package main\nimport (\n  \"fmt\"\n)\nfunc main() {\n", "func main() {");
  OF_SOURCE ("use std::{\n  io,\n};\nfn main() {\n", "fn main() {");
  OF_SOURCE ("#include <stdio.h>\n#include \"x.h\"\nint main (void)\n", "int main (void)");
  OF_SOURCE ("#include <stdio.h>\n", "#include <stdio.h>");
  OF_SOURCE ("#!/bin/bash\nset -euo pipefail\nls -l\n", "ls -l");
  OF_SOURCE ("\"\"\"\nimport is a word\n\"\"\"\n", "import is a word");
  OF_SOURCE ("from os import (\n", "from os import (");
  OF_SOURCE ("# includes\n", "includes");
  OF_SOURCE ("imported = 1\n", "imported = 1");
}

/* A later line is the title if it tells more than the first line of code. */
static void
test_later (void)
{
  OF_SOURCE ("import numpy as np\nx = np.zeros (4)\n\n# Draw it\nplot (x)\n", "Draw it");
  OF_SOURCE ("def fib(n):\n    return n\n", "fib()");
  OF_SOURCE ("async def get(url):\n    pass\n", "get()");
  OF_SOURCE ("LIMIT = 4\nclass Stack:\n    pass\n", "Stack");
  OF_SOURCE ("class Stack(list):\n    pass\n# Use it\n", "Stack");
  OF_SOURCE ("def main():\n    pass\ndef load(path):\n    pass\n", "load()");
  OF_SOURCE ("def main():\n    # inner\n    pass\n", "def main():");
  OF_SOURCE ("x = 1\n#include\n  # indented\n# ---\n", "x = 1");
  OF_SOURCE ("x = 1\nclassic = 2\nclass = 3\ndef\n", "x = 1");
}

static void
test_answers (void)
{
  OF_SOURCE ("Sure! Here's a small log analyser.\n\n```python\n# Read\n```\n",
             "Here's a small log analyser.");
  OF_SOURCE ("Of course, this counts:\n```\nx\n```", "This counts");
  OF_SOURCE ("Create `index.html`:\n```html\n<p>\n```", "Create index.html");
  OF_SOURCE ("Here it is.\n\n## **Log** analyser\n\n```python\n# Read\n```\n", "Log analyser");
  OF_SOURCE ("Sure!\n```python\nx\n```", "Sure!");
  OF_SOURCE ("Klar, so geht’s.\n```python\nx\n```", "So geht’s.");
  OF_SOURCE ("```python\n# Count\nx\n```\n", "Count");
  OF_SOURCE ("```python\nx = 1\n```\nThat is all.\n", "That is all.");
  OF_SOURCE ("```\n```", "Untitled");
}

static void
test_nothing (void)
{
  OF_SOURCE ("", "Untitled");
  OF_SOURCE ("\n\r\n\t\n", "Untitled");
  OF_SOURCE ("#!/usr/bin/python3", "Untitled");
  OF_SOURCE ("#", "Untitled");
  OF_SOURCE ("####\n# ---- #\n\"\"\"\"\"\"\n'''\n'''", "Untitled");
  OF_SOURCE ("\"", "\"");
  OF_SOURCE ("r", "r");
}

static void
test_comments (void)
{
  OF_SOURCE ("# Count words\n", "Count words");
  OF_SOURCE ("#!/usr/bin/env python3\n# A test\n", "A test");
  OF_SOURCE ("#!/bin/sh\n\n### Clean up ###\n", "Clean up");
  OF_SOURCE ("##########\n# Report  #\n##########\n", "Report #");
  OF_SOURCE ("# ---- Setup ----", "Setup");
  OF_SOURCE ("# %% Load data", "Load data");
  OF_SOURCE ("# -1 is special", "-1 is special");
  OF_SOURCE ("#%%\nimport os", "import os");
  OF_SOURCE ("# --\n#\n# 量子", "量子");
}

static void
test_encoding (void)
{
  OF_SOURCE ("# -*- coding: utf-8 -*-\nimport os", "import os");
  OF_SOURCE ("#!/usr/bin/python3\n# vim: set fileencoding=utf-8 :\n# Text", "Text");
  OF_SOURCE ("\n\n# coding: how to\n", "coding: how to");
  OF_SOURCE ("# Vibe coding for beginners", "Vibe coding for beginners");
  OF_SOURCE ("# coding", "coding");
}

static void
test_docstrings (void)
{
  OF_SOURCE ("\"\"\"Looks around.\"\"\"\nimport os", "Looks around.");
  OF_SOURCE ("\"\"\"Looks around\nand back.\"\"\"", "Looks around");
  OF_SOURCE ("'''Looks'''", "Looks");
  OF_SOURCE ("r\"\"\"Raw \\d\"\"\"", "Raw \\d");
  OF_SOURCE ("\"\"\"\n  Counts words.\"\"\"\n", "Counts words.");
  OF_SOURCE ("\"\"\"\n\n# Heading\n\"\"\"\n", "Heading");
  OF_SOURCE ("\"Looks around.\"", "Looks around.");
  OF_SOURCE ("'Says \"hello\"'", "Says \"hello\"");
  OF_SOURCE ("\"\"\"\"Quoted\" word\"\"\"", "\"Quoted\" word");
}

static void
test_long (void)
{
  g_autofree char *line = g_strnfill (1 << 20, 'x');
  g_autoptr (GBytes) source = g_bytes_new_static (line, 1 << 20);
  g_autofree char *title = fh_run_title_choose (NULL, source);

  g_assert_cmpint (g_utf8_strlen (title, -1), ==, 81);
  g_assert_true (g_str_has_suffix (title, "…"));
  OF_SOURCE ("1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1",
             "1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567…");
  OF_SOURCE ("1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 12345678",
             "1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 1234567 12345678");
}

/* Any bytes, many of them those that are looked for. */
static void
test_anything (void)
{
  static const char likely[] = "\"'\"'###!-r` \n\n\xff\xe2(){}\\;";

  for (guint i = 0; i < 5000; i++)
    {
      gsize size = (gsize) g_test_rand_int_range (0, 24);
      g_autofree char *data = g_malloc (size + 1);
      g_autoptr (GBytes) source = NULL;
      g_autofree char *title = NULL;

      for (gsize j = 0; j < size; j++)
        data[j] = likely[g_test_rand_int_range (0, sizeof likely)];
      source = g_bytes_new_take (g_steal_pointer (&data), size);
      title = fh_run_title_choose (NULL, source);
      g_assert_true (g_utf8_validate (title, -1, NULL));
      g_assert_cmpstr (title, !=, "");
      g_assert_null (strchr (title, '\n'));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-title/given", test_given);
  g_test_add_func ("/run-title/code", test_code);
  g_test_add_func ("/run-title/preamble", test_preamble);
  g_test_add_func ("/run-title/later", test_later);
  g_test_add_func ("/run-title/answers", test_answers);
  g_test_add_func ("/run-title/nothing", test_nothing);
  g_test_add_func ("/run-title/comments", test_comments);
  g_test_add_func ("/run-title/encoding", test_encoding);
  g_test_add_func ("/run-title/docstrings", test_docstrings);
  g_test_add_func ("/run-title/long", test_long);
  g_test_add_func ("/run-title/anything", test_anything);
  return g_test_run ();
}
