/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-result.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-member.h"
#include "json-record.h"
#include "missing-package.h"
#include "output-cut.h"
#include "readable-text.h"

/* The beginning of what a program wrote is searched for the words of its shell. */
#define MAX_SEARCHED 4096

/* Everything about one end. The sentence is made here, so that it is the same everywhere. */
struct _FhRunResult
{
  GObject parent_instance;
  FhRunOutcome outcome;   /* its strings are owned */
  FhRunResultParts parts; /* likewise, and everything else in it */
};

G_DEFINE_FINAL_TYPE (FhRunResult, fh_run_result, G_TYPE_OBJECT)

static void
fh_run_result_finalize (GObject *object)
{
  FhRunResult *self = FH_RUN_RESULT (object);
  FhRunResultParts *parts = &self->parts;

  g_clear_object (&parts->output);
  g_clear_object (&parts->attempts);
  g_clear_object (&parts->files);
  g_clear_object (&parts->changes);
  g_clear_pointer (&parts->blocks, g_ptr_array_unref);
  g_clear_pointer (&parts->guards, g_ptr_array_unref);
  g_clear_pointer (&parts->started_at, g_date_time_unref);
  g_free ((char *) self->outcome.step);
  g_free ((char *) self->outcome.message);
  g_free ((char *) self->outcome.value);
  g_free ((char *) parts->sentence);
  g_free ((char *) parts->backend);
  g_free ((char *) parts->tier);
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
copy_lists (FhRunResultParts *to, const FhRunResultParts *from)
{
  fh_output_log_freeze (from->output);
  to->output = g_object_ref (from->output);
  to->attempts = from->attempts != NULL ? g_object_ref (from->attempts) : fh_attempt_log_new ();
  fh_attempt_log_freeze (to->attempts);
  to->files = from->files != NULL ? g_object_ref (from->files) : fh_result_files_new ();
  if (from->changes != NULL)
    to->changes = fh_folder_changes_with_files (from->changes, to->files);
  to->blocks = from->blocks != NULL ? g_ptr_array_ref (from->blocks) : NULL;
  to->guards = from->guards != NULL ? g_ptr_array_ref (from->guards)
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
  self->outcome = *parts->outcome;
  self->outcome.step = dup_words (parts->outcome->step);
  self->outcome.message = dup_words (parts->outcome->message);
  self->outcome.value = dup_value (parts->outcome->value);
  copy_lists (&self->parts, parts);
  self->parts.outcome = &self->outcome;
  self->parts.sentence = fh_run_outcome_sentence (&self->outcome);
  self->parts.started_at = g_date_time_to_utc (parts->started_at);
  self->parts.backend = g_strdup (parts->backend);
  self->parts.tier = g_strdup (parts->tier != NULL ? parts->tier : "");
  return self;
}

const FhRunResultParts *
fh_run_result_get_parts (FhRunResult *self)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  return &self->parts;
}

/* What helps a failed program is also told by what it wrote to stderr. The patterns are bounded, as
 * the text is the program's. */
static const struct
{
  const char *pattern;
  const char *advice;
} words[] = {
  /* How bash writes a command whose last character is a carriage return: $'done\r'. */
  { ": line [0-9]+: .{0,99}\\$'[^'\n]{0,99}\\\\r'",
    N_ ("The lines seem to end as on Windows, and the shell takes the carriage return "
        "for a part of each command. Convert them, for example with “dos2unix”.") },
  /* A command of IPython, which Python cannot read: "!pip install x", "%matplotlib inline", "x?",
   * "files = !ls". */
  { "^  File \"[^\"\n]*\", line [0-9]+\n"
    "    (?:(?:[\\w, .]+= *)?(?:!|%%?[a-z])[^\n]*|\\?{0,2}[\\w.]+\\?{1,2})\n"
    "[ ^]*\nSyntaxError: ",
    N_ ("A line with “!”, “%” or “?” like this one is a command of notebooks such as Jupyter, "
        "which Python does not know. Remove it, or switch on “Notebook Lines” in the "
        "options (--notebook): then it is run as notebooks do.") },
};

