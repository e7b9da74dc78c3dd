/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine-call.h"
#include "engine-image.h"
#include "pull-progress.h"

#define PIECE_SIZE ((gsize) 16 << 10)
#define GRACE_MS   2000
#define DRAIN_MS   500

/* A client writes its progress many times a second: such a silence means that the pull hangs. */
#define STALL_S (5 * 60)

/* Wide enough for the numbers. */
#define COLUMNS 200
#define ROWS    100

/* States: running → ended (both the stream and the process) → inspecting the image → finished.
 * Holds a reference to itself until then. */
struct _FhImagePull
{
  GObject parent_instance;

  FhEngine *engine;
  char *name;
  FhPullProgress *progress;
  char *text;
  double fraction;

  GSubprocess *process; /* NULL when it could not be started */
  GInputStream *stream;
  GCancellable *reading;
  GCancellable *looking;
  guint grace;
  guint drain;
  guint stall;
  gboolean is_terminal;
  gboolean is_cancelled;
  gboolean is_stalled;
  gboolean stream_ended;
  gboolean is_dead;
  gboolean is_finished;
};

G_DEFINE_FINAL_TYPE (FhImagePull, fh_image_pull, G_TYPE_OBJECT)

static guint changed_signal;
static guint finished_signal;

static void
finish (FhImagePull *self, FhImage *image, GError *error)
{
  if (self->is_finished)
    return;
  self->is_finished = TRUE;
  if (image != NULL && self->fraction != 1)
    {
      self->fraction = 1;
      g_signal_emit (self, changed_signal, 0);
    }
  g_signal_emit (self, finished_signal, 0, image, error);
  g_object_unref (self);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhImagePull) self = FH_IMAGE_PULL (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhImage) image = fh_image_find_finish (result, &error);

  finish (self, image, error);
}

static GError *
failure (FhImagePull *self)
{
  g_autofree char *words = NULL;

  if (self->is_cancelled)
    return g_error_new (G_IO_ERROR,
                        G_IO_ERROR_CANCELLED,
                        _ ("Pulling the image “%s” was canceled."),
                        self->name);
  if (self->is_stalled)
    return g_error_new (FH_ENGINE_ERROR,
                        FH_ENGINE_ERROR_TIMED_OUT,
                        _ ("Pulling the image “%s” stalled and was given up."),
                        self->name);
  words = fh_pull_progress_get_words (self->progress);
  if (*words != '\0')
    return fh_engine_error_from_text (fh_engine_get_facts (self->engine)->kind, words);
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      _ ("Pulling the image “%s” failed without a message."),
                      self->name);
}

static void
end (FhImagePull *self)
{
  g_autoptr (GError) error = NULL;

  if (!self->stream_ended || !self->is_dead)
    return;
  g_clear_handle_id (&self->stall, g_source_remove);
  g_clear_handle_id (&self->drain, g_source_remove);
  if (g_subprocess_get_successful (self->process) && !self->is_cancelled)
    {
      fh_image_find_async (self->engine, self->name, self->looking, found_cb, g_object_ref (self));
      return;
    }
  error = failure (self);
  finish (self, NULL, error);
}

static gboolean
grace_over_cb (gpointer user_data)
{
  FhImagePull *self = FH_IMAGE_PULL (user_data);

  self->grace = 0;
  g_subprocess_force_exit (self->process);
  return G_SOURCE_REMOVE;
}

static void
end_client (FhImagePull *self)
{
  if (self->process == NULL || self->is_dead || self->grace != 0)
    return;
  g_subprocess_send_signal (self->process, SIGTERM);
  self->grace = g_timeout_add (GRACE_MS, grace_over_cb, self);
}

static gboolean
stalled_cb (gpointer user_data)
{
  FhImagePull *self = FH_IMAGE_PULL (user_data);

  self->stall = 0;
  self->is_stalled = TRUE;
  end_client (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_more (FhImagePull *self)
{
  g_clear_handle_id (&self->stall, g_source_remove);
  if (self->is_terminal && !self->is_dead)
    self->stall = g_timeout_add_seconds (STALL_S, stalled_cb, self);
}

static void
show (FhImagePull *self)
{
  double fraction = fh_pull_progress_get_fraction (self->progress);
  g_autofree char *text = fh_pull_progress_get_text (self->progress);

  if (fraction == self->fraction && g_str_equal (text, self->text))
    return;
  self->fraction = fraction;
  g_free (self->text);
  self->text = g_steal_pointer (&text);
  g_signal_emit (self, changed_signal, 0);
}

static void read_on (FhImagePull *self);

/* Reading a terminal that no process has open fails with EIO: the end. */
static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhImagePull) self = FH_IMAGE_PULL (user_data);
  g_autoptr (GBytes) piece = g_input_stream_read_bytes_finish (self->stream, result, NULL);

  if (piece == NULL || g_bytes_get_size (piece) == 0)
    {
      self->stream_ended = TRUE;
      end (self);
      return;
    }
  fh_pull_progress_feed (self->progress, g_bytes_get_data (piece, NULL), g_bytes_get_size (piece));
  show (self);
  wait_for_more (self);
  read_on (self);
}

static void
read_on (FhImagePull *self)
{
  g_input_stream_read_bytes_async (self->stream,
                                   PIECE_SIZE,
                                   G_PRIORITY_DEFAULT_IDLE,
                                   self->reading,
                                   read_cb,
                                   g_object_ref (self));
}

static gboolean
drained_cb (gpointer user_data)
{
  FhImagePull *self = FH_IMAGE_PULL (user_data);

  self->drain = 0;
  g_cancellable_cancel (self->reading);
  return G_SOURCE_REMOVE;
}

