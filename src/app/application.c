/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "application.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#include "about.h"
#include "approval/approvals.h"
#include "command-line.h"
#include "help.h"
#include "notifications.h"
#include "parts/calls.h"
#include "parts/label-widths.h"
#include "parts/toasts.h"
#include "preferences/preferences-window.h"
#include "search-provider.h"
#include "services.h"
#include "shortcuts.h"
#include "text-size.h"
#include "window/window.h"

/* How long it stays without a window after a call, such as a search: the next one follows soon. */
#define LINGER_MS 10000

/* For the last records, when the program ends. Session managers wait for longer than that. */
#define END_MS 3000

struct _FhApplication
{
  AdwApplication parent_instance;

  FhServices *services;
  FhSearchProvider *search; /* nullable */
  FhApprovals *approvals;   /* the same */
  char *history_notice;     /* what is wrong with the history, or NULL */
  gboolean holding;         /* programs run, or results are still being saved */
  guint inhibitor;          /* keeps the user from logging out meanwhile, or 0 */
};

G_DEFINE_FINAL_TYPE (FhApplication, fh_application, ADW_TYPE_APPLICATION)

static gboolean
name_to_scheme (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const char *name = g_value_get_string (from);
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;

  if (g_strcmp0 (name, "light") == 0)
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_strcmp0 (name, "dark") == 0)
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  g_value_set_enum (to, scheme);
  return TRUE;
}

/* The one that was used last, also behind a dialog. NULL if there is none. */
static FhWindow *
get_window (FhApplication *self)
{
  GList *link = gtk_application_get_windows (GTK_APPLICATION (self));

  while (link != NULL && !FH_IS_WINDOW (link->data))
    link = link->next;
  return link != NULL ? link->data : NULL;
}

static void
show_problem (FhApplication *self, const char *message)
{
  FhWindow *window = get_window (self);

  if (window != NULL)
    fh_toast_show_problem (GTK_WIDGET (window), message);
  else
    g_message ("%s", message);
}

static void
recorder_failed_cb (FhApplication *self, const char *message)
{
  g_autofree char *text =
      g_strdup_printf (_ ("Could not save this run to the history: %s"), message);

  show_problem (self, text);
}

static void
busy_cb (FhApplication *self)
{
  gboolean busy = fh_recorder_get_busy (fh_services_get_recorder (self->services));

  if (busy == self->holding)
    return;
  self->holding = busy;
  if (busy)
    {
      g_application_hold (G_APPLICATION (self));
      self->inhibitor = gtk_application_inhibit (GTK_APPLICATION (self),
                                                 GTK_WINDOW (get_window (self)),
                                                 GTK_APPLICATION_INHIBIT_LOGOUT,
                                                 _ ("A program is running"));
    }
  else
    {
      if (self->inhibitor != 0)
        gtk_application_uninhibit (GTK_APPLICATION (self), self->inhibitor);
      self->inhibitor = 0;
      g_application_release (G_APPLICATION (self));
    }
}

static void
history_opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *notice = NULL;

  if (!fh_history_open_finish (FH_HISTORY (source), result, &notice, &error))
    notice = g_strdup (error->message);
  if (self->services != NULL)
    fh_services_watch_history (self->services);
  if (notice == NULL)
    return;
  self->history_notice = g_steal_pointer (&notice);
  show_problem (self, self->history_notice);
  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (self)); link != NULL;
       link = link->next)
    {
      if (FH_IS_WINDOW (link->data))
        fh_window_set_history_notice (link->data, self->history_notice);
    }
}

