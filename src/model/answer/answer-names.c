/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-names.h"

#include <string.h>

#include "run-files.h"

/* These languages are written to the workspace and not run; the suffix is that of a file which the
 * answer does not name. The first three are those of AutoGen; the others are data and documents
 * that an answer shows, which must not keep its code from running. */
static const struct
{
  const char *suffix;
  const char *words;
} saved[] = {
  { "js", "javascript js" },
  { "html", "html" },
  { "css", "css" },
  { "json", "json jsonc" },
  { "yaml", "yaml" },
  { "yml", "yml" },
  { "toml", "toml" },
  { "ini", "ini" },
  { "xml", "xml" },
  { "csv", "csv" },
  { "sql", "sql" },
  { "diff", "diff" },
  { "patch", "patch" },
  { "md", "markdown md" },
  { "txt",
    "text txt plaintext plain output console shell-session shellsession sh-session "
    "bash-session terminal log regex tree none raw tool_output tool_outputs traceback pytb "
    "stdout stderr" },
  { "dockerfile", "dockerfile" },
  { "mk", "makefile make" },
  { "mmd", "mermaid" },
  { "dot", "dot graphviz" },
  { "puml", "plantuml" },
  { "graphql", "graphql" },
  { "proto", "proto protobuf" },
  { "tf", "terraform" },
  { "hcl", "hcl" },
  { "conf", "nginx apache conf config" },
  { "properties", "properties" },
  { "env", "env dotenv" },
  { "gitignore", "gitignore" },
  { "http", "http" },
  { "tex", "latex tex math" },
  { "bib", "bibtex" },
  { "rst", "rst" },
  { "svg", "svg" },
  { "scss", "scss" },
  { "sass", "sass" },
  { "less", "less" },
  { "tsv", "tsv" },
};

/* Either suffix is usual for the same language. */
static const struct
{
  const char *one;
  const char *other;
} same_suffixes[] = {
  { "yml", "yaml" }, { "htm", "html" }, { "json", "jsonc" }, { "markdown", "md" }, { "svg", "xml" },
};

/* Around a name in a first line. */
static const struct
{
  const char *begin;
  const char *end;
} comments[] = {
  { "<!--", "-->" }, { "/*", "*/" }, { "//", "" }, { "#", "" }, { "--", "" },
};

/* These need no suffix. `word`: what stands behind the fence. */
static const struct
{
  const char *name;
  const char *word;
} whole_names[] = {
  { "Makefile", "makefile" },
  { "Makefile", "make" },
  { "Dockerfile", "dockerfile" },
};

/* A file name in a sentence has no others, so that a call or a pattern is none. */
#define NAME_CHARS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
#define NAME_MARKERS "#*:>- \t"

/* A longer line names no file. */
#define MAX_LINE 300

/* The words before a name in the first line. The first of them, which AutoGen asks models for, is
 * taken at its word, also if the name leads out of the workspace. */
static const char *const name_words[] = { "filename:", "file name:", "file:", "path:" };

/* "./a//b.py" is "a/b.py". */
static char *
simplify_path (const char *path)
{
  g_auto (GStrv) parts = NULL;
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  if (*path == '/')
    return g_strdup (path);
  parts = g_strsplit (path, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*parts[i] != '\0' && !g_str_equal (parts[i], "."))
        g_ptr_array_add (kept, parts[i]);
    }
  g_ptr_array_add (kept, NULL);
  return g_strjoinv ("/", (char **) kept->pdata);
}

/* Takes the marks of lists, headings and bold text from both ends. */
char *
fh_answer_names_strip (char *text)
{
  gsize size;

  text += strspn (text, NAME_MARKERS);
  for (size = strlen (text); size > 0 && strchr (NAME_MARKERS, text[size - 1]) != NULL; size--)
    text[size - 1] = '\0';
  return text;
}

