/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-events.h"

#include <string.h>

#include "container-guards.h"
#include "result-collector.h"
#include "wire-attempt.h"
#include "wire-guest.h"
#include "wire-translation.h"

/* What the interpreter reports */

#define LAYER "audit hook"

/* Home paths are written as the user would write them: the program looks them up in its own home,
 * but they exist only in the user's. */
#define HOME_INSIDE FH_INSIDE_WORKSPACE "/"

/* The verdict, and the line. */
#define FIXED_SIZE (1 + 4)

/* The text behind the fixed part: one NUL, and that in the middle. */
static gboolean
split (const guint8 *bytes, gsize size, char **operation, char **object)
{
  const guint8 *nul = memchr (bytes, '\0', size);
  gsize rest;

  if (nul == NULL)
    return FALSE;
  rest = size - (gsize) (nul + 1 - bytes);
  if ((gsize) (nul - bytes) > FH_ATTEMPT_OPERATION_MAX || rest > FH_ATTEMPT_OBJECT_MAX ||
      memchr (nul + 1, '\0', rest) != NULL)
    return FALSE;
  *operation = g_strndup ((const char *) bytes, (gsize) (nul - bytes));
  *object = g_strndup ((const char *) nul + 1, rest);
  return TRUE;
}

static gboolean
is_operation_limit (FhRun *run, const FhAttemptFacts *facts)
{
  return fh_run_request_get_guards (fh_run_get_request (run))->max_operations > 0 &&
         facts->verdict == FH_VERDICT_LIMITED && g_str_equal (facts->operation, "operations");
}

gboolean
fh_guest_report_handle (FhRun *run, const guint8 *message, gsize size)
{
  FhAttemptFacts facts = { .guard = FH_GUARD_INTERPRETER, .layer = LAYER, .command = "" };
  g_autofree char *operation = NULL;
  g_autofree char *object = NULL;
  gint64 started_at;
  guint32 line;

  if (size < 1 + FIXED_SIZE || message[0] != FH_GUEST_ATTEMPT || message[1] > FH_WIRE_OBSERVED ||
      !split (message + 1 + FIXED_SIZE, size - 1 - FIXED_SIZE, &operation, &object))
    return FALSE;
  memcpy (&line, message + 2, sizeof line);
  facts.verdict = (FhVerdict) message[1];
  facts.line = GUINT32_FROM_LE (line);
  facts.operation = operation;
  facts.object = object;
  facts.count = 1;
  started_at = fh_run_get_started_at (run);
  if (started_at != 0)
    facts.time_us = (guint64) (g_get_monotonic_time () - started_at);
  facts.ended_run = is_operation_limit (run, &facts);
  fh_run_add_reported_attempt (run, &facts);
  if (*operation == '\0' && g_str_has_prefix (object, HOME_INSIDE))
    {
      g_autofree char *at_home = g_strconcat ("~/", object + strlen (HOME_INSIDE), NULL);

      facts.object = at_home;
      fh_run_add_reported_attempt (run, &facts);
    }
  return facts.ended_run;
}

FhGuardState *
fh_guest_report_guard_state (FhRunRequest *request)
{
  const FhRunGuards *guards = fh_run_request_get_guards (request);
  const FhContainerOptions *container = fh_run_request_get_container (request);
  const gboolean is_kept = container != NULL && container->is_kept;
  g_autoptr (GString) layers = g_string_new (NULL);

  if (!g_str_equal (fh_run_request_get_language (request)->id, "python"))
    return NULL;
  if (guards->limit_functions)
    g_string_append (layers, ", audit hook on functions");
  if (guards->imports != NULL)
    g_string_append_printf (layers,
                            ", %u modules to import",
                            g_strv_length ((GStrv) (gpointer) guards->imports));
  if (guards->max_operations > 0)
    g_string_append_printf (layers, ", %" G_GUINT64_FORMAT " operations", guards->max_operations);
  if (layers->len == 0)
    return fh_guard_state_new (FH_GUARD_INTERPRETER, FH_GUARD_LEVEL_OFF, "", NULL);
  /* Packages that pip installs for a user may run when Python starts, before our code. */
  return fh_guard_state_new (FH_GUARD_INTERPRETER,
                             is_kept ? FH_GUARD_LEVEL_DEGRADED : FH_GUARD_LEVEL_ACTIVE,
                             layers->str + 2,
                             is_kept ? "kept-home" : NULL);
}

/* What the runner reports */

