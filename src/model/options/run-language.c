/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

/* TMPDIR, because the workspace is for what the program leaves. Where permissions cannot be
 * changed, linkers make files that cannot be executed: a copy of the compiler can, and gets its
 * contents. */
#define COMPILE(verb, options)                                                                     \
  "\"$0\"" verb " -o \"$TMPDIR/program\" \"$1\"" options " && shift && "                           \
  "{ test -x \"$TMPDIR/program\" || "                                                              \
  "{ cp \"$0\" \"$TMPDIR/copy\" && cat \"$TMPDIR/program\" > \"$TMPDIR/copy\" && "                 \
  "mv -f \"$TMPDIR/copy\" \"$TMPDIR/program\"; }; } && exec \"$TMPDIR/program\" \"$@\""

/* A list that is as long-lived as the table: it is at the top level of the file. */
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NONE       ((const char *const[]){ NULL })

/* GtkSourceView knows the language by the same id. */
#define SAME_ID(id_) .id = id_, .source_view_id = id_

static const FhLanguage languages[] = {
  {
      .id = "python",
      .name = "Python",
      .file_name = "main.py",
      .interpreter = "python3",
      .source_view_id = "python3",
      .aliases = WORDS ("py", "python3", "py3", "pyw", "ipython"),
      .suffixes = WORDS (".py", ".pyw"),
  },
  {
      SAME_ID ("sh"),
      .name = "Shell",
      .file_name = "main.sh",
      .interpreter = "sh",
      .aliases = WORDS ("shell", "dash", "posix"),
      .suffixes = WORDS (".sh"),
  },
  {
      .id = "bash",
      .name = "Bash",
      .file_name = "main.sh",
      .interpreter = "bash",
      .source_view_id = "sh",
      .aliases = WORDS ("shellscript", "shell-script"),
      .suffixes = WORDS (".bash"),
  },
  {
      .id = "javascript",
      .name = "JavaScript",
      .file_name = "main.js",
      .interpreter = "node",
      .source_view_id = "js",
      .aliases = WORDS ("js", "node", "nodejs", "mjs", "cjs"),
      .suffixes = WORDS (".js", ".mjs", ".cjs"),
  },
  {
      SAME_ID ("c"),
      .name = "C",
      .file_name = "main.c",
      .interpreter = "cc",
      .aliases = WORDS ("gcc"),
      .suffixes = WORDS (".c"),
      .command = COMPILE ("", " -lm"),
  },
  {
      SAME_ID ("cpp"),
      .name = "C++",
      .file_name = "main.cpp",
      .interpreter = "c++",
      .aliases = WORDS ("c++", "cxx", "cc", "g++"),
      .suffixes = WORDS (".cpp", ".cc", ".cxx"),
      .command = COMPILE ("", ""),
  },
  {
      SAME_ID ("go"),
      .name = "Go",
      .file_name = "main.go",
      .interpreter = "go",
      .aliases = WORDS ("golang"),
      .suffixes = WORDS (".go"),
      .command = COMPILE (" build", ""),
  },
  {
      SAME_ID ("java"),
      .name = "Java",
      .file_name = "Main.java",
      .interpreter = "java",
      .aliases = NONE,
      .suffixes = WORDS (".java"),
  },
  {
      SAME_ID ("lua"),
      .name = "Lua",
      .file_name = "main.lua",
      .interpreter = "lua",
      .aliases = NONE,
      .suffixes = WORDS (".lua"),
  },
  {
      SAME_ID ("perl"),
      .name = "Perl",
      .file_name = "main.pl",
      .interpreter = "perl",
      .aliases = WORDS ("pl"),
      .suffixes = WORDS (".pl"),
  },
  {
      SAME_ID ("php"),
      .name = "PHP",
      .file_name = "main.php",
      .interpreter = "php",
      .aliases = NONE,
      .suffixes = WORDS (".php"),
  },
  {
      SAME_ID ("powershell"),
      .name = "PowerShell",
      .file_name = "main.ps1",
      .interpreter = "pwsh",
      .aliases = WORDS ("pwsh", "ps1", "posh"),
      .suffixes = WORDS (".ps1"),
  },
  {
      SAME_ID ("r"),
      .name = "R",
      .file_name = "main.R",
      .interpreter = "Rscript",
      .aliases = WORDS ("rscript"),
      .suffixes = WORDS (".r"),
  },
  {
      SAME_ID ("ruby"),
      .name = "Ruby",
      .file_name = "main.rb",
      .interpreter = "ruby",
      .aliases = WORDS ("rb"),
      .suffixes = WORDS (".rb"),
  },
  {
      SAME_ID ("rust"),
      .name = "Rust",
      .file_name = "main.rs",
      .interpreter = "rustc",
      .aliases = WORDS ("rs"),
      .suffixes = WORDS (".rs"),
      .command = COMPILE ("", ""),
  },
  /* Git puts "a/" and "b/" in front of names; models often leave that out, and count the lines of a
   * change wrong. GIT_DIR hides a repository around the folder, because git refuses to work in one
   * that belongs to another user. */
  {
      SAME_ID ("diff"),
      .name = "Diff",
      .file_name = "main.diff",
      .interpreter = "git",
      .aliases = WORDS ("patch", "udiff", "git-diff"),
      .suffixes = WORDS (".diff", ".patch"),
      .command =
          "if grep -q '^+++ b/' \"$1\"; then n=1; else n=0; fi; "
          "GIT_DIR=/dev/null exec \"$0\" apply --verbose --recount --whitespace=nowarn -p$n \"$1\"",
  },
  { NULL },
};
#define N_LANGUAGES (G_N_ELEMENTS (languages) - 1)

const FhLanguage *
fh_language_list (void)
{
  return languages;
}

char *
fh_language_dup_ids (const char *separator)
{
  const char *ids[N_LANGUAGES + 1] = { NULL };

  for (guint i = 0; i < N_LANGUAGES; i++)
    ids[i] = languages[i].id;
  return g_strjoinv (separator, (char **) ids);
}

static gboolean
is_called (const FhLanguage *language, const char *name)
{
  if (g_ascii_strcasecmp (name, language->id) == 0)
    return TRUE;
  for (guint i = 0; language->aliases[i] != NULL; i++)
    {
      if (g_ascii_strcasecmp (name, language->aliases[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

const FhLanguage *
fh_language_lookup (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < N_LANGUAGES; i++)
    {
      if (is_called (&languages[i], name))
        return &languages[i];
    }
  return NULL;
}
