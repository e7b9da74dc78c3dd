/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/function-command.h"

#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <string.h>

#include "run-error.h"

#define PIECE 65536

typedef struct
{
  GSubprocess *process;
  GCancellable *reading; /* also of what is written */
  GByteArray *reply;
  char *arguments;
  guint timer;
  gulong cancel_handler;
  const char *problem; /* why it was killed; nullable */
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  g_clear_handle_id (&call->timer, g_source_remove);
  g_cancellable_cancel (call->reading);
  if (call->process != NULL)
    g_subprocess_force_exit (call->process);
  g_clear_object (&call->process);
  g_object_unref (call->reading);
  g_byte_array_unref (call->reply);
  g_free (call->arguments);
  g_free (call);
}

static void
end_early (Call *call, const char *problem)
{
  if (call->problem == NULL)
    call->problem = problem;
  g_subprocess_force_exit (call->process);
  g_cancellable_cancel (call->reading);
}

static gboolean
timeout_cb (gpointer user_data)
{
  Call *call = g_task_get_task_data (user_data);

  call->timer = 0;
  end_early (call, _ ("The command took too long."));
  return G_SOURCE_REMOVE;
}

static void
cancelled_cb (GCancellable *cancellable, GTask *task)
{
  end_early (g_task_get_task_data (task), _ ("The call was cancelled."));
}

static char *
dup_reply (Call *call)
{
  if (call->reply->len == 0)
    return g_strdup ("");
  return g_strchomp (g_utf8_make_valid ((const char *) call->reply->data, call->reply->len));
}

static void
finish (GTask *task, GError *error)
{
  Call *call = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  g_clear_handle_id (&call->timer, g_source_remove);
  if (call->cancel_handler != 0)
    g_signal_handler_disconnect (cancellable, call->cancel_handler);
  call->cancel_handler = 0;
  if (call->problem != NULL)
    g_task_return_new_error (task, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, "%s", call->problem);
  else if (error != NULL)
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_pointer (task, dup_reply (call), g_free);
  g_object_unref (task);
}

static void
exited_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  finish (user_data, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Call *call = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) piece =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);

  if (piece != NULL && g_bytes_get_size (piece) > 0)
    {
      if (call->reply->len + g_bytes_get_size (piece) > FH_FUNCTION_COMMAND_MAX_REPLY)
        end_early (call, _ ("The command printed too much."));
      else
        g_byte_array_append (call->reply,
                             g_bytes_get_data (piece, NULL),
                             (guint) g_bytes_get_size (piece));
      g_input_stream_read_bytes_async (G_INPUT_STREAM (source),
                                       PIECE,
                                       G_PRIORITY_DEFAULT,
                                       call->reading,
                                       read_cb,
                                       task);
      return;
    }
  g_subprocess_wait_check_async (call->process, NULL, exited_cb, task);
}

/* A command need not read them. */
static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  G_GNUC_UNUSED g_autoptr (GTask) task = user_data;

  g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL);
  g_output_stream_close_async (G_OUTPUT_STREAM (source), G_PRIORITY_DEFAULT, NULL, NULL, NULL);
}

void
fh_function_command_run_async (const char *const *argv,
                               const char *arguments,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Call *call = g_new0 (Call, 1);
  GError *error = NULL;
  GOutputStream *to_command;

  g_return_if_fail (argv != NULL && arguments != NULL);

  g_task_set_source_tag (task, fh_function_command_run_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, call, call_free);
  call->reading = g_cancellable_new ();
  call->reply = g_byte_array_new ();
  call->arguments = g_strconcat (arguments, "\n", NULL);
  call->process =
      g_subprocess_newv (argv,
                         G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                             G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                         &error);
  if (call->process == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  to_command = g_subprocess_get_stdin_pipe (call->process);
  /* Else a command that does not read would hold up the window. */
  g_unix_set_fd_nonblocking (g_unix_output_stream_get_fd (G_UNIX_OUTPUT_STREAM (to_command)),
                             TRUE,
                             NULL);
  call->timer = g_timeout_add_seconds (FH_FUNCTION_COMMAND_SECONDS, timeout_cb, task);
  if (cancellable != NULL)
    call->cancel_handler =
        g_signal_connect (cancellable, "cancelled", G_CALLBACK (cancelled_cb), task);
  g_output_stream_write_all_async (to_command,
                                   call->arguments,
                                   strlen (call->arguments),
                                   G_PRIORITY_DEFAULT,
                                   call->reading,
                                   written_cb,
                                   g_object_ref (task));
  g_input_stream_read_bytes_async (g_subprocess_get_stdout_pipe (call->process),
                                   PIECE,
                                   G_PRIORITY_DEFAULT,
                                   call->reading,
                                   read_cb,
                                   task);
}

char *
fh_function_command_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
