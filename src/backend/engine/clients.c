/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "clients.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptor.h"
#include "engine-advice.h"
#include "path-error.h"
#include "readable-text.h"
#include "wire-bytes.h"

#define PIECE_SIZE ((gsize) 64 << 10)
#define LINE_SIZE  ((gsize) 4 << 10)

/* From SIGTERM to SIGKILL, in ms. */
#define GRACE_MS 1000

/* How long a dead client's children may keep its pipes open, in ms. What the client wrote is in the
 * pipe already. */
#define DRAIN_MS 500

/* How often one looks after what cannot be polled, in ms. */
#define LOOK_MS 50

/* Docker draws bars on terminals of more than 110 columns. */
#define COLUMNS 100
#define ROWS    100

#define NEVER G_MAXINT64

enum
{
  WHY_ENDED, /* on its own */
  WHY_NOT_STARTED,
  WHY_CANCELLED,
  WHY_UNNEEDED,
  WHY_TIMED_OUT,
  WHY_STALLED,
  WHY_TOO_MUCH,
};

enum
{
  IN_TEXT,
  AFTER_ESCAPE,
  IN_SEQUENCE, /* after CSI */
};

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

/* Threads have the environment of when they were started: it cannot be read while it changes. */
static GPrivate environment_of_thread = G_PRIVATE_INIT ((GDestroyNotify) g_strfreev);

GStrv
fh_engine_environment (void)
{
  GStrv of_thread = g_private_get (&environment_of_thread);
  g_auto (GStrv) environment = of_thread != NULL ? g_strdupv (of_thread) : g_get_environ ();

  environment = g_environ_setenv (g_steal_pointer (&environment), "LC_ALL", "C", TRUE);
  /* Advertisements for people at a terminal. */
  return g_environ_setenv (g_steal_pointer (&environment), "DOCKER_CLI_HINTS", "false", TRUE);
}

/* A session of its own: the terminal's Ctrl+C is for us, and cleaning up must outlive it. The
 * kernel's signal comes at the end of the thread that forked, which is the one that waits. */
static void
detach_cb (gpointer user_data)
{
  const FhClient *client = user_data;

  setsid ();
  if (client->is_tied)
    prctl (PR_SET_PDEATHSIG, client->line != NULL ? SIGTERM : SIGKILL);
}

/* Both ends of a terminal. FALSE when there is none. */
static gboolean
open_terminal (int ends[2])
{
  const struct winsize size = { .ws_row = ROWS, .ws_col = COLUMNS };
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

/* Both streams as one. Docker draws on its output, Podman on its error output. */
static gboolean
open_one_stream (FhClient *self, int *inner, GError **error)
{
  int ends[2];

  self->run.is_terminal = self->is_drawing && open_terminal (ends);
  if (!self->run.is_terminal && !g_unix_open_pipe (ends, FD_CLOEXEC, error))
    return FALSE;
  self->run.streams[0] = ends[0];
  *inner = ends[1];
  return TRUE;
}

static GPtrArray *
argv_of (FhClient *self)
{
  GPtrArray *argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer) self->program);
  for (guint i = 0; self->arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) self->arguments[i]);
  g_ptr_array_add (argv, NULL);
  return argv;
}

/* A client reads from memory, so that one that exits early breaks no pipe. -1 with the error. */
static int
open_input (GBytes *input, GError **error)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (input, &size);
  fh_autofd int fd = memfd_create ("input", MFD_CLOEXEC);

  if (fd >= 0 && fh_write_all (fd, data, size) && lseek (fd, 0, SEEK_SET) == 0)
    return fh_steal_fd (&fd);
  fh_errno_error (error, errno, NULL);
  return -1;
}

static gboolean
spawn (FhClient *self, GError **error)
{
  g_autoptr (GPtrArray) argv = argv_of (self);
  g_auto (GStrv) environment = self->environment != NULL ? g_strdupv ((char **) self->environment)
                                                         : fh_engine_environment ();
  fh_autofd int input = -1;
  fh_autofd int inner = -1;

  if (self->input != NULL && (input = open_input (self->input, error)) < 0)
    return FALSE;
  if (self->line != NULL && !open_one_stream (self, &inner, error))
    return FALSE;
  return g_spawn_async_with_pipes_and_fds (NULL,
                                           (const char *const *) argv->pdata,
                                           (const char *const *) environment,
                                           G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CLOEXEC_PIPES,
                                           detach_cb,
                                           self,
                                           input,
                                           inner,
                                           inner,
                                           NULL,
                                           NULL,
                                           0,
                                           &self->run.pid,
                                           NULL,
                                           inner < 0 ? &self->run.streams[0] : NULL,
                                           inner < 0 ? &self->run.streams[1] : NULL,
                                           error);
}

