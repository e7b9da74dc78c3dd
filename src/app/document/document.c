/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/document.h"

#include <glib/gi18n.h>
#include <string.h>

#include "answer.h"
#include "cell-splitter.h"
#include "notebook-file.h"
#include "parts/calls.h"
#include "parts/recent-files.h"
#include "parts/text-file.h"
#include "run-title.h"

struct _FhDocument
{
  GtkSourceBuffer parent_instance;

  GFile *file;       /* nullable */
  char *version;     /* of the file, as it was read or written last; nullable */
  char *given_title; /* nullable */
  char *title;

  /* These are NULL until someone asks for them, and again after each change. */
  GBytes *source;
  GPtrArray *blocks;
  GArray *cells;

  guint is_parsed : 1; /* `blocks` is known, and NULL if the text is a program */
  guint is_as_written : 1;
  guint is_example : 1;
  guint is_reduced : 1; /* the notebook that was loaded */
  guint is_repaired : 1;
  guint is_loading : 1; /* the text is being replaced, and no person edits it */
};

enum
{
  PROP_FILE = 1,
  PROP_TITLE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static guint edited_signal;
static guint replaced_signal;
static guint saved_signal;

G_DEFINE_FINAL_TYPE (FhDocument, fh_document, GTK_SOURCE_TYPE_BUFFER)

static void
forget_parts (FhDocument *self)
{
  g_clear_pointer (&self->source, g_bytes_unref);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_array_unref);
  self->is_parsed = FALSE;
}

/* Connected first of all, so that no one who is told of a change gets parts of the old text. */
static void
changed_cb (FhDocument *self)
{
  forget_parts (self);
  self->is_example = FALSE;
  /* The old title does not fit what is written from scratch. */
  if (!self->is_loading && fh_document_is_empty (self))
    {
      g_clear_pointer (&self->given_title, g_free);
      self->is_as_written = FALSE;
    }
}

static void
fh_document_changed (GtkTextBuffer *buffer)
{
  GTK_TEXT_BUFFER_CLASS (fh_document_parent_class)->changed (buffer);
  if (!FH_DOCUMENT (buffer)->is_loading)
    g_signal_emit (buffer, edited_signal, 0);
}

GBytes *
fh_document_get_source (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  if (self->source == NULL)
    {
      GtkTextIter start, end;
      char *text;

      gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self), &start, &end);
      text = gtk_text_buffer_get_text (GTK_TEXT_BUFFER (self), &start, &end, TRUE);
      self->source = g_bytes_new_take (text, strlen (text));
    }
  return self->source;
}

const char *
fh_document_get_text (FhDocument *self)
{
  return g_bytes_get_data (fh_document_get_source (self), NULL);
}

guint
fh_document_get_size (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), 0);

  return (guint) gtk_text_buffer_get_char_count (GTK_TEXT_BUFFER (self));
}

gboolean
fh_document_is_empty (FhDocument *self)
{
  return fh_document_get_size (self) == 0;
}

GPtrArray *
fh_document_get_blocks (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  if (!self->is_parsed)
    {
      g_autofree char *name = fh_document_dup_file_name (self);

      self->blocks = fh_answer_parse (name, fh_document_get_text (self), self->is_as_written);
      self->is_parsed = TRUE;
    }
  return self->blocks;
}

gboolean
fh_document_is_as_written (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), FALSE);

  return self->is_as_written;
}

void
fh_document_set_as_written (FhDocument *self, gboolean as_written)
{
  g_return_if_fail (FH_IS_DOCUMENT (self));

  self->is_as_written = as_written;
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  self->is_parsed = FALSE;
}

GArray *
fh_document_get_cells (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  if (self->cells == NULL)
    self->cells = fh_cell_splitter_split (fh_document_get_text (self));
  return self->cells;
}