static void
dead_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhImagePull) self = FH_IMAGE_PULL (user_data);

  g_subprocess_wait_finish (self->process, result, NULL);
  self->is_dead = TRUE;
  g_clear_handle_id (&self->grace, g_source_remove);
  if (!self->stream_ended)
    self->drain = g_timeout_add (DRAIN_MS, drained_cb, self);
  end (self);
}

/* Gives the client a session of its own, away from our terminal, and has the kernel end it with us.
 */
static void
detach_cb (gpointer user_data)
{
  setsid ();
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

/* Opens both ends of a terminal, so that the client shows its progress. FALSE when there is
 * none. */
static gboolean
open_terminal (int ends[2])
{
  struct winsize size = { .ws_row = ROWS, .ws_col = COLUMNS };
  char name[64];

  ends[0] = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ends[0] < 0)
    return FALSE;
  if (grantpt (ends[0]) == 0 && unlockpt (ends[0]) == 0 &&
      ptsname_r (ends[0], name, sizeof name) == 0 &&
      (ends[1] = open (name, O_RDWR | O_NOCTTY | O_CLOEXEC)) >= 0)
    {
      ioctl (ends[1], TIOCSWINSZ, &size);
      return TRUE;
    }
  close (ends[0]);
  return FALSE;
}

/* Both streams go to the terminal: Docker draws on its output, Podman on its error output. */
static gboolean
start_client (FhImagePull *self, GError **error)
{
  const char *program = fh_engine_get_facts (self->engine)->program;
  g_auto (GStrv) environment = fh_engine_environment ();
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  int ends[2];

  self->is_terminal = open_terminal (ends);
  if (!self->is_terminal && !g_unix_open_pipe (ends, FD_CLOEXEC, error))
    return FALSE;
  self->stream = g_unix_input_stream_new (ends[0], TRUE);
  environment = g_environ_setenv (environment, "TERM", "xterm", TRUE);
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_subprocess_launcher_set_environ (launcher, environment);
  g_subprocess_launcher_set_child_setup (launcher, detach_cb, NULL, NULL);
  g_subprocess_launcher_take_stderr_fd (launcher, fcntl (ends[1], F_DUPFD_CLOEXEC, 3));
  g_subprocess_launcher_take_stdout_fd (launcher, ends[1]);
  self->process =
      g_subprocess_launcher_spawn (launcher, error, program, "pull", "--", self->name, NULL);
  return self->process != NULL;
}

static gboolean
not_started_cb (gpointer user_data)
{
  gpointer *data = user_data;

  finish (FH_IMAGE_PULL (data[0]), NULL, data[1]);
  return G_SOURCE_REMOVE;
}

static void
not_started_free (gpointer user_data)
{
  gpointer *data = user_data;

  g_object_unref (data[0]);
  g_error_free (data[1]);
  g_free (data);
}

static void
fail_later (FhImagePull *self, GError *error)
{
  gpointer *data = g_new (gpointer, 2);

  data[0] = g_object_ref (self);
  data[1] = error;
  g_idle_add_full (G_PRIORITY_DEFAULT, not_started_cb, data, not_started_free);
}

FhImagePull *
fh_image_pull_start (FhEngine *engine, const char *name)
{
  FhImagePull *self;
  GError *error = NULL;

  g_return_val_if_fail (FH_IS_ENGINE (engine) && name != NULL, NULL);

  self = g_object_new (FH_TYPE_IMAGE_PULL, NULL);
  self->engine = g_object_ref (engine);
  self->name = g_strdup (name);
  g_object_ref (self);
  if (!fh_image_name_check (name, &error) || !start_client (self, &error))
    {
      fail_later (self, error);
      return self;
    }
  wait_for_more (self);
  read_on (self);
  g_subprocess_wait_async (self->process, NULL, dead_cb, g_object_ref (self));
  return self;
}

double
fh_image_pull_get_fraction (FhImagePull *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_PULL (self), -1);

  return self->fraction;
}

const char *
fh_image_pull_get_text (FhImagePull *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_PULL (self), NULL);

  return self->text;
}

void
fh_image_pull_cancel (FhImagePull *self)
{
  g_return_if_fail (FH_IS_IMAGE_PULL (self));

  self->is_cancelled = TRUE;
  g_cancellable_cancel (self->looking);
  end_client (self);
}

static void
fh_image_pull_finalize (GObject *object)
{
  FhImagePull *self = FH_IMAGE_PULL (object);

  g_clear_handle_id (&self->grace, g_source_remove);
  g_clear_handle_id (&self->drain, g_source_remove);
  g_clear_handle_id (&self->stall, g_source_remove);
  g_clear_object (&self->engine);
  g_clear_object (&self->process);
  g_clear_object (&self->stream);
  g_clear_object (&self->reading);
  g_clear_object (&self->looking);
  fh_pull_progress_free (self->progress);
  g_free (self->name);
  g_free (self->text);

  G_OBJECT_CLASS (fh_image_pull_parent_class)->finalize (object);
}

static void
fh_image_pull_class_init (FhImagePullClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_image_pull_finalize;
  changed_signal =
      g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  finished_signal = g_signal_new ("finished",
                                  type,
                                  G_SIGNAL_RUN_LAST,
                                  0,
                                  NULL,
                                  NULL,
                                  NULL,
                                  G_TYPE_NONE,
                                  2,
                                  FH_TYPE_IMAGE,
                                  G_TYPE_ERROR);
}

static void
fh_image_pull_init (FhImagePull *self)
{
  self->progress = fh_pull_progress_new ();
  self->text = g_strdup ("");
  self->fraction = -1;
  self->reading = g_cancellable_new ();
  self->looking = g_cancellable_new ();
}