const char *
fh_answer_names_find_suffix (const FhAnswerBlock *block)
{
  const char *word = block->word;

  if (block->is_guess)
    word = block->language != NULL ? block->language->id : "text";
  for (guint i = 0; i < G_N_ELEMENTS (saved); i++)
    {
      g_auto (GStrv) words = g_strsplit (saved[i].words, " ", -1);

      if (g_strv_contains ((const char *const *) words, word))
        return saved[i].suffix;
    }
  return NULL;
}

static gboolean
is_whole_name (const FhAnswerBlock *block, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (whole_names); i++)
    {
      if (g_str_equal (whole_names[i].name, name) && g_str_equal (whole_names[i].word, block->word))
        return TRUE;
    }
  return FALSE;
}

static gboolean
are_same (const char *suffix, const char *usual)
{
  for (guint i = 0; i < G_N_ELEMENTS (same_suffixes); i++)
    {
      if ((g_str_equal (suffix, same_suffixes[i].one) &&
           g_str_equal (usual, same_suffixes[i].other)) ||
          (g_str_equal (suffix, same_suffixes[i].other) &&
           g_str_equal (usual, same_suffixes[i].one)))
        return TRUE;
    }
  return g_str_equal (suffix, usual);
}

gboolean
fh_answer_names_fits (const FhAnswerBlock *block, const char *name)
{
  const char *suffix = strrchr (name, '.');
  const char *usual = fh_answer_names_find_suffix (block);

  if (is_whole_name (block, name))
    return TRUE;
  if (suffix == NULL || suffix == name || suffix[1] == '\0' || !fh_run_file_path_is_safe (name) ||
      name[strspn (name, NAME_CHARS)] != '\0')
    return FALSE;
  if (block->language != NULL &&
      (g_strv_contains (block->language->suffixes, suffix) ||
       (g_str_equal (block->language->id, "bash") && g_str_equal (suffix, ".sh"))))
    return TRUE;
  /* Text below "Output of app.py:" must not be saved over the program. */
  if (*block->word == '\0')
    return usual != NULL && fh_language_guess (name, NULL) == NULL;
  return usual != NULL && (are_same (suffix + 1, usual) || g_str_equal (suffix + 1, block->word));
}

/* Returns the name, if it fits. */
static char *
dup_fitting (const FhAnswerBlock *block, const char *name)
{
  g_autofree char *path = simplify_path (name);

  return fh_answer_names_fits (block, path) ? g_steal_pointer (&path) : NULL;
}

/* Returns what the comment in the first line says, behind a line for the interpreter. NULL if it is
 * no comment. */
static char *
dup_comment (const char *code)
{
  g_autofree char *line = NULL;

  if (g_str_has_prefix (code, "#!") && strchr (code, '\n') != NULL)
    code = strchr (code, '\n') + 1;
  line = g_strstrip (g_strndup (code, MIN (strcspn (code, "\n"), MAX_LINE)));
  for (guint i = 0; i < G_N_ELEMENTS (comments); i++)
    {
      if (!g_str_has_prefix (line, comments[i].begin) || !g_str_has_suffix (line, comments[i].end))
        continue;
      line[strlen (line) - strlen (comments[i].end)] = '\0';
      return g_strdup (g_strstrip (line + MIN (strlen (comments[i].begin), strlen (line))));
    }
  return NULL;
}

/* The name that a first line gives to the block with a word, so that an ordinary comment is not
 * taken for a name. NULL if it gives none. */
static char *
dup_name_in_comment (const FhAnswerBlock *block)
{
  g_autofree char *comment = dup_comment (block->code);

  for (guint i = 0; comment != NULL && i < G_N_ELEMENTS (name_words); i++)
    {
      const gsize size = strlen (name_words[i]);

      if (g_ascii_strncasecmp (comment, name_words[i], size) != 0)
        continue;
      if (i == 0)
        return simplify_path (g_strstrip (comment + size));
      return dup_fitting (block, g_strstrip (comment + size));
    }
  return NULL;
}

