/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-result.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "missing-package.h"
#include "output-cut.h"

/* The beginning of what a program wrote is searched for the words of its shell. */
#define MAX_SEARCHED 4096

/* Everything about one end. The sentence is made here, so that it is the same everywhere. */
struct _FhRunResult
{
  GObject parent_instance;
  FhRunOutcome outcome; /* its strings are the three below */
  char *step;
  char *message;
  char *value;
  char *sentence;
  FhOutputLog *output;
  FhAttemptLog *attempts;
  FhResultFiles *files;
  FhFolderChanges *changes; /* nullable */
  GPtrArray *blocks;        /* nullable */
  GPtrArray *guards;
  GDateTime *started_at;
  char *backend;
  char *tier;
};

G_DEFINE_FINAL_TYPE (FhRunResult, fh_run_result, G_TYPE_OBJECT)

static void
fh_run_result_finalize (GObject *object)
{
  FhRunResult *self = FH_RUN_RESULT (object);

  g_clear_object (&self->output);
  g_clear_object (&self->attempts);
  g_clear_object (&self->files);
  g_clear_object (&self->changes);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_pointer (&self->guards, g_ptr_array_unref);
  g_clear_pointer (&self->started_at, g_date_time_unref);
  g_free (self->step);
  g_free (self->message);
  g_free (self->value);
  g_free (self->sentence);
  g_free (self->backend);
  g_free (self->tier);
  G_OBJECT_CLASS (fh_run_result_parent_class)->finalize (object);
}

static void
fh_run_result_class_init (FhRunResultClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_run_result_finalize;
}

static void
fh_run_result_init (FhRunResult *self)
{
}

/* At most so many bytes of a cell's value are kept. */
#define MAX_VALUE 8192

/* NULL and the empty string are the same: nothing to say. */
static char *
dup_words (const char *text)
{
  return text != NULL && text[0] != '\0' ? g_utf8_make_valid (text, -1) : NULL;
}

static char *
dup_value (const char *text)
{
  g_autofree char *valid = dup_words (text);

  return valid == NULL || g_utf8_strlen (valid, -1) <= MAX_VALUE
             ? g_steal_pointer (&valid)
             : g_utf8_substring (valid, 0, MAX_VALUE);
}

static void
copy_lists (FhRunResult *self, const FhRunResultParts *parts)
{
  fh_output_log_freeze (parts->output);
  self->output = g_object_ref (parts->output);
  self->attempts = parts->attempts != NULL ? g_object_ref (parts->attempts) : fh_attempt_log_new ();
  fh_attempt_log_freeze (self->attempts);
  self->files = parts->files != NULL ? g_object_ref (parts->files) : fh_result_files_new ();
  if (parts->changes != NULL)
    self->changes = fh_folder_changes_with_files (parts->changes, self->files);
  self->blocks = parts->blocks != NULL ? g_ptr_array_ref (parts->blocks) : NULL;
  self->guards = parts->guards != NULL ? g_ptr_array_ref (parts->guards)
                                       : g_ptr_array_new_with_free_func (g_object_unref);
}

FhRunResult *
fh_run_result_new (const FhRunResultParts *parts)
{
  FhRunResult *self;

  g_return_val_if_fail (parts != NULL && parts->outcome != NULL, NULL);
  g_return_val_if_fail (FH_IS_OUTPUT_LOG (parts->output), NULL);
  g_return_val_if_fail (parts->started_at != NULL, NULL);
  g_return_val_if_fail (parts->backend != NULL, NULL);

  self = g_object_new (FH_TYPE_RUN_RESULT, NULL);
  self->step = dup_words (parts->outcome->step);
  self->message = dup_words (parts->outcome->message);
  self->value = dup_value (parts->outcome->value);
  self->outcome = *parts->outcome;
  self->outcome.step = self->step;
  self->outcome.message = self->message;
  self->outcome.value = self->value;
  self->sentence = fh_run_outcome_sentence (&self->outcome);
  copy_lists (self, parts);
  self->started_at = g_date_time_to_utc (parts->started_at);
  self->backend = g_strdup (parts->backend);
  self->tier = g_strdup (parts->tier != NULL ? parts->tier : "");
  return self;
}

FhRunResultParts
fh_run_result_get_parts (FhRunResult *self)
{
  const FhRunResultParts none = { 0 };

  g_return_val_if_fail (FH_IS_RUN_RESULT (self), none);

  return (FhRunResultParts){
    .outcome = &self->outcome,
    .output = self->output,
    .attempts = self->attempts,
    .files = self->files,
    .changes = self->changes,
    .blocks = self->blocks,
    .guards = self->guards,
    .started_at = self->started_at,
    .backend = self->backend,
    .tier = self->tier,
  };
}

