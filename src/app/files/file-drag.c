/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "files/file-drag.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "files/file-saving.h"
#include "folder-writer.h"
#include "result-file-name.h"

#define URI_LIST "text/uri-list"

/* The list of one file, which is not there before it is asked for. */
#define FH_TYPE_FILE_CONTENT (fh_file_content_get_type ())
G_DECLARE_FINAL_TYPE (FhFileContent, fh_file_content, FH, FILE_CONTENT, GdkContentProvider)

struct _FhFileContent
{
  GdkContentProvider parent_instance;
  FhResultFile *file;
};

G_DEFINE_FINAL_TYPE (FhFileContent, fh_file_content, GDK_TYPE_CONTENT_PROVIDER)

/* All that was dragged since the app began; written to by threads, one at a time. */
static struct
{
  GMutex mutex;
  char *folder;
  GPtrArray *paths;
} dragged;

void
fh_file_drag_forget (void)
{
  g_mutex_lock (&dragged.mutex);
  for (guint i = 0; dragged.folder != NULL && i < dragged.paths->len; i++)
    g_unlink (g_ptr_array_index (dragged.paths, i));
  if (dragged.folder != NULL)
    g_rmdir (dragged.folder);
  g_clear_pointer (&dragged.folder, g_free);
  g_clear_pointer (&dragged.paths, g_ptr_array_unref);
  g_mutex_unlock (&dragged.mutex);
}

/* With mode 0700. */
static gboolean
make_folder (GError **error)
{
  g_autofree char *place = NULL;

  if (dragged.folder != NULL)
    return TRUE;
  place = g_build_filename (g_get_user_runtime_dir (), "fumehood-XXXXXX", NULL);
  if (g_mkdtemp (place) == NULL)
    {
      g_clear_pointer (&place, g_free);
      place = g_dir_make_tmp ("fumehood-XXXXXX", error);
    }
  if (place == NULL)
    return FALSE;
  dragged.folder = g_steal_pointer (&place);
  dragged.paths = g_ptr_array_new_with_free_func (g_free);
  return TRUE;
}

/* (transfer full) (nullable) */
static char *
write_file (FhResultFile *file, GError **error)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);
  g_autofree char *name = fh_result_path_to_name (facts->path);
  g_autofree char *taken = NULL;
  char *path = NULL;
  int folder;

  if (!make_folder (error))
    return NULL;
  folder = fh_folder_open (dragged.folder, error);
  if (folder < 0)
    return NULL;
  if (fh_folder_add_file (folder, name, facts->content, &taken))
    {
      path = g_build_filename (dragged.folder, taken, NULL);
      g_ptr_array_add (dragged.paths, g_strdup (path));
    }
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, name);
  close (folder);
  return path;
}

static void
write_thread (GTask *task, gpointer source, gpointer stream, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *line = NULL;

  g_mutex_lock (&dragged.mutex);
  path = write_file (FH_FILE_CONTENT (source)->file, &error);
  g_mutex_unlock (&dragged.mutex);
  uri = path != NULL ? g_filename_to_uri (path, NULL, &error) : NULL;
  line = uri != NULL ? g_strconcat (uri, "\r\n", NULL) : NULL;
  if (line != NULL &&
      g_output_stream_write_all (stream, line, strlen (line), NULL, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
write_async (GdkContentProvider *provider,
             const char *mime_type,
             GOutputStream *stream,
             int priority,
             GCancellable *cancellable,
             GAsyncReadyCallback callback,
             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, user_data);

  g_task_set_source_tag (task, write_async);
  g_task_set_priority (task, priority);
  g_task_set_task_data (task, g_object_ref (stream), g_object_unref);
  g_task_run_in_thread (task, write_thread);
}

static gboolean
write_finish (GdkContentProvider *provider, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static GdkContentFormats *
get_formats (GdkContentProvider *provider)
{
  static const char *types[] = { URI_LIST };

  return gdk_content_formats_new (types, G_N_ELEMENTS (types));
}

static void
fh_file_content_finalize (GObject *object)
{
  g_object_unref (FH_FILE_CONTENT (object)->file);

  G_OBJECT_CLASS (fh_file_content_parent_class)->finalize (object);
}

static void
fh_file_content_class_init (FhFileContentClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_file_content_finalize;
  provider_class->ref_formats = get_formats;
  provider_class->write_mime_type_async = write_async;
  provider_class->write_mime_type_finish = write_finish;
}

static void
fh_file_content_init (FhFileContent *self)
{
}

GdkContentProvider *
fh_file_drag_new_content (FhResultFile *file)
{
  FhFileContent *self = g_object_new (FH_TYPE_FILE_CONTENT, NULL);
  GApplication *application = g_application_get_default ();

  self->file = g_object_ref (file);
  if (application != NULL && g_signal_handler_find (application,
                                                    G_SIGNAL_MATCH_FUNC,
                                                    0,
                                                    0,
                                                    NULL,
                                                    fh_file_drag_forget,
                                                    NULL) == 0)
    g_signal_connect (application, "shutdown", G_CALLBACK (fh_file_drag_forget), NULL);
  return GDK_CONTENT_PROVIDER (self);
}

void
fh_file_drag_set (GtkWidget *widget, FhResultFile *file)
{
  static const char key[] = "fh-file-drag";
  GtkEventController *source = g_object_get_data (G_OBJECT (widget), key);
  g_autoptr (GdkContentProvider) content = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (source != NULL)
    gtk_widget_remove_controller (widget, source);
  g_object_set_data (G_OBJECT (widget), key, NULL);
  if (file == NULL || !fh_file_saving_is_possible (file))
    return;
  content = fh_file_drag_new_content (file);
  source = GTK_EVENT_CONTROLLER (gtk_drag_source_new ());
  gtk_drag_source_set_content (GTK_DRAG_SOURCE (source), content);
  gtk_widget_add_controller (widget, source);
  g_object_set_data (G_OBJECT (widget), key, source);
}
