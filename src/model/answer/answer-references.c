/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-references.h"

#include <string.h>

#include "answer-names.h"
#include "unclosed-text.h"

/* In an answer of more blocks, or more text, files are not looked for. */
#define MAX_BLOCKS 50
#define MAX_CODE   ((gsize) 100 << 10)

/* These programs run or build the files that they are given. */
static const char *const runners[] = {
  "python", "python2", "python3", "pypy3", "bash",  "sh",   "source", ".",     "node",  "ruby",
  "perl",   "php",     "lua",     "gcc",   "cc",    "g++",  "c++",    "go",    "javac", "java",
  "rustc",  "pytest",  "Rscript", "clang", "julia", "deno", "bun",    "tclsh", "pwsh",  NULL,
};

/* These begin a command whose next word is the program. */
static const char *const carriers[] = { "sudo", "time", "exec", "nohup", "env", "uv", "run", NULL };

static gboolean
is_shell (const FhAnswerBlock *block)
{
  return block->language != NULL &&
         (g_str_equal (block->language->id, "sh") || g_str_equal (block->language->id, "bash"));
}

static gboolean
is_python (const FhAnswerBlock *block)
{
  return block->language != NULL && g_str_equal (block->language->id, "python");
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-' || c == '/' || (guint8) c >= 0x80;
}

/* Whether the code has the name as such, or behind "./". */
static gboolean
has_name (const char *code, const char *name)
{
  const gsize size = strlen (name);

  for (const char *at = strstr (code, name); at != NULL; at = strstr (at + 1, name))
    {
      const char *begin = at - code >= 2 && at[-1] == '/' && at[-2] == '.' ? at - 2 : at;

      if (begin > code && (is_name_char (begin[-1]) || begin[-1] == '.'))
        continue;
      if (is_name_char (at[size]) || (at[size] == '.' && g_ascii_isalnum (at[size + 1])))
        continue;
      return TRUE;
    }
  return FALSE;
}

/* Returns the code without lines that begin in a string, a comment or a here-document: what stands
 * there is shown and not done. */
static char *
dup_done (const FhAnswerBlock *block)
{
  g_autofree guint8 *kinds = fh_unclosed_text_find_code (block->language, block->code);
  GString *done = g_string_new (NULL);

  for (const char *line = block->code; *line != '\0';)
    {
      const gsize size = strcspn (line, "\n");
      const gsize blank = strspn (line, " \t");

      if (blank < size && kinds[line - block->code + blank] != FH_CODE_BYTE_OTHER)
        g_string_append_len (done, line, (gssize) size);
      g_string_append_c (done, '\n');
      line += size + (line[size] == '\n');
    }
  return g_string_free (done, FALSE);
}

/* Whether a Python block imports the module that the file is: "import a.b" for "a/b.py". */
static gboolean
has_import (const FhAnswerBlock *block, const char *name)
{
  g_autofree char *code = NULL;
  g_autofree char *module = NULL;
  g_autofree char *escaped = NULL;
  g_autofree char *pattern = NULL;

  if (!g_str_has_suffix (name, ".py"))
    return FALSE;
  module = g_strndup (name, strlen (name) - strlen (".py"));
  g_strdelimit (module, "/", '.');
  if (g_str_has_suffix (module, ".__init__"))
    module[strlen (module) - strlen (".__init__")] = '\0';
  if (!is_python (block) || strstr (block->code, "import") == NULL ||
      module[strspn (module, G_CSET_A_2_Z G_CSET_a_2_z "0123456789_.")] != '\0')
    return FALSE;
  code = dup_done (block);
  escaped = g_regex_escape_string (module, -1);
  pattern =
      g_strdup_printf ("^\\s*(?:from\\s+\\.?%s\\s+import\\b"
                       "|import\\s+(?:[\\w.]++(?:\\s+as\\s+\\w+)?+\\s*+,\\s*+)*%s(?:\\s|,|;|$))",
                       escaped,
                       escaped);
  return g_regex_match_simple (pattern, code, G_REGEX_RAW | G_REGEX_MULTILINE, 0);
}

static const char *
skip_dot (const char *word)
{
  return g_str_has_prefix (word, "./") ? word + 2 : word;
}

