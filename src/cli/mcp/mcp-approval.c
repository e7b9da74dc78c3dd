/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-approval.h"

#include <string.h>

/* The app exports it: src/app/approval/approvals.c. */
#define INTERFACE "io.github.fumehood.Approval"

/* A person may be away for a moment. */
#define ANSWER_MS (10 * 60 * 1000)
/* A reason is a sentence or two. */
#define MAX_REASON 2000

typedef struct
{
  char *id;
  GVariant *question;
  GDBusConnection *bus; /* once it is there */
} Asking;

static void
asking_free (Asking *asking)
{
  g_free (asking->id);
  g_clear_pointer (&asking->question, g_variant_unref);
  g_clear_object (&asking->bus);
  g_free (asking);
}

/* Below the one that GApplication makes of the id. (transfer full) */
static char *
object_path (void)
{
  char *path = g_strdelimit (g_strconcat ("/", FH_APP_ID, "/Approval", NULL), ".", '/');

  return g_strdelimit (path, "-", '_');
}

static void
call (Asking *asking,
      const char *method,
      GVariant *parameters,
      const char *reply_type,
      GCancellable *cancellable,
      GAsyncReadyCallback callback,
      gpointer user_data)
{
  g_autofree char *path = object_path ();

  g_dbus_connection_call (asking->bus,
                          FH_APP_ID,
                          path,
                          INTERFACE,
                          method,
                          parameters,
                          G_VARIANT_TYPE (reply_type),
                          G_DBUS_CALL_FLAGS_NONE,
                          ANSWER_MS,
                          cancellable,
                          callback,
                          user_data);
}

static void
refuse (GTask *task, const char *reason)
{
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "%s", reason);
}

/* `error`: what the bus says. */
static const char *
explain (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return "It was cancelled.";
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) ||
      g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY))
    return "It was not answered.";
  if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_LIMITS_EXCEEDED))
    return "Too many questions wait for an answer.";
  return "Fumehood’s window, which would ask you, could not be reached.";
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Asking *asking = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  const char *reason;
  gboolean is_approved;

  if (answer == NULL)
    {
      call (asking, "Withdraw", g_variant_new ("(s)", asking->id), "()", NULL, NULL, NULL);
      g_dbus_connection_flush (asking->bus, NULL, NULL, NULL);
      refuse (task, explain (error));
      return;
    }
  g_variant_get (answer, "(b&s)", &is_approved, &reason);
  if (is_approved)
    g_task_return_boolean (task, TRUE);
  else
    refuse (task, *reason != '\0' ? reason : "None was given.");
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Asking *asking = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  asking->bus = g_bus_get_finish (result, &error);
  if (asking->bus == NULL)
    {
      refuse (task, explain (error));
      return;
    }
  /* The connection must not end this process when it ends. */
  g_dbus_connection_set_exit_on_close (asking->bus, FALSE);
  call (asking,
        "Ask",
        asking->question,
        "(bs)",
        g_task_get_cancellable (task),
        asked_cb,
        g_object_ref (task));
}

void
fh_mcp_approval_ask_async (const FhMcpApproval *approval,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Asking *asking = g_new0 (Asking, 1);

  /* The task's result is what asked_cb returns, also after a cancellation. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, asking, (GDestroyNotify) asking_free);
  if (strlen (approval->code) > FH_MCP_APPROVAL_MAX_CODE)
    {
      refuse (task, "The code is too long to be shown.");
      g_object_unref (task);
      return;
    }
  asking->id = g_uuid_string_random ();
  asking->question = g_variant_ref_sink (g_variant_new ("(ssssss)",
                                                        asking->id,
                                                        approval->client,
                                                        approval->tool,
                                                        approval->code,
                                                        approval->language,
                                                        approval->summary));
  g_bus_get (G_BUS_TYPE_SESSION, cancellable, connected_cb, task);
}

gboolean
fh_mcp_approval_ask_finish (GAsyncResult *result, char **reason)
{
  g_autoptr (GError) error = NULL;

  *reason = NULL;
  if (g_task_propagate_boolean (G_TASK (result), &error))
    return TRUE;
  *reason =
      g_utf8_substring (error->message, 0, MIN (g_utf8_strlen (error->message, -1), MAX_REASON));
  return FALSE;
}
