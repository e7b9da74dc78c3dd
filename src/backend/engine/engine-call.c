/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-call.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine-advice.h"
#include "main-source.h"
#include "valid-text.h"

#define PIECE_SIZE ((gsize) 64 << 10)

/* From SIGTERM to SIGKILL, in ms. */
#define GRACE_MS 1000

/* How long a dead client's children may keep its pipes open, in ms. What the client wrote is in the
 * pipe already. */
#define DRAIN_MS 500

typedef enum
{
  WHY_ENDED, /* on its own */
  WHY_CANCELLED,
  WHY_TIMED_OUT,
  WHY_TOO_MUCH,
} Why;

/* One run of the client. Its task finishes when both streams have ended and the process was waited
 * for; each of the three holds a reference meanwhile. */
typedef struct
{
  FhEngineKind kind;
  FhEngine *engine; /* NULL while it is being looked for */
  char *name;       /* "docker info", for sentences */
  guint timeout_ms;
  GMainContext *context; /* the task's */
  GSubprocess *process;
  GByteArray *texts[2];   /* standard output, standard error */
  GCancellable *reading;  /* cancelled to stop reading */
  GSource *deadline;      /* nullable */
  GSource *grace;         /* nullable */
  GSource *drain;         /* nullable */
  GSource *cancel_source; /* nullable */
  guint pending;
  Why why;
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  fh_source_clear (&call->deadline);
  fh_source_clear (&call->grace);
  fh_source_clear (&call->drain);
  fh_source_clear (&call->cancel_source);
  g_free (call->name);
  g_clear_object (&call->process);
  g_byte_array_unref (call->texts[0]);
  g_byte_array_unref (call->texts[1]);
  g_object_unref (call->reading);
  g_clear_object (&call->engine);
  g_free (call);
}

GStrv
fh_engine_environment (void)
{
  g_auto (GStrv) environment = g_get_environ ();

  environment = g_environ_setenv (g_steal_pointer (&environment), "LC_ALL", "C", TRUE);
  /* Advertisements for people at a terminal. */
  return g_environ_setenv (g_steal_pointer (&environment), "DOCKER_CLI_HINTS", "false", TRUE);
}

/* Sources borrow the call and are destroyed with it at the latest. */
static GSource *
start_source (Call *call, guint delay_ms, GSourceFunc callback)
{
  GSource *source = g_timeout_source_new (delay_ms);

  g_source_set_callback (source, callback, call, NULL);
  g_source_attach (source, call->context);
  return source;
}

static gboolean
grace_over_cb (gpointer user_data)
{
  Call *call = user_data;

  fh_source_clear (&call->grace);
  g_subprocess_force_exit (call->process);
  return G_SOURCE_REMOVE;
}

/* The first reason counts. */
static void
end_client (Call *call, Why why)
{
  if (call->why != WHY_ENDED)
    return;
  call->why = why;
  g_subprocess_send_signal (call->process, SIGTERM);
  call->grace = start_source (call, GRACE_MS, grace_over_cb);
}

static gboolean
deadline_cb (gpointer user_data)
{
  Call *call = user_data;

  fh_source_clear (&call->deadline);
  end_client (call, WHY_TIMED_OUT);
  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  Call *call = user_data;

  fh_source_clear (&call->cancel_source);
  end_client (call, WHY_CANCELLED);
  return G_SOURCE_REMOVE;
}

static gboolean
drained_cb (gpointer user_data)
{
  Call *call = user_data;

  fh_source_clear (&call->drain);
  g_cancellable_cancel (call->reading);
  return G_SOURCE_REMOVE;
}

static GError *
unfinished_error (Call *call)
{
  switch (call->why)
    {
    case WHY_CANCELLED:
      return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("It was canceled."));
    case WHY_TIMED_OUT:
      return g_error_new (FH_ENGINE_ERROR,
                          FH_ENGINE_ERROR_TIMED_OUT,
                          /* Translators: a command such as "docker info", and seconds */
                          ngettext ("“%s” did not finish within %u second and was stopped.",
                                    "“%s” did not finish within %u seconds and was stopped.",
                                    MAX (call->timeout_ms / 1000, 1)),
                          call->name,
                          MAX (call->timeout_ms / 1000, 1));
    case WHY_TOO_MUCH:
      return g_error_new (FH_ENGINE_ERROR,
                          FH_ENGINE_ERROR_FAILED,
                          /* Translators: a command such as "docker info" */
                          _ ("“%s” wrote too much output and was stopped."),
                          call->name);
    case WHY_ENDED:
    default:
      return NULL;
    }
}

