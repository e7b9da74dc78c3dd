/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "image-build.h"

#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

#include "input-file.h"
#include "message.h"
#include "stop-signals.h"
#include "sync-wait.h"
#include "terminal-text.h"

static void
line_cb (const char *line, gpointer user_data)
{
  g_autofree char *safe = fh_terminal_line (line);
  g_autofree char *whole = g_strconcat (safe, "\n", NULL);

  fh_print_bytes (STDERR_FILENO, whole, strlen (whole));
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer cancellable)
{
  while (fh_stop_signals_take () != 0)
    g_cancellable_cancel (cancellable);
  return G_SOURCE_CONTINUE;
}

static char *
build (FhEngine *engine, GBytes *text, const char *tag, GError **error)
{
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint source;
  char *id;

  fh_stop_signals_catch ();
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, cancellable);
  fh_image_build_async (engine, text, tag, line_cb, NULL, cancellable, fh_sync_wait_cb, wait);
  id = fh_image_build_finish (fh_sync_wait_get (wait), error);
  g_source_remove (source);
  return id;
}

FhImage *
fh_image_build (FhEngine *engine, const char *file, const char *tag, GError **error)
{
  g_autoptr (GBytes) text = fh_input_file_read (file, FH_IMAGE_BUILD_MAX, error);
  g_autofree char *id = text != NULL ? build (engine, text, tag, error) : NULL;

  if (id == NULL)
    return NULL;
  return fh_image_find (engine, tag != NULL ? tag : id, NULL, error);
}
