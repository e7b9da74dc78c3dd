/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "compare/compare-window.h"
#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/toasts.h"
#include "window/exhibit-tab.h"
#include "window/window-private.h"

/* Actions that need a page are disabled without one. */
static FhTab *
get_page (gpointer window)
{
  return fh_tabs_get_page (FH_WINDOW (window)->tabs);
}

/* Actions that only call a function of the selected page or of the tabs, or activate an action in
 * the output of the page. */
static const struct
{
  const char *name;
  void (*page_func) (FhTab *page);
  void (*tabs_func) (FhTabs *tabs);
  void (*flag_func) (FhTab *page, gboolean flag);
  gboolean flag;
  const char *output_action;
} simple_actions[] = {
  { "run", fh_tab_run },
  { "run-cell", fh_tab_run_cell },
  { "run-unprotected", fh_tab_run_unprotected },
  { "compare", fh_tab_compare },
  { "stop", fh_tab_stop },
  { "go-to-line", fh_tab_begin_go_to_line },
  { "new-tab", NULL, fh_tabs_open_new },
  { "reopen-tab", NULL, fh_tabs_reopen },
  { "save", .flag_func = fh_tab_save },
  { "save-as", .flag_func = fh_tab_save, .flag = TRUE },
  { "find", .flag_func = fh_tab_begin_search },
  { "find-replace", .flag_func = fh_tab_begin_search, .flag = TRUE },
  { "find-next", .flag_func = fh_tab_move_search, .flag = TRUE },
  { "find-previous", .flag_func = fh_tab_move_search },
  { "find-in-output", .output_action = "output.find" },
  { "clear-output", .output_action = "output.clear" },
  { "next-place", .output_action = "output.next-place" },
  { "previous-place", .output_action = "output.previous-place" },
};

static void
simple_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  const char *name = g_action_get_name (G_ACTION (action));

  for (guint i = 0; i < G_N_ELEMENTS (simple_actions); i++)
    {
      if (!g_str_equal (simple_actions[i].name, name))
        continue;
      if (simple_actions[i].page_func != NULL)
        simple_actions[i].page_func (get_page (user_data));
      else if (simple_actions[i].flag_func != NULL)
        simple_actions[i].flag_func (get_page (user_data), simple_actions[i].flag);
      else if (simple_actions[i].output_action != NULL)
        fh_tab_activate_in_output (get_page (user_data), simple_actions[i].output_action);
      else
        simple_actions[i].tabs_func (FH_WINDOW (user_data)->tabs);
    }
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (source);
  g_autoptr (GListModel) files = fh_file_dialogs_finish_open (result, NULL);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      fh_tabs_open_file (self->tabs, file, FALSE);
    }
}

static void
open_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);

  fh_file_dialogs_show_async (GTK_WIDGET (self),
                              GTK_FILE_CHOOSER_ACTION_OPEN,
                              _ ("Open File"),
                              NULL,
                              self->cancellable,
                              file_chosen_cb,
                              NULL);
}

static void
open_recent_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (target, NULL));

  fh_tabs_open_file (FH_WINDOW (user_data)->tabs, file, FALSE);
}

/* Closes the window if there is no tab. */
static void
close_tab_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  AdwTabView *view = fh_tabs_get_view (FH_WINDOW (user_data)->tabs);
  AdwTabPage *tab = adw_tab_view_get_selected_page (view);

  if (tab != NULL)
    adw_tab_view_close_page (view, tab);
  else
    gtk_window_close (GTK_WINDOW (user_data));
}

static void
show_results_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_tab_show_results (get_page (user_data), g_variant_get_string (target, NULL));
}

static void
show_control_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_tab_show_control (get_page (user_data), g_variant_get_string (target, NULL));
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
  FhTab *page = get_page (self);

  if (page != NULL)
    fh_tab_check_guards (page);
  else
    fh_probes_check (fh_services_get_probes (self->services));
}

static void
show_history_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  FhTab *page = get_page (self);
  gboolean show = g_variant_get_boolean (state);

  adw_flap_set_reveal_flap (self->flap, show);
  if (show)
    gtk_widget_grab_focus (adw_bin_get_child (self->history));
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