/* A client that failed without a message: only its status is known. */
static GError *
silent_error (Call *call)
{
  if (g_subprocess_get_if_signaled (call->process))
    {
      return g_error_new (FH_ENGINE_ERROR,
                          FH_ENGINE_ERROR_FAILED,
                          /* Translators: a command such as "docker info", the number of a signal */
                          _ ("“%s” was killed from outside (signal %d)."),
                          call->name,
                          g_subprocess_get_term_sig (call->process));
    }
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      /* Translators: a command such as "docker info", its exit status */
                      _ ("“%s” failed with status %d and without a message."),
                      call->name,
                      g_subprocess_get_exit_status (call->process));
}

/* An unreachable engine may not be the right one any more; choose again. */
static GError *
final_error (Call *call, GError *error)
{
  g_autoptr (GError) plain = error;

  if (call->engine == NULL || error->domain != FH_ENGINE_ERROR)
    return g_steal_pointer (&plain);
  switch ((FhEngineError) error->code)
    {
    case FH_ENGINE_ERROR_NOT_INSTALLED:
    case FH_ENGINE_ERROR_NOT_RUNNING:
    case FH_ENGINE_ERROR_NOT_ALLOWED:
      fh_engine_forget (FH_ENGINE_AUTO);
      return fh_engine_advise (plain, call->kind, fh_engine_get_facts (call->engine)->endpoint);
    case FH_ENGINE_ERROR_NO_IMAGE:
    case FH_ENGINE_ERROR_NO_CONTAINER:
    case FH_ENGINE_ERROR_NAME_TAKEN:
    case FH_ENGINE_ERROR_TIMED_OUT:
    case FH_ENGINE_ERROR_FAILED:
    default:
      return g_steal_pointer (&plain);
    }
}

static void
finish (GTask *task)
{
  Call *call = g_task_get_task_data (task);
  GError *error = unfinished_error (call);
  g_autofree char *words = fh_engine_words (call->texts[1]->data, call->texts[1]->len);

  fh_source_clear (&call->deadline);
  fh_source_clear (&call->grace);
  fh_source_clear (&call->drain);
  fh_source_clear (&call->cancel_source);
  if (error == NULL && !g_subprocess_get_successful (call->process))
    error = *words != '\0' ? fh_engine_error_from_text (call->kind, words) : silent_error (call);
  if (error != NULL)
    g_task_return_error (task, final_error (call, error));
  else
    g_task_return_pointer (task,
                           fh_valid_text_new (call->texts[0]->data, call->texts[0]->len),
                           g_free);
}

static void
one_done (GTask *task)
{
  Call *call = g_task_get_task_data (task);

  if (--call->pending == 0)
    finish (task);
}

static void read_on (GTask *task, GInputStream *stream);

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GInputStream *stream = G_INPUT_STREAM (source);
  Call *call = g_task_get_task_data (task);
  g_autoptr (GBytes) piece = g_input_stream_read_bytes_finish (stream, result, NULL);
  GByteArray *text = call->texts[stream == g_subprocess_get_stdout_pipe (call->process) ? 0 : 1];

  if (piece == NULL || g_bytes_get_size (piece) == 0)
    {
      one_done (task);
      return;
    }
  if (text->len + g_bytes_get_size (piece) > FH_ENGINE_CALL_MAX_BYTES)
    {
      /* Unread output keeps the client blocked until it is killed. */
      end_client (call, WHY_TOO_MUCH);
      one_done (task);
      return;
    }
  g_byte_array_append (text, g_bytes_get_data (piece, NULL), g_bytes_get_size (piece));
  read_on (task, stream);
}

static void
read_on (GTask *task, GInputStream *stream)
{
  Call *call = g_task_get_task_data (task);

  g_input_stream_read_bytes_async (stream,
                                   PIECE_SIZE,
                                   G_PRIORITY_DEFAULT,
                                   call->reading,
                                   read_cb,
                                   g_object_ref (task));
}

static void
dead_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Call *call = g_task_get_task_data (task);

  g_subprocess_wait_finish (call->process, result, NULL);
  fh_source_clear (&call->deadline);
  fh_source_clear (&call->grace);
  fh_source_clear (&call->cancel_source);
  if (call->pending > 1)
    call->drain = start_source (call, DRAIN_MS, drained_cb);
  one_done (task);
}

