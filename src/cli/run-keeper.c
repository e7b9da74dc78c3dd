/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-keeper.h"

#include <glib/gi18n-lib.h>

#include "history.h"
#include "message.h"

/* In GIO's thread pool, because a database can make one wait: on a slow disk, or while it is put
 * right after damage. The output of the program must go on meanwhile. */
struct _FhRunKeeper
{
  FhHistory *history;
  char *notice;  /* that it was damaged, as found on opening or later */
  GError *error; /* why it could not be opened */
  gboolean was_opened;
};

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhRunKeeper *self = user_data;

  fh_history_open_finish (self->history, result, &self->notice, &self->error);
  self->was_opened = TRUE;
}

static void
notice_cb (FhHistory *history, const char *sentence, FhRunKeeper *self)
{
  g_free (self->notice);
  self->notice = g_strdup (sentence);
}

static void
wait_until_opened (FhRunKeeper *self)
{
  while (!self->was_opened)
    g_main_context_iteration (NULL, TRUE);
}

FhRunKeeper *
fh_run_keeper_new (void)
{
  FhRunKeeper *self = g_new0 (FhRunKeeper, 1);

  self->history = fh_history_new (NULL);
  g_signal_connect (self->history, "notice", G_CALLBACK (notice_cb), self);
  fh_history_open_async (self->history, NULL, opened_cb, self);
  return self;
}

void
fh_run_keeper_free (FhRunKeeper *self)
{
  wait_until_opened (self);
  g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_object (&self->history);
  g_clear_error (&self->error);
  g_free (self->notice);
  g_free (self);
}

void
fh_run_keeper_keep (FhRunKeeper *self, FhRun *run)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (fh_run_get_result (run) != NULL);

  wait_until_opened (self);
  if (self->error == NULL)
    fh_history_add (self->history, fh_run_get_request (run), fh_run_get_result (run), &self->error);
  if (self->error != NULL)
    fh_message (_ ("This run is not in the history: %s"), self->error->message);
  if (self->notice != NULL)
    fh_message ("%s", self->notice);
}