static void
wait_for_more (FhClient *self)
{
  if (self->run.is_terminal && self->stall_ms > 0 && self->run.pid != 0)
    self->run.stall_at = now_ms () + self->stall_ms;
}

/* Only a missing or unusable program can fail here. */
static void
begin (FhClient *self)
{
  g_autoptr (GError) reason = NULL;

  self->run.streams[0] = self->run.streams[1] = self->run.pidfd = -1;
  self->run.kill_at = self->run.drain_at = self->run.stall_at = NEVER;
  self->run.line = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (self->texts); i++)
    self->texts[i] = g_byte_array_new ();
  if (spawn (self, &reason))
    {
      /* The number is the child's until it is reaped here. */
      self->run.pidfd = (int) syscall (SYS_pidfd_open, self->run.pid, 0);
      wait_for_more (self);
      return;
    }
  fh_clear_fd (&self->run.streams[0]);
  self->run.why = WHY_NOT_STARTED;
  self->error = g_error_new (FH_ENGINE_ERROR,
                             FH_ENGINE_ERROR_NOT_INSTALLED,
                             /* Translators: a path, and why it cannot be run */
                             _ ("%s cannot be run: %s"),
                             self->program,
                             reason->message);
}

/* The first reason counts. */
static void
end_client (FhClient *self, int why)
{
  if (self->run.pid == 0 || self->run.why != WHY_ENDED)
    return;
  self->run.why = why;
  kill (self->run.pid, SIGTERM);
  self->run.kill_at = now_ms ();
  /* Nobody waits for this one: another client has answered already. */
  if (why != WHY_UNNEEDED)
    self->run.kill_at += self->grace_ms > 0 ? self->grace_ms : GRACE_MS;
}

static void
end_line (FhClient *self)
{
  if (self->run.line->len > 0)
    self->line (self->run.line->str, self->run.line->len, self->line_data);
  g_string_truncate (self->run.line, 0);
}

/* A line ends at its end, or where a terminal is told to go elsewhere; a change of colors, which
 * ends with "m", is no end. See ECMA-48 5.4. */
static void
feed (FhClient *self, guint8 byte)
{
  if (self->run.escape == AFTER_ESCAPE)
    self->run.escape = byte == '[' ? IN_SEQUENCE : IN_TEXT;
  else if (self->run.escape == IN_SEQUENCE && byte >= 0x20 && byte <= 0x3f)
    return;
  else if (self->run.escape == IN_SEQUENCE && byte != 0x1b)
    {
      self->run.escape = IN_TEXT;
      if (byte != 'm')
        end_line (self);
    }
  else if (byte == 0x1b)
    self->run.escape = AFTER_ESCAPE;
  else if (byte == '\n' || byte == '\r')
    end_line (self);
  else if (byte == '\t')
    g_string_append_c (self->run.line, ' ');
  else if (byte >= 0x20 && byte != 0x7f)
    g_string_append_c (self->run.line, (char) byte);
  if (self->run.line->len >= LINE_SIZE)
    end_line (self);
}

/* Reading a terminal that no process has open fails with EIO, which is its end. */
static void
read_stream (FhClient *self, guint i)
{
  g_autofree guint8 *piece = g_malloc (PIECE_SIZE);
  const gssize n = read (self->run.streams[i], piece, PIECE_SIZE);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (n <= 0)
    fh_clear_fd (&self->run.streams[i]);
  else if (self->line != NULL)
    {
      for (gssize b = 0; b < n; b++)
        feed (self, piece[b]);
      wait_for_more (self);
    }
  else if (self->texts[i]->len + (gsize) n > FH_ENGINE_CALL_MAX_BYTES)
    {
      /* Also if it has exited by itself: its answer is cut off. */
      end_client (self, WHY_TOO_MUCH);
      if (self->run.why == WHY_ENDED)
        self->run.why = WHY_TOO_MUCH;
      fh_clear_fd (&self->run.streams[i]);
    }
  else
    g_byte_array_append (self->texts[i], piece, (guint) n);
}

