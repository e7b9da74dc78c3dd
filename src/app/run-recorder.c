/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-recorder.h"

enum
{
  PROP_BUSY = 1,
  N_PROPS
};

enum
{
  SIGNAL_RUN_FINISHED,
  SIGNAL_FAILED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* `pending` counts runs that go on and results that are being written. */
struct _FhRunRecorder
{
  GObject parent_instance;

  FhHistory *history;
  FhSettings *settings;
  guint pending;
};

G_DEFINE_FINAL_TYPE (FhRunRecorder, fh_run_recorder, G_TYPE_OBJECT)

/* One watched run. It lives until the run has finished, and keeps the recorder until then. */
typedef struct
{
  FhRunRecorder *recorder;
  FhRun *run;
  char *page_id;
  gboolean keep;
  gulong handler;
} Watch;

static void
watch_free (Watch *watch)
{
  g_clear_signal_handler (&watch->handler, watch->run);
  g_object_unref (watch->run);
  g_object_unref (watch->recorder);
  g_free (watch->page_id);
  g_free (watch);
}

static void
add_pending (FhRunRecorder *self, int change)
{
  gboolean was_busy = self->pending > 0;

  self->pending += (guint) change;
  if (was_busy != (self->pending > 0))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
pruned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunRecorder) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_history_prune_finish (FH_HISTORY (source), result, &error))
    g_debug ("Old runs could not be removed: %s", error->message);
  add_pending (self, -1);
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunRecorder) self = user_data;
  g_autoptr (GError) error = NULL;
  int size;

  if (fh_history_add_finish (FH_HISTORY (source), result, &error) < 0)
    {
      g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
      add_pending (self, -1);
      return;
    }
  g_object_get (self->settings, "history-size", &size, NULL);
  if (size > 0)
    fh_history_prune_async (self->history, (guint) size, NULL, pruned_cb, g_object_ref (self));
  else
    add_pending (self, -1);
}

static void
result_cb (FhRun *run, GParamSpec *pspec, gpointer user_data)
{
  Watch *watch = user_data;
  FhRunRecorder *self = watch->recorder;
  FhRunResult *result = fh_run_get_result (run);
  gboolean keep_history;

  if (result == NULL)
    return;

  g_object_get (self->settings, "keep-history", &keep_history, NULL);
  g_signal_emit (self, signals[SIGNAL_RUN_FINISHED], 0, run, watch->page_id);
  if (watch->keep && keep_history)
    fh_history_add_async (self->history,
                          fh_run_get_request (run),
                          result,
                          NULL,
                          added_cb,
                          g_object_ref (self));
  else
    add_pending (self, -1);
  watch_free (watch);
}

static void
fh_run_recorder_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_BUSY:
      g_value_set_boolean (value, fh_run_recorder_get_busy (FH_RUN_RECORDER (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_run_recorder_dispose (GObject *object)
{
  FhRunRecorder *self = FH_RUN_RECORDER (object);

  g_clear_object (&self->history);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (fh_run_recorder_parent_class)->dispose (object);
}

static void
fh_run_recorder_class_init (FhRunRecorderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_run_recorder_dispose;
  object_class->get_property = fh_run_recorder_get_property;

  properties[PROP_BUSY] =
      g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_RUN_FINISHED] = g_signal_new ("run-finished",
                                               G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST,
                                               0,
                                               NULL,
                                               NULL,
                                               NULL,
                                               G_TYPE_NONE,
                                               2,
                                               FH_TYPE_RUN,
                                               G_TYPE_STRING);
  signals[SIGNAL_FAILED] = g_signal_new ("failed",
                                         G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST,
                                         0,
                                         NULL,
                                         NULL,
                                         NULL,
                                         G_TYPE_NONE,
                                         1,
                                         G_TYPE_STRING);
}

static void
fh_run_recorder_init (FhRunRecorder *self)
{
}

FhRunRecorder *
fh_run_recorder_new (FhHistory *history, FhSettings *settings)
{
  FhRunRecorder *self;

  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);
  g_return_val_if_fail (FH_IS_SETTINGS (settings), NULL);

  self = g_object_new (FH_TYPE_RUN_RECORDER, NULL);
  self->history = g_object_ref (history);
  self->settings = g_object_ref (settings);
  return self;
}

void
fh_run_recorder_watch (FhRunRecorder *self, FhRun *run, const char *page_id, gboolean keep)
{
  Watch *watch;

  g_return_if_fail (FH_IS_RUN_RECORDER (self));
  g_return_if_fail (FH_IS_RUN (run));

  watch = g_new0 (Watch, 1);
  watch->recorder = g_object_ref (self);
  watch->run = g_object_ref (run);
  watch->page_id = g_strdup (page_id);
  watch->keep = keep;
  watch->handler = g_signal_connect (run, "notify::result", G_CALLBACK (result_cb), watch);
  add_pending (self, 1);
  if (fh_run_get_result (run) != NULL)
    result_cb (run, NULL, watch);
}

gboolean
fh_run_recorder_get_busy (FhRunRecorder *self)
{
  g_return_val_if_fail (FH_IS_RUN_RECORDER (self), FALSE);

  return self->pending > 0;
}
