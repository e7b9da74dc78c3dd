/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/toasts.h"
#include "window/examples.h"
#include "window/window-private.h"

static gboolean
state_to_loading (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_boolean (to, g_value_get_int (from) != FH_RUN_FINISHED);
  return TRUE;
}

/* A tab's tooltip is markup. */
static gboolean
text_to_markup (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const char *text = g_value_get_string (from);

  g_value_take_string (to, g_markup_escape_text (text != NULL ? text : "", -1));
  return TRUE;
}

static void
update_tab_title (AdwTabPage *tab, GParamSpec *pspec, FhSnippetPage *page)
{
  const char *title = fh_snippet_page_get_title (page);
  g_autofree char *shown =
      fh_snippet_page_get_modified (page) ? g_strconcat ("• ", title, NULL) : g_strdup (title);

  adw_tab_page_set_title (tab, shown);
}

/* A run that ends behind another tab asks to be looked at. */
static void
run_state_cb (AdwTabPage *tab, GParamSpec *pspec, FhSnippetPage *page)
{
  if (fh_snippet_page_get_run_state (page) == FH_RUN_FINISHED && !adw_tab_page_get_selected (tab))
    adw_tab_page_set_needs_attention (tab, TRUE);
}

static void
selected_cb (AdwTabPage *tab)
{
  if (adw_tab_page_get_selected (tab))
    adw_tab_page_set_needs_attention (tab, FALSE);
}

static void
connect_tab (AdwTabPage *tab, FhSnippetPage *page)
{
  g_object_bind_property_full (page,
                               "subtitle",
                               tab,
                               "tooltip",
                               G_BINDING_SYNC_CREATE,
                               text_to_markup,
                               NULL,
                               NULL,
                               NULL);
  g_object_bind_property_full (page,
                               "run-state",
                               tab,
                               "loading",
                               G_BINDING_SYNC_CREATE,
                               state_to_loading,
                               NULL,
                               NULL,
                               NULL);
  g_signal_connect_object (page,
                           "notify::title",
                           G_CALLBACK (update_tab_title),
                           tab,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page,
                           "notify::modified",
                           G_CALLBACK (update_tab_title),
                           tab,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page,
                           "notify::run-state",
                           G_CALLBACK (run_state_cb),
                           tab,
                           G_CONNECT_SWAPPED);
  g_signal_connect (tab, "notify::selected", G_CALLBACK (selected_cb), NULL);
  update_tab_title (tab, NULL, page);
}

guint
fh_window_count_pages (FhWindow *self)
{
  return (guint) adw_tab_view_get_n_pages (self->tab_view);
}

FhSnippetPage *
fh_window_get_nth_page (FhWindow *self, guint position)
{
  AdwTabPage *tab = adw_tab_view_get_nth_page (self->tab_view, (int) position);

  return FH_SNIPPET_PAGE (adw_tab_page_get_child (tab));
}

static void
positions_changed_cb (FhWindow *self)
{
  for (guint i = 0; i < fh_window_count_pages (self); i++)
    fh_snippet_page_set_position (fh_window_get_nth_page (self, i), i);
}

static AdwTabView *
create_window_cb (FhWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  FhWindow *other = fh_window_new (application, self->services);

  gtk_window_present (GTK_WINDOW (other));
  return other->tab_view;
}

static gboolean
close_page_cb (FhWindow *self, AdwTabPage *tab)
{
  fh_window_close_tab (self, tab);
  return GDK_EVENT_STOP;
}

