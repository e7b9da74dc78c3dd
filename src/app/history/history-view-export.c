/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A past run as a file: it is chosen, and then the run is loaded and written. */
#include "config.h"

#include <glib/gi18n.h>

#include "history/history-view-private.h"
#include "parts/file-dialogs.h"
#include "parts/text-file.h"
#include "parts/toasts.h"

typedef struct
{
  FhHistoryView *view;
  GFile *file;
} Export;

static void
export_free (Export *export)
{
  g_object_unref (export->view);
  g_clear_object (&export->file);
  g_free (export);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_text_file_save_finish (result, &error))
    fh_toast_show (GTK_WIDGET (export->view), _ ("Run exported"));
  else
    fh_toast_show_problem (GTK_WIDGET (export->view), error->message);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) run_result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GFile *file = export->file;

  if (!fh_history_load_finish (FH_HISTORY (source), result, &entry, &request, &run_result, &error))
    {
      fh_toast_show_problem (GTK_WIDGET (export->view), error->message);
      return;
    }
  text = fh_history_entry_export (entry, request, run_result);
  fh_text_file_save_async (file, text, NULL, saved_cb, g_steal_pointer (&export));
}

void
fh_history_view_export (FhHistoryView *self, gint64 id, GFile *file)
{
  Export *export = g_new0 (Export, 1);

  export->view = g_object_ref (self);
  export->file = g_object_ref (file);
  fh_history_load_async (self->history, id, NULL, loaded_cb, export);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GFile) file = fh_file_dialogs_finish (result, NULL);
  g_autofree gint64 *id = user_data;

  if (file != NULL)
    fh_history_view_export (FH_HISTORY_VIEW (source), *id, file);
}

void
fh_history_view_export_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryEntry *entry = fh_history_view_get_entry (FH_HISTORY_VIEW (widget));
  gint64 id;

  if (entry == NULL)
    return;
  id = fh_history_entry_get_id (entry);
  fh_file_dialogs_show_async (widget,
                              GTK_FILE_CHOOSER_ACTION_SAVE,
                              _ ("Export Run"),
                              "run.json",
                              NULL,
                              chosen_cb,
                              g_memdup2 (&id, sizeof id));
}