/* NULL: none. */
static const char *
find_advice_in_words (FhRunResult *self)
{
  g_autofree char *last = fh_output_log_dup_error (self->parts.output, FH_STREAM_STDERR, 100);
  g_autofree char *text = fh_output_log_dup_text (self->parts.output, FH_STREAM_STDERR);

  /* Python's own words for an input that has ended. */
  if (g_str_has_prefix (last, "EOFError: EOF when reading a line"))
    return _ ("It waited for more input than it was given. Type it under the output while "
              "it runs, or write it under Standard Input in the run options; on the command "
              "line, use a pipe or --stdin.");
  text[MIN (strlen (text), MAX_SEARCHED)] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_regex_match_simple (words[i].pattern, text, G_REGEX_RAW, 0))
        return _ (words[i].advice);
    }
  return NULL;
}

char *
fh_run_result_dup_advice (FhRunResult *self)
{
  char *advice;

  g_return_val_if_fail (FH_IS_RUN_RESULT (self), NULL);

  if (g_strcmp0 (self->outcome.step, FH_RUN_STEP_APPROVAL) == 0)
    return NULL;
  advice = fh_run_outcome_advice (&self->outcome);
  if (advice == NULL && self->outcome.status == FH_RUN_STATUS_FAILED)
    advice = g_strdup (find_advice_in_words (self));
  return advice != NULL ? advice : fh_missing_package_advice (self);
}

#define VERSION 1

/* Characters of the line that a failed program wrote last. */
#define MAX_ERROR 500

/* As many folders can be bound: FH_POLICY_MAX_BINDS. */
#define MAX_SHOWN 64

/* A result without its lists. Sentences, titles and members for scripts are generated from the
 * fields, and not read back, so that a modified text cannot contradict itself. */
typedef struct
{
  gboolean is_ok; /* from here on: members that scripts know from other systems */
  char *out;
  char *err;
  gboolean is_truncated;
  const char *error; /* why it failed */
  const char *error_from;
  gboolean is_timed_out;
  gboolean is_memory_exceeded;
  double seconds;
  FhRunOutcome outcome;
  const char *sentence;
  char *advice;
  const char *signal_name;
  char *started_at;
  const char *backend;
  const char *tier;
} Record;

#define MEMBER(name, kind, member) FH_JSON_MEMBER (Record, name, kind, member)
#define SHOWN(name, kind, member)  MEMBER (name, kind, member), .flags = FH_JSON_WRITTEN
#define SHOWN_OR_NULL(name, member)                                                                \
  MEMBER (name, TEXT, member), .flags = FH_JSON_WRITTEN | FH_JSON_NULLABLE