/* Processes that a client has started end with it if it was told to end: its group has its number
 * until it is reaped. */
static void
reap (FhClient *self)
{
  siginfo_t info = { 0 };

  if (self->run.pid == 0 ||
      waitid (P_PID, (id_t) self->run.pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0)
    return;
  if (self->run.why != WHY_ENDED)
    kill (-self->run.pid, SIGKILL);
  waitpid (self->run.pid, &self->run.status, 0);
  fh_clear_fd (&self->run.pidfd);
  self->run.pid = 0;
  self->run.kill_at = self->run.stall_at = NEVER;
  self->run.drain_at = now_ms () + DRAIN_MS;
}

static gboolean
has_ended (const FhClient *self)
{
  return self->run.pid == 0 && self->run.streams[0] < 0 && self->run.streams[1] < 0;
}

static void
step (FhClient *self, const struct pollfd *polled)
{
  const gint64 now = now_ms ();

  for (guint i = 0; i < 2; i++)
    if (polled[i].revents != 0)
      read_stream (self, i);
  reap (self);
  if (self->run.stall_at <= now)
    {
      self->run.stall_at = NEVER;
      end_client (self, WHY_STALLED);
    }
  if (self->run.kill_at <= now)
    {
      kill (-self->run.pid, SIGKILL);
      self->run.kill_at = NEVER;
    }
  for (guint i = 0; i < 2 && self->run.drain_at <= now; i++)
    fh_clear_fd (&self->run.streams[i]);
}

/* Fills in what poll waits for, and returns when something is due in any case. */
static gint64
prepare_poll (const FhClient *self, struct pollfd *polled)
{
  gint64 due = MIN (self->run.kill_at, self->run.stall_at);

  for (guint i = 0; i < 2; i++)
    polled[i] = (struct pollfd){ .fd = self->run.streams[i], .events = POLLIN };
  polled[2] = (struct pollfd){ .fd = self->run.pidfd, .events = POLLIN };
  if (self->run.pid != 0 && self->run.pidfd < 0)
    due = MIN (due, now_ms () + LOOK_MS);
  return has_ended (self) ? NEVER : MIN (due, self->run.drain_at);
}

static GError *
timeout_error (const char *name, guint timeout_ms)
{
  const guint seconds = MAX (timeout_ms / 1000, 1);

  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_TIMED_OUT,
                      /* Translators: a command such as "docker info", and seconds */
                      ngettext ("“%s” did not finish within %u second and was stopped.",
                                "“%s” did not finish within %u seconds and was stopped.",
                                seconds),
                      name,
                      seconds);
}

/* A client that failed without a message: only its status is known. */
static GError *
silent_error (const FhClient *self, const char *name)
{
  if (WIFSIGNALED (self->run.status))
    {
      return g_error_new (FH_ENGINE_ERROR,
                          FH_ENGINE_ERROR_FAILED,
                          /* Translators: a command such as "docker info", the number of a signal */
                          _ ("“%s” was killed from outside (signal %d)."),
                          name,
                          WTERMSIG (self->run.status));
    }
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      /* Translators: a command such as "docker info", its exit status */
                      _ ("“%s” failed with status %d and without a message."),
                      name,
                      WEXITSTATUS (self->run.status));
}

static GError *
error_of (const FhClient *self, guint timeout_ms)
{
  g_autofree char *base = g_path_get_basename (self->program);
  g_autofree char *name = g_strjoin (" ", base, self->arguments[0], NULL);
  g_autofree char *words = NULL;

  switch (self->run.why)
    {
    case WHY_CANCELLED:
    case WHY_UNNEEDED:
      return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("It was canceled."));
    case WHY_TIMED_OUT:
      return timeout_error (name, timeout_ms);
    case WHY_STALLED:
      return timeout_error (name, self->stall_ms);
    case WHY_TOO_MUCH:
      return g_error_new (FH_ENGINE_ERROR,
                          FH_ENGINE_ERROR_FAILED,
                          /* Translators: a command such as "docker info" */
                          _ ("“%s” wrote too much output and was stopped."),
                          name);
    default:
      break;
    }
  if (WIFEXITED (self->run.status) && WEXITSTATUS (self->run.status) == 0)
    return NULL;
  words = fh_engine_words (self->texts[1]->data, self->texts[1]->len);
  return *words != '\0' ? fh_engine_error_from_text (self->kind, words) : silent_error (self, name);
}

