/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "recorder.h"

#include "signals.h"

enum
{
  PROP_KEEP_HISTORY = 1,
  PROP_HISTORY_SIZE,
  PROP_BUSY,
  N_PROPS
};

enum
{
  SIGNAL_FINISHED,
  SIGNAL_SAVED,
  SIGNAL_FAILED,
  SIGNAL_NOTICE,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

struct _FhRecorder
{
  GObject parent_instance;

  FhHistory *history;
  gboolean keep_history;
  int history_size;
  GPtrArray *followed; /* (element-type Followed) */
  guint n_pending;     /* calls of the history that go on */
  gboolean is_busy;    /* as it was notified */
};

G_DEFINE_FINAL_TYPE (FhRecorder, fh_recorder, G_TYPE_OBJECT)

/* A series that is not yet saved. It keeps the recorder alive until then. */
typedef struct
{
  FhRecorder *recorder;
  FhSeries *series;
  FhSeriesRecord *record;
  FhRecordForm form;
  char *tab_id; /* nullable */
} Followed;

static void
followed_free (Followed *followed)
{
  g_signal_handlers_disconnect_by_data (followed->series, followed);
  g_signal_handlers_disconnect_by_data (followed->record, followed);
  g_object_unref (followed->record);
  g_object_unref (followed->series);
  g_object_unref (followed->recorder);
  g_free (followed->tab_id);
  g_free (followed);
}

gboolean
fh_recorder_get_busy (FhRecorder *self)
{
  g_return_val_if_fail (FH_IS_RECORDER (self), FALSE);

  for (guint i = 0; i < self->followed->len; i++)
    {
      const Followed *followed = g_ptr_array_index (self->followed, i);

      if (fh_series_get_state (followed->series) != FH_SERIES_READY)
        return TRUE;
    }
  return self->n_pending > 0;
}

static void
notify_busy (FhRecorder *self)
{
  const gboolean is_busy = fh_recorder_get_busy (self);

  if (self->is_busy == is_busy)
    return;
  self->is_busy = is_busy;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
end_pending (FhRecorder *self)
{
  self->n_pending--;
  notify_busy (self);
}

static void
pruned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRecorder) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_history_change_finish (FH_HISTORY (source), result, &error))
    g_debug ("Old runs could not be removed: %s", error->message);
  end_pending (self);
}

static void
prune (FhRecorder *self)
{
  if (self->history_size <= 0)
    return;
  self->n_pending++;
  fh_history_prune_async (self->history,
                          (guint) self->history_size,
                          NULL,
                          pruned_cb,
                          g_object_ref (self));
}

static void
saved_cb (Followed *followed, FhStep *step, gint64 id, const char *problem)
{
  g_autoptr (FhRecorder) self = g_object_ref (followed->recorder);

  if (id > 0)
    prune (self);
  g_signal_emit (self, signals[SIGNAL_SAVED], 0, followed->series, step, id, problem);
  if (problem != NULL)
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, problem);
}

static void
finished_cb (Followed *followed)
{
  FhRunRequest *request = fh_series_record_get_request (followed->record);

  if (request != NULL && followed->form != FH_RECORD_SESSION)
    g_signal_emit (followed->recorder,
                   signals[SIGNAL_FINISHED],
                   0,
                   request,
                   fh_series_record_get_result (followed->record),
                   followed->tab_id);
}

static void
complete_cb (Followed *followed)
{
  g_autoptr (FhRecorder) self = g_object_ref (followed->recorder);

  g_ptr_array_remove (self->followed, followed);
  notify_busy (self);
}

static void
state_cb (Followed *followed)
{
  notify_busy (followed->recorder);
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRecorder) self = user_data;
  g_autofree char *notice = NULL;

  /* The first entry that is saved reports the error. */
  if (fh_history_open_finish (FH_HISTORY (source), result, &notice, NULL) && notice != NULL)
    g_signal_emit (self, signals[SIGNAL_NOTICE], 0, notice);
  end_pending (self);
}

static void
notice_cb (FhRecorder *self, const char *notice)
{
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, notice);
}

