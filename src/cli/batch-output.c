/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/file.h>
#include <unistd.h>

#include "batch-lines.h"
#include "json-guard.h"
#include "message.h"
#include "run-error.h"
#include "write-out.h"

struct _FhBatchOutput
{
  char *name; /* for people */
  int fd;
  int failure; /* an errno */
};

static gboolean
fail (const char *name, FhBatchOutputKind kind, int code, GError **error)
{
  if (code == EEXIST && kind == FH_BATCH_OUTPUT_MERGED)
    return fh_run_error_refuse (error, _ ("“%s” is there already. Choose another file."), name);
  if (code == EEXIST)
    return fh_run_error_refuse (
        error,
        _ ("“%s” is there already. Continue its batch by --resume, or choose another file."),
        name);
  if (code == EWOULDBLOCK)
    return fh_run_error_refuse (error, _ ("“%s” is in use by another batch."), name);
  return fh_run_error_refuse (error, _ ("“%s” cannot be written: %s."), name, g_strerror (code));
}

FhBatchOutput *
fh_batch_output_open (const char *path, FhBatchOutputKind kind, GError **error)
{
  g_autoptr (FhBatchOutput) self = g_new0 (FhBatchOutput, 1);
  const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY;

  self->fd = STDOUT_FILENO;
  if (path == NULL)
    return g_steal_pointer (&self);
  self->name = g_filename_display_name (path);
  self->fd = open (path, flags | (kind == FH_BATCH_OUTPUT_RESUMED ? 0 : O_EXCL), 0666);
  if (self->fd >= 0 && flock (self->fd, LOCK_EX | LOCK_NB) == 0)
    return g_steal_pointer (&self);
  fail (self->name, kind, errno, error);
  return NULL;
}

void
fh_batch_output_free (FhBatchOutput *self)
{
  if (self->fd > STDERR_FILENO)
    close (self->fd);
  g_free (self->name);
  g_free (self);
}

gboolean
fh_batch_output_is_unread (FhBatchOutput *self)
{
  return self->failure == EPIPE;
}

gboolean
fh_batch_output_write (FhBatchOutput *self, const char *line, gsize size)
{
  if (self->failure != 0 || fh_write_out (self->fd, line, size))
    return self->failure == 0;
  self->failure = errno;
  if (self->failure != EPIPE && self->failure != ECANCELED)
    fh_message (_ ("The output could not be written: %s"), g_strerror (self->failure));
  return FALSE;
}

static gboolean
read_line (const char *line, gsize size, FhBatchResultFunc func, gpointer user_data, GError **error)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (line, size, FH_BATCH_MAX_LINE, error);
  g_autoptr (FhBatchResult) result = NULL;

  if (object != NULL)
    result = fh_batch_result_from_json (object, error);
  if (result != NULL)
    func (result, line, size, user_data);
  return result != NULL;
}

gboolean
fh_batch_output_read (const char *path,
                      FhBatchResultFunc func,
                      gpointer user_data,
                      guint64 *end,
                      GError **error)
{
  g_autoptr (FhBatchLines) lines = fh_batch_lines_open (path, error);
  guint64 complete = 0;
  GError *local = NULL;
  const char *line;
  gsize size;

  if (lines == NULL)
    return FALSE;
  while ((line = fh_batch_lines_next (lines, &size, &local)) != NULL &&
         !fh_batch_lines_get_place (lines)->is_torn)
    {
      if (!read_line (line, size, func, user_data, error))
        {
          fh_batch_lines_prefix (lines, error);
          return FALSE;
        }
      complete = fh_batch_lines_get_place (lines)->offset;
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (end != NULL)
    *end = complete;
  return TRUE;
}

gboolean
fh_batch_output_cut (FhBatchOutput *self, guint64 end, GError **error)
{
  return ftruncate (self->fd, (off_t) end) == 0 ||
         fail (self->name, FH_BATCH_OUTPUT_RESUMED, errno, error);
}
