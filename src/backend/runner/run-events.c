/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-events.h"

#include <stdlib.h>
#include <string.h>

#include "container-guards.h"
#include "wire-attempt.h"
#include "wire-guest.h"
#include "wire-translation.h"

G_STATIC_ASSERT ((int) FH_RESULT_FILE_REGULAR == (int) FH_WIRE_RESULT_REGULAR);
G_STATIC_ASSERT ((int) FH_RESULT_FILE_LINK == (int) FH_WIRE_RESULT_LINK);
G_STATIC_ASSERT ((int) FH_RESULT_FILE_SPECIAL == (int) FH_WIRE_RESULT_SPECIAL);
G_STATIC_ASSERT (FH_RUN_FILES_MAX_HANDED_ON == FH_HANDED_ON_MAX);

/* The files that are left */

/* `file` is being received; it is added to the others when the next one begins. */
struct _FhResultCollector
{
  GHashTable *paths; /* of all files; those in /tmp begin with a slash */
  GPtrArray *files;
  GPtrArray *gone;      /* paths */
  GPtrArray *handed_on; /* FhRunFile */
  guint n_results;
  guint n_gone;
  guint n_handed_on;
  struct fh_result_file file; /* without a path: none */
  GByteArray *content;        /* NULL: no content */
  guint64 file_max;
  guint64 room;
  struct fh_results_end end;
  gboolean has_begun;
  gboolean has_ended;
};

FhResultCollector *
fh_result_collector_new (gboolean hands_on)
{
  FhResultCollector *self = g_new0 (FhResultCollector, 1);

  self->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  self->gone = g_ptr_array_new_with_free_func (g_free);
  self->handed_on = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  self->file_max = hands_on ? FH_HANDED_ON_MAX : FH_RESULT_FILE_MAX;
  self->room = hands_on ? FH_HANDED_ON_MAX : FH_RESULT_CONTENT_MAX;
  return self;
}

void
fh_result_collector_free (FhResultCollector *self)
{
  g_hash_table_unref (self->paths);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->gone);
  g_ptr_array_unref (self->handed_on);
  free (self->file.path);
  g_clear_pointer (&self->content, g_byte_array_unref);
  g_free (self);
}

/* Only regular files and links have something that another run could be given. */
static void
hand_on (FhResultCollector *self, FhRunFileKind kind, GBytes *content)
{
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);
  FhRunFile *file = fh_run_file_new (self->file.path, content != NULL ? content : nothing);

  file->kind = kind;
  file->is_in_tmp = (self->file.flags & FH_RESULT_IS_IN_TMP) != 0;
  file->mode = self->file.mode;
  file->modified_us = self->file.modified_us;
  g_ptr_array_add (self->handed_on, file);
}

static void
add_result (FhResultCollector *self, GBytes *content)
{
  const gboolean is_regular = self->file.kind == FH_WIRE_RESULT_REGULAR;
  FhResultFile *file = fh_result_file_new (&(FhResultFileFacts){
      .path = self->file.path,
      .kind = (FhResultFileKind) self->file.kind,
      .size = is_regular ? self->file.size : 0,
      .is_program = (self->file.flags & FH_RESULT_IS_PROGRAM) != 0,
      .is_changed = (self->file.flags & FH_RESULT_IS_CHANGED) != 0,
      .content = is_regular ? content : NULL,
      .mode = self->file.mode,
      .modified_us = self->file.modified_us,
  });

  if (file != NULL)
    g_ptr_array_add (self->files, file);
}

/* Incomplete content is dropped. A file in /tmp without content is told as one that is gone: what
 * was there before is not to come back. */
static void
close_file (FhResultCollector *self)
{
  const gboolean is_in_tmp = (self->file.flags & FH_RESULT_IS_IN_TMP) != 0;
  g_autoptr (GBytes) content = NULL;

  if (self->file.path == NULL)
    return;
  if (self->content != NULL && self->content->len < self->file.size)
    {
      self->end.is_incomplete |= !is_in_tmp;
      self->end.is_partly_handed_on |= is_in_tmp;
      g_clear_pointer (&self->content, g_byte_array_unref);
    }
  if (self->content != NULL)
    content = g_byte_array_free_to_bytes (g_steal_pointer (&self->content));
  if (!is_in_tmp)
    add_result (self, content);
  if (is_in_tmp && content == NULL)
    hand_on (self, FH_RUN_FILE_REMOVED, NULL);
  else if (self->file.kind == FH_WIRE_RESULT_LINK && content != NULL)
    hand_on (self, FH_RUN_FILE_LINK, content);
  else if (is_in_tmp)
    hand_on (self, FH_RUN_FILE_REGULAR, content);
  g_clear_pointer (&self->file.path, free);
}

/* True unless there are too many of its kind. */
static gboolean
count (FhResultCollector *self)
{
  guint *n = &self->n_results;

  if (self->file.kind == FH_WIRE_RESULT_GONE)
    n = &self->n_gone;
  else if (self->file.kind == FH_WIRE_RESULT_FOLDER || self->file.flags & FH_RESULT_IS_IN_TMP)
    n = &self->n_handed_on;
  return ++*n <= FH_RESULT_FILES_MAX;
}

/* Takes a file that has a path only. */
static void
take_path (FhResultCollector *self)
{
  if (self->file.kind == FH_WIRE_RESULT_FOLDER)
    hand_on (self, FH_RUN_FILE_FOLDER, NULL);
  else if (self->file.flags & FH_RESULT_IS_IN_TMP)
    hand_on (self, FH_RUN_FILE_REMOVED, NULL);
  else
    g_ptr_array_add (self->gone, g_strdup (self->file.path));
  g_clear_pointer (&self->file.path, free);
}