static FhWindow *
open_window (FhApplication *self)
{
  FhWindow *window = fh_window_new (GTK_APPLICATION (self), self->services);

  g_application_set_inactivity_timeout (G_APPLICATION (self), 0);
  fh_window_set_history_notice (window, self->history_notice);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

/* The first window restores the drafts. Guards are checked no earlier: a search needs none. */
static FhWindow *
ensure_window (FhApplication *self, gboolean new_window)
{
  FhWindow *window = get_window (self);

  if (window == NULL)
    {
      window = open_window (self);
      fh_probes_check (fh_services_get_probes (self->services));
      fh_tabs_restore (fh_window_get_tabs (window));
    }
  else if (new_window)
    {
      window = open_window (self);
      fh_tabs_open_new (fh_window_get_tabs (window));
    }
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
new_window_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  ensure_window (FH_APPLICATION (user_data), TRUE);
}

static void
preferences_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhApplication *self = FH_APPLICATION (user_data);
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (self));
  GtkWidget *window = fh_preferences_window_new (fh_services_get_settings (self->services));

  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_present (GTK_WINDOW (window));
}

static void
about_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhApplication *self = FH_APPLICATION (user_data);

  fh_about_show (gtk_application_get_active_window (GTK_APPLICATION (self)),
                 fh_probes_get_here (fh_services_get_probes (self->services)));
}

static void
help_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (user_data));

  if (parent == NULL)
    parent = GTK_WINDOW (ensure_window (FH_APPLICATION (user_data), FALSE));
  fh_help_show (parent, g_variant_get_string (target, NULL));
}

/* Returns the windows, at the end the one that was used last: the last one that ends says how the
 * next start begins. (element-type GtkWindow) (transfer full) */
static GList *
dup_windows (gpointer self)
{
  GList *windows = NULL;

  for (GList *link = gtk_application_get_windows (self); link != NULL; link = link->next)
    windows = g_list_prepend (windows, g_object_ref (link->data));
  return windows;
}

/* Each window asks before it stops running programs; the app ends with the last window. */
static void
quit_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  g_autolist (GtkWindow) windows = dup_windows (user_data);

  for (GList *link = windows; link != NULL; link = link->next)
    gtk_window_close (GTK_WINDOW (link->data));
}

/* The tab of a notification, which may be older than this process: its draft has the same id. */
static void
show_page_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhApplication *self = FH_APPLICATION (user_data);
  const char *page_id = g_variant_get_string (target, NULL);
  FhWindow *window = fh_window_find (GTK_APPLICATION (self), page_id);

  if (window == NULL)
    window = ensure_window (self, FALSE);
  fh_tabs_show_page (fh_window_get_tabs (window), page_id);
  gtk_window_present (GTK_WINDOW (window));
}

static void
zoom_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  const char *name = g_action_get_name (G_ACTION (action));
  int steps = g_str_equal (name, "zoom-in") ? 1 : g_str_equal (name, "zoom-out") ? -1 : 0;

  fh_text_size_zoom (fh_services_get_settings (FH_APPLICATION (user_data)->services), steps);
}

static void
open_run_cb (FhApplication *self, gint64 id, guint time)
{
  FhWindow *window = ensure_window (self, FALSE);

  g_action_group_activate_action (G_ACTION_GROUP (window),
                                  "history-open",
                                  g_variant_new_int64 (id));
  gtk_window_present_with_time (GTK_WINDOW (window), time);
}

static void
search_cb (FhApplication *self, const char *text, guint time)
{
  FhWindow *window = ensure_window (self, FALSE);

  fh_window_search_history (window, text);
  gtk_window_present_with_time (GTK_WINDOW (window), time);
}

