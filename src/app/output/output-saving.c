/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-saving.h"

#include <glib/gi18n.h>

#include "output-cut.h"
#include "output/output-export.h"
#include "parts/file-dialogs.h"
#include "parts/toasts.h"

typedef struct
{
  GtkWidget *widget;
  FhOutputLog *log;
  guint streams;
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->widget);
  g_object_unref (saving->log);
  g_free (saving);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (!fh_output_export_save_finish (G_FILE (source), result, &error))
    message = g_strdup_printf (_ ("Could not save the output: %s"), error->message);
  else if (fh_output_log_is_truncated (saving->log))
    message = g_strdup (_ ("Saved what was kept: the beginning and the end of the output"));
  else
    message = g_strdup (_ ("Output saved"));
  fh_toast_show (saving->widget, message);
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GFile) file = fh_file_dialogs_finish (result, NULL);
  FhOutputLog *log = saving->log;
  const guint streams = saving->streams;

  if (file != NULL)
    fh_output_export_save_async (file, log, streams, NULL, saved_cb, g_steal_pointer (&saving));
}

void
fh_output_saving_ask (GtkWidget *widget, FhOutputLog *log, guint streams)
{
  Saving *saving;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (FH_IS_OUTPUT_LOG (log));

  saving = g_new (Saving, 1);
  saving->widget = g_object_ref (widget);
  saving->log = g_object_ref (log);
  saving->streams = streams;
  fh_file_dialogs_show_async (widget,
                              GTK_FILE_CHOOSER_ACTION_SAVE,
                              _ ("Save Output"),
                              fh_output_export_file_name (streams),
                              NULL,
                              file_chosen_cb,
                              saving);
}
