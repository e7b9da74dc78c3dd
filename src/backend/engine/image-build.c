/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine-call.h"
#include "engine-image.h"

#define PIECE_SIZE ((gsize) 16 << 10)
#define LINE_MAX_  ((gsize) 4 << 10)
#define GRACE_MS   2000

/* Before this version of Podman, RUN --mount could reach every file of this computer, and so could
 * what an image makes each build do that begins with it: CVE-2024-1753, CVE-2024-11218. */
#define PODMAN_MAJOR 5
#define PODMAN_MINOR 3
#define PODMAN_MICRO 2

/* More than "sha256:" and a digest. */
#define ID_MAX 256

/* The data of the task. What the engine prints is a program's word as well: RUN lines write what
 * they like. */
typedef struct
{
  FhEngine *engine;
  char *folder;  /* with the empty context, and the file for the id */
  char *context; /* below it */
  char *id_file;
  FhImageBuildFunc func;
  gpointer func_data;
  GSubprocess *process; /* NULL: not started */
  GInputStream *stream;
  GCancellable *reading;
  GString *line;
  char *last; /* that was not empty */
  gulong cancelled;
  guint grace;
} Build;

static void
build_free (gpointer data)
{
  Build *self = data;

  g_clear_handle_id (&self->grace, g_source_remove);
  if (self->id_file != NULL)
    g_unlink (self->id_file);
  if (self->context != NULL)
    g_rmdir (self->context);
  if (self->folder != NULL)
    g_rmdir (self->folder);
  g_object_unref (self->engine);
  g_free (self->folder);
  g_free (self->context);
  g_free (self->id_file);
  g_clear_object (&self->process);
  g_clear_object (&self->stream);
  g_object_unref (self->reading);
  g_string_free (self->line, TRUE);
  g_free (self->last);
  g_free (self);
}

static void
end_line (Build *self)
{
  g_autofree char *words = fh_engine_words (self->line->str, self->line->len);

  g_string_truncate (self->line, 0);
  if (*g_strstrip (words) == '\0')
    return;
  self->func (words, self->func_data);
  g_free (self->last);
  self->last = g_steal_pointer (&words);
}

static void
feed (Build *self, const char *data, gsize size)
{
  for (gsize i = 0; i < size; i++)
    {
      if (data[i] == '\n' || data[i] == '\r' || self->line->len >= LINE_MAX_)
        end_line (self);
      if (data[i] != '\n' && data[i] != '\r')
        g_string_append_c (self->line, data[i]);
    }
}

static char *
read_id (Build *self)
{
  g_autofree char *text = NULL;
  gsize size;

  if (!g_file_get_contents (self->id_file, &text, &size, NULL) || size > ID_MAX)
    return NULL;
  g_strstrip (text);
  return *text != '\0' && g_ascii_isalnum (*text) ? g_steal_pointer (&text) : NULL;
}

static void
dead_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Build *self = g_task_get_task_data (task);
  char *id = NULL;

  g_subprocess_wait_finish (self->process, result, NULL);
  g_clear_handle_id (&self->grace, g_source_remove);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (g_subprocess_get_successful (self->process))
    id = read_id (self);
  if (id != NULL)
    g_task_return_pointer (task, id, g_free);
  else if (self->last != NULL)
    g_task_return_error (
        task,
        fh_engine_error_from_text (fh_engine_get_facts (self->engine)->kind, self->last));
  else
    g_task_return_new_error (task,
                             FH_ENGINE_ERROR,
                             FH_ENGINE_ERROR_FAILED,
                             _ ("The image was not built, and the engine did not say why."));
}

static void read_on (GTask *task);

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Build *self = g_task_get_task_data (task);
  g_autoptr (GBytes) piece = g_input_stream_read_bytes_finish (self->stream, result, NULL);

  if (piece != NULL && g_bytes_get_size (piece) > 0)
    {
      feed (self, g_bytes_get_data (piece, NULL), g_bytes_get_size (piece));
      read_on (task);
      return;
    }
  end_line (self);
  g_cancellable_disconnect (g_task_get_cancellable (task), self->cancelled);
  self->cancelled = 0;
  g_subprocess_wait_async (self->process, NULL, dead_cb, g_object_ref (task));
}

static void
read_on (GTask *task)
{
  Build *self = g_task_get_task_data (task);

  g_input_stream_read_bytes_async (self->stream,
                                   PIECE_SIZE,
                                   G_PRIORITY_DEFAULT_IDLE,
                                   self->reading,
                                   read_cb,
                                   g_object_ref (task));
}

/* What it had started may still hold the stream. */
static gboolean
grace_over_cb (gpointer user_data)
{
  Build *self = user_data;

  self->grace = 0;
  g_subprocess_force_exit (self->process);
  g_cancellable_cancel (self->reading);
  return G_SOURCE_REMOVE;
}