static void
replace_text (FhDocument *self, const char *text, const char *title)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self);
  GtkTextIter start;

  fh_set_str (&self->given_title, title);
  self->is_as_written = FALSE;
  self->is_repaired = FALSE;
  self->is_loading = TRUE;
  gtk_text_buffer_begin_irreversible_action (buffer);
  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (buffer);
  self->is_loading = FALSE;
  gtk_text_buffer_set_modified (buffer, FALSE);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  g_signal_emit (self, replaced_signal, 0);
  fh_document_update_title (self);
}

void
fh_document_set_text (FhDocument *self, const char *text, const char *title)
{
  g_return_if_fail (FH_IS_DOCUMENT (self));
  g_return_if_fail (text != NULL);

  replace_text (self, text, title);
}

void
fh_document_set_example (FhDocument *self, const char *text, const char *title)
{
  fh_document_set_text (self, text, title);
  self->is_example = TRUE;
}

gboolean
fh_document_is_example (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), FALSE);

  return self->is_example;
}

const char *
fh_document_get_title (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  return self->title;
}

void
fh_document_update_title (FhDocument *self)
{
  g_autofree char *title = NULL;

  g_return_if_fail (FH_IS_DOCUMENT (self));

  if (self->file != NULL)
    {
      g_autofree char *name = fh_document_dup_file_name (self);

      title = g_filename_display_name (name);
    }
  else if (self->given_title != NULL)
    title = g_strdup (self->given_title);
  else
    title = fh_run_title_of_source (fh_document_get_source (self));
  if (title == NULL)
    title = g_strdup (_ ("New Snippet"));
  if (g_strcmp0 (title, self->title) == 0)
    return;
  g_free (self->title);
  self->title = g_steal_pointer (&title);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

const char *
fh_document_get_given_title (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  return self->given_title;
}

const char *
fh_document_get_run_title (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  return self->file != NULL || self->given_title != NULL ? self->title : NULL;
}

GFile *
fh_document_get_file (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  return self->file;
}

void
fh_document_set_file (FhDocument *self, GFile *file)
{
  g_return_if_fail (FH_IS_DOCUMENT (self));
  g_return_if_fail (file == NULL || G_IS_FILE (file));

  if (!g_set_object (&self->file, file))
    return;
  /* Whether the text is an answer depends on the name. */
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  self->is_parsed = FALSE;
  fh_document_update_title (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FILE]);
}

char *
fh_document_dup_file_name (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  return self->file != NULL ? g_file_get_basename (self->file) : NULL;
}

static gboolean
is_notebook (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return fh_notebook_file_is_name (name);
}

gboolean
fh_document_is_notebook (FhDocument *self, gboolean *is_reduced)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self) && is_reduced != NULL, FALSE);

  *is_reduced = self->is_reduced;
  return self->file != NULL && is_notebook (self->file);
}

gboolean
fh_document_is_unsaved (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), FALSE);

  return self->file != NULL && gtk_text_buffer_get_modified (GTK_TEXT_BUFFER (self));
}

static void
take_file (FhDocument *self, GFile *file)
{
  fh_document_set_file (self, file);
  fh_recent_files_add (file);
}

static void
take_version (FhDocument *self, GAsyncResult *result)
{
  g_free (self->version);
  self->version = fh_text_file_dup_version (result);
}

const char *
fh_document_get_version (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), NULL);

  return self->version;
}

void
fh_document_set_version (FhDocument *self, const char *version)
{
  g_return_if_fail (FH_IS_DOCUMENT (self));

  fh_set_str (&self->version, version);
}

gboolean
fh_document_is_repaired (FhDocument *self)
{
  g_return_val_if_fail (FH_IS_DOCUMENT (self), FALSE);

  return self->is_repaired;
}

