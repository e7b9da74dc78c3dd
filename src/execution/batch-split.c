/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-split.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "batch-result.h"
#include "json-member.h"
#include "signals.h"

#define ANSWER      "\0fumehood-answer "
#define ANSWER_SIZE (sizeof ANSWER - 1)
/* In bytes: called.py sends no longer ones. */
#define MAX_ANSWER ((gsize) 2 << 20)
/* Answers that wait for the tests: those to all calls that tests.py sends together. */
#define MAX_ANSWERS 32
#define MAX_WORDS   20

/* The program may still be in a call that was sent together with others and is not needed any more.
 * One that does not end there would cost all of its time. */
#define UNREAD_MS 100

struct _FhBatchSplit
{
  GObject parent_instance;

  FhBatchSample *sample;
  FhBatchTests *tests;
  FhRun *run;          /* of the program */
  GBytes *line;        /* the call, until it could be sent; nullable */
  GByteArray *rest;    /* the end of the standard output, which may be a part of an answer */
  GQueue answers;      /* (element-type utf8): those that the tests have not asked for */
  FhOutputLog *output; /* what the program wrote, without answers */
  JsonObject *verdict; /* what the tests found; NULL before their end, or without one */
  FhRunResult *end;    /* how their interpreter ended; NULL: it goes on */
  FhRunResult *result;
  guint unread_timer;
  gboolean is_cut; /* the program was ended in such a call */
  gboolean is_done;
};

enum
{
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhBatchSplit, fh_batch_split, G_TYPE_OBJECT)

static gboolean
is_verdict (FhBatchSplit *self, const char *word)
{
  const char *found = NULL;

  return self->verdict != NULL && fh_json_get_string (self->verdict, "verdict", &found, NULL) &&
         g_str_equal (found, word);
}

static gboolean
is_judged (FhBatchSplit *self)
{
  return self->verdict != NULL || self->end != NULL;
}

static gboolean
has_run (FhBatchSplit *self)
{
  return fh_run_get_state (self->run) == FH_RUN_FINISHED;
}

/* Logs the bytes of the rest from `from` up to `to`. */
static void
append (FhBatchSplit *self, guint64 time_us, gsize from, gsize to)
{
  if (to > from)
    fh_output_log_append (self->output,
                          FH_STREAM_STDOUT,
                          time_us,
                          self->rest->data + from,
                          to - from);
}

/* How many bytes at the end could be the beginning of an answer. */
static gsize
find_beginning (const GByteArray *rest)
{
  gsize size = MIN (rest->len, ANSWER_SIZE - 1);

  while (size > 0 && memcmp (rest->data + rest->len - size, ANSWER, size) != 0)
    size--;
  return size;
}

/* Takes the answer at `done`, and sets that to its end. FALSE if it is not complete. */
static gboolean
take_answer (FhBatchSplit *self, guint64 time_us, gsize *done)
{
  const char *begin = (const char *) self->rest->data + *done;
  const gsize left = self->rest->len - *done;
  const char *end = memchr (begin, '\n', left);
  g_autofree char *text = NULL;

  if (end == NULL && left <= MAX_ANSWER)
    return FALSE;
  if (end == NULL)
    {
      append (self, time_us, *done, self->rest->len);
      *done = self->rest->len;
      return FALSE;
    }
  *done += (gsize) (end - begin) + 1;
  /* More of them than calls are the program's own. */
  if (self->answers.length >= MAX_ANSWERS)
    return TRUE;
  text = g_strndup (begin + ANSWER_SIZE, (gsize) (end - begin) - ANSWER_SIZE);
  /* The tests refuse an empty answer. */
  g_queue_push_tail (&self->answers,
                     g_utf8_validate (text, -1, NULL) ? g_steal_pointer (&text) : g_strdup (""));
  return TRUE;
}

/* All answers of a piece are removed from the rest together: a program can write thousands of them,
 * and other samples wait while the bytes after each one are moved. */
static void
output_cb (FhRun *run, const FhOutputPiece *piece, FhBatchSplit *self)
{
  const guint8 *at;
  gsize done = 0;

  if (piece->stream != FH_STREAM_STDOUT)
    {
      fh_output_log_append (self->output, piece->stream, piece->time_us, piece->data, piece->size);
      return;
    }
  g_byte_array_append (self->rest, piece->data, (guint) piece->size);
  while ((at = memmem (self->rest->data + done, self->rest->len - done, ANSWER, ANSWER_SIZE)) !=
         NULL)
    {
      const gsize begin = (gsize) (at - self->rest->data);

      append (self, piece->time_us, done, begin);
      done = begin;
      if (!take_answer (self, piece->time_us, &done))
        break;
    }
  if (at == NULL)
    {
      const gsize end = self->rest->len - find_beginning (self->rest);

      append (self, piece->time_us, done, end);
      done = end;
    }
  g_byte_array_remove_range (self->rest, 0, (guint) done);
  fh_batch_tests_answer (self->tests, &self->answers);
}

