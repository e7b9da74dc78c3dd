/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-sample.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "answer.h"
#include "json-member.h"
#include "markdown-blocks.h"
#include "run-error.h"
#include "word-list.h"

#define MAX_ARGUMENTS 10000

/* In bytes: they are sent at once to where they run apart from their program. */
#define MAX_TESTS ((gsize) 1 << 20)

void
fh_batch_sample_free (FhBatchSample *sample)
{
  g_free (sample->id);
  g_free (sample->task_id);
  g_clear_object (&sample->request);
  g_clear_pointer (&sample->expected, g_bytes_unref);
  g_free (sample->marker);
  g_free (sample->fault);
  g_free (sample->program);
  g_clear_pointer (&sample->test, json_object_unref);
  g_free (sample->shared);
  g_clear_pointer (&sample->doubts, g_ptr_array_unref);
  g_free (sample);
}

void
fh_batch_sample_add_doubts (FhBatchSample *sample, const char *const *doubts)
{
  if (sample->doubts == NULL)
    sample->doubts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; doubts[i] != NULL; i++)
    {
      if (!g_ptr_array_find_with_equal_func (sample->doubts, doubts[i], g_str_equal, NULL))
        g_ptr_array_add (sample->doubts, g_strdup (doubts[i]));
    }
}

/* A program that shares an interpreter with its tests can end before them, write what proves that
 * they were reached, change them, or answer with what equals everything. */
static const char *const doubtful[] = {
  "__eq__",     "__ne__",      "__class__",     "__instancecheck__",
  "__code__",   "__globals__", "__builtins__",  "__getattribute__",
  "__file__",   "_exit",       "_getframe",     "_current_frames",
  "co_consts",  "f_back",      "f_globals",     "f_locals",
  "f_lineno",   "tb_frame",    "settrace",      "setprofile",
  "excepthook", "get_objects", "get_referrers", "modules",
  "meta_path",  "exec",        "eval",          "compile",
  "globals",    "setattr",     "builtins",      "ctypes",
  "inspect",    "atexit",      "linecache",     "importlib",
  "kill",       "abort",       "execv",         "execve",
  "exit",       "quit",        "SystemExit",    "AssertionError",
  NULL,
};

/* As words, wherever they stand. */
static void
find_doubtful (FhBatchSample *sample)
{
  g_auto (GStrv) words = g_regex_split_simple ("\\W+", sample->program, G_REGEX_RAW, 0);

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *const found[] = { words[i], NULL };

      if (g_strv_contains (doubtful, words[i]))
        fh_batch_sample_add_doubts (sample, found);
    }
}

void
fh_batch_sample_share (FhBatchSample *sample, const char *why)
{
  g_free (sample->shared);
  sample->shared = g_strdup (why);
  /* An attempt before this one may have been judged apart. */
  sample->tests = FH_BATCH_TESTS_TOGETHER;
  find_doubtful (sample);
}

static gboolean
has (JsonObject *object, const char *name)
{
  return json_object_has_member (object, name) && !json_object_get_null_member (object, name);
}

/* A number as it would be typed after the flag of the option, or a text that would be. A sample may
 * be by a stranger, who must not have more than the user allows. */
static gboolean
read_limit (JsonObject *object,
            const char *name,
            const char *key,
            FhRunOptions *options,
            GError **error)
{
  const FhRunOption *option = fh_run_option_find (key);
  const guint64 allowed = fh_run_option_get_number (option, options);
  JsonNode *node = json_object_get_member (object, name);
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : 0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *text = number;
  guint64 wanted;

  if (type == G_TYPE_STRING)
    text = json_node_get_string (node);
  else if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    g_ascii_formatd (number, sizeof number, "%.3f", json_node_get_double (node));
  else
    return fh_json_refuse_member (name, error);
  if (!fh_run_option_parse (option, options, text, error))
    {
      g_prefix_error (error, "“%s”: ", name);
      return FALSE;
    }
  wanted = fh_run_option_get_number (option, options);
  if (allowed == 0 || (wanted != 0 && wanted <= allowed))
    return TRUE;
  return fh_run_error_refuse (error,
                              /* Translators: “timeout”, then --timeout */
                              _ ("“%s” is more than is allowed here. Allow it by --%s."),
                              name,
                              option->flag);
}