/* The runner numbers attempts from 0 and repeats one when its count has grown; the number is the
 * index in `attempts`. */
struct _FhRunEvents
{
  FhRun *run;
  const FhOrder *order;
  GPtrArray *attempts;
  FhResultCollector *collector; /* NULL: no files are wanted */
  GByteArray *pieces;           /* of a cell's call or answer; NULL: none, or too many */
  gboolean reached_operations;  /* its interpreter stopped it at the limit of operations */
};

FhRunEvents *
fh_run_events_new (FhRun *run, const FhOrder *order)
{
  FhRunRequest *request = fh_run_get_request (run);
  FhRunEvents *self = g_new0 (FhRunEvents, 1);

  self->run = g_object_ref (run);
  self->order = order;
  self->attempts = g_ptr_array_new_with_free_func (g_object_unref);
  if (order->left != NULL || fh_run_guards_collect_files (fh_run_request_get_guards (request)))
    self->collector = fh_result_collector_new (fh_run_request_hands_on (request));
  return self;
}

void
fh_run_events_free (FhRunEvents *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->run);
  g_ptr_array_unref (self->attempts);
  g_clear_pointer (&self->collector, fh_result_collector_free);
  g_clear_pointer (&self->pieces, g_byte_array_unref);
  g_free (self);
}

static gboolean
handle_guards (FhRunEvents *self, const struct fh_frame *frame)
{
  GPtrArray *guards = fh_guard_states_from_wire (frame->payload,
                                                 frame->size,
                                                 (const char *const *) self->order->shown);
  FhGuardState *interpreter;

  if (guards == NULL)
    return FALSE;
  fh_guard_states_add_layers (guards, self->order->layers);
  if (self->order->container != NULL)
    fh_container_guards_refine (guards, self->order->container);
  interpreter = fh_guest_report_guard_state (fh_run_get_request (self->run));
  if (interpreter != NULL)
    g_ptr_array_add (guards, interpreter);
  fh_run_take_guards (self->run, guards, fh_tier_to_string (self->order->tier));
  return TRUE;
}

static gboolean
handle_output (FhRunEvents *self, const struct fh_frame *frame)
{
  struct fh_output output;

  if (!fh_output_decode (&output, frame->payload, frame->size))
    return FALSE;
  fh_run_add_output (self->run, (FhStream) output.stream, output.time_us, output.data, output.size);
  return TRUE;
}

static gboolean
handle_usage (FhRunEvents *self, const struct fh_frame *frame)
{
  struct fh_usage usage;

  if (!fh_usage_decode (&usage, frame->payload, frame->size))
    return FALSE;
  fh_run_set_usage (self->run,
                    &(FhRunUsage){
                        .wall_us = usage.wall_us,
                        .cpu_us = usage.cpu_us,
                        .memory_bytes = usage.memory_bytes,
                        .processes = usage.processes,
                    });
  return TRUE;
}

/* Only of a program that was started with live input. */
static gboolean
handle_waiting (FhRunEvents *self, const struct fh_frame *frame)
{
  FhLiveInput *input = fh_run_get_input (self->run);
  bool is_waiting;

  if (!fh_waiting_decode (&is_waiting, frame->payload, frame->size) || input == NULL)
    return FALSE;
  fh_live_input_set_waiting (input, is_waiting);
  return TRUE;
}

/* True if `attempt` is the same as `known`, and tells that what it named is nowhere. */
static gboolean
turned_out_missing (FhAttempt *attempt, FhAttempt *known)
{
  const FhAttemptFacts *now = fh_attempt_get_facts (attempt);
  const FhAttemptFacts *before = fh_attempt_get_facts (known);

  return now->is_missing && now->verdict == FH_VERDICT_OBSERVED &&
         before->verdict == FH_VERDICT_HIDDEN && now->guard == before->guard &&
         g_str_equal (now->operation, before->operation) &&
         g_str_equal (now->object, before->object);
}

/* A known attempt may only grow in count, or turn out to exist outside, or to be missing there as
 * well; a new one has the next number. */
