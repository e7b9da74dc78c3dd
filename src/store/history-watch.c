/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-watch.h"

/* A run is several writes, and ours are told as well. */
#define PAUSE_MS 200

struct _FhHistoryWatch
{
  FhHistory *history;
  GCancellable *cancellable;
  GFileMonitor *monitor; /* nullable: not yet, or nothing is told here */
  char *name;            /* of the file; others beside it begin with it */
  guint timer;
};

static gboolean
refresh_cb (gpointer user_data)
{
  FhHistoryWatch *self = user_data;

  self->timer = 0;
  fh_history_refresh_async (self->history, NULL, NULL, NULL);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (GFileMonitor *monitor,
            GFile *file,
            GFile *other,
            GFileMonitorEvent event,
            FhHistoryWatch *self)
{
  g_autofree char *name = g_file_get_basename (file);

  /* Changes of the log's index do not count: readers write it too. */
  if (self->timer == 0 && g_str_has_prefix (name, self->name) && !g_str_has_suffix (name, "-shm"))
    self->timer = g_timeout_add (PAUSE_MS, refresh_cb, self);
}

static void
watch (FhHistoryWatch *self)
{
  g_autofree char *folder = g_path_get_dirname (fh_history_get_path (self->history));
  g_autoptr (GFile) file = g_file_new_for_path (folder);

  self->monitor = g_file_monitor_directory (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor == NULL)
    return;
  g_file_monitor_set_rate_limit (self->monitor, PAUSE_MS);
  g_signal_connect (self->monitor, "changed", G_CALLBACK (changed_cb), self);
  /* The first refresh covers what has changed before this moment. */
  self->timer = g_timeout_add (PAUSE_MS, refresh_cb, self);
}

/* The watch lives unless it is cancelled. Now the folder is there: changes in one that is made
 * later would be told seconds late. */
static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GCancellable) cancellable = user_data;

  if (!g_cancellable_is_cancelled (cancellable))
    watch (g_object_get_data (G_OBJECT (cancellable), "watch"));
}

FhHistoryWatch *
fh_history_watch_new (FhHistory *history)
{
  FhHistoryWatch *self;

  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);

  self = g_new0 (FhHistoryWatch, 1);
  self->history = g_object_ref (history);
  self->cancellable = g_cancellable_new ();
  self->name = g_path_get_basename (fh_history_get_path (history));
  g_object_set_data (G_OBJECT (self->cancellable), "watch", self);
  fh_history_refresh_async (history, NULL, opened_cb, g_object_ref (self->cancellable));
  return self;
}

void
fh_history_watch_free (FhHistoryWatch *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_object_unref (self->history);
  g_free (self->name);
  g_free (self);
}
