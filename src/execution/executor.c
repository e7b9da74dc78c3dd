/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "executor.h"

#include <glib/gi18n-lib.h>

#include "signals.h"

/* A container is probed so long after the last change of its options. */
#define PROBE_DELAY_MS 600

/* `sandbox` is that of the last run, `kept` the one that stays; they may be the same. */
struct _FhExecutor
{
  GObject parent_instance;

  FhProbes *probes;

  FhRunOptions *options;    /* of the next run; nullable */
  FhProtection *protection; /* of the next run; nullable */
  guint probe_timer;
  FhWarmStart *warm_start;

  FhRun *run;         /* nullable */
  FhSandbox *sandbox; /* nullable */
  FhSandbox *leaving; /* of a run that has ended; its container may still go. Nullable */
  FhRunRequest *like; /* nullable: runs like it are copies of a warm interpreter */
  GStrv modules;      /* imported ahead then */
  int cpu;            /* where all runs stay; -1: anywhere */
  FhSandbox *warm;    /* that keeps it; nullable */
  FhSandbox *cells;   /* whose interpreter runs the cells, perhaps `kept`, or that programs share;
                         nullable */
  char *cells_key;    /* what it was made with; NULL: on this computer */
  FhSandbox *kept;    /* nullable */
  char *kept_key;     /* what it was made with */
  FhContainerAfter kept_after;
  char *kept_state;     /* a sentence, or NULL */
  gboolean is_changing; /* it is being restarted or stopped */
  gboolean is_closed;
  GCancellable *query; /* of its state */
};

enum
{
  SIGNAL_PROTECTED,
  SIGNAL_CHANGED,
  SIGNAL_REPLACED,
  SIGNAL_FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhExecutor, fh_executor, G_TYPE_OBJECT)

static void
probe (FhExecutor *self, gboolean again)
{
  g_autoptr (FhProtection) protection = self->options != NULL
                                            ? fh_probes_get (self->probes, self->options, again)
                                            : fh_protection_new ();

  g_clear_handle_id (&self->probe_timer, g_source_remove);
  if (g_set_object (&self->protection, protection))
    g_signal_emit (self, signals[SIGNAL_PROTECTED], 0);
}

static gboolean
probe_cb (gpointer user_data)
{
  probe (FH_EXECUTOR (user_data), FALSE);
  return G_SOURCE_REMOVE;
}

void
fh_executor_set_options (FhExecutor *self, const FhRunOptions *options)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  g_clear_handle_id (&self->probe_timer, g_source_remove);
  g_clear_pointer (&self->options, fh_run_options_free);
  if (self->is_closed)
    return;
  self->options = options != NULL ? fh_run_options_copy (options) : NULL;
  fh_warm_start_drop (self->warm_start);
  fh_warm_start_expect (self->warm_start);
  if (options == NULL || options->in_container)
    self->probe_timer = g_timeout_add (PROBE_DELAY_MS, probe_cb, self);
  else
    probe (self, FALSE);
}

void
fh_executor_check (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!self->is_closed)
    probe (self, TRUE);
}

FhProtection *
fh_executor_get_protection (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  return self->protection;
}

static gboolean
is_running (FhExecutor *self)
{
  return self->run != NULL && fh_run_get_state (self->run) != FH_RUN_FINISHED;
}

static void
changed (FhExecutor *self)
{
  if (!self->is_closed)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
set_state (FhExecutor *self, const char *sentence)
{
  g_free (self->kept_state);
  self->kept_state = g_strdup (sentence);
  changed (self);
}

static void
cancel_query (FhExecutor *self)
{
  g_cancellable_cancel (self->query);
  g_clear_object (&self->query);
}

static const char *const state_sentences[] = {
  [FH_SANDBOX_READY] = N_ ("The container is ready"),
  [FH_SANDBOX_PAUSED] = N_ ("The container is paused"),
  [FH_SANDBOX_STOPPED] = N_ ("The container is stopped"),
  [FH_SANDBOX_GONE] = N_ ("The container is gone; the next run makes a new one"),
};

static void
queried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhExecutor) self = user_data;
  g_autoptr (GError) error = NULL;
  FhSandboxState state = fh_sandbox_query_state_finish (FH_SANDBOX (source), result, &error);

  if (error == NULL)
    set_state (self, state != FH_SANDBOX_NONE ? _ (state_sentences[state]) : NULL);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_state (self, error->message);
}

