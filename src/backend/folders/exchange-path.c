/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-exchange.h"

/* In lower case, because some file systems ignore case. */
static const char *const stays[] = {
  ".git",  ".hg",     ".svn",        "_svn",      ".bzr",          ".jj",         ".sl",
  ".bk",   ".got",    ".repo",       ".pijul",    "_darcs",        "_mtn",        "cvs",
  ".tox",  ".nox",    ".venv",       ".direnv",   "node_modules",  "__pycache__", ".mypy_cache",
  ".idea", ".vscode", ".ruff_cache", ".fumehood", ".pytest_cache", NULL,
};

gboolean
fh_exchange_name_stays (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_strv_contains (stays, lower) || g_str_has_prefix (lower, FH_EXCHANGE_TEMPORARY_PREFIX);
}

gboolean
fh_exchange_path_stays (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (fh_exchange_name_stays (parts[i]))
        return TRUE;
    }
  return FALSE;
}
