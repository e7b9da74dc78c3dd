/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-collector.h"

#include <stdlib.h>
#include <string.h>

G_STATIC_ASSERT ((int) FH_RESULT_FILE_REGULAR == (int) FH_WIRE_RESULT_REGULAR);
G_STATIC_ASSERT ((int) FH_RESULT_FILE_LINK == (int) FH_WIRE_RESULT_LINK);
G_STATIC_ASSERT ((int) FH_RESULT_FILE_SPECIAL == (int) FH_WIRE_RESULT_SPECIAL);

/* `file` is being received; it is added to the others when the next one begins. */
struct _FhResultCollector
{
  GHashTable *paths; /* of all files; owns them */
  GPtrArray *files;
  GPtrArray *gone;            /* paths */
  GPtrArray *folders;         /* likewise, in which there is nothing */
  struct fh_result_file file; /* its path is owned by `paths`; NULL: no file */
  GByteArray *content;        /* NULL: no content */
  guint64 room;
  struct fh_results_end end;
  gboolean has_begun;
  gboolean has_ended;
};

FhResultCollector *
fh_result_collector_new (void)
{
  FhResultCollector *self = g_new0 (FhResultCollector, 1);

  self->paths = g_hash_table_new_full (g_str_hash, g_str_equal, free, NULL);
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  self->gone = g_ptr_array_new_with_free_func (g_free);
  self->folders = g_ptr_array_new_with_free_func (g_free);
  self->room = FH_RESULT_CONTENT_MAX;
  return self;
}

void
fh_result_collector_free (FhResultCollector *self)
{
  g_hash_table_unref (self->paths);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->gone);
  g_ptr_array_unref (self->folders);
  g_clear_pointer (&self->content, g_byte_array_unref);
  g_free (self);
}

/* Incomplete content is dropped. */
static void
close_file (FhResultCollector *self)
{
  g_autoptr (GBytes) content = NULL;
  FhResultFile *file;

  if (self->file.path == NULL)
    return;
  if (self->content != NULL && self->content->len < self->file.size)
    {
      self->end.is_incomplete = TRUE;
      g_clear_pointer (&self->content, g_byte_array_unref);
    }
  if (self->content != NULL)
    content = g_byte_array_free_to_bytes (g_steal_pointer (&self->content));
  file = fh_result_file_new (&(FhResultFileFacts){
      .path = self->file.path,
      .kind = (FhResultFileKind) self->file.kind,
      .size = self->file.size,
      .is_program = (self->file.flags & FH_RESULT_IS_PROGRAM) != 0,
      .is_changed = (self->file.flags & FH_RESULT_IS_CHANGED) != 0,
      .content = content,
  });
  if (file != NULL)
    g_ptr_array_add (self->files, file);
  self->file.path = NULL;
}

static gboolean
handle_file (FhResultCollector *self, const struct fh_frame *frame)
{
  struct fh_result_file file;

  if (!fh_result_file_decode (&file, frame->payload, frame->size))
    return FALSE;
  close_file (self);
  /* It may be in the place of a file that is told as gone. */
  if (file.kind == FH_WIRE_RESULT_FOLDER)
    {
      g_ptr_array_add (self->folders, g_strdup (file.path));
      free (file.path);
      return self->folders->len <= FH_RESULT_FILES_MAX;
    }
  /* `paths` owns the path from here on, even if it was known. */
  if (!g_hash_table_add (self->paths, file.path))
    return FALSE;
  if (file.kind == FH_WIRE_RESULT_GONE)
    {
      g_ptr_array_add (self->gone, g_strdup (file.path));
      return self->gone->len <= FH_RESULT_FILES_MAX;
    }
  if (g_hash_table_size (self->paths) - self->gone->len > FH_RESULT_FILES_MAX)
    return FALSE;
  self->file = file;
  if (!(file.flags & FH_RESULT_HAS_CONTENT))
    return TRUE;
  if (file.size > self->room)
    return FALSE;
  self->room -= file.size;
  self->content = g_byte_array_new ();
  return TRUE;
}

static gboolean
handle_piece (FhResultCollector *self, const struct fh_frame *frame)
{
  if (self->content == NULL || frame->size == 0 || frame->size > FH_RESULT_PIECE_MAX ||
      frame->size > self->file.size - self->content->len)
    return FALSE;
  g_byte_array_append (self->content, frame->payload, frame->size);
  return TRUE;
}

static gboolean
handle_end (FhResultCollector *self, const struct fh_frame *frame)
{
  struct fh_results_end end;

  if (!fh_results_end_decode (&end, frame->payload, frame->size))
    return FALSE;
  close_file (self);
  end.is_incomplete |= self->end.is_incomplete;
  self->end = end;
  self->has_ended = TRUE;
  return TRUE;
}

gboolean
fh_result_collector_take (FhResultCollector *self, const struct fh_frame *frame)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->has_ended)
    return FALSE;
  self->has_begun = TRUE;
  switch (frame->kind)
    {
    case FH_FRAME_RESULT_FILE:
      return handle_file (self, frame);
    case FH_FRAME_RESULT_PIECE:
      return handle_piece (self, frame);
    case FH_FRAME_RESULTS_END:
      return handle_end (self, frame);
    default:
      return FALSE;
    }
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  FhResultFile *const *first = a;
  FhResultFile *const *second = b;

  return strcmp (fh_result_file_get_facts (*first)->path, fh_result_file_get_facts (*second)->path);
}

void
fh_result_collector_finish (FhResultCollector *self, FhResultFiles *files)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (FH_IS_RESULT_FILES (files));

  if (!self->has_begun)
    return;
  close_file (self);
  g_ptr_array_sort (self->files, compare_paths);
  for (guint i = 0; i < self->files->len; i++)
    fh_result_files_add (files, g_ptr_array_index (self->files, i));
  fh_result_files_set_gone (files, self->gone);
  fh_result_files_set_folders (files, self->folders);
  fh_result_files_set_left_out (files,
                                self->end.n_left_out,
                                self->end.is_incomplete || !self->has_ended);
}