static void
update_state (FhExecutor *self, gboolean may_ask)
{
  if (self->is_changing)
    {
      changed (self);
      return;
    }
  cancel_query (self);
  if (fh_executor_get_container (self) == NULL)
    set_state (self, NULL);
  else if (is_running (self))
    set_state (self, _ ("The container is in use"));
  else if (!may_ask)
    changed (self);
  else
    {
      set_state (self, _ ("Asking the engine…"));
      self->query = g_cancellable_new ();
      fh_sandbox_query_state_async (self->kept, self->query, queried_cb, g_object_ref (self));
    }
}

void
fh_executor_refresh (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!self->is_closed)
    update_state (self, TRUE);
}

static void
release_container (FhExecutor *self)
{
  cancel_query (self);
  if (self->kept != NULL)
    g_signal_handlers_disconnect_by_data (self->kept, self);
  g_clear_object (&self->kept);
  g_clear_pointer (&self->kept_key, g_free);
  g_clear_pointer (&self->kept_state, g_free);
}

const char *
fh_executor_get_container (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  return self->kept != NULL ? fh_sandbox_get_name (self->kept) : NULL;
}

const char *
fh_executor_get_container_state (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  return self->kept_state;
}

gboolean
fh_executor_can_change_container (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), FALSE);

  return fh_executor_get_container (self) != NULL && !self->is_changing && !is_running (self);
}

static void
begin_change (FhExecutor *self, const char *sentence)
{
  cancel_query (self);
  self->is_changing = TRUE;
  set_state (self, sentence);
}

static void
end_change (FhExecutor *self, const GError *error)
{
  self->is_changing = FALSE;
  if (self->is_closed)
    return;
  if (error != NULL)
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
  fh_executor_refresh (self);
}

static void
restarted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhExecutor) self = user_data;
  g_autoptr (GError) error = NULL;

  fh_sandbox_restart_finish (FH_SANDBOX (source), result, &error);
  end_change (self, error);
}

void
fh_executor_restart_container (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!fh_executor_can_change_container (self))
    return;
  begin_change (self, _ ("Restarting the container…"));
  fh_sandbox_restart_async (self->kept, NULL, restarted_cb, g_object_ref (self));
}

/* If it was removed, the next run makes another one. */
static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhExecutor) self = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_sandbox_stop_finish (FH_SANDBOX (source), result, &error) &&
      self->kept_after == FH_CONTAINER_REMOVE && self->kept == FH_SANDBOX (source))
    release_container (self);
  end_change (self, error);
}

void
fh_executor_stop_container (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!fh_executor_can_change_container (self))
    return;
  begin_change (self, _ ("Stopping the container…"));
  fh_sandbox_stop_async (self->kept, NULL, stopped_cb, g_object_ref (self));
}

/* Everything that a container is made with. Limits of time and output are set for each run. */
static char *
dup_key (FhRunRequest *request)
{
  const FhRunLimits *limits = &fh_run_request_get_parts (request)->limits;
  g_autofree char *options = fh_probes_key (fh_run_request_get_parts (request)->container);

  return g_strdup_printf ("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                          options,
                          limits->memory_bytes,
                          limits->disk_bytes,
                          (guint64) limits->processes);
}

static void
update_cb (FhExecutor *self)
{
  update_state (self, FALSE);
}

static FhSandbox *
prepare_new (FhExecutor *self, FhRunRequest *request)
{
  g_autoptr (FhBackend) backend =
      fh_probes_dup_backend (self->probes, fh_run_request_get_parts (request)->container);
  FhSandbox *sandbox = fh_backend_prepare (backend, request);

  if (self->cpu >= 0)
    fh_sandbox_keep_on (sandbox, self->cpu);
  return sandbox;
}

static FhSandbox *
prepare_warm (FhExecutor *self, FhRunRequest *request)
{
  if (self->warm == NULL)
    {
      self->warm = prepare_new (self, request);
      fh_sandbox_keep_warm (self->warm, self->like, (const char *const *) self->modules);
    }
  return g_object_ref (self->warm);
}