void
fh_recorder_open (FhRecorder *self)
{
  g_return_if_fail (FH_IS_RECORDER (self));

  self->n_pending++;
  notify_busy (self);
  fh_history_open_async (self->history, NULL, opened_cb, g_object_ref (self));
}

FhSeriesRecord *
fh_recorder_follow (FhRecorder *self,
                    FhSeries *series,
                    FhRecordForm form,
                    const char *title,
                    const char *text,
                    const char *tab_id)
{
  Followed *followed;
  gboolean keeps;

  g_return_val_if_fail (FH_IS_RECORDER (self) && FH_IS_SERIES (series), NULL);

  keeps = self->keep_history && !fh_series_get_options (series)->no_history;
  followed = g_new0 (Followed, 1);
  followed->recorder = g_object_ref (self);
  followed->series = g_object_ref (series);
  followed->record = fh_series_record_new (series, keeps ? self->history : NULL, form, title, text);
  followed->form = form;
  followed->tab_id = g_strdup (tab_id);
  g_ptr_array_add (self->followed, followed);
  g_signal_connect_swapped (followed->record, "finished", G_CALLBACK (finished_cb), followed);
  g_signal_connect_swapped (followed->record, "saved", G_CALLBACK (saved_cb), followed);
  g_signal_connect_swapped (followed->record, "complete", G_CALLBACK (complete_cb), followed);
  g_signal_connect_swapped (series, "notify::state", G_CALLBACK (state_cb), followed);
  return followed->record;
}

static void
fh_recorder_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhRecorder *self = FH_RECORDER (object);

  switch (id)
    {
    case PROP_KEEP_HISTORY:
      g_value_set_boolean (value, self->keep_history);
      break;
    case PROP_HISTORY_SIZE:
      g_value_set_int (value, self->history_size);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, fh_recorder_get_busy (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_recorder_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhRecorder *self = FH_RECORDER (object);

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
fh_recorder_finalize (GObject *object)
{
  FhRecorder *self = FH_RECORDER (object);

  g_object_unref (self->history);
  g_ptr_array_unref (self->followed);

  G_OBJECT_CLASS (fh_recorder_parent_class)->finalize (object);
}

static void
fh_recorder_class_init (FhRecorderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_STATIC_STRINGS | G_PARAM_READABLE;

  object_class->finalize = fh_recorder_finalize;
  object_class->get_property = fh_recorder_get_property;
  object_class->set_property = fh_recorder_set_property;

  properties[PROP_KEEP_HISTORY] =
      g_param_spec_boolean ("keep-history", NULL, NULL, TRUE, flags | G_PARAM_WRITABLE);
  properties[PROP_HISTORY_SIZE] =
      g_param_spec_int ("history-size", NULL, NULL, 0, G_MAXINT, 0, flags | G_PARAM_WRITABLE);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_FINISHED] = fh_signal_new ("finished",
                                            FH_TYPE_RECORDER,
                                            3,
                                            FH_TYPE_RUN_REQUEST,
                                            FH_TYPE_RUN_RESULT,
                                            G_TYPE_STRING);
  signals[SIGNAL_SAVED] = fh_signal_new ("saved",
                                         FH_TYPE_RECORDER,
                                         4,
                                         FH_TYPE_SERIES,
                                         FH_TYPE_STEP,
                                         G_TYPE_INT64,
                                         G_TYPE_STRING);
  signals[SIGNAL_FAILED] = fh_signal_new ("failed", FH_TYPE_RECORDER, 1, G_TYPE_STRING);
  signals[SIGNAL_NOTICE] = fh_signal_new ("notice", FH_TYPE_RECORDER, 1, G_TYPE_STRING);
}

static void
fh_recorder_init (FhRecorder *self)
{
  self->keep_history = TRUE;
  self->followed = g_ptr_array_new_with_free_func ((GDestroyNotify) followed_free);
}

FhRecorder *
fh_recorder_new (FhHistory *history)
{
  FhRecorder *self;

  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);

  self = g_object_new (FH_TYPE_RECORDER, NULL);
  self->history = g_object_ref (history);
  g_signal_connect_object (history, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
  return self;
}
