/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unclosed-text.h"

#include <string.h>

/* `found`: "line end"; NULL if all is closed, or not understood. */
typedef struct
{
  const char *name;
  const char *language;
  const char *code;
  const char *found;
} Case;

static const Case cases[] = {
  { "python-closed", "python", "x = \"\"\"a\n\"\"\"\n", NULL },
  { "python-open", "python", "y = 1\nx = \"\"\"a\n", "2 \"\"\"" },
  { "python-open-single", "python", "x = r'''a\n'\n", "1 '''" },
  { "python-in-comment", "python", "# \"\"\"\n", NULL },
  { "python-in-string", "python", "x = '\"\"\"'\n", NULL },
  { "python-escaped", "python", "x = \"\"\"\\\"\"\"\n", "1 \"\"\"" },
  { "python-one-line", "python", "x = 'never closed\ny = 1\n", NULL },
  { "python-continued", "python", "x = 'a\\\n\"\"\"'\ny = \"\"\"\n", "3 \"\"\"" },
  { "python-empty", "python", "x = \"\"\ny = '' + \"\"\n", NULL },
  { "here-closed", "sh", "cat <<EOF\na\nEOF\n", NULL },
  { "here-open", "sh", "ls\ncat <<EOF\na\n", "2 EOF" },
  { "here-open-at-once", "bash", "cat <<EOF", NULL },
  { "here-open-at-end", "bash", "cat <<EOF\n", "1 EOF" },
  { "here-quoted", "sh", "cat <<'E F'\nE F\n", NULL },
  { "here-in-quotes", "sh", "cat > a <<\"EOF\"\na\n", "1 EOF" },
  { "here-with-backslash", "sh", "cat <<\\EOF\n$a\nEOF\n", NULL },
  { "here-indented", "sh", "cat <<-EOF\n\ta\n\tEOF\nls\n", NULL },
  { "here-not-indented", "sh", "cat <<EOF\n\tEOF\n", "1 EOF" },
  { "here-two", "sh", "cat <<A <<B\n1\nA\n2\nB\n", NULL },
  { "here-second-open", "sh", "cat <<A <<B\n1\nA\n2\n", "1 B" },
  { "here-longer-word", "sh", "cat <<EOF\nEOFS\nEOF\n", NULL },
  { "here-and-more", "sh", "cat <<EOF | grep a && ls\na\nEOF\n", NULL },
  { "here-without-newline", "sh", "cat <<EOF\na\nEOF", NULL },
  { "here-in-substitution", "bash", "x=\"$(cat <<EOF\na\nEOF\n)\"\nls\n", NULL },
  { "here-ends-with-substitution", "bash", "x=$(cat <<EOF\na\nEOF)\nls\n", NULL },
  { "here-in-substitution-open", "bash", "x=\"$(cat <<EOF\na\n", "1 EOF" },
  { "here-after-quotes", "sh", "echo \"it's\"\ncat <<EOF\n", "2 EOF" },
  { "string", "sh", "echo \"<<EOF\"\necho '<<EOF'\n", NULL },
  { "string-of-lines", "sh", "echo '\ncat <<EOF\n'\n", NULL },
  { "string-ansi", "bash", "echo $'it\\'s <<EOF'\n", NULL },
  { "comment", "sh", "ls # <<EOF\n# it's\n", NULL },
  { "no-comment", "sh", "echo a#b <<EOF\n", "1 EOF" },
  { "count-of-arguments", "sh", "if [ $# -gt 0 ]; then cat <<EOF\na\nEOF\nfi\n", NULL },
  { "length", "bash", "echo ${#a} ${a#'} <<EOF\nEOF\n", NULL },
  { "here-string", "bash", "cat <<<EOF\nls\n", NULL },
  { "arithmetic", "bash", "echo $((1<<2))\n((x = 1 << 3))\nx=$(( (1<<a) + 1 ))\n", NULL },
  { "arithmetic-in-string", "sh", "echo \"$((1<<a))\"\nls\n", NULL },
  { "number", "sh", "x=$[1<<2]\n", NULL },
  { "backticks", "sh", "x=`cat <<EOF\na\nEOF\n`\n", NULL },
  { "case", "sh", "case $a in a) cat <<EOF;; b) ls;; esac\nx\nEOF\n", NULL },
  { "function", "sh", "f() {\n  cat <<EOF\na\nEOF\n}\nf\n", NULL },
  { "heredoc-of-python", "bash", "python3 - <<'PY'\nprint(\"it's $(\")\nPY\nls\n", NULL },
  { "not-understood", "sh", "cat <<$a\n", NULL },
  { "other-language", "c", "x = \"\"\"\n", NULL },
};

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  const FhLanguage *language = fh_language_lookup (expected->language);
  g_autoptr (FhUnclosedText) text = fh_unclosed_text_find (language, expected->code);
  g_autofree char *found = NULL;

  if (text != NULL)
    found = g_strdup_printf ("%u %s", text->line, text->end);
  g_assert_cmpstr (found, ==, expected->found);
}

/* Code that is cut anywhere, and that nests without end. */
static void
test_any_end (void)
{
  static const char code[] = "x=\"$(cat <<'A' <<-B; echo `ls` $((1<<(2)))\n'\nA\n\tB\n)\" # '\n";
  g_autofree char *deep = g_strnfill (100000, '(');

  for (gsize size = 0; size < sizeof code; size++)
    {
      g_autofree char *part = g_strndup (code, size);
      g_autoptr (FhUnclosedText) text = fh_unclosed_text_find (fh_language_lookup ("bash"), part);

      g_assert_true (text == NULL || g_str_equal (text->end, "A") || g_str_equal (text->end, "B"));
    }
  g_assert_null (fh_unclosed_text_find (fh_language_lookup ("sh"), deep));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/unclosed-text/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/unclosed-text/any-end", test_any_end);
  return g_test_run ();
}
