/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells/function-command.h"

#include <signal.h>
#include <string.h>

#include "run-error.h"

static void
keep_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static char *
run (const char *command, const char *arguments, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_auto (GStrv) argv = NULL;

  g_assert_true (g_shell_parse_argv (command, NULL, &argv, NULL));
  fh_function_command_run_async ((const char *const *) argv,
                                 arguments,
                                 cancellable,
                                 keep_cb,
                                 &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return fh_function_command_run_finish (result, error);
}

static void
assert_reply (const char *command, const char *arguments, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *reply = run (command, arguments, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (reply, ==, expected);
}

static void
test_replies (void)
{
  assert_reply ("cat", "{\"a\": 1}", "{\"a\": 1}");
  assert_reply ("sh -c 'echo \"  two\"; echo lines; echo'", "{}", "  two\nlines");
  assert_reply ("printf 'a\\377b'",
                "{}",
                "a\xef\xbf\xbd"
                "b");
  assert_reply ("true", "{}", "");
}

/* Neither side waits for the other for ever. */
static void
test_large (void)
{
  g_autofree char *arguments = g_strnfill (4 << 20, 'x');
  g_autofree char *expected = g_strnfill (FH_FUNCTION_COMMAND_MAX_REPLY, 'y');

  assert_reply ("true", arguments, "");
  assert_reply ("wc -c", arguments, "4194305");
  assert_reply ("sh -c 'head -c 1048576 /dev/zero | tr \"\\0\" y'", arguments, expected);
}

static void
test_failures (void)
{
  static const char *const commands[] = {
    "false", "/nonexistent/command", "sh -c 'kill -9 $$'", "head -c 1048577 /dev/zero", "yes",
  };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *reply = run (commands[i], "{}", NULL, &error);

      g_test_message ("%s: %s", commands[i], error != NULL ? error->message : "");
      g_assert_null (reply);
      g_assert_nonnull (error);
    }
}

static gboolean
cancel_cb (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

/* The command does not outlive the call. */
static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *reply = NULL;

  g_idle_add (cancel_cb, cancellable);
  reply = run ("sleep 1000", "{}", cancellable, &error);
  g_assert_null (reply);
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  /* As main () does: a command need not read. */
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/app/function-command/replies", test_replies);
  g_test_add_func ("/app/function-command/large", test_large);
  g_test_add_func ("/app/function-command/failures", test_failures);
  g_test_add_func ("/app/function-command/cancelled", test_cancelled);
  return g_test_run ();
}