/* TRUE once for each client. */
static gboolean
tell_end (FhClient *self, guint timeout_ms)
{
  if (self->is_over || !has_ended (self))
    return FALSE;
  self->is_over = TRUE;
  if (self->line != NULL)
    end_line (self);
  if (self->error == NULL)
    self->error = error_of (self, timeout_ms);
  return TRUE;
}

static void
end_all (FhClient *clients, guint n, int why)
{
  for (guint i = 0; i < n; i++)
    end_client (&clients[i], why);
}

/* Whether all have ended. */
static gboolean
look_after (FhClient *clients,
            guint n,
            guint timeout_ms,
            FhClientsEnoughFunc enough,
            gpointer user_data)
{
  guint n_over = 0;

  for (guint i = 0; i < n; i++)
    {
      if (tell_end (&clients[i], timeout_ms) && enough != NULL && enough (clients, user_data))
        end_all (clients, n, WHY_UNNEEDED);
      n_over += clients[i].is_over;
    }
  return n_over == n;
}

static void
wait_for_clients (FhClient *clients, guint n, gint64 deadline, GCancellable *cancellable)
{
  g_autofree struct pollfd *polled = g_new0 (struct pollfd, 3 * n + 1);
  const gboolean was_cancelled = g_cancellable_is_cancelled (cancellable);
  const int cancelled_fd = was_cancelled ? -1 : g_cancellable_get_fd (cancellable);
  gint64 due = deadline;

  for (guint i = 0; i < n; i++)
    due = MIN (due, prepare_poll (&clients[i], polled + (gsize) 3 * i));
  if (cancellable != NULL && !was_cancelled && cancelled_fd < 0)
    due = MIN (due, now_ms () + LOOK_MS);
  polled[3 * n] = (struct pollfd){ .fd = cancelled_fd, .events = POLLIN };
  if (poll (polled, 3 * n + 1, due == NEVER ? -1 : (int) CLAMP (due - now_ms (), 0, G_MAXINT)) < 0)
    for (guint i = 0; i < 3 * n + 1; i++)
      polled[i].revents = 0;
  if (cancelled_fd >= 0)
    g_cancellable_release_fd (cancellable);
  for (guint i = 0; i < n; i++)
    step (&clients[i], polled + (gsize) 3 * i);
}

static void
refuse (FhClient *self)
{
  self->error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("It was canceled."));
  self->is_over = TRUE;
}

void
fh_clients_run (FhClient *clients,
                guint n,
                guint timeout_ms,
                GCancellable *cancellable,
                FhClientsEnoughFunc enough,
                gpointer user_data)
{
  gint64 deadline = timeout_ms > 0 ? now_ms () + timeout_ms : NEVER;

  if (g_cancellable_is_cancelled (cancellable))
    {
      for (guint i = 0; i < n; i++)
        refuse (&clients[i]);
      return;
    }
  for (guint i = 0; i < n; i++)
    begin (&clients[i]);
  while (!look_after (clients, n, timeout_ms, enough, user_data))
    {
      wait_for_clients (clients, n, deadline, cancellable);
      if (g_cancellable_is_cancelled (cancellable))
        end_all (clients, n, WHY_CANCELLED);
      if (now_ms () < deadline)
        continue;
      end_all (clients, n, WHY_TIMED_OUT);
      deadline = NEVER;
    }
}

char *
fh_client_take_answer (FhClient *client, GError **error)
{
  if (client->error == NULL)
    return fh_valid_text_new (client->texts[0]->data, client->texts[0]->len);
  g_propagate_error (error, g_steal_pointer (&client->error));
  return NULL;
}

