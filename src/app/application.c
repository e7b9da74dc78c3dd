/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "application.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#include "application-private.h"
#include "command-line.h"
#include "native/native-backend.h"
#include "notifications.h"
#include "parts/text-file.h"
#include "parts/toasts.h"
#include "shortcuts.h"

/* The one running app: it owns what all windows share, and lives on without a window until the
 * last result is kept. */

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

static FhWindow *
get_window (FhApplication *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (!FH_IS_WINDOW (window))
    {
      window = NULL;
      for (GList *link = gtk_application_get_windows (GTK_APPLICATION (self)); link != NULL;
           link = link->next)
        {
          if (FH_IS_WINDOW (link->data))
            window = link->data;
        }
    }
  return window != NULL ? FH_WINDOW (window) : NULL;
}

static void
say (FhApplication *self, const char *message)
{
  FhWindow *window = get_window (self);

  if (window != NULL)
    fh_toast_show_problem (GTK_WIDGET (window), message);
  else
    g_message ("%s", message);
}

static void
run_finished_cb (FhApplication *self, FhRun *run, const char *page_id)
{
  fh_notifications_run_finished (GTK_APPLICATION (self), run, page_id);
}

static void
recorder_failed_cb (FhApplication *self, const char *message)
{
  g_autofree char *text = g_strdup_printf (_ ("This run is not in the history: %s"), message);

  say (self, text);
}

static void
busy_cb (FhApplication *self)
{
  gboolean busy = fh_run_recorder_get_busy (fh_services_get_recorder (self->services));

  if (busy == self->holding)
    return;
  self->holding = busy;
  if (busy)
    g_application_hold (G_APPLICATION (self));
  else
    g_application_release (G_APPLICATION (self));
}

static void
history_opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *notice = NULL;

  if (!fh_history_open_finish (FH_HISTORY (source), result, &notice, &error))
    notice = g_strdup (error->message);
  if (notice == NULL)
    return;
  self->history_notice = g_steal_pointer (&notice);
  say (self, self->history_notice);
  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (self)); link != NULL;
       link = link->next)
    {
      if (FH_IS_WINDOW (link->data))
        fh_window_set_history_notice (link->data, self->history_notice);
    }
}

static void
start_services (FhApplication *self)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  g_autoptr (FhNativeBackend) backend = fh_native_backend_new ();
  g_autoptr (FhHistory) history = fh_history_new (NULL);
  g_autoptr (FhDrafts) drafts = fh_drafts_new (NULL);
  FhRunRecorder *recorder;

  self->services = fh_services_new (settings, FH_BACKEND (backend), history, drafts);
  recorder = fh_services_get_recorder (self->services);
  g_signal_connect_object (recorder,
                           "run-finished",
                           G_CALLBACK (run_finished_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder,
                           "failed",
                           G_CALLBACK (recorder_failed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "notify::busy", G_CALLBACK (busy_cb), self, G_CONNECT_SWAPPED);
  fh_protection_check (fh_services_get_protection (self->services), FH_BACKEND (backend));
  fh_history_open_async (history, NULL, history_opened_cb, g_object_ref (self));
  g_object_bind_property_full (settings,
                               "color-scheme",
                               adw_style_manager_get_default (),
                               "color-scheme",
                               G_BINDING_SYNC_CREATE,
                               name_to_scheme,
                               NULL,
                               NULL,
                               NULL);
  self->text_size = fh_text_size_new (settings, gdk_display_get_default ());
}

static void
fh_application_startup (GApplication *application)
{
  FhApplication *self = FH_APPLICATION (application);

  G_APPLICATION_CLASS (fh_application_parent_class)->startup (application);

  gtk_source_init ();
  gtk_window_set_default_icon_name (FH_APP_ID);
  fh_application_init_actions (self);
  fh_shortcuts_install (GTK_APPLICATION (self));
  start_services (self);
}

FhWindow *
fh_application_open_window (FhApplication *self)
{
  FhWindow *window = fh_window_new (GTK_APPLICATION (self), self->services);

  fh_window_set_history_notice (window, self->history_notice);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

/* The first window brings back what was kept. */
static FhWindow *
ensure_window (FhApplication *self, gboolean anew)
{
  FhWindow *window = get_window (self);

  if (window == NULL)
    {
      window = fh_application_open_window (self);
      fh_window_restore (window);
    }
  else if (anew)
    {
      window = fh_application_open_window (self);
      fh_window_open_new (window);
    }
  gtk_window_present (GTK_WINDOW (window));
  return window;
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
    fh_window_open_file (window, files[i], FALSE);
}

/* What is read for a command line that may have come from another process. */
typedef struct
{
  FhWindow *window;
  GApplicationCommandLine *command_line;
} StdinReading;

static void
stdin_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StdinReading *reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = fh_text_file_load_finish (result, NULL, &error);

  if (text != NULL)
    {
      fh_window_open_text (reading->window, text, NULL, NULL, FALSE);
    }
  else
    {
      fh_toast_show_problem (GTK_WIDGET (reading->window), error->message);
      g_application_command_line_set_exit_status (reading->command_line, 1);
    }
  g_object_unref (reading->window);
  g_object_unref (reading->command_line);
  g_free (reading);
}

static void
read_stdin (FhWindow *window, GApplicationCommandLine *command_line)
{
  g_autoptr (GInputStream) stream = g_application_command_line_get_stdin (command_line);
  StdinReading *reading;

  if (stream == NULL)
    return;
  reading = g_new0 (StdinReading, 1);
  reading->window = g_object_ref (window);
  reading->command_line = g_object_ref (command_line);
  fh_text_file_read_async (stream, _ ("Standard input"), NULL, stdin_read_cb, reading);
}

static int
fh_application_command_line (GApplication *application, GApplicationCommandLine *command_line)
{
  g_autoptr (FhCommandLine) asked = fh_command_line_parse (command_line);
  FhWindow *window = ensure_window (FH_APPLICATION (application), asked->new_window);

  for (guint i = 0; i < asked->files->len; i++)
    fh_window_open_file (window, g_ptr_array_index (asked->files, i), FALSE);
  if (asked->run_file != NULL)
    fh_window_open_file (window, asked->run_file, TRUE);
  if (asked->from_stdin)
    read_stdin (window, command_line);
  return 0;
}

static int
fh_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  return fh_command_line_handle_locally (options);
}

static void
fh_application_shutdown (GApplication *application)
{
  FhApplication *self = FH_APPLICATION (application);

  g_clear_object (&self->text_size);
  g_clear_object (&self->services);
  g_clear_pointer (&self->history_notice, g_free);

  G_APPLICATION_CLASS (fh_application_parent_class)->shutdown (application);
}

static void
fh_application_class_init (FhApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

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
fh_application_new (void)
{
  return g_object_new (FH_TYPE_APPLICATION,
                       "application-id",
                       FH_APP_ID,
                       "flags",
                       G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_HANDLES_OPEN,
                       NULL);
}