static void
add_actions (FhApplication *self)
{
  const GActionEntry entries[] = {
    { .name = "new-window", .activate = new_window_cb },
    { .name = "preferences", .activate = preferences_cb },
    { .name = "about", .activate = about_cb },
    { .name = "help", .activate = help_cb, .parameter_type = "s" },
    { .name = "quit", .activate = quit_cb },
    { .name = "show-page", .activate = show_page_cb, .parameter_type = "s" },
    { .name = "zoom-in", .activate = zoom_cb },
    { .name = "zoom-out", .activate = zoom_cb },
    { .name = "zoom-reset", .activate = zoom_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

static FhServices *
new_services (void)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  g_autoptr (FhHistory) history = fh_history_new (NULL);
  g_autoptr (FhDrafts) drafts = fh_drafts_new (NULL);

  return fh_services_new (settings, NULL, history, drafts);
}

static void
start_services (FhApplication *self)
{
  g_autoptr (GPropertyAction) presenter = NULL;
  FhSettings *settings;
  FhHistory *history;
  FhRecorder *recorder;

  if (self->services == NULL)
    self->services = new_services ();
  settings = fh_services_get_settings (self->services);
  history = fh_services_get_history (self->services);
  recorder = fh_services_get_recorder (self->services);
  fh_notifications_start (GTK_APPLICATION (self), recorder);
  fh_connect (recorder, "failed", recorder_failed_cb, self);
  fh_connect (recorder, "notify::busy", busy_cb, self);
  fh_history_open_async (history, NULL, history_opened_cb, g_object_ref (self));
  if (self->search != NULL)
    fh_search_provider_set_history (self->search, history);
  fh_bind_mapped (settings,
                  "color-scheme",
                  adw_style_manager_get_default (),
                  "color-scheme",
                  name_to_scheme);
  fh_text_size_follow (settings, gdk_display_get_default ());
  presenter = g_property_action_new ("presenter-view", settings, "presenter-view");
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (presenter));
}

static gboolean
terminate_cb (gpointer user_data)
{
  g_application_quit (G_APPLICATION (user_data));
  return G_SOURCE_CONTINUE;
}

static void
fh_application_startup (GApplication *application)
{
  FhApplication *self = FH_APPLICATION (application);

  G_APPLICATION_CLASS (fh_application_parent_class)->startup (application);

  if (g_application_get_flags (application) & G_APPLICATION_IS_SERVICE)
    g_application_set_inactivity_timeout (application, LINGER_MS);
  g_unix_signal_add (SIGTERM, terminate_cb, self);
  g_unix_signal_add (SIGINT, terminate_cb, self);
  gtk_source_init ();
  fh_label_widths_mend ();
  gtk_window_set_default_icon_name (FH_APP_ID);
  add_actions (self);
  fh_shortcuts_install (GTK_APPLICATION (self));
  start_services (self);
}

static void
fh_application_activate (GApplication *application)
{
  ensure_window (FH_APPLICATION (application), FALSE);
}

static void
fh_application_open (GApplication *application, GFile **files, int count, const char *hint)
{
  FhWindow *window = ensure_window (FH_APPLICATION (application), FALSE);

  for (int i = 0; i < count; i++)
    fh_tabs_open_file (fh_window_get_tabs (window), files[i], FALSE);
}

static int
fh_application_command_line (GApplication *application, GApplicationCommandLine *command_line)
{
  g_autoptr (FhCommandLine) options = fh_command_line_parse (command_line);
  FhWindow *window = ensure_window (FH_APPLICATION (application), options->new_window);

  for (guint i = 0; i < options->files->len; i++)
    fh_tabs_open_file (fh_window_get_tabs (window), g_ptr_array_index (options->files, i), FALSE);
  if (options->run_file != NULL)
    fh_tabs_open_file (fh_window_get_tabs (window), options->run_file, TRUE);
  if (options->from_stdin)
    fh_command_line_read_stdin (command_line, window);
  return 0;
}

static int
fh_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  return fh_command_line_handle_locally (options);
}

static void
fh_application_window_added (GtkApplication *application, GtkWindow *window)
{
  GTK_APPLICATION_CLASS (fh_application_parent_class)->window_added (application, window);
  if (FH_IS_WINDOW (window))
    fh_notifications_add_window (application, FH_WINDOW (window));
}

/* The window may not be in front, and is not taken away from who uses it. */
static void
show_question_cb (FhApplication *self, GtkWindow *dialog)
{
  gtk_window_set_transient_for (dialog, GTK_WINDOW (ensure_window (self, FALSE)));
  gtk_window_present (dialog);
}

