/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/window.h"

#include <glib/gi18n.h>

#include "history/history-view.h"
#include "parts/calls.h"
#include "parts/message-dialogs.h"
#include "parts/recent-files.h"
#include "window/window-private.h"

/* After the last change, as for the drafts. */
#define SAVE_DELAY_MS 1500

G_DEFINE_FINAL_TYPE (FhWindow, fh_window, ADW_TYPE_APPLICATION_WINDOW)

static void
result_cb (FhWindow *self)
{
  FhTab *page = fh_tabs_get_page (self->tabs);

  fh_guard_button_set_result (self->guard_button, page != NULL ? fh_tab_get_result (page) : NULL);
}

/* The notice is about this computer, so it is hidden for a container. */
static void
protection_cb (FhWindow *self)
{
  FhProtection *here = fh_probes_get_here (fh_services_get_probes (self->services));
  FhTab *page = fh_tabs_get_page (self->tabs);
  FhProtection *protection = page != NULL ? fh_tab_get_protection (page) : NULL;
  gboolean in_container = page != NULL && fh_tab_is_in_container (page);
  g_autofree char *text = NULL;

  fh_guard_button_set_protection (self->guard_button, protection != NULL ? protection : here);
  if (!in_container && fh_protection_get_state (here) == FH_PROTECTION_REFUSED)
    {
      const char *reason = fh_protection_get_reason (here);
      const char *advice = fh_protection_get_advice (here);

      if (reason == NULL)
        reason = _ ("Programs cannot be run here.");
      text = advice != NULL ? g_strconcat (reason, " ", advice, NULL) : g_strdup (reason);
    }
  fh_notice_bar_set_text (self->notice, text);
  fh_window_update_actions (self);
}

static void
page_changed_cb (FhWindow *self)
{
  FhTab *page = fh_tabs_get_page (self->tabs);

  g_signal_group_set_target (self->page_signals, page);
  g_binding_group_set_source (self->page_titles, page);
  if (page == NULL)
    {
      adw_window_title_set_title (self->title, _ ("Fumehood"));
      adw_window_title_set_subtitle (self->title, "");
      gtk_window_set_title (GTK_WINDOW (self), _ ("Fumehood"));
    }
  fh_guard_button_set_options (self->guard_button, page != NULL ? fh_tab_get_options (page) : NULL);
  protection_cb (self);
  result_cb (self);
}

static char *
choose_stack_page (gpointer object, FhTab *page)
{
  return g_strdup (page != NULL ? "tabs" : "empty");
}

/* A tab was dragged out of the window. */
static AdwTabView *
create_window_cb (FhWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  FhWindow *other = fh_window_new (application, self->services);

  gtk_window_present (GTK_WINDOW (other));
  return fh_tabs_get_view (other->tabs);
}

/* Dropped files are opened, never run. */
static gboolean
drop_files_cb (FhWindow *self, const GValue *value)
{
  GSList *files = g_value_get_boxed (value);

  for (GSList *link = files; link != NULL; link = link->next)
    fh_tabs_open_file (self->tabs, G_FILE (link->data), FALSE);
  return files != NULL;
}

/* The editor takes dropped text itself; what falls beside it becomes a tab. */
static gboolean
drop_text_cb (FhWindow *self, const GValue *value)
{
  fh_window_open_text (self, g_value_get_string (value), NULL, NULL, FALSE);
  return TRUE;
}

static void
restore_state (FhWindow *self)
{
  int width, height;
  gboolean maximized, show_sidebar;

  g_object_get (fh_services_get_settings (self->services),
                "window-width",
                &width,
                "window-height",
                &height,
                "window-maximized",
                &maximized,
                "show-sidebar",
                &show_sidebar,
                NULL);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (maximized)
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->flap, show_sidebar);
}

/* For lack of room the sidebar goes; with room it comes back if it was there. */
static void
folded_cb (FhWindow *self)
{
  gboolean revealed = adw_flap_get_reveal_flap (self->flap);

  if (adw_flap_get_folded (self->flap))
    {
      self->flap_wanted = revealed;
      adw_flap_set_reveal_flap (self->flap, FALSE);
    }
  else
    adw_flap_set_reveal_flap (self->flap, revealed || self->flap_wanted);
}

