/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "command-line.h"

#include <glib/gi18n.h>

#include "parts/text-file.h"
#include "parts/toasts.h"

void
fh_command_line_add_options (GApplication *application)
{
  const GOptionEntry entries[] = {
    { "new-window", 'n', 0, G_OPTION_ARG_NONE, NULL, N_ ("Open a new window"), NULL },
    { "run", 'r', 0, G_OPTION_ARG_FILENAME, NULL, N_ ("Open a file and run it"), N_ ("FILE") },
    { "version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_ ("[FILE…|-]") },
    { NULL },
  };

  g_return_if_fail (G_IS_APPLICATION (application));

  g_application_add_main_option_entries (application, entries);
  g_application_set_option_context_summary (
      application,
      _ ("Runs untrusted code behind guards and shows what it does.\n"
         "Files are opened in tabs and not run; “-” reads standard input."));
}

int
fh_command_line_handle_locally (GVariantDict *options)
{
  g_return_val_if_fail (options != NULL, -1);

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("fumehood %s\n", FH_VERSION);
      return 0;
    }
  return -1;
}

FhCommandLine *
fh_command_line_parse (GApplicationCommandLine *command_line)
{
  FhCommandLine *self;
  GVariantDict *options;
  g_autofree const char **names = NULL;
  const char *run_name = NULL;

  g_return_val_if_fail (G_IS_APPLICATION_COMMAND_LINE (command_line), NULL);

  options = g_application_command_line_get_options_dict (command_line);
  self = g_new0 (FhCommandLine, 1);
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  self->new_window = g_variant_dict_contains (options, "new-window");
  if (g_variant_dict_lookup (options, "run", "^&ay", &run_name))
    self->run_file = g_application_command_line_create_file_for_arg (command_line, run_name);
  if (g_variant_dict_lookup (options, G_OPTION_REMAINING, "^a&ay", &names))
    {
      for (guint i = 0; names[i] != NULL; i++)
        {
          if (g_str_equal (names[i], "-"))
            self->from_stdin = TRUE;
          else
            g_ptr_array_add (
                self->files,
                g_application_command_line_create_file_for_arg (command_line, names[i]));
        }
    }
  return self;
}

void
fh_command_line_free (FhCommandLine *self)
{
  g_clear_object (&self->run_file);
  g_ptr_array_unref (self->files);
  g_free (self);
}

/* Standard input, which may be that of another process. */
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

  /* The window may have been closed meanwhile. */
  const gboolean is_open = gtk_window_get_application (GTK_WINDOW (reading->window)) != NULL;

  if (is_open && text != NULL)
    fh_window_open_text (reading->window, text, NULL, NULL, FALSE);
  else
    g_application_command_line_set_exit_status (reading->command_line, 1);
  if (is_open && text == NULL)
    fh_toast_show_problem (GTK_WIDGET (reading->window), error->message);
  g_object_unref (reading->window);
  g_object_unref (reading->command_line);
  g_free (reading);
}

void
fh_command_line_read_stdin (GApplicationCommandLine *command_line, FhWindow *window)
{
  g_autoptr (GInputStream) stream = NULL;
  StdinReading *reading;

  g_return_if_fail (G_IS_APPLICATION_COMMAND_LINE (command_line));
  g_return_if_fail (FH_IS_WINDOW (window));

  stream = g_application_command_line_get_stdin (command_line);
  if (stream == NULL)
    return;
  reading = g_new0 (StdinReading, 1);
  reading->window = g_object_ref (window);
  reading->command_line = g_object_ref (command_line);
  fh_text_file_read_async (stream, _ ("Standard input"), NULL, stdin_read_cb, reading);
}