/* TRUE if the line goes on with its prompt, or is one of a program itself. One space is what some
 * models put before their first word. Plain code, because a regular expression allocates much. */
static gboolean
is_code (const char *line)
{
  static const char *const words[] = { "async def", "class", "def", "from", "import" };

  if (g_str_has_prefix (line, "  ") || *line == '\t')
    return TRUE;
  if (*line == ' ')
    line++;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const gsize length = strlen (words[i]);

      if (strncmp (line, words[i], length) == 0 && !g_ascii_isalnum (line[length]) &&
          line[length] != '_')
        return TRUE;
    }
  return *line == '@';
}

#define MARKS "^ {0,3}(?:```|~~~)|<\\|[A-Za-z_]+\\|>"
static const char *const tokens[] = { "</s>", "<eos>", "<end_of_turn>", "[/INST]" };

/* Whether it begins as code does. A fence may be indented. */
static gboolean
begins_as_code (const char *completion)
{
  const char *line = completion;

  for (const char *at = completion; g_ascii_isspace (*at); at++)
    {
      if (*at == '\n')
        line = at + 1;
    }
  if (g_str_has_prefix (line + strspn (line, " "), "```"))
    return FALSE;
  return is_code (line);
}

static gboolean
is_python (const FhAnswerBlock *block)
{
  const FhLanguage *language = fh_language_lookup (block->word);

  return language != NULL && g_str_equal (language->id, "python");
}

char *
fh_batch_completion_unwrap (const char *completion)
{
  g_autoptr (GPtrArray) answer = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  FhAnswerBlock *found = NULL;

  if (!begins_as_code (completion))
    answer = fh_answer_parse (NULL, completion, FALSE);
  if (answer == NULL)
    return NULL;
  blocks = fh_markdown_blocks_find (completion);
  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];

      /* One that is not closed was cut off, or is the end of one that was opened in the prompt. */
      if (block->is_open || (*block->word != '\0' && !is_python (block)))
        continue;
      if (found == NULL || (*found->word == '\0' && *block->word != '\0'))
        found = block;
    }
  return found != NULL ? g_steal_pointer (&found->code) : NULL;
}

gboolean
fh_batch_completion_has_marks (const char *completion)
{
  static GRegex *marks;

  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    {
      if (strstr (completion, tokens[i]) != NULL)
        return TRUE;
    }
  /* Most have nothing for which the slower search is needed. */
  return (strstr (completion, "```") != NULL || strstr (completion, "~~~") != NULL ||
          strstr (completion, "<|") != NULL) &&
         g_regex_match (fh_regex_once (&marks, MARKS, G_REGEX_MULTILINE), completion, 0, NULL);
}

static char *
complete (const FhBatchProblems *problems, FhBatchSample *sample, const char *completion)
{
  g_autofree char *block = fh_batch_completion_unwrap (completion);
  FhBatchParts parts;

  sample->is_markdown = block != NULL;
  sample->has_marks = block == NULL && fh_batch_completion_has_marks (completion);
  if (!fh_batch_problems_complete (problems,
                                   sample->task_id,
                                   block != NULL ? block : completion,
                                   &parts))
    return NULL;
  sample->marker = parts.marker;
  sample->program = parts.program;
  sample->test = parts.test;
  return parts.whole;
}

/* Why its tests have to run in its own interpreter; NULL: they need not. */
static const char *
find_obstacle (const FhBatchSample *sample,
               JsonObject *object,
               const FhRunOptions *options,
               const FhLanguage *language)
{
  if (!g_str_equal (language->id, "python"))
    return "the program is not Python";
  if (has (object, "stdin"))
    return "the sample has a standard input";
  if (has (object, "files"))
    return "the sample has files";
  if (options->in_container)
    return "it runs in a container";
  if (fh_run_guards_ask_interpreter (&options->guards))
    return "the interpreter guard watches the program";
  if (strlen (json_object_get_string_member (sample->test, "tests")) > MAX_TESTS)
    return "the tests are longer than 1 MiB";
  return NULL;
}

