/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/toasts.h"
#include "window/window-private.h"

/* A past run that is being loaded, to be shown or to be run again. */
typedef struct
{
  FhWindow *window;
  gboolean run;
} Loading;

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Loading *loading = user_data;
  g_autoptr (FhWindow) self = g_steal_pointer (&loading->window);
  gboolean run = loading->run;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) run_result = NULL;
  g_autoptr (GError) error = NULL;
  FhSnippetPage *page;

  g_free (loading);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (!fh_history_load_finish (FH_HISTORY (source), result, NULL, &request, &run_result, &error))
    {
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return;
    }
  page = FH_SNIPPET_PAGE (fh_snippet_page_new (self->services));
  fh_snippet_page_show_result (page, request, run_result);
  fh_window_add_page (self, page);
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  if (run)
    fh_snippet_page_run_when_ready (page);
}

void
fh_window_open_run (FhWindow *self, gint64 id, gboolean run)
{
  Loading *loading = g_new0 (Loading, 1);

  loading->window = g_object_ref (self);
  loading->run = run;
  fh_history_load_async (fh_services_get_history (self->services),
                         id,
                         self->cancellable,
                         loaded_cb,
                         loading);
}