static void
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  Build *self = user_data;

  g_subprocess_send_signal (self->process, SIGTERM);
  if (self->grace == 0)
    self->grace = g_timeout_add (GRACE_MS, grace_over_cb, self);
}

/* A session of its own, ended with us. */
static void
detach_cb (gpointer user_data)
{
  setsid ();
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

/* -1 with errno. */
static int
text_file (GBytes *text)
{
  gsize size;
  const char *data = g_bytes_get_data (text, &size);
  int fd = memfd_create ("containerfile", MFD_CLOEXEC);
  gsize done = 0;

  while (fd >= 0 && done < size)
    {
      gssize n = write (fd, data + done, size - done);

      if (n < 0)
        {
          close (fd);
          return -1;
        }
      done += (gsize) n;
    }
  if (fd >= 0)
    lseek (fd, 0, SEEK_SET);
  return fd;
}

static gboolean
check_engine (FhEngine *engine, GError **error)
{
  const FhEngineFacts *facts = fh_engine_get_facts (engine);
  const guint64 wanted[] = { PODMAN_MAJOR, PODMAN_MINOR, PODMAN_MICRO };
  const char *at = facts->version != NULL ? facts->version : "";

  if (facts->kind != FH_ENGINE_PODMAN)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      char *end;
      const guint64 part = g_ascii_strtoull (at, &end, 10);

      if (end == at || part < wanted[i])
        break;
      if (part > wanted[i] || i + 1 == G_N_ELEMENTS (wanted))
        return TRUE;
      at = *end == '.' ? end + 1 : end;
    }
  g_set_error (
      error,
      FH_ENGINE_ERROR,
      FH_ENGINE_ERROR_FAILED,
      _ ("Nothing is built with Podman %s: before 5.3.2, a Containerfile could reach every "
         "file of yours. Use Docker, or a newer Podman."),
      facts->version);
  return FALSE;
}

static gboolean
make_folder (Build *self, GError **error)
{
  self->folder = g_dir_make_tmp ("fumehood-build-XXXXXX", error);
  if (self->folder == NULL)
    return FALSE;
  self->context = g_build_filename (self->folder, "context", NULL);
  self->id_file = g_build_filename (self->folder, "id", NULL);
  if (g_mkdir (self->context, 0700) == 0)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  return FALSE;
}

static gboolean
start_client (Build *self, GBytes *text, const char *tag, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_auto (GStrv) environment = fh_engine_environment ();
  int input = text_file (text);

  if (input < 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return FALSE;
    }
  g_ptr_array_add (words, (gpointer) fh_engine_get_facts (self->engine)->program);
  g_ptr_array_add (words, (gpointer) "build");
  g_ptr_array_add (words, (gpointer) "--force-rm");
  g_ptr_array_add (words, (gpointer) "--file=-");
  g_ptr_array_add (words, (gpointer) "--iidfile");
  g_ptr_array_add (words, self->id_file);
  if (tag != NULL)
    {
      g_ptr_array_add (words, (gpointer) "--tag");
      g_ptr_array_add (words, (gpointer) tag);
    }
  g_ptr_array_add (words, (gpointer) "--");
  g_ptr_array_add (words, self->context);
  g_ptr_array_add (words, NULL);
  /* Docker's older builder has no mounts and runs no other programs that the text names. */
  environment = g_environ_setenv (environment, "DOCKER_BUILDKIT", "0", TRUE);
  g_subprocess_launcher_set_environ (launcher, environment);
  g_subprocess_launcher_set_child_setup (launcher, detach_cb, NULL, NULL);
  g_subprocess_launcher_take_stdin_fd (launcher, input);
  self->process =
      g_subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, error);
  if (self->process == NULL)
    return FALSE;
  self->stream = g_object_ref (g_subprocess_get_stdout_pipe (self->process));
  return TRUE;
}

void
fh_image_build_async (FhEngine *engine,
                      GBytes *text,
                      const char *tag,
                      FhImageBuildFunc func,
                      gpointer func_data,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (engine, cancellable, callback, user_data);
  Build *self = g_new0 (Build, 1);
  GError *error = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine) && text != NULL && func != NULL);

  self->engine = g_object_ref (engine);
  self->func = func;
  self->func_data = func_data;
  self->reading = g_cancellable_new ();
  self->line = g_string_new (NULL);
  g_task_set_task_data (task, self, build_free);
  if (g_bytes_get_size (text) > FH_IMAGE_BUILD_MAX)
    error = g_error_new_literal (FH_ENGINE_ERROR,
                                 FH_ENGINE_ERROR_FAILED,
                                 _ ("The Containerfile has more than 1 MiB."));
  if (error != NULL || (tag != NULL && !fh_image_name_check (tag, &error)) ||
      !check_engine (engine, &error) || !make_folder (self, &error) ||
      !start_client (self, text, tag, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (cancellable != NULL)
    self->cancelled = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), self, NULL);
  read_on (task);
}

char *
fh_image_build_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