char *
fh_answer_names_dup_candidate (const FhAnswerBlock *block)
{
  g_autofree char *comment = dup_comment (block->code);

  return comment != NULL ? dup_fitting (block, comment) : NULL;
}

/* The name that stands behind the fence: "python title="a.py"", "python:a/b.py", "js [a.js]". NULL
 * if there is none. */
static char *
dup_name_in_info (const FhAnswerBlock *block)
{
  static const char *const patterns[] = {
    "\\b(?:title|filename|file|name|path)\\s*[=:]\\s*[\"']?([^\"'\\s}]+)",
    "^\\{?\\.?[\\w+#-]+:(?://)?([^\\s:]+)$",
    "^\\{?\\.?[\\w+#-]+\\s+[(\\[]?(?://|#)?\\s*([\\w./-]+)[)\\]]?$",
    "^([\\w./-]+)$",
  };

  for (guint i = 0; block->info != NULL && i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GRegex) regex = g_regex_new (patterns[i], G_REGEX_RAW, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;
      g_autofree char *name = NULL;
      char *path;

      if (!g_regex_match (regex, block->info, 0, &match))
        continue;
      name = g_match_info_fetch (match, 1);
      path = dup_fitting (block, name);
      if (path != NULL)
        return path;
    }
  return NULL;
}

/* Whether a title has nothing before the name, or only what a file is called. */
static gboolean
is_file_word (const char *text)
{
  static const char *const words[] = { "", "file", "filename", "file name", "datei", NULL };
  g_autofree char *lower = g_ascii_strdown (text, -1);

  return g_strv_contains (words, lower);
}

/* Whether the line is about what follows it: a heading, in bold, or with a colon at its end. */
static gboolean
is_title (const char *line)
{
  return *line == '#' || g_str_has_suffix (line, ":") || g_str_has_suffix (line, ":**") ||
         (g_str_has_prefix (line, "**") && g_str_has_suffix (line, "**"));
}

/* Returns the only word of the line that fits: "Save this as app.py:". NULL if there is none, or
 * another one. (transfer full) */
static char *
dup_only_name (const FhAnswerBlock *block, const char *line)
{
  g_auto (GStrv) words = g_strsplit_set (line, " \t()\"'", -1);
  g_autofree char *found = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *name = dup_fitting (block, fh_answer_names_strip (words[i]));

      if (name != NULL && found != NULL)
        return NULL;
      if (name != NULL)
        found = g_steal_pointer (&name);
    }
  return g_steal_pointer (&found);
}

/* The name that the line above gives to the block: "Create `index.html`:", "**a/b.py**" and
 * "### `a.css`". "Then run `app.py`:" above a shell command does not name it. NULL if it gives
 * none. */
static char *
dup_name_above (const FhAnswerBlock *block)
{
  g_autofree char *line = g_strstrip (g_strdup (block->above != NULL ? block->above : ""));
  const gboolean titled = is_title (line);
  g_auto (GStrv) parts = g_strsplit (line, "`", -1);

  if (strlen (line) > MAX_LINE)
    return NULL;
  if (g_strv_length (parts) == 3)
    return titled || (is_file_word (fh_answer_names_strip (parts[0])) &&
                      *fh_answer_names_strip (parts[2]) == '\0')
               ? dup_fitting (block, parts[1])
               : NULL;
  return titled ? dup_only_name (block, line) : dup_fitting (block, fh_answer_names_strip (line));
}

void
fh_answer_names_set (FhAnswerBlock *block)
{
  g_return_if_fail (block != NULL);

  g_free (block->file_name);
  block->file_name = dup_name_in_comment (block);
  if (block->file_name == NULL)
    block->file_name = dup_name_in_info (block);
  if (block->file_name == NULL)
    block->file_name = dup_name_above (block);
  /* A block that is only saved may have the name in its own comment, as no code of it runs. */
  if (block->file_name == NULL && fh_answer_names_find_suffix (block) != NULL)
    block->file_name = fh_answer_names_dup_candidate (block);
}
