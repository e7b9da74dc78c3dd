/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/text-file.h"

#include <glib/gi18n.h>
#include <string.h>

#include "readable-text.h"
#include "run-error.h"
#include "run-request.h"

typedef struct
{
  char *name;
  GByteArray *bytes;
  gboolean repaired;
} Reading;

#define CHUNK   ((gsize) 256 << 10)
#define VERSION "fh-version"

/* GIO’s message often begins with “Error opening file /a/b: ”, which would name the file twice. */
static void
keep_reason (GError *error)
{
  const char *colon = g_strrstr (error->message, ": ");

  if (colon != NULL)
    memmove (error->message, colon + 2, strlen (colon + 2) + 1);
}

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->name);
  g_byte_array_unref (reading->bytes);
  g_free (reading);
}

/* A text buffer takes neither NUL nor invalid UTF-8. */
static void
return_text (GTask *task, Reading *reading)
{
  /* The data of an empty array is NULL. */
  const guint8 *data = reading->bytes->data != NULL ? reading->bytes->data : (const guint8 *) "";

  reading->repaired = !fh_valid_text_check (data, reading->bytes->len);
  g_task_return_pointer (task, fh_valid_text_new (data, reading->bytes->len), g_free);
}

static void read_more (GInputStream *stream, GTask *task);

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GInputStream *stream = G_INPUT_STREAM (source);
  Reading *reading = g_task_get_task_data (task);
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (stream, result, &error);

  if (bytes == NULL)
    {
      keep_reason (error);
      g_prefix_error (&error, _ ("Could not read “%s”: "), reading->name);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (g_bytes_get_size (bytes) == 0)
    {
      return_text (task, reading);
      return;
    }
  if (reading->bytes->len + g_bytes_get_size (bytes) > FH_RUN_REQUEST_MAX_SOURCE)
    {
      g_autofree char *limit =
          g_format_size_full (FH_RUN_REQUEST_MAX_SOURCE, G_FORMAT_SIZE_IEC_UNITS);

      g_task_return_new_error (task,
                               FH_RUN_ERROR,
                               FH_RUN_ERROR_TOO_LARGE,
                               /* Translators: a file name and a size such as “8.0 MiB”. */
                               _ ("“%s” is too large: source code is limited to %s"),
                               reading->name,
                               limit);
      return;
    }
  g_byte_array_append (reading->bytes,
                       g_bytes_get_data (bytes, NULL),
                       (guint) g_bytes_get_size (bytes));
  read_more (stream, g_steal_pointer (&task));
}

static void
read_more (GInputStream *stream, GTask *task)
{
  g_input_stream_read_bytes_async (stream,
                                   CHUNK,
                                   G_PRIORITY_DEFAULT,
                                   g_task_get_cancellable (task),
                                   read_cb,
                                   task);
}

static GTask *
new_reading (const char *name,
             GCancellable *cancellable,
             GAsyncReadyCallback callback,
             gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Reading *reading = g_new0 (Reading, 1);

  reading->name = g_strdup (name);
  reading->bytes = g_byte_array_new ();
  g_task_set_source_tag (task, fh_text_file_load_async);
  g_task_set_task_data (task, reading, reading_free);
  return task;
}

/* An entity tag of GIO tells one content of a file from another. */
static void
keep_version (GTask *task, const char *tag)
{
  g_object_set_data_full (G_OBJECT (task), VERSION, g_strdup (tag), g_free);
}

static void
queried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GFileInputStream *stream = G_FILE_INPUT_STREAM (source);
  g_autoptr (GFileInfo) info = g_file_input_stream_query_info_finish (stream, result, NULL);

  if (info != NULL)
    keep_version (task, g_file_info_get_etag (info));
  read_more (G_INPUT_STREAM (stream), g_steal_pointer (&task));
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInputStream) stream = NULL;
  Reading *reading = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  stream = g_file_read_finish (G_FILE (source), result, &error);
  if (stream == NULL)
    {
      keep_reason (error);
      g_prefix_error (&error, _ ("Could not open “%s”: "), reading->name);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_file_input_stream_query_info_async (stream,
                                        G_FILE_ATTRIBUTE_ETAG_VALUE,
                                        G_PRIORITY_DEFAULT,
                                        cancellable,
                                        queried_cb,
                                        g_steal_pointer (&task));
}

void
fh_text_file_load_async (GFile *file,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autofree char *name = NULL;
  g_autofree char *shown = NULL;

  g_return_if_fail (G_IS_FILE (file));

  name = g_file_get_basename (file);
  shown = g_filename_display_name (name != NULL ? name : "");
  g_file_read_async (file,
                     G_PRIORITY_DEFAULT,
                     cancellable,
                     opened_cb,
                     new_reading (shown, cancellable, callback, user_data));
}

void
fh_text_file_read_async (GInputStream *stream,
                         const char *name,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_return_if_fail (G_IS_INPUT_STREAM (stream));
  g_return_if_fail (name != NULL);

  read_more (stream, new_reading (name, cancellable, callback, user_data));
}

char *
fh_text_file_load_finish (GAsyncResult *result, gboolean *repaired, GError **error)
{
  Reading *reading;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  reading = g_task_get_task_data (G_TASK (result));
  if (repaired != NULL)
    *repaired = reading->repaired;
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
replaced_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *version = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, &version, &error))
    {
      keep_version (task, version);
      g_task_return_boolean (task, TRUE);
    }
  else
    {
      g_autofree char *name = g_file_get_basename (G_FILE (source));
      g_autofree char *shown = g_filename_display_name (name);

      keep_reason (error);
      g_prefix_error (&error, _ ("Could not save “%s”: "), shown);
      g_task_return_error (task, g_steal_pointer (&error));
    }
}

void
fh_text_file_save_async (GFile *file,
                         const char *text,
                         const char *version,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GBytes) bytes = NULL;
  GTask *task;

  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (text != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_text_file_save_async);
  /* g_bytes_new is not used, as its data is NULL if there are none: GIO complains of that. */
  bytes = g_bytes_new_take (g_strdup (text), strlen (text));
  g_file_replace_contents_bytes_async (file,
                                       bytes,
                                       version,
                                       FALSE,
                                       G_FILE_CREATE_NONE,
                                       cancellable,
                                       replaced_cb,
                                       task);
}

gboolean
fh_text_file_save_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

char *
fh_text_file_dup_version (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_strdup (g_object_get_data (G_OBJECT (result), VERSION));
}