/* Absent numbers are null, which cannot be mistaken for an exit code. */
static const FhJsonMember members[] = {
  { SHOWN ("success", BOOL, is_ok) },
  { SHOWN ("stdout", TEXT, out) },
  { SHOWN ("stderr", TEXT, err) },
  { SHOWN ("truncated", BOOL, is_truncated) },
  { SHOWN_OR_NULL ("error", error) },
  { SHOWN_OR_NULL ("error_from", error_from) },
  { SHOWN ("timeout", BOOL, is_timed_out) },
  { SHOWN ("memory_exceeded", BOOL, is_memory_exceeded) },
  { MEMBER ("exit_code", INT, outcome.exit_code), .flags = FH_JSON_NULLABLE, .none = -1 },
  { SHOWN ("execution_time", DOUBLE, seconds) },
  { MEMBER ("status", WORD, outcome.status), .words = fh_run_status_words },
  { MEMBER ("cause", WORD, outcome.cause), .words = fh_run_cause_words, .flags = FH_JSON_NULLABLE },
  { SHOWN ("sentence", TEXT, sentence) },
  { SHOWN_OR_NULL ("advice", advice) },
  { MEMBER ("signal", INT, outcome.signal), .flags = FH_JSON_NULLABLE, .none = -1 },
  { SHOWN_OR_NULL ("signal_name", signal_name) },
  { MEMBER ("wall_us", COUNT, outcome.wall_us) },
  { MEMBER ("waited_us", COUNT, outcome.waited_us), .flags = FH_JSON_SPARSE },
  { MEMBER ("cpu_user_us", COUNT, outcome.cpu_user_us) },
  { MEMBER ("cpu_system_us", COUNT, outcome.cpu_system_us) },
  { MEMBER ("memory_peak", COUNT, outcome.memory_peak) },
  { MEMBER ("processes_peak", COUNT, outcome.processes_peak) },
  { MEMBER ("processes_ended", COUNT, outcome.processes_ended), .flags = FH_JSON_NEW },
  { MEMBER ("limit_ms", COUNT, outcome.limit_ms) },
  { MEMBER ("limit_bytes", COUNT, outcome.limit_bytes) },
  { MEMBER ("step", TEXT, outcome.step), .flags = FH_JSON_NULLABLE },
  { MEMBER ("errno", INT, outcome.error), .flags = FH_JSON_NULLABLE },
  { MEMBER ("message", TEXT, outcome.message), .flags = FH_JSON_NULLABLE },
  { MEMBER ("block", COUNT, outcome.block), .flags = FH_JSON_SPARSE },
  { MEMBER ("blocks_left", COUNT, outcome.blocks_left), .flags = FH_JSON_WITH_LAST },
  { MEMBER ("value", TEXT, outcome.value), .flags = FH_JSON_SPARSE },
  { MEMBER ("started_at", TEXT, started_at) },
  { MEMBER ("backend", TEXT, backend) },
  { MEMBER ("tier", TEXT, tier) },
  { NULL },
};

static const FhJsonMember guard_members[] = {
  { FH_JSON_MEMBER (FhGuardFacts, "guard", WORD, guard), .words = fh_guard_words },
  { FH_JSON_MEMBER (FhGuardFacts, "level", WORD, level), .words = fh_guard_level_words },
  { FH_JSON_MEMBER (FhGuardFacts, "layers", TEXT, layers) },
  { FH_JSON_MEMBER (FhGuardFacts, "reason", TEXT, reason), .flags = FH_JSON_NULLABLE },
  { FH_JSON_MEMBER (FhGuardFacts, "shown", STRINGS, shown),
    .flags = FH_JSON_NEW,
    .maximum = MAX_SHOWN },
  { FH_JSON_MEMBER (FhGuardFacts, "sentence", TEXT, sentence), .flags = FH_JSON_WRITTEN },
  { NULL },
};

static JsonNode *
part_to_node (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  return fh_json_bytes_to_node (bytes);
}

/* Counters of one stream and, where its text is not exactly what was kept, the bytes. */
static JsonObject *
stream_to_json (FhOutputLog *output, FhStream stream)
{
  FhStreamView view = fh_output_log_view (output, stream);
  g_autoptr (GBytes) bytes = fh_output_log_dup_bytes (output, stream);
  JsonObject *object = json_object_new ();
  gconstpointer data;
  gsize size;

  json_object_set_int_member (object, "bytes", (gint64) fh_output_log_get_total (output, stream));
  json_object_set_int_member (object, "kept", (gint64) (view.head_size + view.tail_size));
  json_object_set_boolean_member (object, "truncated", view.skipped > 0);
  data = g_bytes_get_data (bytes, &size);
  if (view.skipped > 0 || !fh_valid_text_check (data, size))
    {
      json_object_set_member (object, "head", part_to_node (view.head, view.head_size));
      json_object_set_member (object, "tail", part_to_node (view.tail, view.tail_size));
    }
  return object;
}

static gpointer
ref_object (gpointer object, gpointer user_data)
{
  return object != NULL ? json_object_ref (object) : NULL;
}

