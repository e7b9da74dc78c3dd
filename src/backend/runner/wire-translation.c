/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-translation.h"

#include "wire-attempt.h"

G_STATIC_ASSERT ((int) FH_GUARD_FILESYSTEM == (int) FH_WIRE_GUARD_FILESYSTEM);
G_STATIC_ASSERT ((int) FH_GUARD_ENVIRONMENT == (int) FH_WIRE_GUARD_ENVIRONMENT);
/* The interpreter guard is not the runner's. */
G_STATIC_ASSERT ((int) FH_GUARD_INTERPRETER == (int) FH_WIRE_N_GUARDS);
G_STATIC_ASSERT ((int) FH_GUARD_LEVEL_OFF == (int) FH_WIRE_LEVEL_OFF);
G_STATIC_ASSERT ((int) FH_VERDICT_DENIED == (int) FH_WIRE_DENIED);
G_STATIC_ASSERT ((int) FH_VERDICT_HIDDEN == (int) FH_WIRE_HIDDEN);
G_STATIC_ASSERT ((int) FH_VERDICT_LIMITED == (int) FH_WIRE_LIMITED);
G_STATIC_ASSERT ((int) FH_VERDICT_OBSERVED == (int) FH_WIRE_OBSERVED);
G_STATIC_ASSERT ((int) FH_STREAM_STDOUT == (int) FH_WIRE_STDOUT);
G_STATIC_ASSERT ((int) FH_STREAM_STDERR == (int) FH_WIRE_STDERR);
G_STATIC_ASSERT ((int) FH_RUN_STATUS_FAILED == (int) FH_WIRE_EXITED + 1);
G_STATIC_ASSERT ((int) FH_RUN_STATUS_MEMORY_EXCEEDED == (int) FH_WIRE_MEMORY + 1);
G_STATIC_ASSERT ((int) FH_RUN_STATUS_STOPPED == (int) FH_WIRE_STOPPED + 1);
G_STATIC_ASSERT ((int) FH_RUN_STATUS_GUARD_FAILED == (int) FH_WIRE_SETUP_FAILED + 1);
G_STATIC_ASSERT ((int) FH_RUN_STATUS_INTERNAL_ERROR == (int) FH_WIRE_INTERNAL + 1);
G_STATIC_ASSERT ((int) FH_RUN_CAUSE_NONE == (int) FH_WIRE_CAUSE_NONE);
G_STATIC_ASSERT ((int) FH_RUN_CAUSE_LIKELY == (int) FH_WIRE_CAUSE_LIKELY);
G_STATIC_ASSERT ((int) FH_RUN_CAUSE_ITSELF == (int) FH_WIRE_CAUSE_ITSELF);
G_STATIC_ASSERT ((int) FH_RUN_CAUSE_PROCESSES == (int) FH_WIRE_CAUSE_PROCESSES);

static GPtrArray *
decode_guards (const void *payload, gsize size)
{
  struct fh_guard_report reports[FH_WIRE_N_GUARDS];
  int count = fh_guards_decode (reports, payload, size);
  GPtrArray *guards;

  if (count < 0)
    return NULL;
  guards = g_ptr_array_new_with_free_func (g_object_unref);
  for (int i = 0; i < count; i++)
    g_ptr_array_add (guards,
                     fh_guard_state_new ((FhGuard) reports[i].guard,
                                         (FhGuardLevel) reports[i].level,
                                         reports[i].layers,
                                         reports[i].reason));
  fh_guards_clear (reports, count);
  return guards;
}

/* These were decoded last. They are kept because a sandbox tells the same for each of its runs. */
G_LOCK_DEFINE_STATIC (last);
static GBytes *last_payload;
static GPtrArray *last_guards;

static gpointer
ref_state (gconstpointer state, gpointer user_data)
{
  return g_object_ref ((gpointer) state);
}

static GPtrArray *
get_guards (const void *payload, gsize size)
{
  g_autoptr (GBytes) told = g_bytes_new_static (payload, size);
  GPtrArray *guards = NULL;

  G_LOCK (last);
  if (last_payload == NULL || !g_bytes_equal (last_payload, told))
    {
      g_clear_pointer (&last_payload, g_bytes_unref);
      g_clear_pointer (&last_guards, g_ptr_array_unref);
      last_guards = decode_guards (payload, size);
      if (last_guards != NULL)
        last_payload = g_bytes_new (payload, size);
    }
  if (last_guards != NULL)
    guards = g_ptr_array_copy (last_guards, ref_state, NULL);
  G_UNLOCK (last);
  return guards;
}

GPtrArray *
fh_guard_states_from_wire (const void *payload, gsize size, const char *const *shown)
{
  GPtrArray *guards = get_guards (payload, size);

  if (guards == NULL || shown == NULL || shown[0] == NULL)
    return guards;
  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *state = guards->pdata[i];

      if (fh_guard_state_get_facts (state)->guard != FH_GUARD_FILESYSTEM)
        continue;
      guards->pdata[i] = fh_guard_state_new_showing (state, shown);
      g_object_unref (state);
    }
  return guards;
}

