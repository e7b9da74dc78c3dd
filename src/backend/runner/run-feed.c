/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-feed.h"

#include "container-guards.h"
#include "guest-report.h"
#include "result-collector.h"
#include "wire-attempt.h"
#include "wire-translation.h"

/* The runner numbers attempts from 0 on, and tells one again when its count has grown: the number
 * is the place in `attempts`. */
struct _FhRunFeed
{
  FhRun *run;
  char *tier;
  GStrv shown;
  char *layers[FH_N_LAYERS];     /* somebody else's part of each guard; nullable */
  FhContainerOptions *container; /* NULL: it is none */
  GPtrArray *attempts;
  FhResultCollector *collector; /* NULL: nobody asked for files */
  FhResultFiles *files;         /* where they go */
};

FhRunFeed *
fh_run_feed_new (FhRun *run, const char *tier, const char *const *shown)
{
  FhRunFeed *self;

  g_return_val_if_fail (FH_IS_RUN (run), NULL);
  g_return_val_if_fail (tier != NULL, NULL);

  self = g_new0 (FhRunFeed, 1);
  self->run = g_object_ref (run);
  self->tier = g_strdup (tier);
  self->shown = g_strdupv ((GStrv) (gpointer) shown);
  self->attempts = g_ptr_array_new_with_free_func (g_object_unref);
  if (fh_run_guards_collect_files (fh_run_request_get_guards (fh_run_get_request (run))))
    self->collector = fh_result_collector_new ();
  self->files = g_object_ref (fh_run_get_files (run));
  return self;
}

void
fh_run_feed_free (FhRunFeed *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->run);
  g_free (self->tier);
  g_strfreev (self->shown);
  for (gsize i = 0; i < G_N_ELEMENTS (self->layers); i++)
    g_free (self->layers[i]);
  g_ptr_array_unref (self->attempts);
  g_clear_pointer (&self->collector, fh_result_collector_free);
  g_clear_pointer (&self->container, fh_container_options_free);
  g_object_unref (self->files);
  g_free (self);
}

void
fh_run_feed_set_layers (FhRunFeed *self, char *const *layers)
{
  g_return_if_fail (self != NULL && layers != NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (self->layers); i++)
    {
      g_free (self->layers[i]);
      self->layers[i] = g_strdup (layers[i]);
    }
}

void
fh_run_feed_set_files (FhRunFeed *self, FhResultFiles *files)
{
  g_return_if_fail (self != NULL && FH_IS_RESULT_FILES (files));

  g_set_object (&self->files, files);
  if (self->collector == NULL)
    self->collector = fh_result_collector_new ();
}

void
fh_run_feed_set_container (FhRunFeed *self, const FhContainerOptions *options)
{
  g_return_if_fail (self != NULL && options != NULL);

  g_clear_pointer (&self->container, fh_container_options_free);
  self->container = fh_container_options_copy (options);
}

static gboolean
hear_guards (FhRunFeed *self, const struct fh_frame *frame)
{
  GPtrArray *guards =
      fh_guard_states_from_wire (frame->payload, frame->size, (const char *const *) self->shown);
  FhGuardState *interpreter;

  if (guards == NULL)
    return FALSE;
  fh_guard_states_add_layers (guards, self->layers);
  if (self->container != NULL)
    fh_container_guards_refine (guards, self->container);
  interpreter = fh_guest_report_guard_state (fh_run_get_request (self->run));
  if (interpreter != NULL)
    g_ptr_array_add (guards, interpreter);
  fh_run_take_guards (self->run, guards, self->tier);
  return TRUE;
}

static gboolean
hear_output (FhRunFeed *self, const struct fh_frame *frame)
{
  struct fh_output output;
  g_autoptr (GBytes) bytes = NULL;

  if (!fh_output_decode (&output, frame->payload, frame->size))
    return FALSE;
  bytes = g_bytes_new (output.data, output.size);
  fh_run_add_output (self->run, (FhStream) output.stream, output.time_us, bytes);
  return TRUE;
}

static gboolean
hear_usage (FhRunFeed *self, const struct fh_frame *frame)
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

static gboolean
hear_guest (FhRunFeed *self, const struct fh_frame *frame)
{
  g_autoptr (GBytes) bytes = g_bytes_new (frame->payload, frame->size);

  fh_run_add_guest_message (self->run, bytes);
  fh_guest_report_hear (self->run, frame->payload, frame->size);
  return TRUE;
}

/* A known one may only have been tried more often; a new one has the next number. */
static gboolean
hear_attempt (FhRunFeed *self, const struct fh_frame *frame)
{
  g_autoptr (FhAttempt) attempt = NULL;
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
  if (!fh_attempt_is_same (attempt, g_ptr_array_index (self->attempts, id)))
    return FALSE;
  fh_attempt_set_count (g_ptr_array_index (self->attempts, id),
                        fh_attempt_get_facts (attempt)->count);
  return TRUE;
}

static gboolean
hear_attempts_dropped (FhRunFeed *self, const struct fh_frame *frame)
{
  guint64 count;

  if (!fh_attempts_dropped_decode (&count, frame->payload, frame->size))
    return FALSE;
  fh_run_set_attempts_dropped (self->run, count);
  return TRUE;
}

gboolean
fh_run_feed_hear (FhRunFeed *self, const struct fh_frame *frame)
{
  G_GNUC_UNUSED g_autoptr (FhRun) alive = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (frame != NULL, FALSE);

  /* Whoever listens to the run may end it, and with it this feed. */
  alive = g_object_ref (self->run);
  switch (frame->kind)
    {
    case FH_FRAME_GUARDS:
      return hear_guards (self, frame);
    case FH_FRAME_OUTPUT:
      return hear_output (self, frame);
    case FH_FRAME_USAGE:
      return hear_usage (self, frame);
    case FH_FRAME_GUEST:
      return hear_guest (self, frame);
    case FH_FRAME_ATTEMPT:
      return hear_attempt (self, frame);
    case FH_FRAME_ATTEMPTS_DROPPED:
      return hear_attempts_dropped (self, frame);
    case FH_FRAME_RESULT_FILE:
    case FH_FRAME_RESULT_PIECE:
    case FH_FRAME_RESULTS_END:
      return self->collector != NULL && fh_result_collector_take (self->collector, frame);
    default:
      return FALSE;
    }
}

void
fh_run_feed_end (FhRunFeed *self)
{
  g_return_if_fail (self != NULL);

  if (self->collector != NULL)
    fh_result_collector_finish (self->collector, self->files);
}