/* Sends the call that waits, or the end when there are no more. */
static void
send (FhBatchSplit *self)
{
  FhLiveInput *input = fh_run_get_input (self->run);
  g_autoptr (GBytes) line = NULL;

  if (!fh_live_input_is_open (input))
    return;
  line = g_steal_pointer (&self->line);
  if (line != NULL && !fh_live_input_send (input, line))
    fh_batch_tests_refuse (self->tests, "the arguments of all calls are more than 1 MiB");
  if (is_judged (self))
    fh_live_input_end (input);
}

static void check (FhBatchSplit *self);

static FhRunRequest *
new_program (FhBatchSample *sample)
{
  g_autoptr (GBytes) program = g_bytes_new (sample->program, strlen (sample->program));

  return fh_run_request_new (
      &(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                           .source = program,
                           .title = sample->id,
                           .arguments = fh_run_request_get_parts (sample->request)->arguments,
                           .is_called = TRUE,
                           .options = fh_run_request_get_parts (sample->request)->options },
      NULL);
}

static void
start_program (FhBatchSplit *self, FhExecutor *executor)
{
  g_autoptr (FhRunRequest) request = new_program (self->sample);

  self->run = fh_executor_run (executor, request);
  g_signal_connect (self->run, "output", G_CALLBACK (output_cb), self);
  g_signal_connect_swapped (self->run, "notify::state", G_CALLBACK (check), self);
  g_signal_connect_swapped (fh_run_get_input (self->run), "notify::open", G_CALLBACK (send), self);
}

/* Lines that the program has written before a call are no answer to it. */
static void
take_call (FhBatchSplit *self, const char *line)
{
  g_autofree char *with_end = g_strconcat (line, "\n", NULL);

  g_queue_clear_full (&self->answers, g_free);
  g_clear_pointer (&self->line, g_bytes_unref);
  self->line = g_bytes_new (with_end, strlen (with_end));
}

static void
call_cb (FhBatchTests *tests, const char *line, FhBatchSplit *self)
{
  if (line != NULL)
    take_call (self, line);
  fh_batch_tests_answer (tests, &self->answers);
  if (has_run (self))
    fh_batch_tests_refuse (tests, "gone");
  else
    send (self);
}

static gboolean
unread_cb (gpointer user_data)
{
  FhBatchSplit *self = user_data;

  self->unread_timer = 0;
  self->is_cut = !has_run (self);
  /* The second one is by force. */
  fh_run_stop (self->run);
  fh_run_stop (self->run);
  return G_SOURCE_REMOVE;
}

/* The verdict can be trusted, because the program cannot reach the tests. */
static void
take_verdict (FhBatchSplit *self)
{
  g_auto (GStrv) odd = NULL;
  const char *why = "";

  if (json_object_has_member (self->verdict, "odd") &&
      fh_json_get_strings (self->verdict, "odd", MAX_WORDS, &odd, NULL))
    fh_batch_sample_add_doubts (self->sample, (const char *const *) odd);
  if (json_object_has_member (self->verdict, "has_unread"))
    self->unread_timer = g_timeout_add (UNREAD_MS, unread_cb, self);
  if (is_verdict (self, "again"))
    json_object_set_boolean_member (self->sample->test, "is_in_turn", TRUE);
  else if (is_verdict (self, "gone"))
    self->sample->tests = FH_BATCH_TESTS_CUT_SHORT;
  else if (!is_verdict (self, "shared"))
    self->sample->tests = FH_BATCH_TESTS_APART;
  else
    {
      fh_json_get_string (self->verdict, "why", &why, NULL);
      fh_batch_sample_share (self->sample, why);
    }
}

static void
judged_cb (FhBatchTests *tests, JsonObject *verdict, FhRunResult *end, FhBatchSplit *self)
{
  self->verdict = verdict != NULL ? json_object_ref (verdict) : NULL;
  self->end = end != NULL ? g_object_ref (end) : NULL;
  if (verdict != NULL)
    take_verdict (self);
  else
    self->sample->tests = FH_BATCH_TESTS_APART;
  check (self);
}

/* As if the tests were the end of the program: their traceback, and its status. */
static void
add_failure (FhBatchSplit *self, FhRunOutcome *outcome)
{
  const char *words = NULL;
  g_autofree char *line = NULL;

  outcome->status = FH_RUN_STATUS_FAILED;
  outcome->exit_code = 1;
  if (self->end != NULL)
    words = fh_run_result_get_parts (self->end)->sentence;
  else
    fh_json_get_string (self->verdict, "exception", &words, NULL);
  /* Translators: a sentence about an interpreter, such as “Killed by SIGKILL.” */
  line = g_strdup_printf (self->end != NULL ? _ ("Where the tests ran: %s\n") : "%s\n",
                          words != NULL ? words : "");
  fh_output_log_append (self->output, FH_STREAM_STDERR, outcome->wall_us, line, strlen (line));
}