/* The default size is the size without maximizing. */
static void
save_state (FhWindow *self)
{
  FhSettings *settings = fh_services_get_settings (self->services);
  FhTab *page = fh_tabs_get_page (self->tabs);
  int width, height;

  /* Others are not there after a restart, and none is before the drafts are restored. */
  if (page != NULL && fh_tab_is_kept (page))
    g_object_set (settings, "selected-tab", fh_tab_get_id (page), NULL);
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_set (settings,
                "window-width",
                width,
                "window-height",
                height,
                "window-maximized",
                gtk_window_is_maximized (GTK_WINDOW (self)),
                "show-sidebar",
                adw_flap_get_folded (self->flap) ? self->flap_wanted
                                                 : adw_flap_get_reveal_flap (self->flap),
                NULL);
}

static gboolean
save_timer_cb (gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);

  self->save_timer = 0;
  save_state (self);
  return G_SOURCE_REMOVE;
}

/* The size, the selected tab, or which window is in front has changed, which is to be known after a
 * crash as well. */
static void
state_changed_cb (FhWindow *self)
{
  g_clear_handle_id (&self->save_timer, g_source_remove);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  self->save_timer = g_timeout_add (SAVE_DELAY_MS, save_timer_cb, self);
}

static gboolean
runs (FhTab *page)
{
  return fh_tab_get_run_state (page) != FH_RUN_FINISHED;
}

static gboolean
is_idle_session (FhTab *page)
{
  return !runs (page) && fh_tab_has_variables (page);
}

/* The sentence and the titles of the tabs to which it applies, one per line. NULL if it does to
 * none. */
static char *
dup_names (FhWindow *self, gboolean (*applies) (FhTab *page), const char *sentence)
{
  g_autoptr (GString) names = g_string_new (sentence);
  const gsize length = names->len;

  for (guint i = 0; i < fh_tabs_get_n_pages (self->tabs); i++)
    {
      FhTab *page = fh_tabs_get_nth_page (self->tabs, i);

      if (applies (page))
        g_string_append_printf (names, "\n• %s", fh_tab_get_name (page));
    }
  return names->len > length ? g_string_free (g_steal_pointer (&names), FALSE) : NULL;
}

static void
stop_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (source);
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "stop") != 0)
    return;
  self->close_confirmed = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

/* Asks unless nothing would be lost. FALSE then. */
static gboolean
ask_to_stop (FhWindow *self)
{
  g_autofree char *running = dup_names (self, runs, _ ("Closing the window stops what runs:"));
  g_autofree char *sessions =
      dup_names (self,
                 is_idle_session,
                 _ ("Closing the window ends sessions, and their variables are lost:"));
  const FhMessageChoice choices[] = {
    { "stop", running != NULL ? _ ("_Stop and Close") : _ ("_End and Close"), TRUE },
    { NULL },
  };
  g_autofree char *body =
      running != NULL ? g_strjoin ("\n\n", running, sessions, NULL) : g_steal_pointer (&sessions);

  if (body == NULL)
    return FALSE;
  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                _ ("Close the Window?"),
                                body,
                                choices,
                                NULL,
                                stop_answer_cb,
                                NULL);
  return TRUE;
}

void
fh_window_end (FhWindow *self)
{
  g_return_if_fail (FH_IS_WINDOW (self));

  for (guint i = 0; i < fh_tabs_get_n_pages (self->tabs); i++)
    fh_tab_save_draft (fh_tabs_get_nth_page (self->tabs, i));
  save_state (self);
  /* The process may end right after this. */
  fh_drafts_flush (fh_services_get_drafts (self->services));
  for (guint i = 0; i < fh_tabs_get_n_pages (self->tabs); i++)
    fh_tab_end (fh_tabs_get_nth_page (self->tabs, i));
}

static gboolean
fh_window_close_request (GtkWindow *window)
{
  FhWindow *self = FH_WINDOW (window);

  if (!self->close_confirmed && ask_to_stop (self))
    return GDK_EVENT_STOP;
  fh_tabs_remember (self->tabs);
  fh_window_end (self);
  return GTK_WINDOW_CLASS (fh_window_parent_class)->close_request (window);
}

static GtkWindow *
find_dialog (FhWindow *self)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (gtk_window_get_transient_for (window) == GTK_WINDOW (self))
        return window;
    }
  return NULL;
}