static FhSandbox *
prepare_kept (FhExecutor *self, FhRunRequest *request)
{
  const FhContainerOptions *container = fh_run_request_get_parts (request)->container;
  g_autofree char *key = dup_key (request);

  if (g_strcmp0 (key, self->kept_key) != 0)
    {
      if (fh_executor_get_container (self) != NULL)
        g_signal_emit (self, signals[SIGNAL_REPLACED], 0);
      release_container (self);
      self->kept = prepare_new (self, request);
      self->kept_key = g_steal_pointer (&key);
    }
  self->kept_after = container->after;
  return g_object_ref (self->kept);
}

static FhSandbox *
prepare_cells (FhExecutor *self, FhRunRequest *request)
{
  const FhContainerOptions *container = fh_run_request_get_parts (request)->container;
  g_autofree char *key = container != NULL ? dup_key (request) : NULL;

  if (container != NULL && container->is_kept)
    {
      g_autoptr (FhSandbox) kept = prepare_kept (self, request);

      g_set_object (&self->cells, kept);
    }
  else if (self->cells == NULL || g_strcmp0 (key, self->cells_key) != 0)
    {
      g_clear_object (&self->cells);
      self->cells = prepare_new (self, request);
    }
  g_free (self->cells_key);
  self->cells_key = g_steal_pointer (&key);
  return g_object_ref (self->cells);
}

static FhSandbox *
prepare (FhExecutor *self, FhRunRequest *request)
{
  const FhContainerOptions *container = fh_run_request_get_parts (request)->container;

  if (fh_run_request_get_parts (request)->cell != NULL ||
      (fh_run_request_get_parts (request)->shares != NULL && container == NULL))
    return prepare_cells (self, request);
  if (container == NULL && self->like != NULL)
    return prepare_warm (self, request);
  if (container == NULL || !container->is_kept)
    {
      FhSandbox *prepared = fh_warm_start_steal (self->warm_start, container);

      return prepared != NULL ? prepared : prepare_new (self, request);
    }
  return prepare_kept (self, request);
}

void
fh_executor_end_run (FhExecutor *self)
{
  const FhContainerOptions *container = NULL;

  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (self->run != NULL)
    container = fh_run_request_get_parts (fh_run_get_request (self->run))->container;
  /* Without its sandbox a run ends. */
  if (is_running (self))
    {
      g_clear_object (&self->warm);
      g_clear_object (&self->cells);
    }
  else if (container != NULL && !container->is_kept)
    g_set_object (&self->leaving, self->sandbox);
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  if (self->sandbox != NULL)
    g_signal_handlers_disconnect_by_data (self->sandbox, self);
  g_clear_object (&self->sandbox);
  g_clear_object (&self->run);
}

FhRun *
fh_executor_run (FhExecutor *self, FhRunRequest *request)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);
  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  fh_executor_end_run (self);
  self->sandbox = prepare (self, request);
  g_signal_connect_swapped (self->sandbox, "changed", G_CALLBACK (update_cb), self);
  self->run = fh_sandbox_run (self->sandbox, request);
  g_signal_connect_swapped (self->run, "notify::state", G_CALLBACK (update_cb), self);
  update_state (self, FALSE);
  return g_object_ref (self->run);
}

void
fh_executor_reset_cells (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (is_running (self) && self->cells != self->kept)
    g_clear_object (&self->cells);
  else if (self->cells != NULL)
    fh_sandbox_end_cells (self->cells);
}

void
fh_executor_keep_warm (FhExecutor *self, FhRunRequest *like, const char *const *modules)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (like) && modules != NULL);

  g_clear_object (&self->warm);
  g_set_object (&self->like, like);
  g_strfreev (self->modules);
  self->modules = g_strdupv ((GStrv) (gpointer) modules);
}

void
fh_executor_keep_on (FhExecutor *self, int cpu)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  self->cpu = cpu;
}

void
fh_executor_set_next (FhExecutor *self, FhNextRequestFunc next, gpointer user_data)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!self->is_closed)
    fh_warm_start_set_next (self->warm_start, next, user_data);
}

void
fh_executor_expect_run (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!self->is_closed && !is_running (self))
    fh_warm_start_expect (self->warm_start);
}

