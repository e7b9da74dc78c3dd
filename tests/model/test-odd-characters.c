/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "odd-characters.h"

/* `lines` is "1,3,"; "" if nothing is replaced. */
typedef struct
{
  const char *language;
  const char *code;
  const char *replaced;
  const char *lines;
} Case;

static const Case cases[] = {
  { "python", "print(“a”)\n", "print(\"a\")\n", "1," },
  { "python", "x = 1\nprint(‘a’, f“{x}”)\n", "x = 1\nprint('a', f\"{x}\")\n", "2," },
  { "python", "print(“It’s”, ‘It’s’)\n", "print(\"It’s\", 'It’s')\n", "1," },
  { "python", "print(\"“a”\")  # “b”\n", NULL, "" },
  { "python", "'''\n“a”\u00a0\n'''\n", NULL, "" },
  { "python", "if 1:\n\u00a0\u00a0print('\u00a0')\u200b\n", "if 1:\n  print('\u00a0')\n", "2," },
  { "python", "print（“a”，5 − 3）\n", "print(\"a\",5 - 3)\n", "1," },
  { "python", "ｘ = 1\nnaïve = 'é'\n", NULL, "" },
  { "python", "print(“a\n", NULL, "" },
  { "python", "print(“a \"b\" c”)\n", NULL, "" },
  { "sh", "echo “a” \u00a0b\n", "echo \"a\"  b\n", "1," },
  { "sh", "echo It’s. That’s\n", NULL, "" },
  { "sh", "echo '“a”' \"“b”\" # “c”\n", NULL, "" },
  { "bash", "cat <<E\n“a”\nE\necho “b”\n", "cat <<E\n“a”\nE\necho \"b\"\n", "4," },
  { "bash", "ls –l\n", NULL, "" },
  { "javascript", "console.log(“a”);\n", "console.log(\"a\");\n", "1," },
  { "javascript", "f(“a”);\ng(\"“b”\"); // “c”\n", "f(\"a\");\ng(\"“b”\"); // “c”\n", "1," },
  { "javascript", "f(“a”);\nx = `\n“b”\n`;\n", NULL, "" },
  { "c", "int x;\u00a0\u200b// \u00a0\n", "int x; // \u00a0\n", "1," },
  { "python", "x = 1\n", NULL, "" },
  { "python", "“\xff”\n", NULL, "" },
};

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autoptr (GArray) lines = NULL;
  g_autoptr (GString) told = g_string_new (NULL);
  g_autofree char *replaced =
      fh_odd_characters_replace (fh_language_lookup (expected->language), expected->code, &lines);

  for (guint i = 0; lines != NULL && i < lines->len; i++)
    g_string_append_printf (told, "%u,", g_array_index (lines, guint, i));
  g_assert_cmpstr (replaced, ==, expected->replaced);
  g_assert_cmpstr (told->str, ==, expected->lines);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/odd-characters/%u", i);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