/* Cycles through editor, output and history. */
static void
next_pane_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  FhTab *page = get_page (self);
  gboolean in_history = gtk_widget_get_focus_child (GTK_WIDGET (self->history)) != NULL;

  if (page != NULL && !in_history && fh_tab_focus_next_pane (page))
    return;
  if (!in_history && adw_flap_get_reveal_flap (self->flap) &&
      gtk_widget_child_focus (GTK_WIDGET (self->history), GTK_DIR_TAB_FORWARD))
    return;
  /* It would be in front of the code. */
  if (in_history && adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  if (page != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (page));
}

/* A sample of a batch may have had some; they are not to be seen in the window. */
static void
tell_of_files (FhWindow *self, GPtrArray *files)
{
  g_autofree char *text = NULL;

  if (files == NULL)
    return;
  text = g_strdup_printf (ngettext ("%u file lies beside this program, as it did then",
                                    "%u files lie beside this program, as they did then",
                                    files->len),
                          files->len);
  fh_toast_show (GTK_WIDGET (self), text);
}

/* Returns NULL if the run could not be loaded. */
static FhTab *
show_loaded (FhWindow *self, FhHistory *history, GAsyncResult *result)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) run_result = NULL;
  g_autoptr (GError) error = NULL;
  FhTab *page;

  fh_history_load_finish (history, result, &entry, &request, &run_result, &error);
  if (g_cancellable_is_cancelled (self->cancellable))
    return NULL;
  if (error != NULL)
    {
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return NULL;
    }
  page = FH_TAB (fh_tab_new (self->services));
  fh_tab_show_result (page, request, run_result);
  if (fh_history_entry_get_n_samples (entry) > 0)
    fh_tab_show_batch (page, entry, TRUE);
  fh_tab_set_past_run (page, fh_history_entry_get_id (entry));
  fh_tabs_add (self->tabs, page);
  tell_of_files (self, fh_run_request_get_parts (request)->files);
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  return page;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhWindow) self = user_data;

  show_loaded (self, FH_HISTORY (source), result);
}

/* People look at past runs one after the other, so they come into the same tab, and the focus stays
 * in the list. */
static void
loaded_to_show_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhWindow) self = user_data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  /* A focus in the tab that is replaced is gone afterwards. */
  const gboolean is_in_list =
      focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->history));
  FhTab *page = show_loaded (self, FH_HISTORY (source), result);

  if (page == NULL)
    return;
  fh_tab_show_in_passing (page);
  if (is_in_list && !adw_flap_get_folded (self->flap))
    gtk_widget_grab_focus (focus);
}

static void
loaded_to_run_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhWindow) self = user_data;
  FhTab *page = show_loaded (self, FH_HISTORY (source), result);

  if (page != NULL)
    fh_tab_run_again (page);
}

static void
history_load_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  const char *name = g_action_get_name (G_ACTION (action));
  GAsyncReadyCallback callback = loaded_cb;

  if (g_str_equal (name, "history-show"))
    callback = loaded_to_show_cb;
  else if (g_str_equal (name, "history-run"))
    callback = loaded_to_run_cb;
  fh_history_load_async (fh_services_get_history (self->services),
                         g_variant_get_int64 (target),
                         self->cancellable,
                         callback,
                         g_object_ref (self));
}

static void
history_compare_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  gint64 ids[2];

  g_variant_get (target, "(xx)", &ids[0], &ids[1]);
  fh_compare_past_runs (GTK_WIDGET (self),
                        fh_services_get_history (self->services),
                        MIN (ids[0], ids[1]),
                        MAX (ids[0], ids[1]));
}

static void
fullscreen_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  GtkWindow *window = GTK_WINDOW (user_data);

  if (gtk_window_is_fullscreen (window))
    gtk_window_unfullscreen (window);
  else
    gtk_window_fullscreen (window);
}

static void
show_exhibits (FhWindow *self)
{
  if (self->exhibits == NULL)
    g_set_weak_pointer (&self->exhibits, fh_exhibits_window_new (GTK_WINDOW (self)));
  gtk_window_present (GTK_WINDOW (self->exhibits));
}

static void
exhibits_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  show_exhibits (FH_WINDOW (user_data));
}

static void
exhibit_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  const FhExhibit *exhibit;
  FhTab *page;
  const char *name, *what;

  g_variant_get (target, "(&s&s)", &name, &what);
  exhibit = fh_exhibit_lookup (name);
  if (exhibit == NULL || (g_str_equal (what, "compare") && exhibit->without_guard == NULL))
    return;
  if (g_str_equal (what, "explain"))
    {
      show_exhibits (self);
      fh_exhibits_window_select (self->exhibits, exhibit);
      return;
    }
  page = FH_TAB (fh_tab_new (self->services));
  fh_tabs_add (self->tabs, page);
  if (g_str_equal (what, "open"))
    fh_exhibit_tab_open (page, exhibit);
  else
    fh_exhibit_tab_run (page, exhibit, g_str_equal (what, "compare"));
}