/* The JSON is made once for a state, which runs of several threads may share. (transfer full) */
static JsonObject *
guard_to_json (FhGuardState *state)
{
  static const char key[] = "fh-json";
  JsonObject *object = g_object_dup_data (G_OBJECT (state), key, ref_object, NULL);

  if (object != NULL)
    return object;
  object = json_object_new ();
  fh_json_write_record (object, guard_members, fh_guard_state_get_facts (state));
  json_object_seal (object);
  g_object_set_data_full (G_OBJECT (state),
                          key,
                          json_object_ref (object),
                          (GDestroyNotify) json_object_unref);
  return object;
}

JsonArray *
fh_guard_states_to_json (GPtrArray *guards)
{
  JsonArray *array;

  g_return_val_if_fail (guards != NULL, NULL);

  array = json_array_new ();
  for (guint i = 0; i < guards->len; i++)
    json_array_add_object_element (array, guard_to_json (guards->pdata[i]));
  return array;
}

static void
write_members (JsonObject *object, FhRunResult *result, FhOutputLog *output)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  const gboolean is_ok = outcome->status == FH_RUN_STATUS_OK;
  g_autofree char *out = fh_output_log_dup_text (output, FH_STREAM_STDOUT);
  g_autofree char *err = fh_output_log_dup_text (output, FH_STREAM_STDERR);
  g_autofree char *advice = fh_run_result_dup_advice (result);
  g_autofree char *started_at =
      g_date_time_format_iso8601 (fh_run_result_get_parts (result)->started_at);
  g_autofree char *line = NULL;
  Record record = {
    .is_ok = is_ok,
    .out = out,
    .err = err,
    .is_truncated = fh_output_log_is_truncated (output),
    .error = is_ok ? NULL : fh_run_result_get_parts (result)->sentence,
    .error_from = is_ok ? NULL : "fumehood",
    .is_timed_out = outcome->status == FH_RUN_STATUS_TIMED_OUT,
    .is_memory_exceeded = outcome->status == FH_RUN_STATUS_MEMORY_EXCEEDED,
    .seconds = (double) outcome->wall_us / 1e6,
    .outcome = *outcome,
    .sentence = fh_run_result_get_parts (result)->sentence,
    .advice = advice,
    .signal_name = outcome->signal >= 0 ? fh_signal_name (outcome->signal) : NULL,
    .started_at = started_at,
    .backend = fh_run_result_get_parts (result)->backend,
    .tier = fh_run_result_get_parts (result)->tier,
  };

  /* What the program itself said last is told apart from our sentence, because a program can say
   * anything. */
  if (outcome->status == FH_RUN_STATUS_FAILED)
    line = fh_output_log_dup_error (fh_run_result_get_parts (result)->output,
                                    FH_STREAM_STDERR,
                                    MAX_ERROR);
  if (line != NULL && *line != '\0')
    {
      record.error = line;
      record.error_from = "program";
    }
  fh_json_write_record (object, members, &record);
}

JsonNode *
fh_run_result_to_json (FhRunResult *result, guint64 show_bytes)
{
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (FhOutputLog) output = NULL;
  JsonObject *streams;

  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  output = fh_output_log_cut (fh_run_result_get_parts (result)->output, show_bytes);
  object = json_object_new ();
  json_object_set_int_member (object, "version", VERSION);
  write_members (object, result, output);
  streams = json_object_new ();
  json_object_set_object_member (streams, "stdout", stream_to_json (output, FH_STREAM_STDOUT));
  json_object_set_object_member (streams, "stderr", stream_to_json (output, FH_STREAM_STDERR));
  json_object_set_object_member (object, "streams", streams);
  json_object_set_array_member (object,
                                "guards",
                                fh_guard_states_to_json (fh_run_result_get_parts (result)->guards));
  fh_attempts_add_to_json (fh_run_result_get_parts (result)->attempts, object);
  fh_result_files_add_to_json (fh_run_result_get_parts (result)->files, object);
  if (fh_run_result_get_parts (result)->changes != NULL)
    fh_folder_changes_add_to_json (fh_run_result_get_parts (result)->changes, object);
  return json_node_init_object (json_node_alloc (), object);
}