void
fh_window_init_tabs (FhWindow *self)
{
  g_signal_connect_object (self->tab_view,
                           "close-page",
                           G_CALLBACK (close_page_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view,
                           "create-window",
                           G_CALLBACK (create_window_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view,
                           "page-reordered",
                           G_CALLBACK (positions_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view,
                           "page-attached",
                           G_CALLBACK (positions_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

void
fh_window_add_page (FhWindow *self, FhSnippetPage *page)
{
  AdwTabPage *current = adw_tab_view_get_selected_page (self->tab_view);
  AdwTabPage *tab = adw_tab_view_append (self->tab_view, GTK_WIDGET (page));

  connect_tab (tab, page);
  adw_tab_view_set_selected_page (self->tab_view, tab);
  if (current != NULL &&
      fh_snippet_page_is_untouched (FH_SNIPPET_PAGE (adw_tab_page_get_child (current))))
    adw_tab_view_close_page (self->tab_view, current);
  gtk_widget_grab_focus (GTK_WIDGET (page));
}

void
fh_window_open_new (FhWindow *self)
{
  FhSnippetPage *page;
  AdwTabPage *tab;

  g_return_if_fail (FH_IS_WINDOW (self));

  page = FH_SNIPPET_PAGE (fh_snippet_page_new (self->services));
  tab = adw_tab_view_append (self->tab_view, GTK_WIDGET (page));
  connect_tab (tab, page);
  adw_tab_view_set_selected_page (self->tab_view, tab);
  gtk_widget_grab_focus (GTK_WIDGET (page));
}

void
fh_window_open_text (FhWindow *self,
                     const char *text,
                     const char *title,
                     const FhLanguage *language,
                     gboolean run)
{
  FhSnippetPage *page;

  g_return_if_fail (FH_IS_WINDOW (self));
  g_return_if_fail (text != NULL);

  page = FH_SNIPPET_PAGE (fh_snippet_page_new (self->services));
  fh_snippet_page_set_text (page,
                            text,
                            title,
                            language != NULL ? language : fh_language_guess (NULL, text));
  fh_window_add_page (self, page);
  if (run)
    fh_snippet_page_run_when_ready (page);
}

void
fh_window_reopen_tab (FhWindow *self)
{
  g_autoptr (FhDraft) draft = g_queue_pop_head (&self->closed);
  FhSnippetPage *page;

  if (draft == NULL)
    return;
  page = FH_SNIPPET_PAGE (fh_snippet_page_new (self->services));
  fh_snippet_page_set_draft (page, draft);
  fh_window_add_page (self, page);
  fh_snippet_page_save_draft (page);
  fh_window_update_actions (self);
}

gboolean
fh_window_show_page (FhWindow *self, const char *page_id)
{
  g_return_val_if_fail (FH_IS_WINDOW (self), FALSE);

  for (guint i = 0; i < fh_window_count_pages (self); i++)
    {
      FhSnippetPage *page = fh_window_get_nth_page (self, i);

      if (g_strcmp0 (fh_snippet_page_get_id (page), page_id) == 0)
        {
          adw_tab_view_set_selected_page (
              self->tab_view,
              adw_tab_view_get_page (self->tab_view, GTK_WIDGET (page)));
          return TRUE;
        }
    }
  return FALSE;
}

static void
open_welcome (FhWindow *self)
{
  FhSnippetPage *page = FH_SNIPPET_PAGE (fh_snippet_page_new (self->services));

  fh_examples_show (page, fh_examples_list ());
  fh_window_add_page (self, page);
}

static void
drafts_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) drafts = fh_drafts_load_finish (FH_DRAFTS (source), result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  for (guint i = 0; drafts != NULL && i < drafts->len; i++)
    {
      FhSnippetPage *page = FH_SNIPPET_PAGE (fh_snippet_page_new (self->services));

      fh_snippet_page_set_draft (page, g_ptr_array_index (drafts, i));
      fh_window_add_page (self, page);
    }
  if (drafts == NULL)
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
  if (!fh_window_end_waiting (self) && fh_window_count_pages (self) == 0)
    open_welcome (self);
}

void
fh_window_restore (FhWindow *self)
{
  g_return_if_fail (FH_IS_WINDOW (self));

  fh_window_wait_for_drafts (self);
  fh_drafts_load_async (fh_services_get_drafts (self->services),
                        self->cancellable,
                        drafts_loaded_cb,
                        g_object_ref (self));
}