/* Whether it is about the tests, which may have been ended by us or with their time. */
static gboolean
says_something (FhRunResult *end)
{
  return fh_batch_result_counts (end) &&
         fh_run_result_get_parts (end)->outcome->status != FH_RUN_STATUS_TIMED_OUT;
}

static FhRunResult *
join_results (FhBatchSplit *self)
{
  FhRunResultParts parts = *fh_run_result_get_parts (fh_run_get_result (self->run));
  FhRunOutcome outcome = *parts.outcome;
  const gboolean is_good = outcome.status == FH_RUN_STATUS_OK ||
                           (self->is_cut && outcome.status == FH_RUN_STATUS_STOPPED);

  append (self, outcome.wall_us, 0, self->rest->len);
  if (is_good && self->end != NULL && !says_something (self->end))
    outcome.status = fh_run_result_get_parts (self->end)->outcome->status;
  else if (is_good && !is_verdict (self, "passed") && !is_verdict (self, "gone"))
    add_failure (self, &outcome);
  fh_output_log_freeze (self->output);
  parts.outcome = &outcome;
  parts.output = self->output;
  return fh_run_result_new (&parts);
}

static void
finish (FhBatchSplit *self)
{
  self->is_done = TRUE;
  if (!is_verdict (self, "shared") && !is_verdict (self, "again"))
    self->result = join_results (self);
  g_signal_emit (self, signals[SIGNAL_DONE], 0);
}

gboolean
fh_batch_split_has_lost_tests (FhBatchSplit *self)
{
  g_return_val_if_fail (FH_IS_BATCH_SPLIT (self), FALSE);

  return self->end != NULL && says_something (self->end);
}

/* After each thing that happens to one of both. */
static void
check (FhBatchSplit *self)
{
  if (self->is_done)
    return;
  if (has_run (self))
    fh_batch_tests_refuse (self->tests, "gone");
  else
    send (self);
  if (is_judged (self) && has_run (self))
    finish (self);
}

gboolean
fh_batch_split_is_done (FhBatchSplit *self)
{
  g_return_val_if_fail (FH_IS_BATCH_SPLIT (self), TRUE);

  return self->is_done;
}

FhRun *
fh_batch_split_get_run (FhBatchSplit *self)
{
  g_return_val_if_fail (FH_IS_BATCH_SPLIT (self), NULL);

  return self->run;
}

FhRunResult *
fh_batch_split_get_result (FhBatchSplit *self)
{
  g_return_val_if_fail (FH_IS_BATCH_SPLIT (self), NULL);

  return self->result;
}

void
fh_batch_split_stop (FhBatchSplit *self)
{
  g_return_if_fail (FH_IS_BATCH_SPLIT (self));

  fh_run_stop (self->run);
  if (!is_judged (self))
    fh_batch_tests_stop (self->tests);
}

static void
fh_batch_split_finalize (GObject *object)
{
  FhBatchSplit *self = FH_BATCH_SPLIT (object);

  g_signal_handlers_disconnect_by_data (self->tests, self);
  g_object_unref (self->tests);
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_signal_handlers_disconnect_by_data (fh_run_get_input (self->run), self);
  g_object_unref (self->run);
  g_object_unref (self->output);
  g_byte_array_unref (self->rest);
  g_queue_clear_full (&self->answers, g_free);
  g_clear_handle_id (&self->unread_timer, g_source_remove);
  g_clear_pointer (&self->line, g_bytes_unref);
  g_clear_pointer (&self->verdict, json_object_unref);
  g_clear_object (&self->end);
  g_clear_object (&self->result);

  G_OBJECT_CLASS (fh_batch_split_parent_class)->finalize (object);
}

static void
fh_batch_split_class_init (FhBatchSplitClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_batch_split_finalize;

  signals[SIGNAL_DONE] = fh_signal_new ("done", FH_TYPE_BATCH_SPLIT, 0);
}

static void
fh_batch_split_init (FhBatchSplit *self)
{
  self->rest = g_byte_array_new ();
  g_queue_init (&self->answers);
  self->output = fh_output_log_new ();
}

FhBatchSplit *
fh_batch_split_new (FhExecutor *executor, FhBatchTests *tests, FhBatchSample *sample)
{
  FhBatchSplit *self;

  g_return_val_if_fail (FH_IS_EXECUTOR (executor) && FH_IS_BATCH_TESTS (tests), NULL);
  g_return_val_if_fail (sample != NULL && sample->test != NULL, NULL);

  self = g_object_new (FH_TYPE_BATCH_SPLIT, NULL);
  self->sample = sample;
  self->tests = g_object_ref (tests);
  g_signal_connect (tests, "call", G_CALLBACK (call_cb), self);
  g_signal_connect (tests, "done", G_CALLBACK (judged_cb), self);
  fh_batch_tests_begin (tests, sample);
  start_program (self, executor);
  return self;
}