/* A dialog that a key closes together with its window lives until the key was handled, and GTK
 * would then look at the window that was freed. */
static void
detach_dialogs (FhWindow *self)
{
  GtkWindow *dialog;

  while ((dialog = find_dialog (self)) != NULL)
    {
      gtk_window_set_transient_for (dialog, NULL);
      if (gtk_window_get_destroy_with_parent (dialog))
        gtk_window_destroy (dialog);
    }
}

static void
fh_window_dispose (GObject *object)
{
  FhWindow *self = FH_WINDOW (object);

  detach_dialogs (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->save_timer, g_source_remove);
  g_clear_handle_id (&self->scroll_source, g_source_remove);
  g_clear_object (&self->page_signals);
  g_clear_object (&self->page_titles);
  g_clear_object (&self->services);
  g_clear_weak_pointer (&self->exhibits);

  G_OBJECT_CLASS (fh_window_parent_class)->dispose (object);
}

static void
fh_window_finalize (GObject *object)
{
  FhWindow *self = FH_WINDOW (object);

  g_object_unref (self->cancellable);
  g_clear_object (&self->across);

  G_OBJECT_CLASS (fh_window_parent_class)->finalize (object);
}

static void
fh_window_class_init (FhWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_window_dispose;
  object_class->finalize = fh_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = fh_window_close_request;

  g_type_ensure (FH_TYPE_GUARD_BUTTON);
  g_type_ensure (FH_TYPE_NOTICE_BAR);
  g_type_ensure (FH_TYPE_RUN_BUTTON);
  g_type_ensure (FH_TYPE_TABS);
  fh_set_template (widget_class, "window/window.ui");
  gtk_widget_class_bind_template_child (widget_class, FhWindow, recent);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, flap);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, history);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, title);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, start_bin);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, run_button);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, guard_button);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, notice);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, tab_bar);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, tab_list_button);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, tabs);
  gtk_widget_class_bind_template_callback (widget_class, page_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_stack_page);
  gtk_widget_class_bind_template_callback (widget_class, fh_window_update_actions);
}

static void
init_page (FhWindow *self)
{
  self->page_signals = g_signal_group_new (FH_TYPE_TAB);
  fh_connect_group (self->page_signals, "notify::result", result_cb, self);
  fh_connect_group (self->page_signals, "notify::run-state", fh_window_update_actions, self);
  fh_connect_group (self->page_signals, "notify::protection", protection_cb, self);

  self->page_titles = g_binding_group_new ();
  g_binding_group_bind (self->page_titles, "label", self, "title", G_BINDING_SYNC_CREATE);
  g_binding_group_bind (self->page_titles, "label", self->title, "title", G_BINDING_SYNC_CREATE);
  g_binding_group_bind (self->page_titles,
                        "subtitle",
                        self->title,
                        "subtitle",
                        G_BINDING_SYNC_CREATE);
}

static void
accept_drops (FhWindow *self)
{
  GtkDropTarget *files = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkDropTarget *text = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY);

  /* Before the editor, which would insert the names of the files. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (files), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (files, "drop", G_CALLBACK (drop_files_cb), self);
  g_signal_connect_swapped (text, "drop", G_CALLBACK (drop_text_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (files));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (text));
}

/* Names the buttons that close a tab, which are only a picture in libadwaita. */
static void
name_close_buttons (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "tab-close-button"))
    fh_set_accessible_label (widget, _ ("Close the tab"));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    name_close_buttons (child);
}

static void
page_attached_cb (FhWindow *self)
{
  name_close_buttons (GTK_WIDGET (self->tab_bar));
}

/* Returns the title, and what the tab does. (transfer full) */
static char *
dup_state (AdwTabPage *tab)
{
  FhTab *page = FH_TAB (adw_tab_page_get_child (tab));
  const char *title = adw_tab_page_get_title (tab);

  if (fh_tab_waits_for_input (page))
    /* Translators: %s is the title of a tab, also below */
    return g_strdup_printf (_ ("%s — waits for input"), title);
  if (fh_tab_get_run_state (page) != FH_RUN_FINISHED)
    return g_strdup_printf (_ ("%s — running"), title);
  if (adw_tab_page_get_needs_attention (tab))
    return g_strdup_printf (_ ("%s — has finished"), title);
  return g_strdup (title);
}

