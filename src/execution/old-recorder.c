/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "old-recorder.h"

enum
{
  PROP_KEEP_HISTORY = 1,
  PROP_HISTORY_SIZE,
  PROP_BUSY,
  N_PROPS
};

enum
{
  SIGNAL_RUN_FINISHED,
  SIGNAL_FAILED,
  SIGNAL_NOTICE,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* `pending` counts runs that go on and results that are being saved. */
struct _FhOldRecorder
{
  GObject parent_instance;

  FhHistory *history;
  gboolean keep_history;
  int history_size;
  guint pending;
};

G_DEFINE_FINAL_TYPE (FhOldRecorder, fh_old_recorder, G_TYPE_OBJECT)

/* One watched run. It lives until the run has finished, and keeps the recorder alive until then. */
typedef struct
{
  FhOldRecorder *recorder;
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
add_pending (FhOldRecorder *self, int change)
{
  gboolean was_busy = self->pending > 0;

  self->pending += (guint) change;
  if (was_busy != (self->pending > 0))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
pruned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhOldRecorder) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_history_change_finish (FH_HISTORY (source), result, &error))
    g_debug ("Old runs could not be removed: %s", error->message);
  add_pending (self, -1);
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhOldRecorder) self = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_history_add_finish (FH_HISTORY (source), result, &error) < 0)
    {
      g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
      add_pending (self, -1);
    }
  else if (self->history_size > 0)
    fh_history_prune_async (self->history,
                            (guint) self->history_size,
                            NULL,
                            pruned_cb,
                            g_object_ref (self));
  else
    add_pending (self, -1);
}

static void
result_cb (FhRun *run, GParamSpec *pspec, gpointer user_data)
{
  Watch *watch = user_data;
  FhOldRecorder *self = watch->recorder;
  FhRunResult *result = fh_run_get_result (run);

  if (result == NULL)
    return;

  g_signal_emit (self, signals[SIGNAL_RUN_FINISHED], 0, run, watch->page_id);
  if (watch->keep && self->keep_history)
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
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhOldRecorder) self = user_data;
  g_autofree char *notice = NULL;

  /* The first run that is saved reports the error. */
  if (fh_history_open_finish (FH_HISTORY (source), result, &notice, NULL) && notice != NULL)
    g_signal_emit (self, signals[SIGNAL_NOTICE], 0, notice);
  add_pending (self, -1);
}

static void
notice_cb (FhOldRecorder *self, const char *notice)
{
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, notice);
}

static void
fh_old_recorder_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhOldRecorder *self = FH_OLD_RECORDER (object);

  switch (id)
    {
    case PROP_KEEP_HISTORY:
      g_value_set_boolean (value, self->keep_history);
      break;
    case PROP_HISTORY_SIZE:
      g_value_set_int (value, self->history_size);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, fh_old_recorder_get_busy (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_old_recorder_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhOldRecorder *self = FH_OLD_RECORDER (object);

  switch (id)
    {
    case PROP_KEEP_HISTORY:
      self->keep_history = g_value_get_boolean (value);
      break;
    case PROP_HISTORY_SIZE:
      self->history_size = g_value_get_int (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_old_recorder_dispose (GObject *object)
{
  g_clear_object (&FH_OLD_RECORDER (object)->history);

  G_OBJECT_CLASS (fh_old_recorder_parent_class)->dispose (object);
}

static guint
new_signal (const char *name, guint n_params, GType first, GType second)
{
  return g_signal_new (name,
                       FH_TYPE_OLD_RECORDER,
                       G_SIGNAL_RUN_LAST,
                       0,
                       NULL,
                       NULL,
                       NULL,
                       G_TYPE_NONE,
                       n_params,
                       first,
                       second);
}

static void
fh_old_recorder_class_init (FhOldRecorderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_STATIC_STRINGS | G_PARAM_READABLE;

  object_class->dispose = fh_old_recorder_dispose;
  object_class->get_property = fh_old_recorder_get_property;
  object_class->set_property = fh_old_recorder_set_property;

  properties[PROP_KEEP_HISTORY] =
      g_param_spec_boolean ("keep-history", NULL, NULL, TRUE, flags | G_PARAM_WRITABLE);
  properties[PROP_HISTORY_SIZE] =
      g_param_spec_int ("history-size", NULL, NULL, 0, G_MAXINT, 0, flags | G_PARAM_WRITABLE);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_RUN_FINISHED] = new_signal ("run-finished", 2, FH_TYPE_RUN, G_TYPE_STRING);
  signals[SIGNAL_FAILED] = new_signal ("failed", 1, G_TYPE_STRING, G_TYPE_NONE);
  signals[SIGNAL_NOTICE] = new_signal ("notice", 1, G_TYPE_STRING, G_TYPE_NONE);
}

static void
fh_old_recorder_init (FhOldRecorder *self)
{
  self->keep_history = TRUE;
}

FhOldRecorder *
fh_old_recorder_new (FhHistory *history)
{
  FhOldRecorder *self;

  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);

  self = g_object_new (FH_TYPE_OLD_RECORDER, NULL);
  self->history = g_object_ref (history);
  g_signal_connect_object (history, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
  return self;
}

void
fh_old_recorder_open (FhOldRecorder *self)
{
  g_return_if_fail (FH_IS_OLD_RECORDER (self));

  add_pending (self, 1);
  fh_history_open_async (self->history, NULL, opened_cb, g_object_ref (self));
}

void
fh_old_recorder_watch (FhOldRecorder *self, FhRun *run, const char *page_id, gboolean keep)
{
  Watch *watch;

  g_return_if_fail (FH_IS_OLD_RECORDER (self));
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

gint64
fh_old_recorder_save (FhOldRecorder *self, FhRun *run)
{
  g_autoptr (GError) error = NULL;
  gint64 id;

  g_return_val_if_fail (FH_IS_OLD_RECORDER (self), -1);
  g_return_val_if_fail (FH_IS_RUN (run) && fh_run_get_result (run) != NULL, -1);

  while (self->pending > 0)
    g_main_context_iteration (NULL, TRUE);
  id = fh_history_add (self->history, fh_run_get_request (run), fh_run_get_result (run), &error);
  if (id < 0)
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
  return id;
}

gboolean
fh_old_recorder_get_busy (FhOldRecorder *self)
{
  g_return_val_if_fail (FH_IS_OLD_RECORDER (self), FALSE);

  return self->pending > 0;
}