/* `test` says whether it is tried to keep both apart. */
static void
choose_tests (FhBatchSample *sample,
              JsonObject *object,
              const FhRunOptions *options,
              const FhLanguage *language)
{
  const char *obstacle =
      sample->test != NULL ? find_obstacle (sample, object, options, language) : NULL;

  if (obstacle == NULL)
    return;
  fh_batch_sample_share (sample, obstacle);
  g_clear_pointer (&sample->test, json_object_unref);
}

static gboolean
read_source (JsonObject *object,
             const FhBatchProblems *problems,
             FhBatchSample *sample,
             GBytes **source,
             GError **error)
{
  const char *task_id = sample->task_id;
  const char *completion;
  char *program;

  if (has (object, "source"))
    return fh_json_bytes_from_node (json_object_get_member (object, "source"),
                                    "source",
                                    source,
                                    error);
  if (!fh_json_get_string (object, "completion", &completion, error))
    return FALSE;
  if (task_id == NULL)
    program = g_strdup (completion);
  else if (problems == NULL)
    return fh_run_error_refuse (
        error,
        _ ("This completes the problem “%s”: name the file of the problems by --problems."),
        task_id);
  else
    program = complete (problems, sample, completion);
  if (program == NULL)
    return fh_run_error_refuse (error, _ ("There is no problem “%s”."), task_id);
  *source = g_bytes_new_take (program, strlen (program));
  return TRUE;
}

static const FhLanguage *
read_language (JsonObject *object, GError **error)
{
  const FhLanguage *language;
  const char *name = "python";

  if (has (object, "language") && !fh_json_get_string (object, "language", &name, error))
    return NULL;
  language = fh_language_lookup (name);
  if (language == NULL)
    fh_run_error_refuse (error, _ ("There is no language “%s” here."), name);
  return language;
}

static gboolean
read_expected (JsonObject *object, GBytes **expected, GError **error)
{
  if (!has (object, "expected_stdout"))
    return TRUE;
  if (!fh_json_bytes_from_node (json_object_get_member (object, "expected_stdout"),
                                "expected_stdout",
                                expected,
                                error))
    return FALSE;
  return g_bytes_get_size (*expected) <= FH_BATCH_MAX_EXPECTED ||
         fh_run_error_refuse (error, "%s", _ ("“expected_stdout” is over 1 MiB."));
}

static FhRunRequest *
read_request (JsonObject *object,
              const FhBatchProblems *problems,
              const FhRunOptions *defaults,
              FhBatchSample *sample,
              GError **error)
{
  g_autoptr (FhRunOptions) options = fh_run_options_copy (defaults);
  g_autoptr (GBytes) source = NULL;
  g_autoptr (GBytes) standard_input = NULL;
  g_auto (GStrv) arguments = NULL;
  g_autoptr (GPtrArray) files = NULL;
  FhRunRequestInit init = { .title = sample->id, .options = options };

  init.language = read_language (object, error);
  if (init.language == NULL || !read_source (object, problems, sample, &source, error) ||
      (has (object, "stdin") && !fh_json_bytes_from_node (json_object_get_member (object, "stdin"),
                                                          "stdin",
                                                          &standard_input,
                                                          error)) ||
      (has (object, "arguments") &&
       !fh_json_get_strings (object, "arguments", MAX_ARGUMENTS, &arguments, error)) ||
      (has (object, "timeout") &&
       !read_limit (object, "timeout", "limits.wall_ms", options, error)) ||
      (has (object, "memory") &&
       !read_limit (object, "memory", "limits.memory_bytes", options, error)) ||
      (has (object, "files") &&
       !fh_run_files_from_json (json_object_get_member (object, "files"), &files, error)))
    return NULL;
  choose_tests (sample, object, options, init.language);
  init.source = source;
  init.standard_input = standard_input;
  init.arguments = (const char *const *) arguments;
  init.files = files;
  return fh_run_request_new (&init, error);
}

