/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "executing-path.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Parts of a path, in lower case and with wildcards. They match at its end, wherever the folder is;
 * with "/" at the end, also everything below. Between spaces. */
typedef struct
{
  FhExecution execution;
  const char *patterns;
  const char *reason;
} Rule;

static const Rule rules[] = {
  { FH_EXECUTES_IN_VERSION_CONTROL,
    ".git/ .hg/ .svn/ .bzr/ .jj/ cvs/",
    N_ ("It belongs to version control, which runs hooks and commands from it.") },
  /* A folder with these files is a repository, whatever it is called. */
  { FH_EXECUTES_BY_ITSELF,
    "head .githooks/ .husky/ lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml "
    ".pre-commit-config.yaml .gitconfig .gitmodules .overcommit.yml",
    N_ ("Git runs commands that it names.") },
  { FH_EXECUTES_BY_ITSELF,
    ".envrc .direnv/ .tool-versions mise.toml .mise.toml .mise/ .autoenv .autoenv.zsh .env.zsh",
    N_ ("A shell may run it as soon as you enter the folder.") },
  { FH_EXECUTES_BY_ITSELF,
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
    ".zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc "
    ".config/fish/ .xprofile .xinitrc .xsession .xsessionrc .pam_environment",
    N_ ("A shell runs it when it starts.") },
  { FH_EXECUTES_BY_ITSELF,
    ".vscode/ .vscode-server/ *.code-workspace .idea/ .fleet/ .zed/ .devcontainer/ "
    ".devcontainer.json .vim/ .vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el "
    ".dir-locals-2.el .emacs .emacs.d/ .helix/ *.sublime-project .cargo/ rust-toolchain "
    "rust-toolchain.toml",
    N_ ("An editor may run commands from it when you open the folder.") },
  { FH_EXECUTES_BY_ITSELF,
    ".claude/ claude.md .cursor/ .cursorrules .windsurf/ .gemini/ gemini.md .codex/ agents.md "
    ".mcp.json mcp.json .aider.conf.yml .github/copilot-instructions.md",
    N_ ("An assistant reads it and may act on it.") },
  { FH_EXECUTES_BY_ITSELF,
    ".github/workflows/ .github/actions/ .gitea/workflows/ .forgejo/workflows/ .gitlab-ci.yml "
    ".gitlab/ci/ .circleci/ .travis.yml jenkinsfile azure-pipelines.yml .woodpecker/ "
    ".woodpecker.yml .woodpecker.yaml .drone.yml .buildkite/ bitbucket-pipelines.yml "
    ".cirrus.yml appveyor.yml .appveyor.yml",
    N_ ("A build server runs it after the next push.") },
  { FH_EXECUTES_BY_ITSELF,
    "sitecustomize.py usercustomize.py *.pth pyvenv.cfg",
    N_ ("Python runs it each time it starts.") },
  { FH_EXECUTES_BY_ITSELF,
    ".rprofile .renviron .rdata .pdbrc .pdbrc.py .ghci .ocamlinit .irbrc .pryrc .iex.exs .octaverc "
    "startup.m .gdbinit .lldbinit",
    N_ ("An interpreter or a debugger runs it when it starts in that folder.") },
  { FH_EXECUTES_BY_ITSELF,
    "*.desktop .config/autostart/ .config/systemd/ .local/share/systemd/ *.service *.timer "
    "*.socket "
    "*.path",
    N_ ("The desktop may start it.") },
  { FH_EXECUTES_BY_ITSELF,
    ".ssh/ authorized_keys authorized_keys2 .rhosts .shosts .netrc .gnupg/",
    N_ ("It decides who can log in.") },
  { FH_EXECUTES_BY_COMMAND,
    "makefile gnumakefile makefile.* *.mk *.mak cmakelists.txt *.cmake cmakepresets.json "
    "meson.build build.ninja "
    "sconstruct wscript waf justfile .justfile taskfile.yml taskfile.yaml rakefile gemfile "
    "*.gemspec build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradlew "
    "gradle-wrapper.properties pom.xml build.xml build.rs cargo.toml configure configure.ac "
    "build.bazel build workspace module.bazel .bazelrc dockerfile dockerfile.* containerfile "
    "compose.yml compose.yaml docker-compose.yml docker-compose.yaml vagrantfile .babelrc* "
    "tsconfig.json *.csproj directory.build.* flake.nix shell.nix default.nix",
    N_ ("Building the project runs it.") },
  { FH_EXECUTES_BY_COMMAND,
    "setup.py setup.cfg pyproject.toml requirements*.txt pipfile environment.yml pip.conf "
    "package.json package-lock.json yarn.lock pnpm-lock.yaml .npmrc .yarnrc .yarnrc.yml .yarn/ "
    ".pnpmfile.cjs binding.gyp composer.json go.mod cpanfile makefile.pl .bundle/",
    N_ ("Installing the project or its packages runs it.") },
  { FH_EXECUTES_BY_COMMAND,
    "conftest.py pytest.ini tox.ini noxfile.py .coveragerc *.config.js *.config.cjs *.config.mjs "
    "*.config.ts .eslintrc.js .eslintrc.cjs .mocharc.js .mocharc.cjs .pylintrc pylintrc "
    ".prettierrc* .stylelintrc* mypy.ini .mypy.ini .rspec .gitattributes",
    N_ ("Testing or checking the project runs it.") },
};

/* The same for all names that some file system takes for the same. */
static char *
fold (const char *path)
{
  g_autofree char *normal = g_utf8_normalize (path, -1, G_NORMALIZE_NFKC);
  g_autofree char *folded = NULL;
  GString *visible;

  if (normal == NULL)
    return g_ascii_strdown (path, -1);
  folded = g_utf8_casefold (normal, -1);
  visible = g_string_new (NULL);
  for (const char *at = folded; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);
      GUnicodeType type = g_unichar_type (character);

      if (type != G_UNICODE_FORMAT && type != G_UNICODE_NON_SPACING_MARK)
        g_string_append_unichar (visible, character);
    }
  return g_string_free (visible, FALSE);
}

/* Some file systems drop dots and spaces at the end of a name. */
static void
trim (char *part)
{
  gsize size = strlen (part);

  while (size > 1 && (part[size - 1] == '.' || part[size - 1] == ' '))
    part[--size] = '\0';
}

static gboolean
matches_at (char **parts, char **pattern)
{
  guint i;

  for (i = 0; pattern[i] != NULL && pattern[i][0] != '\0'; i++)
    {
      if (parts[i] == NULL || !g_pattern_match_simple (pattern[i], parts[i]))
        return FALSE;
    }
  return pattern[i] != NULL || parts[i] == NULL;
}

static gboolean
matches (char **parts, const char *pattern)
{
  g_auto (GStrv) wanted = g_strsplit (pattern, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (matches_at (parts + i, wanted))
        return TRUE;
    }
  return FALSE;
}

FhExecution
fh_executing_path_find (const char *path, const char **reason)
{
  g_autofree char *folded = NULL;
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (path != NULL, FH_EXECUTES_NOT);

  folded = fold (path);
  parts = g_strsplit (folded, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    trim (parts[i]);
  if (reason != NULL)
    *reason = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_auto (GStrv) patterns = g_strsplit (rules[i].patterns, " ", -1);

      for (guint j = 0; patterns[j] != NULL; j++)
        {
          if (!matches (parts, patterns[j]))
            continue;
          if (reason != NULL)
            *reason = _ (rules[i].reason);
          return rules[i].execution;
        }
    }
  return FH_EXECUTES_NOT;
}