const FhRunOutcome *
fh_run_result_get_outcome (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return &self->outcome;
}

FhRunStatus
fh_run_result_get_status (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), FH_RUN_STATUS_INTERNAL_ERROR);

  return self->outcome.status;
}

FhOutputLog *
fh_run_result_get_output (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->output;
}

FhAttemptLog *
fh_run_result_get_attempts (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->attempts;
}

FhResultFiles *
fh_run_result_get_files (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->files;
}

FhFolderChanges *
fh_run_result_get_changes (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->changes;
}

GPtrArray *
fh_run_result_get_blocks (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->blocks;
}

GPtrArray *
fh_run_result_get_guards (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->guards;
}

GDateTime *
fh_run_result_get_started_at (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->started_at;
}

const char *
fh_run_result_get_backend (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->backend;
}

const char *
fh_run_result_get_tier (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->tier;
}

const char *
fh_run_result_get_sentence (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return self->sentence;
}

/* Python's own words for an input that has ended. NULL if that is not why the run failed. */
static char *
dup_input_advice (FhRunResult *self)
{
  g_autofree char *last = NULL;

  if (self->outcome.status != FH_RUN_STATUS_FAILED)
    return NULL;
  last = fh_output_log_dup_error (self->output, FH_STREAM_STDERR, 100);
  if (!g_str_has_prefix (last, "EOFError: EOF when reading a line"))
    return NULL;
  return g_strdup (
      _ ("It waited for more input than it was given. Type it under the output while "
         "it runs, or write it under Standard Input in the run options; on the command "
         "line, use a pipe or --stdin."));
}

/* How bash writes a command whose last character is a carriage return: $'done\r'. NULL if that is
 * not why the run failed. The pattern is bounded, as the text is the program's. */
static char *
dup_line_end_advice (FhRunResult *self)
{
  g_autofree char *text = NULL;

  if (self->outcome.status != FH_RUN_STATUS_FAILED)
    return NULL;
  text = fh_output_log_dup_text (self->output, FH_STREAM_STDERR);
  text[MIN (strlen (text), MAX_SEARCHED)] = '\0';
  if (!g_regex_match_simple (": line [0-9]+: .{0,99}\\$'[^'\n]{0,99}\\\\r'", text, G_REGEX_RAW, 0))
    return NULL;
  return g_strdup (
      _ ("The lines seem to end as on Windows, and the shell takes the carriage return "
         "for a part of each command. Convert them, for example with “dos2unix”."));
}

/* Explains a command of IPython, which Python cannot read: "!pip install x", "%matplotlib inline",
 * "x?", "files = !ls".
 * NULL if that is not why the program failed. */
static char *
dup_notebook_advice (FhRunResult *self)
{
  g_autofree char *text = NULL;

  if (self->outcome.status != FH_RUN_STATUS_FAILED)
    return NULL;
  text = fh_output_log_dup_text (self->output, FH_STREAM_STDERR);
  text[MIN (strlen (text), MAX_SEARCHED)] = '\0';
  if (!g_regex_match_simple (
          "^  File \"[^\"\n]*\", line [0-9]+\n"
          "    (?:(?:[\\w, .]+= *)?(?:!|%%?[a-z])[^\n]*|\\?{0,2}[\\w.]+\\?{1,2})\n"
          "[ ^]*\nSyntaxError: ",
          text,
          G_REGEX_RAW,
          0))
    return NULL;
  return g_strdup (
      _ ("A line with “!”, “%” or “?” like this one is a command of notebooks such as Jupyter, "
         "which Python does not know. Remove it, or switch on “Notebook Lines” in the "
         "options (--notebook): then it is run as notebooks do."));
}

char *
fh_run_result_dup_advice (FhRunResult *self)
{
  char *advice;

  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  if (g_strcmp0 (self->outcome.step, FH_RUN_STEP_APPROVAL) == 0)
    return NULL;
  advice = fh_run_outcome_advice (&self->outcome);
  if (advice == NULL)
    advice = dup_input_advice (self);
  if (advice == NULL)
    advice = dup_line_end_advice (self);
  if (advice == NULL)
    advice = dup_notebook_advice (self);
  return advice != NULL ? advice : fh_missing_package_advice (self);
}
