/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-collector.h"

#include <stdlib.h>
#include <string.h>

#include "run-files.h"

G_STATIC_ASSERT ((int) FH_RESULT_FILE_REGULAR == (int) FH_WIRE_RESULT_REGULAR);
G_STATIC_ASSERT ((int) FH_RESULT_FILE_LINK == (int) FH_WIRE_RESULT_LINK);
G_STATIC_ASSERT ((int) FH_RESULT_FILE_SPECIAL == (int) FH_WIRE_RESULT_SPECIAL);
G_STATIC_ASSERT (FH_RUN_FILES_MAX_HANDED_ON == FH_HANDED_ON_MAX);

/* `file` is being received; it is added to the others when the next one begins. */
struct _FhResultCollector
{
  GHashTable *paths; /* of all files; those in /tmp begin with a slash */
  GPtrArray *files;
  GPtrArray *gone;      /* paths */
  GPtrArray *handed_on; /* FhRunFile */
  guint n_results;
  guint n_gone;
  guint n_handed_on;
  struct fh_result_file file; /* without a path: none */
  GByteArray *content;        /* NULL: no content */
  guint64 file_max;
  guint64 room;
  struct fh_results_end end;
  gboolean has_begun;
  gboolean has_ended;
};

FhResultCollector *
fh_result_collector_new (gboolean hands_on)
{
  FhResultCollector *self = g_new0 (FhResultCollector, 1);

  self->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  self->gone = g_ptr_array_new_with_free_func (g_free);
  self->handed_on = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  self->file_max = hands_on ? FH_HANDED_ON_MAX : FH_RESULT_FILE_MAX;
  self->room = hands_on ? FH_HANDED_ON_MAX : FH_RESULT_CONTENT_MAX;
  return self;
}

void
fh_result_collector_free (FhResultCollector *self)
{
  g_hash_table_unref (self->paths);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->gone);
  g_ptr_array_unref (self->handed_on);
  free (self->file.path);
  g_clear_pointer (&self->content, g_byte_array_unref);
  g_free (self);
}

/* Only regular files and links have something that another run could be given. */
static void
hand_on (FhResultCollector *self, FhRunFileKind kind, GBytes *content)
{
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);
  FhRunFile *file = fh_run_file_new (self->file.path, content != NULL ? content : nothing);

  file->kind = kind;
  file->is_in_tmp = (self->file.flags & FH_RESULT_IS_IN_TMP) != 0;
  file->mode = self->file.mode;
  file->modified_us = self->file.modified_us;
  g_ptr_array_add (self->handed_on, file);
}

static void
add_result (FhResultCollector *self, GBytes *content)
{
  const gboolean is_regular = self->file.kind == FH_WIRE_RESULT_REGULAR;
  FhResultFile *file = fh_result_file_new (&(FhResultFileFacts){
      .path = self->file.path,
      .kind = (FhResultFileKind) self->file.kind,
      .size = is_regular ? self->file.size : 0,
      .is_program = (self->file.flags & FH_RESULT_IS_PROGRAM) != 0,
      .is_changed = (self->file.flags & FH_RESULT_IS_CHANGED) != 0,
      .content = is_regular ? content : NULL,
      .mode = self->file.mode,
      .modified_us = self->file.modified_us,
  });

  if (file != NULL)
    g_ptr_array_add (self->files, file);
}

/* Incomplete content is dropped. A file in /tmp without content is told as one that is gone: what
 * was there before is not to come back. */
static void
close_file (FhResultCollector *self)
{
  const gboolean is_in_tmp = (self->file.flags & FH_RESULT_IS_IN_TMP) != 0;
  g_autoptr (GBytes) content = NULL;

  if (self->file.path == NULL)
    return;
  if (self->content != NULL && self->content->len < self->file.size)
    {
      self->end.is_incomplete |= !is_in_tmp;
      self->end.is_partly_handed_on |= is_in_tmp;
      g_clear_pointer (&self->content, g_byte_array_unref);
    }
  if (self->content != NULL)
    content = g_byte_array_free_to_bytes (g_steal_pointer (&self->content));
  if (!is_in_tmp)
    add_result (self, content);
  if (is_in_tmp && content == NULL)
    hand_on (self, FH_RUN_FILE_REMOVED, NULL);
  else if (self->file.kind == FH_WIRE_RESULT_LINK && content != NULL)
    hand_on (self, FH_RUN_FILE_LINK, content);
  else if (is_in_tmp)
    hand_on (self, FH_RUN_FILE_REGULAR, content);
  g_clear_pointer (&self->file.path, free);
}

/* True unless there are too many of its kind. */
static gboolean
count (FhResultCollector *self)
{
  guint *n = &self->n_results;

  if (self->file.kind == FH_WIRE_RESULT_GONE)
    n = &self->n_gone;
  else if (self->file.kind == FH_WIRE_RESULT_FOLDER || self->file.flags & FH_RESULT_IS_IN_TMP)
    n = &self->n_handed_on;
  return ++*n <= FH_RESULT_FILES_MAX;
}

/* Takes a file that has a path only. */
static void
take_path (FhResultCollector *self)
{
  if (self->file.kind == FH_WIRE_RESULT_FOLDER)
    hand_on (self, FH_RUN_FILE_FOLDER, NULL);
  else if (self->file.flags & FH_RESULT_IS_IN_TMP)
    hand_on (self, FH_RUN_FILE_REMOVED, NULL);
  else
    g_ptr_array_add (self->gone, g_strdup (self->file.path));
  g_clear_pointer (&self->file.path, free);
}

static gboolean
handle_file (FhResultCollector *self, const struct fh_frame *frame)
{
  struct fh_result_file file;

  if (!fh_result_file_decode (&file, frame->payload, frame->size))
    return FALSE;
  close_file (self);
  self->file = file;
  /* A folder may be in the place of a file that is told as gone. */
  if (!count (self) ||
      (file.kind != FH_WIRE_RESULT_FOLDER &&
       !g_hash_table_add (
           self->paths,
           g_strconcat (file.flags & FH_RESULT_IS_IN_TMP ? "/" : "", file.path, NULL))))
    {
      g_clear_pointer (&self->file.path, free);
      return FALSE;
    }
  if (file.kind == FH_WIRE_RESULT_GONE || file.kind == FH_WIRE_RESULT_FOLDER)
    {
      take_path (self);
      return TRUE;
    }
  if (!(file.flags & FH_RESULT_HAS_CONTENT))
    return TRUE;
  if (file.size > MIN (self->file_max, self->room))
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
  end.is_partly_handed_on |= self->end.is_partly_handed_on;
  self->end = end;
  self->has_ended = TRUE;
  return TRUE;
}

gboolean
fh_result_collector_take (FhResultCollector *self, const struct fh_frame *frame)
{
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
  if (!self->has_begun)
    return;
  close_file (self);
  g_ptr_array_sort (self->files, compare_paths);
  for (guint i = 0; i < self->files->len; i++)
    fh_result_files_add (files, g_ptr_array_index (self->files, i));
  fh_result_files_set_gone (files, self->gone);
  fh_result_files_set_handed_on (files, self->handed_on);
  fh_result_files_set_partly_handed_on (files, self->end.is_partly_handed_on || !self->has_ended);
  fh_result_files_set_left_out (files,
                                self->end.n_left_out,
                                self->end.is_incomplete || !self->has_ended);
}