static gboolean
handle_file (FhResultCollector *self, const struct fh_frame *frame)
{
  struct fh_result_file file;

  if (!fh_result_file_decode (&file, frame->payload, frame->size))
    return FALSE;
  close_file (self);
  self->file = file;
  /* A folder may be in the place of a file that is told as gone. */
  if (!count (self) ||
      (file.kind != FH_WIRE_RESULT_FOLDER &&
       !g_hash_table_add (
           self->paths,
           g_strconcat (file.flags & FH_RESULT_IS_IN_TMP ? "/" : "", file.path, NULL))))
    {
      g_clear_pointer (&self->file.path, free);
      return FALSE;
    }
  if (file.kind == FH_WIRE_RESULT_GONE || file.kind == FH_WIRE_RESULT_FOLDER)
    {
      take_path (self);
      return TRUE;
    }
  if (!(file.flags & FH_RESULT_HAS_CONTENT))
    return TRUE;
  if (file.size > MIN (self->file_max, self->room))
    return FALSE;
  self->room -= file.size;
  self->content = g_byte_array_new ();
  return TRUE;
}

static gboolean
handle_piece (FhResultCollector *self, const struct fh_frame *frame)
{
  if (self->content == NULL || frame->size == 0 || frame->size > FH_RESULT_PIECE_MAX ||
      frame->size > self->file.size - self->content->len)
    return FALSE;
  g_byte_array_append (self->content, frame->payload, frame->size);
  return TRUE;
}

static gboolean
handle_end (FhResultCollector *self, const struct fh_frame *frame)
{
  struct fh_results_end end;

  if (!fh_results_end_decode (&end, frame->payload, frame->size))
    return FALSE;
  close_file (self);
  end.is_incomplete |= self->end.is_incomplete;
  end.is_partly_handed_on |= self->end.is_partly_handed_on;
  self->end = end;
  self->has_ended = TRUE;
  return TRUE;
}

gboolean
fh_result_collector_take (FhResultCollector *self, const struct fh_frame *frame)
{
  if (self->has_ended)
    return FALSE;
  self->has_begun = TRUE;
  switch (frame->kind)
    {
    case FH_FRAME_RESULT_FILE:
      return handle_file (self, frame);
    case FH_FRAME_RESULT_PIECE:
      return handle_piece (self, frame);
    case FH_FRAME_RESULTS_END:
      return handle_end (self, frame);
    default:
      return FALSE;
    }
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  FhResultFile *const *first = a;
  FhResultFile *const *second = b;

  return strcmp (fh_result_file_get_facts (*first)->path, fh_result_file_get_facts (*second)->path);
}

void
fh_result_collector_finish (FhResultCollector *self, FhResultFiles *files)
{
  if (!self->has_begun)
    return;
  close_file (self);
  g_ptr_array_sort (self->files, compare_paths);
  for (guint i = 0; i < self->files->len; i++)
    fh_result_files_add (files, g_ptr_array_index (self->files, i));
  fh_result_files_set_handed_on (files,
                                 self->gone,
                                 self->handed_on,
                                 self->end.is_partly_handed_on || !self->has_ended);
  fh_result_files_set_left_out (files,
                                self->end.n_left_out,
                                self->end.is_incomplete || !self->has_ended);
}

/* Reports of the interpreter. */

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
  return fh_run_request_get_parts (fh_run_get_request (run))->guards->max_operations > 0 &&
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

/* Most runs have it, and share it. */
static FhGuardState *
ref_state_off (void)
{
  static FhGuardState *state;

  if (g_once_init_enter (&state))
    g_once_init_leave (&state,
                       fh_guard_state_new (FH_GUARD_INTERPRETER, FH_GUARD_LEVEL_OFF, "", NULL));
  return g_object_ref (state);
}

FhGuardState *
fh_guest_report_guard_state (FhRunRequest *request)
{
  const FhRunGuards *guards = fh_run_request_get_parts (request)->guards;
  const FhContainerOptions *container = fh_run_request_get_parts (request)->container;
  const gboolean is_kept = container != NULL && container->is_kept;
  g_autoptr (GString) layers = g_string_new (NULL);

  if (!g_str_equal (fh_run_request_get_parts (request)->language->id, "python"))
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
    return ref_state_off ();
  /* Packages that pip installs for a user may run when Python starts, before our code. */
  return fh_guard_state_new (FH_GUARD_INTERPRETER,
                             is_kept ? FH_GUARD_LEVEL_DEGRADED : FH_GUARD_LEVEL_ACTIVE,
                             layers->str + 2,
                             is_kept ? "kept-home" : NULL);
}

/* Reports of the runner. */

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
  if (order->left != NULL ||
      fh_run_guards_collect_files (fh_run_request_get_parts (request)->guards))
    self->collector = fh_result_collector_new (fh_run_request_get_parts (request)->hands_on);
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

  if (is_cell && fh_run_request_get_parts (fh_run_get_request (self->run))->cell != NULL)
    handle_cell (self, frame->payload, frame->size);
  else if (fh_guest_report_handle (self->run, frame->payload, frame->size))
    self->reached_operations = TRUE;
}

gboolean
fh_run_events_handle (FhRunEvents *self, const struct fh_frame *frame)
{
  /* Listeners of the run may end it and free `self`. */
  G_GNUC_UNUSED g_autoptr (FhRun) alive = g_object_ref (self->run);

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