void
fh_document_set_repaired (FhDocument *self, gboolean repaired)
{
  g_return_if_fail (FH_IS_DOCUMENT (self));

  self->is_repaired = repaired;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  FhDocument *self = g_task_get_source_object (task);
  gboolean repaired;
  g_autofree char *text = fh_text_file_load_finish (result, &repaired, &error);

  if (text == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (is_notebook (g_task_get_task_data (task)))
    {
      g_autofree char *json = g_steal_pointer (&text);
      gboolean is_reduced;

      text = fh_notebook_file_read (json, strlen (json), &is_reduced, &error);
      if (text == NULL)
        {
          g_task_return_error (task, g_steal_pointer (&error));
          return;
        }
      self->is_reduced = is_reduced;
    }
  take_file (self, g_task_get_task_data (task));
  take_version (self, result);
  replace_text (self, text, NULL);
  self->is_repaired = repaired;
  g_task_return_boolean (task, TRUE);
}

void
fh_document_load_async (FhDocument *self,
                        GFile *file,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task;

  g_return_if_fail (FH_IS_DOCUMENT (self));
  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_document_load_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  fh_text_file_load_async (file, cancellable, loaded_cb, task);
}

gboolean
fh_document_load_finish (FhDocument *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

typedef struct
{
  GFile *file;
  GBytes *source;
  char *notebook; /* nullable: what is written instead */
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->file);
  g_bytes_unref (saving->source);
  g_free (saving->notebook);
  g_free (saving);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  FhDocument *self = g_task_get_source_object (task);
  Saving *saving = g_task_get_task_data (task);

  if (!fh_text_file_save_finish (result, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  gtk_text_buffer_set_modified (GTK_TEXT_BUFFER (self),
                                !g_bytes_equal (fh_document_get_source (self), saving->source));
  self->is_example = FALSE;
  self->is_repaired = FALSE;
  take_file (self, saving->file);
  take_version (self, result);
  g_signal_emit (self, saved_signal, 0);
  g_task_return_boolean (task, TRUE);
}

void
fh_document_save_async (FhDocument *self,
                        GFile *file,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task;
  Saving *saving;

  g_return_if_fail (FH_IS_DOCUMENT (self));
  g_return_if_fail (file != NULL || self->file != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_document_save_async);
  if (file == NULL && self->is_repaired)
    {
      g_task_return_new_error (task,
                               G_IO_ERROR,
                               G_IO_ERROR_INVALID_DATA,
                               "the file has bytes that are not text");
      g_object_unref (task);
      return;
    }
  saving = g_new0 (Saving, 1);
  saving->file = g_object_ref (file != NULL ? file : self->file);
  saving->source = g_bytes_ref (fh_document_get_source (self));
  g_task_set_task_data (task, saving, saving_free);
  if (is_notebook (saving->file))
    saving->notebook = fh_notebook_file_write (g_bytes_get_data (saving->source, NULL));
  fh_text_file_save_async (saving->file,
                           saving->notebook != NULL ? saving->notebook
                                                    : g_bytes_get_data (saving->source, NULL),
                           file == NULL ? self->version : NULL,
                           cancellable,
                           saved_cb,
                           task);
}

gboolean
fh_document_save_finish (FhDocument *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
fh_document_dispose (GObject *object)
{
  FhDocument *self = FH_DOCUMENT (object);

  forget_parts (self);
  g_clear_object (&self->file);
  g_clear_pointer (&self->given_title, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->version, g_free);
  G_OBJECT_CLASS (fh_document_parent_class)->dispose (object);
}

static void
fh_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhDocument *self = FH_DOCUMENT (object);

  if (id == PROP_FILE)
    g_value_set_object (value, self->file);
  else
    g_value_set_string (value, self->title);
}

static void
fh_document_class_init (FhDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_document_dispose;
  object_class->get_property = fh_document_get_property;
  GTK_TEXT_BUFFER_CLASS (klass)->changed = fh_document_changed;

  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, FH_PARAM_READ);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, FH_PARAM_READ);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  edited_signal = fh_signal_new ("edited", G_TYPE_FROM_CLASS (klass), 0);
  replaced_signal = fh_signal_new ("replaced", G_TYPE_FROM_CLASS (klass), 0);
  saved_signal = fh_signal_new ("saved", G_TYPE_FROM_CLASS (klass), 0);
}

static void
fh_document_init (FhDocument *self)
{
  self->title = g_strdup (_ ("New Snippet"));
  g_signal_connect (self, "changed", G_CALLBACK (changed_cb), NULL);
}