static gboolean
handle_attempt (FhRunEvents *self, const struct fh_frame *frame)
{
  g_autoptr (FhAttempt) attempt = NULL;
  FhAttempt *known;
  guint32 id;

  attempt = fh_attempt_from_wire (frame->payload, frame->size, &id);
  if (attempt == NULL || id > self->attempts->len)
    return FALSE;
  if (id == self->attempts->len)
    {
      g_ptr_array_add (self->attempts, g_object_ref (attempt));
      fh_run_add_attempt (self->run, attempt);
      return TRUE;
    }
  known = g_ptr_array_index (self->attempts, id);
  if (turned_out_missing (attempt, known))
    {
      fh_run_replace_attempt (self->run, known, attempt);
      g_object_unref (known);
      g_ptr_array_index (self->attempts, id) = g_steal_pointer (&attempt);
      return TRUE;
    }
  if (!fh_attempt_is_same (attempt, known))
    return FALSE;
  fh_attempt_set_count (known, fh_attempt_get_facts (attempt)->count);
  if (fh_attempt_get_facts (attempt)->exists_outside)
    fh_attempt_set_exists_outside (known);
  return TRUE;
}

static gboolean
handle_attempts_dropped (FhRunEvents *self, const struct fh_frame *frame)
{
  guint64 count;

  if (!fh_attempts_dropped_decode (&count, frame->payload, frame->size))
    return FALSE;
  fh_run_set_attempts_dropped (self->run, count);
  return TRUE;
}

/* Answers and calls come in pieces, which the guest may send without end: too many are an empty
 * answer or call. */
static void
handle_cell (FhRunEvents *self, const guint8 *message, gsize size)
{
  g_autoptr (GBytes) whole = NULL;

  if (self->pieces == NULL)
    self->pieces = g_byte_array_new ();
  if (self->pieces->len + size - FH_GUEST_CELL_HEAD > FH_GUEST_ANSWER_MAX)
    g_byte_array_set_size (self->pieces, 0);
  else
    g_byte_array_append (self->pieces,
                         message + FH_GUEST_CELL_HEAD,
                         (guint) (size - FH_GUEST_CELL_HEAD));
  if (message[0] == FH_GUEST_MORE)
    return;
  whole = g_byte_array_free_to_bytes (g_steal_pointer (&self->pieces));
  if (message[0] == FH_GUEST_CALL)
    fh_run_call (self->run, whole);
  else
    fh_run_set_answer (self->run, whole);
}

static void
handle_guest (FhRunEvents *self, const struct fh_frame *frame)
{
  const gboolean is_cell = frame->size >= FH_GUEST_CELL_HEAD &&
                           frame->payload[0] >= FH_GUEST_MORE &&
                           frame->payload[0] <= FH_GUEST_ANSWER;

  if (is_cell && fh_run_request_get_cell (fh_run_get_request (self->run)) != NULL)
    handle_cell (self, frame->payload, frame->size);
  else if (fh_guest_report_handle (self->run, frame->payload, frame->size))
    self->reached_operations = TRUE;
}

gboolean
fh_run_events_handle (FhRunEvents *self, const struct fh_frame *frame)
{
  G_GNUC_UNUSED g_autoptr (FhRun) alive = NULL;

  /* Listeners of the run may end it and free `self`. */
  alive = g_object_ref (self->run);
  switch (frame->kind)
    {
    case FH_FRAME_GUARDS:
      return handle_guards (self, frame);
    case FH_FRAME_OUTPUT:
      return handle_output (self, frame);
    case FH_FRAME_USAGE:
      return handle_usage (self, frame);
    case FH_FRAME_WAITING:
      return handle_waiting (self, frame);
    case FH_FRAME_GUEST:
      handle_guest (self, frame);
      return TRUE;
    case FH_FRAME_ATTEMPT:
      return handle_attempt (self, frame);
    case FH_FRAME_ATTEMPTS_DROPPED:
      return handle_attempts_dropped (self, frame);
    case FH_FRAME_RESULT_FILE:
    case FH_FRAME_RESULT_PIECE:
    case FH_FRAME_RESULTS_END:
      return self->collector != NULL && fh_result_collector_take (self->collector, frame);
    default:
      return FALSE;
    }
}

void
fh_run_events_end (FhRunEvents *self)
{
  if (self->collector != NULL)
    fh_result_collector_finish (self->collector,
                                self->order->left != NULL ? self->order->left
                                                          : fh_run_get_files (self->run));
}

/* It is the guest's word, so it counts only for an end that the program has chosen itself: exit
 * code 1, as the interpreter guard ends it. */
void
fh_run_events_refine_outcome (FhRunEvents *self, FhRunOutcome *outcome)
{
  if (!self->reached_operations || outcome->status != FH_RUN_STATUS_FAILED ||
      outcome->exit_code != 1)
    return;
  outcome->status = FH_RUN_STATUS_OPERATION_LIMIT;
  outcome->limit_bytes = 0;
}