/* Made anew each time, as titles and order change while it is closed. */
static void
make_tab_list (GtkMenuButton *button, gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < fh_tabs_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (fh_tabs_get_view (self->tabs), (int) i);
      g_autofree char *label = dup_state (tab);

      fh_menu_append_plain (menu,
                            label,
                            "win.show-tab",
                            fh_tab_get_id (fh_tabs_get_nth_page (self->tabs, i)));
    }
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "show-tab")),
      g_variant_new_string (fh_tab_get_id (fh_tabs_get_page (self->tabs))));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static gboolean
show_tab_list_cb (gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);

  if (!g_cancellable_is_cancelled (self->cancellable))
    gtk_widget_set_visible (GTK_WIDGET (self->tab_list_button),
                            adw_tab_bar_get_is_overflowing (self->tab_bar));
  return G_SOURCE_REMOVE;
}

/* Later, because this is told while the bar is being allocated. */
static void
overflowing_cb (FhWindow *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_tab_list_cb, g_object_ref (self), g_object_unref);
}

/* NULL if there is none. The bar has one for pinned tabs, too, which comes first. */
static GtkScrolledWindow *
find_scroller (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_SCROLLED_WINDOW (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_last_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_prev_sibling (child))
    found = GTK_WIDGET (find_scroller (child));
  return GTK_SCROLLED_WINDOW (found);
}

/* All tabs of a bar that scrolls have the same width. Half a tab is left beside the one that is
 * shown, which tells that there are more. */
static gboolean
scroll_to_tab_cb (gpointer user_data)
{
  FhWindow *self = FH_WINDOW (user_data);
  AdwTabView *view = fh_tabs_get_view (self->tabs);
  AdwTabPage *tab = adw_tab_view_get_selected_page (view);
  const double width = gtk_adjustment_get_upper (self->across) / adw_tab_view_get_n_pages (view);
  double start;

  self->scroll_source = 0;
  if (tab == NULL)
    return G_SOURCE_REMOVE;
  start = adw_tab_view_get_page_position (view, tab) * width;
  gtk_adjustment_clamp_page (self->across, start - width / 2, start + 1.5 * width);
  return G_SOURCE_REMOVE;
}

/* Later, because this is told while the bar is being allocated. The bar itself shows each tab that
 * comes, also those that are restored behind the selected one. */
static void
tabs_extent_cb (FhWindow *self)
{
  const double extent =
      gtk_adjustment_get_upper (self->across) - gtk_adjustment_get_page_size (self->across);

  if (extent > self->tabs_extent && self->scroll_source == 0 &&
      !g_cancellable_is_cancelled (self->cancellable))
    self->scroll_source = g_idle_add (scroll_to_tab_cb, self);
  self->tabs_extent = extent;
}

static void
measure_start (GtkWidget *widget,
               GtkOrientation orientation,
               int for_size,
               int *minimum,
               int *natural,
               int *minimum_baseline,
               int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget),
                      orientation,
                      -1,
                      minimum,
                      natural,
                      minimum_baseline,
                      natural_baseline);
}

/* An icon that stands for words does not get their room, so that what follows it is beside it. */
static void
allocate_start (GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *box = gtk_widget_get_first_child (widget);
  GtkAllocation place = { .height = height };
  int wanted;

  gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, &place.width, &wanted, NULL, NULL);
  if (width >= wanted)
    place.width = wanted;
  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    place.x = width - place.width;
  gtk_widget_size_allocate (box, &place, baseline);
}

static void
follow_state (FhWindow *self)
{
  const char *const signals[] = {
    "notify::default-width",
    "notify::default-height",
    "notify::maximized",
    "notify::is-active",
  };
  GtkScrolledWindow *scroller = find_scroller (GTK_WIDGET (self->tab_bar));

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect (self, signals[i], G_CALLBACK (state_changed_cb), NULL);
  fh_connect (self->tabs, "notify::page", state_changed_cb, self);
  if (scroller == NULL)
    return;
  self->across = g_object_ref (gtk_scrolled_window_get_hadjustment (scroller));
  fh_connect (self->across, "changed", tabs_extent_cb, self);
}

