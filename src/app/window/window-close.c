/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/message-dialogs.h"
#include "parts/toasts.h"
#include "window/window-private.h"

/* How many closed tabs can be brought back. */
#define MAX_CLOSED 20

/* A tab that waits for an answer before it is closed. */
typedef struct
{
  FhWindow *window;
  AdwTabPage *tab;
} Closing;

static Closing *
closing_new (FhWindow *window, AdwTabPage *tab)
{
  Closing *closing = g_new (Closing, 1);

  closing->window = g_object_ref (window);
  closing->tab = g_object_ref (tab);
  return closing;
}

static void
closing_free (Closing *closing)
{
  g_object_unref (closing->window);
  g_object_unref (closing->tab);
  g_free (closing);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Closing, closing_free)

static FhSnippetPage *
closing_get_page (Closing *closing)
{
  return FH_SNIPPET_PAGE (adw_tab_page_get_child (closing->tab));
}

static void
keep_open (Closing *closing)
{
  adw_tab_view_close_page_finish (closing->window->tab_view, closing->tab, FALSE);
}

static void
close_now (Closing *closing)
{
  FhWindow *self = closing->window;
  FhSnippetPage *page = closing_get_page (closing);

  if (!fh_snippet_page_is_untouched (page))
    {
      g_queue_push_head (&self->closed, fh_snippet_page_dup_draft (page));
      while (g_queue_get_length (&self->closed) > MAX_CLOSED)
        fh_draft_free (g_queue_pop_tail (&self->closed));
      fh_toast_show_action (GTK_WIDGET (self),
                            _ ("Tab closed"),
                            _ ("_Undo"),
                            "win.reopen-tab",
                            NULL);
    }
  fh_snippet_page_close (page);
  adw_tab_view_close_page_finish (self->tab_view, closing->tab, TRUE);
  fh_window_update_actions (self);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Closing) closing = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_snippet_page_save_finish (FH_SNIPPET_PAGE (source), result, &error))
    {
      close_now (closing);
      return;
    }
  fh_toast_show_problem (GTK_WIDGET (closing->window), error->message);
  keep_open (closing);
}

static void
save_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Closing) closing = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "save") == 0)
    {
      FhSnippetPage *page = closing_get_page (closing);

      fh_snippet_page_save_async (page, NULL, NULL, saved_cb, g_steal_pointer (&closing));
    }
  else if (g_strcmp0 (answer, "discard") == 0)
    {
      close_now (closing);
    }
  else
    {
      keep_open (closing);
    }
}

/* Only what belongs to a file is asked about: other text can be brought back as it was. */
static void
ask_to_save (Closing *closing)
{
  const FhMessageChoice choices[] = {
    { "discard", _ ("_Discard"), TRUE },
    { "save", _ ("_Save"), FALSE },
    { NULL },
  };
  FhSnippetPage *page = closing_get_page (closing);
  g_autofree char *body = NULL;

  if (!fh_snippet_page_get_modified (page))
    {
      close_now (closing);
      closing_free (closing);
      return;
    }
  body = g_strdup_printf (_ ("“%s” has changes that are not in the file yet."),
                          fh_snippet_page_get_title (page));
  fh_message_dialogs_ask_async (GTK_WIDGET (closing->window),
                                _ ("Save Changes?"),
                                body,
                                choices,
                                NULL,
                                save_answer_cb,
                                closing);
}

static void
stop_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Closing) closing = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "stop") == 0)
    ask_to_save (g_steal_pointer (&closing));
  else
    keep_open (closing);
}

void
fh_window_close_tab (FhWindow *self, AdwTabPage *tab)
{
  const FhMessageChoice choices[] = {
    { "stop", _ ("_Stop and Close"), TRUE },
    { NULL },
  };
  Closing *closing = closing_new (self, tab);
  FhSnippetPage *page = closing_get_page (closing);
  g_autofree char *body = NULL;

  if (fh_snippet_page_get_run_state (page) == FH_RUN_FINISHED)
    {
      ask_to_save (closing);
      return;
    }
  body = g_strdup_printf (_ ("“%s” is still running. Closing the tab ends it."),
                          fh_snippet_page_get_title (page));
  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                _ ("Stop the Program?"),
                                body,
                                choices,
                                NULL,
                                stop_answer_cb,
                                closing);
}

/* The names of what still runs, one per line, or NULL. */
static char *
dup_running (FhWindow *self)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < fh_window_count_pages (self); i++)
    {
      FhSnippetPage *page = fh_window_get_nth_page (self, i);

      if (fh_snippet_page_get_run_state (page) != FH_RUN_FINISHED)
        g_string_append_printf (names,
                                "%s• %s",
                                names->len > 0 ? "\n" : "",
                                fh_snippet_page_get_title (page));
    }
  return names->len > 0 ? g_string_free (g_steal_pointer (&names), FALSE) : NULL;
}

static void
window_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhWindow) self = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "stop") != 0)
    return;
  self->close_confirmed = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static void
ask_to_stop_all (FhWindow *self, const char *running)
{
  const FhMessageChoice choices[] = {
    { "stop", _ ("_Stop and Close"), TRUE },
    { NULL },
  };
  g_autofree char *body =
      g_strdup_printf (_ ("Closing the window ends what still runs:\n%s"), running);

  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                _ ("Stop the Programs?"),
                                body,
                                choices,
                                NULL,
                                window_answer_cb,
                                g_object_ref (self));
}

gboolean
fh_window_prepare_close (FhWindow *self)
{
  g_autofree char *running = dup_running (self);

  if (running != NULL && !self->close_confirmed)
    {
      ask_to_stop_all (self, running);
      return FALSE;
    }
  for (guint i = 0; i < fh_window_count_pages (self); i++)
    fh_snippet_page_save_draft (fh_window_get_nth_page (self, i));
  fh_window_save_state (self);
  /* The process may end right after this window. */
  fh_drafts_flush (fh_services_get_drafts (self->services));
  return TRUE;
}