/* A layer that both name appears once. */
static FhGuardState *
add_layer (FhGuardState *state, const char *layer)
{
  g_auto (GStrv) ours = NULL;
  g_auto (GStrv) theirs = NULL;
  g_autoptr (GString) joined = NULL;

  if (layer == NULL)
    return g_object_ref (state);
  ours = g_strsplit (layer, ", ", -1);
  theirs = g_strsplit (fh_guard_state_get_facts (state)->layers, ", ", -1);
  joined = g_string_new (layer);
  for (gsize i = 0; theirs[i] != NULL; i++)
    {
      if (!g_strv_contains ((const char *const *) ours, theirs[i]))
        g_string_append_printf (joined, "%s%s", joined->len > 0 ? ", " : "", theirs[i]);
    }
  return fh_guard_state_new (fh_guard_state_get_facts (state)->guard,
                             fh_guard_state_get_facts (state)->level,
                             joined->str,
                             fh_guard_state_get_facts (state)->reason);
}

void
fh_guard_states_add_layers (GPtrArray *guards, char *const *layers)
{
  for (guint i = 0; i < guards->len; i++)
    {
      g_autoptr (FhGuardState) state = g_ptr_array_index (guards, i);
      const FhGuard guard = fh_guard_state_get_facts (state)->guard;

      g_ptr_array_index (guards, i) = add_layer (state, guard < FH_N_LAYERS ? layers[guard] : NULL);
    }
}

FhAttempt *
fh_attempt_from_wire (const void *payload, gsize size, guint32 *id)
{
  struct fh_attempt wire;
  FhAttempt *attempt;

  if (!fh_attempt_decode (&wire, payload, size))
    return NULL;
  *id = wire.id;
  attempt = fh_attempt_new (&(FhAttemptFacts){
      .guard = (FhGuard) wire.guard,
      .verdict = (FhVerdict) wire.verdict,
      .exists_outside = (wire.flags & FH_ATTEMPT_EXISTS_OUTSIDE) != 0,
      .is_uncertain = (wire.flags & FH_ATTEMPT_IS_UNCERTAIN) != 0,
      .is_missing = (wire.flags & FH_ATTEMPT_IS_MISSING) != 0,
      .ended_run = (wire.flags & FH_ATTEMPT_ENDED_RUN) != 0,
      .error = wire.error,
      .time_us = wire.time_us,
      .process = wire.process,
      .count = wire.count,
      .layer = wire.layer,
      .operation = wire.operation,
      .object = wire.object,
      .command = wire.command,
  });
  fh_attempt_clear (&wire);
  return attempt;
}

/* The wire's list has one value for both ends of a program that exits. */
static FhRunStatus
status_from_wire (const struct fh_finished *finished)
{
  if (finished->status == FH_WIRE_EXITED && finished->exit_code == 0)
    return FH_RUN_STATUS_OK;
  return (FhRunStatus) (finished->status + 1);
}

/* Certain only when the files are in memory. With less memory than disk, we don't know what the
 * program has filled: 0. */
static guint64
disk_limit_of (const FhRunLimits *limits)
{
  const gboolean is_certain =
      limits->memory_bytes == 0 || limits->disk_bytes <= limits->memory_bytes;

  return is_certain ? limits->disk_bytes : 0;
}

static guint64
limit_bytes_of (FhRunStatus status, const FhRunLimits *limits)
{
  if (status == FH_RUN_STATUS_OUTPUT_LIMIT)
    return limits->output_bytes;
  if (status == FH_RUN_STATUS_DISK_LIMIT)
    return disk_limit_of (limits);
  return limits->memory_bytes;
}

FhRunOutcome
fh_outcome_from_wire (const struct fh_finished *finished, const FhRunLimits *limits)
{
  FhRunStatus status = status_from_wire (finished);
  FhRunCause cause = (FhRunCause) finished->cause;

  return (FhRunOutcome){
    .status = status,
    .cause = cause,
    .exit_code = finished->exit_code,
    .signal = finished->signal,
    .wall_us = finished->wall_us,
    .cpu_user_us = finished->cpu_user_us,
    .cpu_system_us = finished->cpu_system_us,
    .memory_peak = finished->memory_peak,
    .processes_peak = finished->processes_peak,
    .processes_ended = finished->n_left,
    .quiet_processes = finished->n_quiet,
    .stays = finished->stays,
    .error = finished->error,
    .step = finished->step[0] != '\0' ? finished->step : NULL,
    .limit_ms = cause == FH_RUN_CAUSE_CPU ? limits->cpu_ms : limits->wall_ms,
    .limit_bytes = limit_bytes_of (status, limits),
  };
}

FhRunOutcome
fh_outcome_of_ours (FhRunStatus status, const char *step, const char *message)
{
  return (FhRunOutcome){
    .status = status,
    .exit_code = -1,
    .signal = -1,
    .step = step,
    .message = message,
  };
}