/* Whether the word names the module that the file is: "a.b" for "a/b.py". */
static gboolean
is_module (const char *word, const char *name)
{
  g_autofree char *path = g_strconcat (word, ".py", NULL);

  for (char *at = path; at < path + strlen (word); at++)
    {
      if (*at == '.')
        *at = '/';
    }
  return g_str_equal (path, name);
}

/* Whether a command runs all tests that there are: "pytest -q", "python -m unittest". `program`:
 * its first word. */
static gboolean
runs_tests (char **program)
{
  const guint n =
      program[0] != NULL && program[1] != NULL && g_str_equal (program[1], "-m") ? 2 : 0;

  if (program[n] == NULL ||
      !(g_str_equal (program[n], "pytest") || (n > 0 && g_str_equal (program[n], "unittest"))))
    return FALSE;
  for (guint i = n + 1; program[i] != NULL; i++)
    {
      if (*program[i] != '-' && *program[i] != '\0' && !g_str_equal (program[i], "discover"))
        return FALSE;
    }
  return TRUE;
}

/* Whether pytest and unittest take a file for tests by its name. */
static gboolean
is_test (const char *name)
{
  g_autofree char *base = g_path_get_basename (name);

  return g_str_has_suffix (base, ".py") &&
         (g_str_has_prefix (base, "test_") || g_str_has_suffix (base, "_test.py"));
}

/* Whether a command of a shell, such as "python3 -u app.py", runs the file. `file`: set to its
 * first word that is a file for a runner, if there is one; nullable. */
static gboolean
command_runs (const char *command, const char *name, char **file)
{
  g_auto (GStrv) words = g_strsplit_set (command, " \t", -1);
  guint at = 0;
  gboolean runs;

  while (words[at] != NULL && (*words[at] == '\0' || g_strv_contains (carriers, words[at]) ||
                               (strchr (words[at], '=') != NULL && *words[at] != '-')))
    at++;
  if (words[at] == NULL || *words[at] == '#')
    return FALSE;
  if (name != NULL &&
      (g_str_equal (skip_dot (words[at]), name) || (is_test (name) && runs_tests (words + at))))
    return TRUE;
  runs = g_strv_contains (runners, words[at]) || g_str_has_prefix (words[at], "python3.");
  for (at++; runs && words[at] != NULL && *words[at] != '#'; at++)
    {
      if (name != NULL && (g_str_equal (skip_dot (words[at]), name) ||
                           (g_str_equal (words[at - 1], "-m") && is_module (words[at], name))))
        return TRUE;
      if (file != NULL && *file == NULL && strchr (words[at], '.') != NULL && *words[at] != '-')
        *file = g_strdup (skip_dot (words[at]));
    }
  return FALSE;
}

/* Whether a shell's code runs the file, or, without a name, which file it runs first. */
static gboolean
shell_runs (const FhAnswerBlock *shell, const char *name, char **file)
{
  g_autofree char *code = dup_done (shell);
  g_auto (GStrv) commands = g_regex_split_simple ("[\n;&|()`]+", code, G_REGEX_RAW, 0);

  for (guint i = 0; commands[i] != NULL; i++)
    {
      if (command_runs (commands[i], name, file) || (file != NULL && *file != NULL))
        return TRUE;
    }
  return FALSE;
}

/* A module that does something only when it is run, not when it is imported. */
static gboolean
has_main (const FhAnswerBlock *block)
{
  return strstr (block->code, "__main__") != NULL;
}

static gboolean
runs (const FhAnswerBlock *other, const FhAnswerBlock *block, const char *name)
{
  if (is_shell (other))
    return shell_runs (other, name, NULL);
  return is_python (block) && !has_main (block) && has_import (other, name);
}

static gboolean
needs (const FhAnswerBlock *other, const char *name)
{
  g_autofree char *candidate = fh_answer_names_dup_candidate (other);

  /* Another version of the file names it, too. */
  if (g_strcmp0 (candidate, name) == 0 || g_strcmp0 (other->file_name, name) == 0)
    return FALSE;
  return has_name (other->code, name) || has_import (other, name);
}