/* FALSE with a sentence. */
static gboolean
read_names (FhBatchSample *sample, JsonObject *object, const char *fallback_id, GError **error)
{
  if (!fh_batch_get_name (object, "id", &sample->id, error) ||
      !fh_batch_get_name (object, "task_id", &sample->task_id, error))
    return FALSE;
  if (sample->id == NULL)
    sample->id = g_strdup (fallback_id);
  return TRUE;
}

/* The sample with a request that has nothing but a source. NULL with a sentence. */
static FhBatchSample *
with_source (FhBatchSample *sample,
             const FhLanguage *language,
             GBytes *source,
             const FhRunOptions *options,
             GError **error)
{
  sample->request = fh_run_request_new (&(FhRunRequestInit){ .language = language,
                                                             .source = source,
                                                             .title = sample->id,
                                                             .options = options },
                                        error);
  if (sample->request != NULL)
    return sample;
  fh_batch_sample_free (sample);
  return NULL;
}

FhBatchSample *
fh_batch_sample_from_json (JsonObject *object,
                           const FhBatchProblems *problems,
                           const FhRunOptions *options,
                           const char *fallback_id,
                           GError **error)
{
  g_autoptr (FhBatchSample) sample = g_new0 (FhBatchSample, 1);

  if (!read_names (sample, object, fallback_id, error) ||
      !read_expected (object, &sample->expected, error))
    return NULL;
  sample->request = read_request (object, problems, options, sample, error);
  return sample->request != NULL ? g_steal_pointer (&sample) : NULL;
}

FhBatchSample *
fh_batch_sample_new_bad (JsonObject *rest,
                         const char *line,
                         gsize size,
                         const FhRunOptions *options,
                         const char *fallback_id,
                         const char *fault,
                         GError **error)
{
  g_autoptr (FhBatchSample) sample = g_new0 (FhBatchSample, 1);
  g_autoptr (GBytes) source = g_bytes_new (line, MIN (size, FH_RUN_REQUEST_MAX_SOURCE));

  if (!read_names (sample, rest, fallback_id, error))
    return NULL;
  sample->fault = g_strdup (fault);
  return with_source (g_steal_pointer (&sample),
                      fh_language_lookup ("python"),
                      source,
                      options,
                      error);
}

FhBatchSample *
fh_batch_sample_from_file (const char *path,
                           const FhLanguage *language,
                           const FhRunOptions *options,
                           GError **error)
{
  g_autoptr (FhBatchSample) sample = g_new0 (FhBatchSample, 1);
  g_autoptr (GBytes) source = NULL;
  g_autofree char *content = NULL;
  gsize size;
  GStatBuf info;

  if (g_stat (path, &info) == 0 && (gsize) info.st_size > FH_RUN_REQUEST_MAX_SOURCE)
    {
      fh_run_error_refuse (error, _ ("“%s” is too large."), path);
      return NULL;
    }
  if (!g_file_get_contents (path, &content, &size, error))
    return NULL;
  sample->id = g_filename_display_name (path);
  source = g_bytes_new_take (g_steal_pointer (&content), size);
  return with_source (g_steal_pointer (&sample), language, source, options, error);
}

char *
fh_batch_sample_dup_hash (const FhBatchSample *sample)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize size;
  const guchar *data = g_bytes_get_data (fh_run_request_get_text (sample->request), &size);

  g_checksum_update (sum, data, (gssize) size);
  if (sample->expected != NULL)
    {
      data = g_bytes_get_data (sample->expected, &size);
      /* A text of JSON holds no NUL. */
      g_checksum_update (sum, (const guchar *) "", 1);
      if (size > 0)
        g_checksum_update (sum, data, (gssize) size);
    }
  return g_strdup (g_checksum_get_string (sum));
}

/* FNV-1a; its low bits alone would follow those of the last characters. */
guint
fh_batch_sample_shard (const FhBatchSample *sample, guint count)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  g_return_val_if_fail (count > 0, 1);

  for (const char *p = sample->id; *p != '\0'; p++)
    hash = (hash ^ (guchar) *p) * G_GUINT64_CONSTANT (0x100000001b3);
  hash ^= hash >> 32;
  return (guint) (hash % count) + 1;
}