static void
run_without_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhGuard guard;

  if (fh_guard_from_string (g_variant_get_string (target, NULL), &guard))
    fh_tab_run_without (get_page (user_data), guard);
}

/* Shows the code of a tab as its last run had it. */
static void
show_version_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  const char *page_id;
  guint line, column;
  GtkWidget *page = NULL;

  g_variant_get (target, "(&suu)", &page_id, &line, &column);
  if (fh_tabs_show_page (self->tabs, page_id))
    page = fh_tab_copy_run (get_page (self), line, column);
  if (page != NULL)
    fh_tabs_add (self->tabs, FH_TAB (page));
}

static void
show_tab_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_tabs_show_page (FH_WINDOW (user_data)->tabs, g_variant_get_string (target, NULL));
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
    { .name = "open", .activate = open_cb },
    { .name = "open-recent", .activate = open_recent_cb, .parameter_type = "s" },
    { .name = "close-tab", .activate = close_tab_cb },
    { .name = "show-results", .activate = show_results_cb, .parameter_type = "s" },
    { .name = "show-control", .activate = show_control_cb, .parameter_type = "s" },
    { .name = "show-guards", .activate = show_guards_cb },
    { .name = "check-guards", .activate = check_guards_cb },
    { .name = "show-history", .state = "false", .change_state = show_history_cb },
    { .name = "next-pane", .activate = next_pane_cb },
    { .name = "fullscreen", .activate = fullscreen_cb },
    { .name = "history-open", .activate = history_load_cb, .parameter_type = "x" },
    { .name = "history-show", .activate = history_load_cb, .parameter_type = "x" },
    { .name = "history-run", .activate = history_load_cb, .parameter_type = "x" },
    { .name = "history-compare", .activate = history_compare_cb, .parameter_type = "(xx)" },
    { .name = "exhibits", .activate = exhibits_cb },
    { .name = "exhibit", .activate = exhibit_cb, .parameter_type = "(ss)" },
    { .name = "run-without", .activate = run_without_cb, .parameter_type = "s" },
    { .name = "show-tab", .activate = show_tab_cb, .parameter_type = "s", .state = "''" },
    { .name = "show-version", .activate = show_version_cb, .parameter_type = "(suu)" },
    { .name = "toast", .activate = toast_cb, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (simple_actions); i++)
    {
      const GActionEntry entry = { .name = simple_actions[i].name, .activate = simple_cb };

      g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
    }
  fh_connect (self->flap, "notify::reveal-flap", reveal_cb, self);
}

static void
set_enabled (FhWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
fh_window_update_actions (FhWindow *self)
{
  const char *const for_page[] = {
    "save",          "save-as",        "find",           "find-replace", "find-next",
    "find-previous", "find-in-output", "clear-output",   "go-to-line",   "show-control",
    "show-results",  "next-place",     "previous-place",
  };
  FhTab *page = get_page (self);
  FhRunState state = page != NULL ? fh_tab_get_run_state (page) : FH_RUN_FINISHED;
  gboolean runs = state != FH_RUN_FINISHED;
  gboolean can_reopen;

  for (guint i = 0; i < G_N_ELEMENTS (for_page); i++)
    set_enabled (self, for_page[i], page != NULL);
  set_enabled (self, "run", page != NULL && !runs && fh_tab_may_run (page));
  set_enabled (self,
               "run-cell",
               page != NULL && (!runs || fh_tab_is_in_session (page)) && fh_tab_may_run (page));
  set_enabled (self, "run-unprotected", page != NULL && fh_tab_may_run_unprotected (page));
  set_enabled (self, "stop", runs);
  set_enabled (self, "compare", page != NULL && !runs && fh_tab_may_compare (page));
  set_enabled (self, "run-without", page != NULL && fh_tab_may_repeat (page));
  g_object_get (self->tabs, "can-reopen", &can_reopen, NULL);
  set_enabled (self, "reopen-tab", can_reopen);
  fh_run_button_set_state (self->run_button, state);
}