static void
fh_window_init (FhWindow *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (self->start_bin,
                                 gtk_custom_layout_new (NULL, measure_start, allocate_start));
  if (!g_str_equal (FH_APP_ID, FH_SETTINGS_ID))
    gtk_widget_add_css_class (GTK_WIDGET (self), "devel");
  adw_tab_bar_set_view (self->tab_bar, fh_tabs_get_view (self->tabs));
  fh_connect (self->tab_bar, "notify::is-overflowing", overflowing_cb, self);
  gtk_menu_button_set_create_popup_func (self->tab_list_button, make_tab_list, self, NULL);
  fh_connect (fh_tabs_get_view (self->tabs), "page-attached", page_attached_cb, self);
  fh_connect (fh_tabs_get_view (self->tabs), "create-window", create_window_cb, self);
  accept_drops (self);
  fh_recent_files_fill (self->recent, _ ("Open _Recent"), "win.open-recent", G_OBJECT (self));
  init_page (self);
  fh_window_init_actions (self);
  fh_connect (self->flap, "notify::folded", folded_cb, self);
  follow_state (self);
  fh_allocate_all (self->flap, "notify::reveal-progress", self->flap);
}

/* GTK gives no name to the button that leads to the pages of the shortcuts. */
static void
name_pages_of_shortcuts (FhWindow *self)
{
  GtkShortcutsWindow *shortcuts =
      gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (self));
  GtkWidget *button =
      shortcuts != NULL ? fh_find_widget (GTK_WIDGET (shortcuts), GTK_TYPE_MENU_BUTTON) : NULL;

  if (button != NULL)
    fh_set_accessible_label (button, _ ("Pages of shortcuts"));
}

FhWindow *
fh_window_new (GtkApplication *application, FhServices *services)
{
  FhWindow *self;

  g_return_val_if_fail (application == NULL || GTK_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (FH_IS_SERVICES (services), NULL);

  self = g_object_new (FH_TYPE_WINDOW, "application", application, NULL);
  self->services = g_object_ref (services);
  fh_tabs_set_services (self->tabs, services);
  adw_bin_set_child (self->history, fh_history_view_new (fh_services_get_history (services)));
  fh_connect (fh_probes_get_here (fh_services_get_probes (services)),
              "changed",
              protection_cb,
              self);
  restore_state (self);
  page_changed_cb (self);
  name_pages_of_shortcuts (self);
  return self;
}

FhWindow *
fh_window_find (GtkApplication *application, const char *page_id)
{
  g_return_val_if_fail (GTK_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (page_id != NULL, NULL);

  for (GList *link = gtk_application_get_windows (application); link != NULL; link = link->next)
    {
      if (FH_IS_WINDOW (link->data) && fh_tabs_has_page (FH_WINDOW (link->data)->tabs, page_id))
        return link->data;
    }
  return NULL;
}

FhTabs *
fh_window_get_tabs (FhWindow *self)
{
  g_return_val_if_fail (FH_IS_WINDOW (self), NULL);

  return self->tabs;
}

void
fh_window_open_text (FhWindow *self,
                     const char *text,
                     const char *title,
                     const FhLanguage *language,
                     gboolean run)
{
  FhTab *page;

  g_return_if_fail (FH_IS_WINDOW (self));
  g_return_if_fail (text != NULL);

  page = FH_TAB (fh_tab_new (self->services));
  if (language == NULL)
    language = fh_language_guess (NULL, text);
  fh_tab_set_text (page, text, title, language);
  fh_tabs_add (self->tabs, page);
  if (run)
    fh_tab_run_when_ready (page);
}

void
fh_window_set_history_notice (FhWindow *self, const char *notice)
{
  g_return_if_fail (FH_IS_WINDOW (self));

  fh_history_view_set_notice (FH_HISTORY_VIEW (adw_bin_get_child (self->history)), notice);
}

void
fh_window_search_history (FhWindow *self, const char *text)
{
  g_return_if_fail (FH_IS_WINDOW (self));

  fh_history_view_set_search (FH_HISTORY_VIEW (adw_bin_get_child (self->history)), text);
  g_action_group_change_action_state (G_ACTION_GROUP (self),
                                      "show-history",
                                      g_variant_new_boolean (TRUE));
}