static gboolean
fh_application_dbus_register (GApplication *application,
                              GDBusConnection *connection,
                              const char *path,
                              GError **error)
{
  FhApplication *self = FH_APPLICATION (application);

  self->search = g_object_new (FH_TYPE_SEARCH_PROVIDER, NULL);
  fh_connect (self->search, "open-run", open_run_cb, self);
  fh_connect (self->search, "search", search_cb, self);
  self->approvals = g_object_new (FH_TYPE_APPROVALS, NULL);
  fh_connect (self->approvals, "show", show_question_cb, self);
  return fh_search_provider_export (self->search, connection, path, error) &&
         fh_approvals_export (self->approvals, connection, path, error) &&
         G_APPLICATION_CLASS (fh_application_parent_class)
             ->dbus_register (application, connection, path, error);
}

static void
fh_application_dbus_unregister (GApplication *application,
                                GDBusConnection *connection,
                                const char *path)
{
  FhApplication *self = FH_APPLICATION (application);

  if (self->search != NULL)
    fh_search_provider_unexport (self->search);
  g_clear_object (&self->search);
  if (self->approvals != NULL)
    fh_approvals_unexport (self->approvals);
  g_clear_object (&self->approvals);
  G_APPLICATION_CLASS (fh_application_parent_class)
      ->dbus_unregister (application, connection, path);
}

static gboolean
too_late_cb (gpointer is_too_late)
{
  *(gboolean *) is_too_late = TRUE;
  return G_SOURCE_CONTINUE;
}

/* What has been ended gets a moment to be recorded, and the interpreters of sessions to run what
 * was registered with atexit. */
static void
await_records (FhRecorder *recorder)
{
  gboolean is_too_late = FALSE;
  const guint timer = g_timeout_add (END_MS, too_late_cb, &is_too_late);

  while (fh_recorder_get_busy (recorder) && !is_too_late)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
}

static void
fh_application_shutdown (GApplication *application)
{
  FhApplication *self = FH_APPLICATION (application);
  g_autolist (GtkWindow) windows = dup_windows (self);

  if (self->approvals != NULL)
    fh_approvals_unexport (self->approvals);
  g_signal_handlers_disconnect_by_data (fh_services_get_recorder (self->services), self);
  /* The session ends, or another program asked for the end: windows were not closed. */
  for (GList *link = windows; link != NULL; link = link->next)
    {
      if (FH_IS_WINDOW (link->data))
        fh_window_end (link->data);
    }
  await_records (fh_services_get_recorder (self->services));
  fh_history_flush (fh_services_get_history (self->services));
  if (self->search != NULL)
    fh_search_provider_set_history (self->search, NULL);
  g_clear_object (&self->services);
  g_clear_pointer (&self->history_notice, g_free);

  G_APPLICATION_CLASS (fh_application_parent_class)->shutdown (application);
}

static void
fh_application_class_init (FhApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  GTK_APPLICATION_CLASS (klass)->window_added = fh_application_window_added;
  application_class->dbus_register = fh_application_dbus_register;
  application_class->dbus_unregister = fh_application_dbus_unregister;
  application_class->startup = fh_application_startup;
  application_class->activate = fh_application_activate;
  application_class->open = fh_application_open;
  application_class->command_line = fh_application_command_line;
  application_class->handle_local_options = fh_application_handle_local_options;
  application_class->shutdown = fh_application_shutdown;
}

static void
fh_application_init (FhApplication *self)
{
  fh_command_line_add_options (G_APPLICATION (self));
}

FhApplication *
fh_application_new (FhServices *services)
{
  FhApplication *self =
      g_object_new (FH_TYPE_APPLICATION,
                    "application-id",
                    FH_APP_ID,
                    "resource-base-path",
                    FH_RESOURCE_PATH,
                    "flags",
                    G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_HANDLES_OPEN,
                    "register-session",
                    TRUE,
                    NULL);

  g_set_object (&self->services, services);
  return self;
}