void
fh_client_clear (FhClient *client)
{
  g_clear_error (&client->error);
  for (guint i = 0; i < G_N_ELEMENTS (client->texts); i++)
    g_clear_pointer (&client->texts[i], g_byte_array_unref);
  if (client->run.line != NULL)
    g_string_free (g_steal_pointer (&client->run.line), TRUE);
}

FhClient
fh_engine_client (FhEngine *engine, const char *const *arguments)
{
  const FhEngineFacts *facts = fh_engine_get_facts (engine);

  return (FhClient){ .kind = facts->kind, .program = facts->program, .arguments = arguments };
}

char *
fh_engine_take_answer (FhEngine *engine, FhClient *client, GError **error)
{
  GError *plain = NULL;
  char *answer = fh_client_take_answer (client, &plain);

  if (answer != NULL)
    return answer;
  /* An unreachable engine may not be the right one any more; choose again. */
  if (fh_engine_error_is_of_all (plain))
    {
      GError *advised =
          fh_engine_advise (plain, client->kind, fh_engine_get_facts (engine)->endpoint);

      fh_engine_forget (FH_ENGINE_AUTO);
      g_error_free (plain);
      plain = advised;
    }
  g_propagate_error (error, plain);
  return NULL;
}

char *
fh_engine_call (FhEngine *engine,
                const char *const *arguments,
                guint timeout_ms,
                GCancellable *cancellable,
                GError **error)
{
  g_auto (FhClient) client = fh_engine_client (engine, arguments);

  fh_clients_run (&client, 1, timeout_ms, cancellable, NULL, NULL);
  return fh_engine_take_answer (engine, &client, error);
}

gboolean
fh_engine_pause (guint ms, GCancellable *cancellable, GError **error)
{
  GPollFD polled;

  if (g_cancellable_make_pollfd (cancellable, &polled))
    {
      g_poll (&polled, 1, (int) ms);
      g_cancellable_release_fd (cancellable);
    }
  else
    g_usleep ((gulong) ms * 1000);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

typedef struct
{
  GThreadFunc func;
  gpointer data;
  GStrv environment;
} Thread;

static gpointer
thread_cb (gpointer data)
{
  g_autofree Thread *self = data;

  g_private_set (&environment_of_thread, self->environment);
  return self->func (self->data);
}

GThread *
fh_engine_thread_new (GThreadFunc func, gpointer data, GError **error)
{
  Thread *self = g_new0 (Thread, 1);
  GThread *thread;

  *self = (Thread){ func, data, g_get_environ () };
  thread = g_thread_try_new ("engine", thread_cb, self, error);
  if (thread == NULL)
    {
      g_strfreev (self->environment);
      g_free (self);
    }
  return thread;
}

typedef struct
{
  FhEngineOrder order;
  FhEngineFunc func;
} Work;

static void
work_free (gpointer data)
{
  Work *self = data;

  g_clear_object (&self->order.engine);
  g_free ((char *) self->order.name);
  if (self->order.free_data != NULL)
    self->order.free_data (self->order.data);
  g_free (self);
}

static gpointer
work_cb (gpointer data)
{
  g_autoptr (GTask) task = data;
  const Work *self = g_task_get_task_data (task);
  GError *error = NULL;
  gpointer answer = self->func (&self->order, g_task_get_cancellable (task), &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else if (self->order.destroy != NULL)
    g_task_return_pointer (task, answer, self->order.destroy);
  else
    g_task_return_boolean (task, TRUE);
  return NULL;
}

void
fh_engine_start_task (GTask *task, const FhEngineOrder *order, FhEngineFunc func)
{
  Work *self = g_new0 (Work, 1);
  GError *error = NULL;
  GThread *thread;

  *self = (Work){ *order, func };
  self->order.engine = order->engine != NULL ? g_object_ref (order->engine) : NULL;
  self->order.name = g_strdup (order->name);
  g_task_set_task_data (task, self, work_free);
  g_task_set_check_cancellable (task, FALSE);
  thread = fh_engine_thread_new (work_cb, g_object_ref (task), &error);
  if (thread != NULL)
    {
      g_thread_unref (thread);
      return;
    }
  g_task_return_error (task, error);
  g_object_unref (task);
}

void
fh_engine_start (const FhEngineOrder *order,
                 FhEngineFunc func,
                 GCancellable *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  fh_engine_start_task (task, order, func);
}