/* A session of its own: the terminal's Ctrl+C is for us, and cleaning up must outlive it. A lookup
 * need not outlive us: clients of a hanging engine would pile up. */
static void
detach_cb (gpointer user_data)
{
  const Call *call = user_data;

  setsid ();
  if (call->engine == NULL)
    prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static GSubprocess *
spawn (Call *call, const char *program, const char *const *arguments, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_auto (GStrv) environment = fh_engine_environment ();
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer) program);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, NULL);

  /* Standard input is /dev/null by default. */
  launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_environ (launcher, environment);
  g_subprocess_launcher_set_child_setup (launcher, detach_cb, call, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, error);
}

static Call *
call_new (FhEngineKind kind, const char *program, const char *first, guint timeout_ms)
{
  g_autofree char *base = g_path_get_basename (program);
  Call *call = g_new0 (Call, 1);

  call->kind = kind;
  call->name = g_strjoin (" ", base, first, NULL);
  call->timeout_ms = timeout_ms;
  call->texts[0] = g_byte_array_new ();
  call->texts[1] = g_byte_array_new ();
  call->reading = g_cancellable_new ();
  return call;
}

/* Only a missing or unusable program can fail here. */
static GError *
spawn_error (const char *program, const GError *error)
{
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_NOT_INSTALLED,
                      /* Translators: a path, and why it cannot be run */
                      _ ("%s cannot be run: %s"),
                      program,
                      error->message);
}

static void
watch_cancellable (GTask *task, GCancellable *cancellable)
{
  Call *call = g_task_get_task_data (task);

  if (cancellable == NULL)
    return;
  call->cancel_source = g_cancellable_source_new (cancellable);
  g_source_set_callback (call->cancel_source, G_SOURCE_FUNC (cancelled_cb), call, NULL);
  g_source_attach (call->cancel_source, g_task_get_context (task));
}

/* Consumes `call`. */
static void
start (Call *call,
       const char *program,
       const char *const *arguments,
       GCancellable *cancellable,
       GAsyncReadyCallback callback,
       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GError) error = NULL;

  g_task_set_source_tag (task, fh_engine_call_async);
  g_task_set_task_data (task, call, call_free);
  /* The result of a finished call is returned even if it was cancelled meanwhile. */
  g_task_set_check_cancellable (task, FALSE);
  call->context = g_task_get_context (task);
  if (g_cancellable_set_error_if_cancelled (cancellable, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  call->process = spawn (call, program, arguments, &error);
  if (call->process == NULL)
    {
      g_task_return_error (task, final_error (call, spawn_error (program, error)));
      return;
    }
  call->pending = 3;
  if (call->timeout_ms > 0)
    call->deadline = start_source (call, call->timeout_ms, deadline_cb);
  watch_cancellable (task, cancellable);
  read_on (task, g_subprocess_get_stdout_pipe (call->process));
  read_on (task, g_subprocess_get_stderr_pipe (call->process));
  g_subprocess_wait_async (call->process, NULL, dead_cb, g_object_ref (task));
}

void
fh_engine_call_program_async (FhEngineKind kind,
                              const char *program,
                              const char *const *arguments,
                              guint timeout_ms,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (program != NULL && arguments != NULL && arguments[0] != NULL);

  start (call_new (kind, program, arguments[0], timeout_ms),
         program,
         arguments,
         cancellable,
         callback,
         user_data);
}

void
fh_engine_call_async (FhEngine *engine,
                      const char *const *arguments,
                      guint timeout_ms,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  const FhEngineFacts *facts;
  Call *call;

  g_return_if_fail (FH_IS_ENGINE (engine) && arguments != NULL && arguments[0] != NULL);

  facts = fh_engine_get_facts (engine);
  call = call_new (facts->kind, facts->program, arguments[0], timeout_ms);
  call->engine = g_object_ref (engine);
  start (call, facts->program, arguments, cancellable, callback, user_data);
}

void
fh_engine_call_step (GTask *task,
                     FhEngine *engine,
                     const char *const *arguments,
                     guint timeout_ms,
                     GAsyncReadyCallback callback)
{
  fh_engine_call_async (engine,
                        arguments,
                        timeout_ms,
                        g_task_get_cancellable (task),
                        callback,
                        g_object_ref (task));
}

char *
fh_engine_call_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_engine_call_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