/* Whether the chain of those that run the block leads to `number`. */
static gboolean
is_run_through (GPtrArray *blocks, const FhAnswerBlock *block, guint number)
{
  for (guint n = 0; block->run_by != 0 && n < blocks->len; n++)
    {
      if (block->run_by == number)
        return TRUE;
      block = blocks->pdata[block->run_by - 1];
    }
  return FALSE;
}

/* Whether an earlier block has the name, so that blocks before this one mean that. */
static gboolean
is_later_version (GPtrArray *blocks, guint index, const char *name)
{
  for (guint i = 0; i < index; i++)
    {
      const FhAnswerBlock *other = blocks->pdata[i];

      if (g_strcmp0 (other->file_name, name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* `name`: of the block's file. FALSE if no other block needs it. */
static gboolean
find_references (GPtrArray *blocks, guint index, const char *name)
{
  FhAnswerBlock *block = blocks->pdata[index];
  const guint first = is_later_version (blocks, index, name) ? index + 1 : 0;

  for (guint i = first; i < blocks->len; i++)
    {
      const FhAnswerBlock *other = blocks->pdata[i];

      if (i == index || other->language == NULL ||
          (other->action > FH_BLOCK_ASK && other->run_by == 0))
        continue;
      if (block->needed_by == 0 && needs (other, name))
        block->needed_by = i + 1;
      if (block->run_by == 0 && runs (other, block, name) &&
          !is_run_through (blocks, other, index + 1))
        block->run_by = i + 1;
    }
  if (block->needed_by == 0)
    block->needed_by = block->run_by;
  return block->needed_by != 0;
}

/* Whether the code may write the file: it has the name as a string, or behind a redirection. */
static gboolean
may_write (const char *code, const char *file)
{
  static const char *const before[] = { "'", "\"", ">", "> ", "tee " };

  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    {
      g_autofree char *written = g_strconcat (before[i], file, NULL);

      if (strstr (code, written) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Whether the block may be a file that it does not name itself. */
static gboolean
may_be (const FhAnswerBlock *block, const char *file)
{
  g_autofree char *candidate = fh_answer_names_dup_candidate (block);

  return block->file_name == NULL && block->language != NULL && !is_shell (block) &&
         fh_answer_names_fits (block, file) && (candidate == NULL || g_str_equal (candidate, file));
}

/* Names the only block before a shell's that may be the file which that runs. A shell that goes to
 * other folders may mean a file that lies there. */
static void
name_what_is_run (GPtrArray *blocks, guint index)
{
  const FhAnswerBlock *shell = blocks->pdata[index];
  FhAnswerBlock *found = NULL;
  g_autofree char *file = NULL;

  if (!is_shell (shell) || g_regex_match_simple ("\\bcd\\b|\\bclone\\b", shell->code, 0, 0) ||
      !shell_runs (shell, NULL, &file) || file == NULL)
    return;
  for (guint i = 0; i < index; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];

      if (g_strcmp0 (block->file_name, file) == 0 || may_write (block->code, file))
        return;
      if (!may_be (block, file))
        continue;
      if (found != NULL)
        return;
      found = block;
    }
  if (found == NULL)
    return;
  found->file_name = g_steal_pointer (&file);
  found->is_named_by_need = TRUE;
}

static gsize
count_bytes (GPtrArray *blocks)
{
  gsize size = 0;

  for (guint i = 0; i < blocks->len; i++)
    size += strlen (((FhAnswerBlock *) blocks->pdata[i])->code);
  return size;
}

void
fh_answer_references_find (GPtrArray *blocks)
{
  g_return_if_fail (blocks != NULL);

  if (blocks->len < 2 || blocks->len > MAX_BLOCKS || count_bytes (blocks) > MAX_CODE)
    return;
  for (guint i = 1; i < blocks->len; i++)
    name_what_is_run (blocks, i);
  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];
      g_autofree char *name = g_strdup (block->file_name);

      if (block->language == NULL || block->action > FH_BLOCK_SAVE)
        continue;
      if (name == NULL)
        name = fh_answer_names_dup_candidate (block);
      if (name == NULL || !find_references (blocks, i, name))
        continue;
      if (block->file_name == NULL)
        {
          block->file_name = g_steal_pointer (&name);
          block->is_named_by_need = TRUE;
        }
      if (block->run_by != 0)
        block->action = FH_BLOCK_SAVE;
    }
}
