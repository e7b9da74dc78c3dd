/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/project-row.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/file-dialogs.h"

struct _FhProjectRow
{
  AdwActionRow parent_instance;
  char *path; /* nullable */
  GtkWidget *clear_button;
};

static GParamSpec *path_property;

G_DEFINE_FINAL_TYPE (FhProjectRow, fh_project_row, ADW_TYPE_ACTION_ROW)

static void
update (FhProjectRow *self)
{
  g_autofree char *name = self->path != NULL ? g_filename_display_name (self->path) : NULL;
  g_autofree char *text = NULL;

  /* Translators: %s is the path of a folder */
  text = name != NULL
             ? g_strdup_printf (_ ("%s — the program gets a copy; you apply its changes"), name)
             : g_strdup (_ ("None: the program begins in an empty folder"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), text);
  gtk_widget_set_visible (self->clear_button, name != NULL);
}

static void
set_path (FhProjectRow *self, const char *path)
{
  if (path != NULL && *path == '\0')
    path = NULL;
  if (!fh_set_str (&self->path, path))
    return;
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), path_property);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhProjectRow) self = user_data;
  g_autoptr (GFile) folder = fh_file_dialogs_finish (result, NULL);
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;

  if (path != NULL)
    set_path (self, path);
}

static void
choose_cb (FhProjectRow *self)
{
  fh_file_dialogs_show_async (GTK_WIDGET (self),
                              GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                              _ ("Choose a Project Folder"),
                              NULL,
                              NULL,
                              chosen_cb,
                              g_object_ref (self));
}

static void
clear_cb (FhProjectRow *self)
{
  set_path (self, NULL);
}

static void
fh_project_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, FH_PROJECT_ROW (object)->path);
}

static void
fh_project_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  set_path (FH_PROJECT_ROW (object), g_value_get_string (value));
}

static void
fh_project_row_finalize (GObject *object)
{
  g_free (FH_PROJECT_ROW (object)->path);
  G_OBJECT_CLASS (fh_project_row_parent_class)->finalize (object);
}

static void
fh_project_row_class_init (FhProjectRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = fh_project_row_get_property;
  object_class->set_property = fh_project_row_set_property;
  object_class->finalize = fh_project_row_finalize;
  path_property = g_param_spec_string ("path", NULL, NULL, NULL, FH_PARAM_WRITE);
  g_object_class_install_property (object_class, 1, path_property);
  fh_set_template (widget_class, "controls/project-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhProjectRow, clear_button);
  gtk_widget_class_bind_template_callback (widget_class, choose_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_cb);
}

static void
fh_project_row_init (FhProjectRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  update (self);
}
