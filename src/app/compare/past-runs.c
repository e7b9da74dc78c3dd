/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/past-runs.h"

#include <glib/gi18n.h>

#include "compare/compare-window.h"
#include "parts/toasts.h"

/* Two runs, while they are loaded one after the other. */
typedef struct
{
  GtkWidget *widget;
  gint64 ids[2];
  FhRunRequest *requests[2];
  FhRunResult *results[2];
  guint n_loaded;
} Pair;

static void
pair_free (Pair *pair)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_object (&pair->requests[i]);
      g_clear_object (&pair->results[i]);
    }
  g_object_unref (pair->widget);
  g_free (pair);
}

static void
show (Pair *pair)
{
  FhComparedRun runs[2];

  runs[0] = (FhComparedRun){ _ ("The older run"), pair->requests[0], pair->results[0] };
  runs[1] = (FhComparedRun){ _ ("The newer run"), pair->requests[1], pair->results[1] };
  fh_compare_window_show (pair->widget, runs);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Pair *pair = user_data;
  guint i = pair->n_loaded++;
  g_autoptr (GError) error = NULL;

  if (!fh_history_load_finish (FH_HISTORY (source),
                               result,
                               NULL,
                               &pair->requests[i],
                               &pair->results[i],
                               &error))
    fh_toast_show_problem (pair->widget, error->message);
  else if (pair->n_loaded < 2)
    {
      fh_history_load_async (FH_HISTORY (source), pair->ids[1], NULL, loaded_cb, pair);
      return;
    }
  /* The window may have been closed. */
  else if (gtk_widget_get_root (pair->widget) != NULL && gtk_widget_get_mapped (pair->widget))
    show (pair);
  pair_free (pair);
}

void
fh_compare_past_runs (GtkWidget *widget, FhHistory *history, gint64 old_run, gint64 new_run)
{
  Pair *pair;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (FH_IS_HISTORY (history));

  pair = g_new0 (Pair, 1);
  pair->widget = g_object_ref (widget);
  pair->ids[0] = old_run;
  pair->ids[1] = new_run;
  fh_history_load_async (history, old_run, NULL, loaded_cb, pair);
}