FhRun *
fh_executor_get_run (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  return self->run;
}

FhSandbox *
fh_executor_get_sandbox (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  return self->sandbox;
}

char *
fh_executor_dup_progress (FhExecutor *self)
{
  FhSandboxProgress progress;

  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  if (self->sandbox == NULL || !fh_sandbox_get_progress (self->sandbox, &progress))
    return NULL;
  if (progress.text == NULL || *progress.text == '\0')
    return g_strdup_printf (_ ("Pulling %s…"), progress.image);
  /* Translators: an image and how far its pull is: “Pulling python:3-slim: 3 of 5 layers” */
  return g_strdup_printf (_ ("Pulling %s: %s"), progress.image, progress.text);
}

void
fh_executor_close (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  self->is_closed = TRUE;
  g_clear_handle_id (&self->probe_timer, g_source_remove);
  fh_warm_start_set_next (self->warm_start, NULL, NULL);
  fh_executor_end_run (self);
  g_clear_object (&self->leaving);
  g_clear_object (&self->warm);
  g_clear_object (&self->cells);
  g_clear_object (&self->like);
  release_container (self);
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (fh_sandbox_stop_finish (FH_SANDBOX (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
fh_executor_close_async (FhExecutor *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (FhSandbox) sandbox = NULL;
  const FhContainerOptions *container = NULL;

  g_return_if_fail (FH_IS_EXECUTOR (self));

  g_task_set_source_tag (task, fh_executor_close_async);
  if (self->run != NULL)
    container = fh_run_request_get_parts (fh_run_get_request (self->run))->container;
  if (container != NULL && container->after != FH_CONTAINER_LEAVE)
    sandbox = g_object_ref (self->sandbox);
  else if (self->kept != NULL && self->kept_after != FH_CONTAINER_LEAVE)
    sandbox = g_object_ref (self->kept);
  else if (self->leaving != NULL)
    sandbox = g_object_ref (self->leaving);
  if (sandbox != NULL)
    fh_sandbox_stop_async (sandbox, NULL, closed_cb, g_object_ref (task));
  else if (container != NULL && self->sandbox != NULL)
    fh_sandbox_settle_async (self->sandbox, closed_cb, g_object_ref (task));
  else
    g_task_return_boolean (task, TRUE);
  fh_executor_close (self);
}

gboolean
fh_executor_close_finish (FhExecutor *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
fh_executor_dispose (GObject *object)
{
  FhExecutor *self = FH_EXECUTOR (object);
  fh_executor_close (self);
  g_clear_object (&self->probes);
  g_clear_object (&self->protection);
  g_clear_pointer (&self->options, fh_run_options_free);

  G_OBJECT_CLASS (fh_executor_parent_class)->dispose (object);
}

static void
fh_executor_finalize (GObject *object)
{
  fh_warm_start_free (FH_EXECUTOR (object)->warm_start);
  g_strfreev (FH_EXECUTOR (object)->modules);
  g_free (FH_EXECUTOR (object)->cells_key);

  G_OBJECT_CLASS (fh_executor_parent_class)->finalize (object);
}

static void
fh_executor_class_init (FhExecutorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_executor_dispose;
  G_OBJECT_CLASS (klass)->finalize = fh_executor_finalize;

  signals[SIGNAL_PROTECTED] = fh_signal_new ("protected", FH_TYPE_EXECUTOR, 0);
  signals[SIGNAL_CHANGED] = fh_signal_new ("changed", FH_TYPE_EXECUTOR, 0);
  signals[SIGNAL_REPLACED] = fh_signal_new ("replaced", FH_TYPE_EXECUTOR, 0);
  signals[SIGNAL_FAILED] = fh_signal_new ("failed", FH_TYPE_EXECUTOR, 1, G_TYPE_STRING);
}

static void
fh_executor_init (FhExecutor *self)
{
  self->cpu = -1;
}

FhExecutor *
fh_executor_new (FhProbes *probes)
{
  FhExecutor *self = g_object_new (FH_TYPE_EXECUTOR, NULL);

  self->probes = probes != NULL ? g_object_ref (probes) : fh_probes_new (NULL);
  self->warm_start = fh_warm_start_new (self->probes);
  return self;
}