/* The text in the member with the stream's name, unless both ends are stored separately. */
static gboolean
get_ends (JsonObject *object,
          const char *name,
          JsonObject *counters,
          GBytes **head,
          GBytes **tail,
          GError **error)
{
  const char *text;

  if (json_object_has_member (counters, "head"))
    return fh_json_bytes_from_node (json_object_get_member (counters, "head"),
                                    "head",
                                    head,
                                    error) &&
           fh_json_bytes_from_node (json_object_get_member (counters, "tail"), "tail", tail, error);
  if (!fh_json_get_string (object, name, &text, error))
    return FALSE;
  *head = g_bytes_new (text, strlen (text));
  *tail = g_bytes_new (NULL, 0);
  return TRUE;
}

static gboolean
get_stream (JsonObject *object,
            JsonObject *streams,
            const char *name,
            FhOutputLog *output,
            FhStream stream,
            GError **error)
{
  JsonObject *counters = fh_json_get_object (streams, name, error);
  g_autoptr (GBytes) head = NULL;
  g_autoptr (GBytes) tail = NULL;
  guint64 total;

  if (counters == NULL || !fh_json_get_number (counters, "bytes", G_MAXINT64, &total, error) ||
      !get_ends (object, name, counters, &head, &tail, error))
    return FALSE;
  if (head == NULL || tail == NULL ||
      !fh_output_log_restore_stream (output, stream, head, tail, total))
    return fh_json_refuse_member (name, error);
  return TRUE;
}

static gboolean
get_output (JsonObject *object, FhOutputLog *output, GError **error)
{
  JsonObject *streams = fh_json_get_object (object, "streams", error);

  return streams != NULL &&
         get_stream (object, streams, "stdout", output, FH_STREAM_STDOUT, error) &&
         get_stream (object, streams, "stderr", output, FH_STREAM_STDERR, error);
}

static gboolean
read_guard (JsonObject *object, gpointer guards, GError **error)
{
  g_autoptr (FhGuardState) state = NULL;
  const char *const none[] = { NULL };
  FhGuardFacts record = { 0 };
  const gboolean ok = fh_json_read_record (object, guard_members, &record, error);

  if (ok)
    {
      state = fh_guard_state_new (record.guard, record.level, record.layers, record.reason);
      g_ptr_array_add (
          guards,
          fh_guard_state_new_showing (state, record.shown != NULL ? record.shown : none));
    }
  fh_json_clear_record (guard_members, &record);
  return ok;
}

FhRunResult *
fh_run_result_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (FhAttemptLog) attempts = NULL;
  g_autoptr (FhResultFiles) files = NULL;
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autoptr (GDateTime) started_at = NULL;
  Record record = { 0 };

  g_return_val_if_fail (object != NULL, NULL);

  if (!fh_json_check_version (object, VERSION, error) ||
      !fh_json_read_record (object, members, &record, error))
    return NULL;
  started_at = g_date_time_new_from_iso8601 (record.started_at, NULL);
  if (started_at == NULL)
    {
      fh_json_refuse_member ("started_at", error);
      return NULL;
    }
  if (!get_output (object, output, error) ||
      !fh_json_read_list (object, "guards", FH_N_GUARDS, read_guard, guards, error))
    return NULL;
  attempts = fh_attempts_from_json (object, error);
  if (attempts == NULL)
    return NULL;
  files = fh_result_files_from_json (object, error);
  if (files == NULL || !fh_folder_changes_from_json (object, &changes, error))
    return NULL;
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &record.outcome,
      .output = output,
      .attempts = attempts,
      .files = files,
      .changes = changes,
      .guards = guards,
      .started_at = started_at,
      .backend = record.backend,
      .tier = record.tier,
  });
}
