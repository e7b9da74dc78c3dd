/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "executing-path.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Parts of a path, in lower case and with wildcards. They match at its end, wherever the folder is;
 * with "/" at the end, also everything below. Between spaces. The first rule that matches holds. */
typedef struct
{
  FhExecution execution;
  const char *patterns;
  const char *reason; /* NULL for what does not execute */
} Rule;

static const Rule rules[] = {
  { FH_EXECUTES_IN_VERSION_CONTROL,
    ".git/ git~1/ .hg/ .svn/ _svn/ .bzr/ .jj/ .sl/ .bk/ .got/ .repo/ .pijul/ _darcs/ _mtn/ cvs/ "
    ".fslckout _fossil_ *.fossil",
    N_ ("It belongs to version control, which runs hooks and commands from it.") },
  /* A folder with a head is a repository, whatever it is called. */
  { FH_EXECUTES_BY_ITSELF,
    "head .githooks/ .git-hooks/ .husky/ .huskyrc* lefthook.* .lefthook.* lefthook-local.* "
    ".lefthook-local.* .lefthook/ .pre-commit-config.* .pre-commit-hooks.* prek.toml .gitconfig "
    ".gitmodules .overcommit.yml captainhook.json .captainhook.json .hgsub .hgsubstate .hgrc "
    ".gclient .gclient_entries .jjconfig.toml .fossil-settings/",
    N_ ("Version control runs commands that it names.") },
  { FH_EXECUTES_BY_ITSELF,
    ".envrc .envrc.* .direnv/ .direnvrc .config/direnv/ .env .tool-versions mise.toml mise.*.toml "
    ".mise.toml .mise.*.toml mise/config.toml mise/config.*.toml .mise/ .config/mise.toml "
    ".config/mise.*.toml .config/mise/ "
    ".rvmrc .rtx.toml .autoenv .autoenv.zsh .autoenv_leave.zsh .env.zsh .env.leave .shadowenv.d/ "
    ".bash_enter .bash_leave .ondir .ondirrc .prototools .sdkmanrc devbox.json .devbox/ devenv.* "
    ".devenv/ .flox/ .hermit/",
    N_ ("A shell may run it as soon as you enter the folder.") },
  { FH_EXECUTES_BY_ITSELF,
    ".bashrc .bashrc.* .bashrc.d/ .bash_profile .bash_login .bash_logout .bash_aliases "
    ".bash_completion .config/bash/ .profile .zshrc .zshrc.* .zshenv .zprofile .zlogin .zlogout "
    ".config/zsh/ .oh-my-zsh/ .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .config/fish/ "
    ".config/nushell/ .config/powershell/ profile.ps1 *_profile.ps1 .xonshrc .config/xonsh/ "
    ".config/elvish/ .elvish/ .tmux.conf .config/tmux/ .screenrc .xprofile .xinitrc .xsession "
    ".xsessionrc .pam_environment .config/environment.d/",
    N_ ("A shell runs it when it starts.") },
  { FH_EXECUTES_BY_ITSELF,
    ".vscode/ .vscode-server/ *.code-workspace .vs/ .theia/ .idea/ .fleet/ .zed/ .nova/ .atom/ "
    ".lite_project.lua .devcontainer/ .devcontainer.json .gitpod.yml .gitpod.dockerfile .idx/ "
    ".codesandbox/ .replit .vim/ .vimrc .vimrc.* .gvimrc .exrc .nvim/ .nvimrc .nvim.lua "
    ".nvimrc.lua .config/nvim/ .local.vimrc .lvimrc .lazy.lua .vimspector.json .neoconf.json "
    ".ideavimrc .ycm_extra_conf.py .dir-locals.el .dir-locals-2.el .projectile .emacs .emacs.d/ "
    ".doom.d/ .spacemacs .helix/ .kakrc .kak/ .kateproject .kateproject.* *.sublime-project "
    "*.sublime-workspace *.sublime-build *.rproj *.kdev4 .kdev4/ .buildconfig "
    ".externaltoolbuilders/ .settings/ .project .cproject .clangd .ccls .luarc.json .luarc.jsonc "
    ".rust-analyzer.toml rust-analyzer.toml rust-project.json .rust-project.json hie.yaml .merlin "
    ".solargraph.yml pyrightconfig.json .cargo/ rust-toolchain rust-toolchain.toml "
    "venv/bin/ env/bin/ .venv/bin/ venv/scripts/ env/scripts/ .venv/scripts/",
    N_ ("An editor may run commands from it when you open the folder.") },
  { FH_EXECUTES_BY_ITSELF,
    ".claude/ .claude.json .claude-plugin/ claude.md claude.local.md .cursor/ .cursorrules "
    ".windsurf/ .windsurfrules .codeium/ .gemini/ gemini.md .codex/ agents.md agents.*.md "
    "agent.md .agents/ .agent/ .antigravity/ .mcp.json mcp.json .mcp/ mcp_config.json .aider* "
    ".github/copilot-instructions.md copilot-instructions.md .github/instructions/ "
    ".github/prompts/ .github/chatmodes/ .github/agents/ .github/skills/ .copilot/ "
    "*.instructions.md *.prompt.md *.chatmode.md *.agent.md skill.md .cline/ .clinerules/ .roo/ "
    ".roomodes .roorules* .kilocode/ .kilocodemodes .kilocoderules* .kiro/ .rules .goosehints "
    ".goose/ .junie/ opencode.json opencode.jsonc .opencode/ .opencode.json .continue/ "
    ".continuerc.json .continuerules .amazonq/ .trae/ .qwen/ qwen.md .amp/ .augment/ "
    ".augment-guidelines .crush/ .crush.json crush.json crush.md .factory/ .openhands/ "
    ".openhands_instructions .devin/ .tabnine/ .cody/ .sourcegraph/ .zencoder/ .warp/ warp.md "
    ".pi/ .plandex/ .gptme/ gptme.toml .firebender/ firebender.json airules.md replit.md .ai/ "
    ".aiassistant/ .iflow/ iflow.md .codebuddy/ codebuddy.md .lingma/ .void/ .voidrules .jules/ "
    ".ruler/ .rulesync/ .serena/ .specify/ .gitlab/duo/",
    N_ ("An assistant reads it and may act on it.") },
  { FH_EXECUTES_BY_ITSELF,
    ".github/ .gitea/ .forgejo/ .gitlab/ .gitlab-ci.yml *.gitlab-ci.yml .circleci/ .travis.yml "
    "jenkinsfile jenkinsfile.* azure-pipelines.yml azure-pipelines.*.yml azure-pipelines-*.yml "
    ".azure-pipelines/ .azuredevops/ .pipelines/ .woodpecker/ .woodpecker.yml .woodpecker.yaml "
    ".drone.yml .drone.* .buildkite/ bitbucket-pipelines.yml .cirrus.* appveyor.yml .appveyor.yml "
    ".semaphore/ .teamcity/ .codefresh/ codefresh.yml .tekton/ .zuul.* .zuul.d/ zuul.d/ zuul.yaml "
    "wercker.yml .scrutinizer.yml codeship-*.yml shippable.yml cloudbuild.yaml cloudbuild.yml "
    "buildspec.yml buildspec.yaml appspec.yml amplify.yml .builds/ .build.yml .kokoro/ "
    ".packit.yaml .packit.yml packit.yaml .copr/ .readthedocs.yml .readthedocs.yaml "
    "readthedocs.yml netlify.toml vercel.json .platform/ .platform.app.yaml render.yaml fly.toml "
    "railway.json railway.toml heroku.yml procfile renovate.json renovate.json5 .renovaterc*",
    N_ ("A build server runs it after the next push.") },
  { FH_EXECUTES_BY_ITSELF,
    "sitecustomize.py usercustomize.py *.pth *._pth pyvenv.cfg",
    N_ ("Python runs it each time it starts.") },
  { FH_EXECUTES_BY_ITSELF,
    ".rprofile .renviron .rdata .pdbrc .pdbrc.py .ipython/ ipython_config.py "
    "ipython_kernel_config.py .jupyter/ jupyter_config.* jupyter_*_config.* .pythonrc "
    ".pythonrc.py .pythonstartup .ghci .ghci.* .ocamlinit .utoprc .irbrc .pryrc .byebugrc "
    ".iex.exs .erlang .octaverc startup.m finish.m .juliarc.jl .julia/ .sbclrc .eclrc .guile "
    ".lein/ .tclshrc .gnuplot .perldb .sqliterc .psqlrc .duckdbrc .gdbinit .gdbinit.* "
    ".gdbearlyinit *-gdb.py *-gdb.gdb *-gdb.scm .lldbinit .lldbinit-* .dlv/ .radare2rc",
    N_ ("An interpreter or a debugger runs it when it starts in that folder.") },
  { FH_EXECUTES_BY_ITSELF,
    "*.desktop .config/autostart/ .config/systemd/ .local/share/ *.service *.timer *.socket "
    "*.path *.mount *.automount crontab",
    N_ ("The desktop may start it.") },
  { FH_EXECUTES_BY_ITSELF,
    ".ssh/ authorized_keys authorized_keys2 .rhosts .shosts .netrc .gnupg/ .pypirc .docker/ .aws/ "
    ".kube/",
    N_ ("It decides who can log in.") },
  { FH_EXECUTES_BY_COMMAND,
    "makefile gnumakefile makefile.* *.mk *.mak cmakelists.txt *.cmake cmakepresets.json "
    "cmakeuserpresets.json meson.build meson.options meson_options.txt build.ninja sconstruct "
    "sconscript wscript waf xmake.lua premake5.lua *.pro *.pri *.qbs justfile .justfile *.just "
    "taskfile.yml taskfile.yaml taskfile.*.yml magefile.go tasks.py fabfile.py dodo.py rakefile "
    "*.rake gemfile gemfile.lock *.gemspec build.gradle build.gradle.kts settings.gradle "
    "settings.gradle.kts gradle.properties gradlew gradlew.bat gradle-wrapper.properties "
    "gradle-wrapper.jar pom.xml .mvn/ mvnw build.xml build.sbt build.sc deps.edn project.clj "
    "mix.exs rebar.config build.rs build.zig build.zig.zon cargo.toml configure configure.ac "
    "configure.in *.m4 autogen.sh dune dune-project *.opam *.cabal stack.yaml cabal.project "
    "package.swift project.godot build.bazel build workspace workspace.bazel module.bazel *.bzl "
    ".bazelrc .bazelversion buck .buckconfig build.please .plzconfig dockerfile dockerfile.* "
    "*.dockerfile containerfile containerfile.* compose.yml compose.yaml compose.*.yml "
    "compose.*.yaml docker-compose.yml docker-compose.yaml docker-compose.*.yml "
    "docker-compose.*.yaml docker-bake.* vagrantfile earthfile tiltfile skaffold.yaml dagger.json "
    ".babelrc* tsconfig.json tsconfig.*.json jsconfig.json deno.json deno.jsonc bunfig.toml "
    "*.csproj *.fsproj *.vbproj *.vcxproj *.sln *.slnx *.props *.targets directory.build.* "
    "nuget.config global.json *.xcodeproj/ *.xcworkspace/ flake.nix flake.lock shell.nix "
    "default.nix snapcraft.yaml pkgbuild",
    N_ ("Building the project runs it.") },
  { FH_EXECUTES_BY_COMMAND,
    "setup.py setup.cfg pyproject.toml requirements*.txt pipfile pipfile.lock poetry.lock uv.lock "
    "uv.toml pdm.lock pixi.toml environment.yml environment.yaml pip.conf .pydistutils.cfg "
    "package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml "
    "pnpm-workspace.yaml bun.lock bun.lockb .npmrc .yarnrc .yarnrc.yml .yarn/ .pnpmfile.cjs "
    "pnpmfile.cjs .pnp.cjs .pnp.loader.mjs binding.gyp *.gyp *.gypi composer.json composer.lock "
    "go.mod go.sum go.work cargo.lock cpanfile makefile.pl build.pl .bundle/ brewfile podfile "
    "cartfile",
    N_ ("Installing the project or its packages runs it.") },
  { FH_EXECUTES_BY_COMMAND,
    "conftest.py pytest.ini .pytest.ini tox.ini noxfile.py .coveragerc *.config.js *.config.cjs "
    "*.config.mjs *.config.ts *.config.mts *.config.cts .eslintrc .eslintrc.* .mocharc.* .nycrc* "
    ".pylintrc pylintrc .flake8 .pre-commit .prettierrc* .stylelintrc* .lintstagedrc* .swcrc "
    ".postcssrc* .jshintrc .rubocop.yml .credo.exs .formatter.exs .phpcs.xml phpcs.xml* "
    "phpunit.xml* phpstan.neon* .php-cs-fixer.php .php-cs-fixer.dist.php mypy.ini .mypy.ini "
    ".rspec .gitattributes analysis_options.yaml .nextest/ .config/nextest.toml "
    ".config/dotnet-tools.json",
    N_ ("Testing or checking the project runs it.") },
  /* Hidden files that no program takes for its settings, caches, and folders of packages. */
  { FH_EXECUTES_NOT,
    ".gitignore .gitkeep .keep .hgignore .ignore .rgignore .fdignore .dockerignore "
    ".containerignore .npmignore .eslintignore .prettierignore .stylelintignore .editorconfig "
    ".clang-format .mailmap .nojekyll .nvmrc .node-version .python-version .ruby-version "
    ".java-version .coverage .ds_store .cache/ .mypy_cache/ .ruff_cache/ .pytest_cache/ .tox/ "
    ".nox/ .venv/ .fumehood/ .ipynb_checkpoints/ .hypothesis/ .ccache/ .sass-cache/ "
    ".parcel-cache/ node_modules/ __pycache__/",
    NULL },
  /* Whatever has settings or instructions in a project hides them: those that are not known here,
     too. */
  { FH_EXECUTES_BY_ITSELF,
    ".*/",
    N_ ("Its name begins with a dot: a program may read it as its settings without being asked.") },
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

/* A pattern, in parts; the last is "" if what is below it matches as well. */
typedef struct
{
  const Rule *rule;
  GStrv parts;
} Pattern;

/* Made once, because a run can change thousands of files. (element-type Pattern) */
static GArray *
patterns_new (void)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Pattern));

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_auto (GStrv) words = g_strsplit (rules[i].patterns, " ", -1);

      for (guint j = 0; words[j] != NULL; j++)
        {
          const Pattern pattern = { &rules[i], g_strsplit (words[j], "/", -1) };

          g_array_append_val (all, pattern);
        }
    }
  return all;
}

