/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "executing-path.h"

typedef struct
{
  const char *path;
  FhExecution execution;
} Case;

static const Case cases[] = {
  { "main.py", FH_EXECUTES_NOT },
  { "src/table.csv", FH_EXECUTES_NOT },
  { "README.md", FH_EXECUTES_NOT },
  { "analysis.R", FH_EXECUTES_NOT },
  { "results.RData", FH_EXECUTES_NOT },
  { "start.m", FH_EXECUTES_NOT },
  { "my_startup.m", FH_EXECUTES_NOT },
  { "bundle/config", FH_EXECUTES_NOT },
  { "prettierrc.md", FH_EXECUTES_NOT },
  { "x.nix", FH_EXECUTES_NOT },
  { "tsconfig.ts", FH_EXECUTES_NOT },
  { "git/x", FH_EXECUTES_NOT },
  { ".gitignore", FH_EXECUTES_NOT },
  { ".pytest_cache/v/x", FH_EXECUTES_NOT },
  { "node_modules/.bin/x", FH_EXECUTES_NOT },
  { "src/.gitkeep", FH_EXECUTES_NOT },
  { "profile", FH_EXECUTES_NOT },
  { "my.envrc", FH_EXECUTES_NOT },
  { "workflows/x.yml", FH_EXECUTES_NOT },
  { "a.github/workflows/x.yml", FH_EXECUTES_NOT },
  { ".git", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".git/config", FH_EXECUTES_IN_VERSION_CONTROL },
  { "deep/in/it/.git/hooks/post-commit", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".hg/hgrc", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".svn/x", FH_EXECUTES_IN_VERSION_CONTROL },
  { "sub/.sl/config", FH_EXECUTES_IN_VERSION_CONTROL },
  { "_darcs/prefs/defaults", FH_EXECUTES_IN_VERSION_CONTROL },
  { "bare/HEAD", FH_EXECUTES_BY_ITSELF },
  { ".husky/pre-commit", FH_EXECUTES_BY_ITSELF },
  { ".gitmodules", FH_EXECUTES_BY_ITSELF },
  { ".pre-commit-config.yaml", FH_EXECUTES_BY_ITSELF },
  { ".envrc", FH_EXECUTES_BY_ITSELF },
  { "sub/.envrc", FH_EXECUTES_BY_ITSELF },
  { ".bashrc", FH_EXECUTES_BY_ITSELF },
  { "home/.profile", FH_EXECUTES_BY_ITSELF },
  { ".config/fish/config.fish", FH_EXECUTES_BY_ITSELF },
  { ".vscode/tasks.json", FH_EXECUTES_BY_ITSELF },
  { "x.code-workspace", FH_EXECUTES_BY_ITSELF },
  { ".idea/workspace.xml", FH_EXECUTES_BY_ITSELF },
  { ".devcontainer/devcontainer.json", FH_EXECUTES_BY_ITSELF },
  { ".cargo/config.toml", FH_EXECUTES_BY_ITSELF },
  { "CLAUDE.md", FH_EXECUTES_BY_ITSELF },
  { "CLAUDE.local.md", FH_EXECUTES_BY_ITSELF },
  { "src/AGENTS.override.md", FH_EXECUTES_BY_ITSELF },
  { ".windsurfrules", FH_EXECUTES_BY_ITSELF },
  { ".clinerules", FH_EXECUTES_BY_ITSELF },
  { ".clinerules/a.md", FH_EXECUTES_BY_ITSELF },
  { ".rules", FH_EXECUTES_BY_ITSELF },
  { ".goosehints", FH_EXECUTES_BY_ITSELF },
  { ".junie/guidelines.md", FH_EXECUTES_BY_ITSELF },
  { "opencode.json", FH_EXECUTES_BY_ITSELF },
  { ".opencode/agent/x.md", FH_EXECUTES_BY_ITSELF },
  { ".continue/config.json", FH_EXECUTES_BY_ITSELF },
  { ".amazonq/rules/x.md", FH_EXECUTES_BY_ITSELF },
  { ".trae/rules/x.md", FH_EXECUTES_BY_ITSELF },
  { ".qwen/settings.json", FH_EXECUTES_BY_ITSELF },
  { ".amp/settings.json", FH_EXECUTES_BY_ITSELF },
  { ".github/instructions/x.md", FH_EXECUTES_BY_ITSELF },
  { ".vs/tasks.vs.json", FH_EXECUTES_BY_ITSELF },
  { ".theia/tasks.json", FH_EXECUTES_BY_ITSELF },
  { ".ycm_extra_conf.py", FH_EXECUTES_BY_ITSELF },
  { ".nvim/init.lua", FH_EXECUTES_BY_ITSELF },
  { ".local.vimrc", FH_EXECUTES_BY_ITSELF },
  { "hie.yaml", FH_EXECUTES_BY_ITSELF },
  { ".config/mise/config.toml", FH_EXECUTES_BY_ITSELF },
  { "mise.local.toml", FH_EXECUTES_BY_ITSELF },
  { ".rvmrc", FH_EXECUTES_BY_ITSELF },
  { ".envrc.local", FH_EXECUTES_BY_ITSELF },
  { ".env", FH_EXECUTES_BY_ITSELF },
  { "ipython_config.py", FH_EXECUTES_BY_ITSELF },
  { "netlify.toml", FH_EXECUTES_BY_ITSELF },
  /* Nobody knows all of them. */
  { ".newassistant/rules.md", FH_EXECUTES_BY_ITSELF },
  { "src/.neweditorrc", FH_EXECUTES_BY_ITSELF },
  { "node_modules/a/.vscode/tasks.json", FH_EXECUTES_BY_ITSELF },
  { ".venv/lib/a.pth", FH_EXECUTES_BY_ITSELF },
  { ".github/workflows/ci.yml", FH_EXECUTES_BY_ITSELF },
  { ".gitlab-ci.yml", FH_EXECUTES_BY_ITSELF },
  { "lib/sitecustomize.py", FH_EXECUTES_BY_ITSELF },
  { "lib/a.pth", FH_EXECUTES_BY_ITSELF },
  { ".Rprofile", FH_EXECUTES_BY_ITSELF },
  { ".Renviron", FH_EXECUTES_BY_ITSELF },
  { "data/.RData", FH_EXECUTES_BY_ITSELF },
  { ".pdbrc", FH_EXECUTES_BY_ITSELF },
  { ".ghci", FH_EXECUTES_BY_ITSELF },
  { ".ocamlinit", FH_EXECUTES_BY_ITSELF },
  { ".irbrc", FH_EXECUTES_BY_ITSELF },
  { ".pryrc", FH_EXECUTES_BY_ITSELF },
  { ".iex.exs", FH_EXECUTES_BY_ITSELF },
  { ".octaverc", FH_EXECUTES_BY_ITSELF },
  { "startup.m", FH_EXECUTES_BY_ITSELF },
  { "deep/.gdbinit", FH_EXECUTES_BY_ITSELF },
  { ".lldbinit", FH_EXECUTES_BY_ITSELF },
  { "x.desktop", FH_EXECUTES_BY_ITSELF },
  { ".ssh/authorized_keys", FH_EXECUTES_BY_ITSELF },
  { "Makefile", FH_EXECUTES_BY_COMMAND },
  { "sub/CMakeLists.txt", FH_EXECUTES_BY_COMMAND },
  { "package.json", FH_EXECUTES_BY_COMMAND },
  { "src/App.fsproj", FH_EXECUTES_BY_COMMAND },
  { ".eslintrc.json", FH_EXECUTES_BY_COMMAND },
  { "docker-compose.override.yml", FH_EXECUTES_BY_COMMAND },
  { "setup.py", FH_EXECUTES_BY_COMMAND },
  { "requirements-dev.txt", FH_EXECUTES_BY_COMMAND },
  { "tests/conftest.py", FH_EXECUTES_BY_COMMAND },
  { "vite.config.ts", FH_EXECUTES_BY_COMMAND },
  { ".rspec", FH_EXECUTES_BY_COMMAND },
  { ".bundle/config", FH_EXECUTES_BY_COMMAND },
  { ".babelrc", FH_EXECUTES_BY_COMMAND },
  { ".babelrc.json", FH_EXECUTES_BY_COMMAND },
  { ".prettierrc.cjs", FH_EXECUTES_BY_COMMAND },
  { ".stylelintrc.json", FH_EXECUTES_BY_COMMAND },
  { "mypy.ini", FH_EXECUTES_BY_COMMAND },
  { "web/tsconfig.json", FH_EXECUTES_BY_COMMAND },
  { "src/App.csproj", FH_EXECUTES_BY_COMMAND },
  { "Directory.Build.props", FH_EXECUTES_BY_COMMAND },
  { "flake.nix", FH_EXECUTES_BY_COMMAND },
  { "shell.nix", FH_EXECUTES_BY_COMMAND },
  { "default.nix", FH_EXECUTES_BY_COMMAND },
  /* What some file system takes for the same name. */
  { ".GIT/config", FH_EXECUTES_IN_VERSION_CONTROL },
  { "GIT~1/config", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".git\u200c/hooks/x", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".ba\u017fhrc", FH_EXECUTES_BY_ITSELF },
  { ".v\u017fcode/tasks.json", FH_EXECUTES_BY_ITSELF },
  { "a/venv/bin/pip", FH_EXECUTES_BY_ITSELF },
  { ".g\u200cit/config", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".gi\u202et/config", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".git /config", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".git./config", FH_EXECUTES_IN_VERSION_CONTROL },
  { "\uff0egit/config", FH_EXECUTES_IN_VERSION_CONTROL },
  { ".Envrc", FH_EXECUTES_BY_ITSELF },
  { "ma\u212aefile", FH_EXECUTES_BY_COMMAND }, /* the Kelvin sign */
  { ".GIT/\xff", FH_EXECUTES_IN_VERSION_CONTROL },
};

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  const char *reason = "unset";

  g_assert_cmpint (fh_executing_path_find (one->path, &reason), ==, one->execution);
  g_assert_cmpint (fh_executing_path_find (one->path, NULL), ==, one->execution);
  g_assert_true ((reason != NULL) == (one->execution != FH_EXECUTES_NOT));
}

/* Wildcards must not take long for names that are made for that. */
static void
test_long (void)
{
  g_autofree char *many = g_strnfill (900, 'a');
  g_autoptr (GString) deep = g_string_new (NULL);

  for (guint i = 0; i < 400; i++)
    g_string_append (deep, "a/");
  g_string_append (deep, "a");
  g_assert_cmpint (fh_executing_path_find (many, NULL), ==, FH_EXECUTES_NOT);
  g_assert_cmpint (fh_executing_path_find (deep->str, NULL), ==, FH_EXECUTES_NOT);
  g_string_append (deep, "/.git/x");
  g_assert_cmpint (fh_executing_path_find (deep->str, NULL), ==, FH_EXECUTES_IN_VERSION_CONTROL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/executing-path/%02u", i);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/executing-path/long", test_long);
  return g_test_run ();
}
