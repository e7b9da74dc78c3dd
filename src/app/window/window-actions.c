/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/toasts.h"
#include "window/examples.h"
#include "window/window-private.h"

/* Actions that need a page are disabled without one; closing closes the window then. */

static void
new_tab_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_open_new (FH_WINDOW (user_data));
}

static void
open_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_choose_file (FH_WINDOW (user_data));
}

static void
save_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_save (FH_WINDOW (user_data), FALSE);
}

static void
save_as_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_save (FH_WINDOW (user_data), TRUE);
}

static void
close_tab_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);

  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tab_view);

  if (tab != NULL)
    adw_tab_view_close_page (self->tab_view, tab);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void
reopen_tab_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_reopen_tab (FH_WINDOW (user_data));
}

static void
run_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_run (fh_window_get_page (FH_WINDOW (user_data)));
}

static void
run_unprotected_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_run_unprotected (fh_window_get_page (FH_WINDOW (user_data)));
}

static void
show_results_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_show_results (fh_window_get_page (FH_WINDOW (user_data)),
                                g_variant_get_string (target, NULL));
}

static void
stop_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_stop (fh_window_get_page (FH_WINDOW (user_data)));
}

static void
find_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_begin_search (fh_window_get_page (FH_WINDOW (user_data)), FALSE);
}

static void
find_replace_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_begin_search (fh_window_get_page (FH_WINDOW (user_data)), TRUE);
}

static void
find_next_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_move_search (fh_window_get_page (FH_WINDOW (user_data)), TRUE);
}

static void
find_previous_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_move_search (fh_window_get_page (FH_WINDOW (user_data)), FALSE);
}

static void
find_in_output_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_begin_output_search (fh_window_get_page (FH_WINDOW (user_data)));
}

static void
clear_output_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_clear_output (fh_window_get_page (FH_WINDOW (user_data)));
}

static void
go_to_line_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_begin_go_to_line (fh_window_get_page (FH_WINDOW (user_data)));
}

static void
show_options_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_snippet_page_show_options (fh_window_get_page (FH_WINDOW (user_data)));
}

static void
show_guards_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_guard_button_popup (FH_WINDOW (user_data)->guard_button);
}

static void
check_guards_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  FhSnippetPage *page = fh_window_get_page (self);

  if (page != NULL)
    fh_snippet_page_check_guards (page);
  else
    fh_protection_check (fh_services_get_protection (self->services),
                         fh_services_get_backend (self->services));
}

static void
show_history_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  FhSnippetPage *page = fh_window_get_page (self);
  gboolean show = g_variant_get_boolean (state);

  adw_flap_set_reveal_flap (self->flap, show);
  if (show)
    gtk_widget_child_focus (GTK_WIDGET (self->history), GTK_DIR_TAB_FORWARD);
  else if (page != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (page));
}

static void
reveal_cb (FhWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "show-history");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_boolean (adw_flap_get_reveal_flap (self->flap)));
}

/* Editor, output, history, and again from the start. */
static void
next_pane_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  FhSnippetPage *page = fh_window_get_page (self);
  gboolean in_history = gtk_widget_get_focus_child (GTK_WIDGET (self->history)) != NULL;

  if (page != NULL && !in_history && fh_snippet_page_focus_next_pane (page))
    return;
  if (!in_history && adw_flap_get_reveal_flap (self->flap) &&
      gtk_widget_child_focus (GTK_WIDGET (self->history), GTK_DIR_TAB_FORWARD))
    return;
  if (page != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (page));
}

static void
history_open_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_open_run (FH_WINDOW (user_data), g_variant_get_int64 (target), FALSE);
}

static void
history_run_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_open_run (FH_WINDOW (user_data), g_variant_get_int64 (target), TRUE);
}

static void
example_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  const FhExample *example = fh_examples_lookup (g_variant_get_string (target, NULL));
  FhSnippetPage *page;

  if (example == NULL)
    return;
  page = FH_SNIPPET_PAGE (fh_snippet_page_new (self->services));
  fh_examples_show (page, example);
  fh_window_add_page (self, page);
}

static void
toast_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_toast_show (GTK_WIDGET (user_data), g_variant_get_string (target, NULL));
}

void
fh_window_init_actions (FhWindow *self)
{
  const GActionEntry entries[] = {
    { .name = "new-tab", .activate = new_tab_cb },
    { .name = "open", .activate = open_cb },
    { .name = "save", .activate = save_cb },
    { .name = "save-as", .activate = save_as_cb },
    { .name = "close-tab", .activate = close_tab_cb },
    { .name = "reopen-tab", .activate = reopen_tab_cb },
    { .name = "run", .activate = run_cb },
    { .name = "run-unprotected", .activate = run_unprotected_cb },
    { .name = "stop", .activate = stop_cb },
    { .name = "show-results", .activate = show_results_cb, .parameter_type = "s" },
    { .name = "find", .activate = find_cb },
    { .name = "find-replace", .activate = find_replace_cb },
    { .name = "find-next", .activate = find_next_cb },
    { .name = "find-previous", .activate = find_previous_cb },
    { .name = "find-in-output", .activate = find_in_output_cb },
    { .name = "clear-output", .activate = clear_output_cb },
    { .name = "go-to-line", .activate = go_to_line_cb },
    { .name = "show-options", .activate = show_options_cb },
    { .name = "show-guards", .activate = show_guards_cb },
    { .name = "check-guards", .activate = check_guards_cb },
    { .name = "show-history", .state = "false", .change_state = show_history_cb },
    { .name = "next-pane", .activate = next_pane_cb },
    { .name = "history-open", .activate = history_open_cb, .parameter_type = "x" },
    { .name = "history-run", .activate = history_run_cb, .parameter_type = "x" },
    { .name = "example", .activate = example_cb, .parameter_type = "s" },
    { .name = "toast", .activate = toast_cb, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->flap,
                           "notify::reveal-flap",
                           G_CALLBACK (reveal_cb),
                           self,
                           G_CONNECT_SWAPPED);
}