static gboolean
matches_part (const char *pattern, const char *part)
{
  return strchr (pattern, '*') != NULL ? g_pattern_match_simple (pattern, part)
                                       : g_str_equal (pattern, part);
}

static gboolean
matches_at (char **parts, char **pattern)
{
  guint i;

  for (i = 0; pattern[i] != NULL && pattern[i][0] != '\0'; i++)
    {
      if (parts[i] == NULL || !matches_part (pattern[i], parts[i]))
        return FALSE;
    }
  return pattern[i] != NULL || parts[i] == NULL;
}

static gboolean
matches (char **parts, char **pattern)
{
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (matches_at (parts + i, pattern))
        return TRUE;
    }
  return FALSE;
}

FhExecution
fh_executing_path_find (const char *path, const char **reason)
{
  static GArray *patterns = NULL;
  g_autofree char *folded = NULL;
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (path != NULL, FH_EXECUTES_NOT);

  if (g_once_init_enter (&patterns))
    g_once_init_leave (&patterns, patterns_new ());
  folded = fold (path);
  parts = g_strsplit (folded, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    trim (parts[i]);
  if (reason != NULL)
    *reason = NULL;
  for (guint i = 0; i < patterns->len; i++)
    {
      const Pattern *pattern = &g_array_index (patterns, Pattern, i);

      if (!matches (parts, pattern->parts))
        continue;
      if (reason != NULL && pattern->rule->reason != NULL)
        *reason = _ (pattern->rule->reason);
      return pattern->rule->execution;
    }
  return FH_EXECUTES_NOT;
}
