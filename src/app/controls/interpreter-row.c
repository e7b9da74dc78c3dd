/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/interpreter-row.h"

#include <glib/gi18n.h>

#include "interpreter.h"
#include "parts/file-dialogs.h"

#include "parts/calls.h"

static GParamSpec *path_property;

/* `paths` has an entry for each row but the last, "Other…"; NULL is the default. `filling` is set
 * while the code changes the rows, not the user. */
struct _FhInterpreterRow
{
  AdwComboRow parent_instance;

  const FhLanguage *language;
  char *path;
  GPtrArray *paths;
  GtkStringList *names;
  GCancellable *cancellable;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (FhInterpreterRow, fh_interpreter_row, ADW_TYPE_COMBO_ROW)

static void
append (FhInterpreterRow *self, const char *path, const char *name)
{
  g_ptr_array_add (self->paths, g_strdup (path));
  gtk_string_list_append (self->names, name);
}

static gboolean
find_path (FhInterpreterRow *self, guint *position)
{
  for (guint i = 0; i < self->paths->len; i++)
    {
      if (g_strcmp0 (g_ptr_array_index (self->paths, i), self->path) == 0)
        {
          *position = i;
          return TRUE;
        }
    }
  return FALSE;
}

/* `found`: (element-type FhInterpreter), NULL until they are known. */
static void
fill (FhInterpreterRow *self, GPtrArray *found)
{
  guint position = 0;

  self->filling = TRUE;
  g_clear_object (&self->names);
  self->names = gtk_string_list_new (NULL);
  g_ptr_array_set_size (self->paths, 0);
  append (self, NULL, _ ("Default"));
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      FhInterpreter *interpreter = g_ptr_array_index (found, i);

      append (self, interpreter->path, interpreter->name);
    }
  if (!find_path (self, &position))
    {
      g_autofree char *name = g_filename_display_name (self->path);

      position = self->paths->len;
      append (self, self->path, name);
    }
  gtk_string_list_append (self->names, _ ("Other…"));
  adw_combo_row_set_model (ADW_COMBO_ROW (self), G_LIST_MODEL (self->names));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), position);
  self->filling = FALSE;
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhInterpreterRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = fh_interpreter_list_finish (result, &error);

  if (found != NULL)
    fill (self, found);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_debug ("The interpreters could not be listed: %s", error->message);
}

static void
look (FhInterpreterRow *self)
{
  fh_cancel (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  fh_interpreter_list_async (self->language, self->cancellable, listed_cb, g_object_ref (self));
}

static void
set_path (FhInterpreterRow *self, const char *path)
{
  guint position;

  /* Options hold a text, which is empty for the default. */
  if (path != NULL && *path == '\0')
    path = NULL;
  if (!fh_set_str (&self->path, path))
    return;
  self->filling = TRUE;
  if (!find_path (self, &position))
    {
      g_autofree char *name = g_filename_display_name (path);

      /* The path stands before "Other…". */
      position = self->paths->len;
      g_ptr_array_add (self->paths, g_strdup (path));
      gtk_string_list_splice (self->names, position, 0, (const char *const[]){ name, NULL });
    }
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), position);
  self->filling = FALSE;
  g_object_notify_by_pspec (G_OBJECT (self), path_property);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhInterpreterRow) self = user_data;
  g_autoptr (GListModel) files = fh_file_dialogs_finish_open (result, NULL);
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (files != NULL)
    file = g_list_model_get_item (files, 0);
  if (file != NULL)
    path = g_file_get_path (file);
  if (path != NULL)
    set_path (self, path);
}

static void
selected_cb (FhInterpreterRow *self)
{
  guint position = adw_combo_row_get_selected (ADW_COMBO_ROW (self));
  guint current = 0;

  if (self->filling || position == GTK_INVALID_LIST_POSITION)
    return;
  if (position < self->paths->len)
    {
      set_path (self, g_ptr_array_index (self->paths, position));
      return;
    }
  /* "Other…" opens a dialog and is never selected itself. */
  find_path (self, &current);
  self->filling = TRUE;
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), current);
  self->filling = FALSE;
  fh_file_dialogs_show_async (GTK_WIDGET (self),
                              GTK_FILE_CHOOSER_ACTION_OPEN,
                              _ ("Choose an Interpreter"),
                              NULL,
                              self->cancellable,
                              chosen_cb,
                              g_object_ref (self));
}

static void
fh_interpreter_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, FH_INTERPRETER_ROW (object)->path);
}

static void
fh_interpreter_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  set_path (FH_INTERPRETER_ROW (object), g_value_get_string (value));
}

static void
fh_interpreter_row_dispose (GObject *object)
{
  FhInterpreterRow *self = FH_INTERPRETER_ROW (object);

  fh_cancel (&self->cancellable);
  g_clear_object (&self->names);

  G_OBJECT_CLASS (fh_interpreter_row_parent_class)->dispose (object);
}

static void
fh_interpreter_row_finalize (GObject *object)
{
  FhInterpreterRow *self = FH_INTERPRETER_ROW (object);

  g_ptr_array_unref (self->paths);
  g_free (self->path);

  G_OBJECT_CLASS (fh_interpreter_row_parent_class)->finalize (object);
}

static void
fh_interpreter_row_class_init (FhInterpreterRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_interpreter_row_dispose;
  object_class->finalize = fh_interpreter_row_finalize;
  object_class->get_property = fh_interpreter_row_get_property;
  object_class->set_property = fh_interpreter_row_set_property;

  path_property = g_param_spec_string ("path", NULL, NULL, NULL, FH_PARAM_WRITE);
  g_object_class_install_property (object_class, 1, path_property);
}

static void
fh_interpreter_row_init (FhInterpreterRow *self)
{
  self->paths = g_ptr_array_new_with_free_func (g_free);
  fill (self, NULL);
  g_signal_connect (self, "notify::selected", G_CALLBACK (selected_cb), NULL);
}

void
fh_interpreter_row_set_language (FhInterpreterRow *self, const FhLanguage *language)
{
  g_return_if_fail (FH_IS_INTERPRETER_ROW (self));
  g_return_if_fail (language != NULL);

  if (self->language == language)
    return;
  self->language = language;
  fill (self, NULL);
  look (self);
}
