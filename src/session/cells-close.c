/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include "session-private.h"

static void
let_go (FhCells *self, FhSession *session)
{
  GApplication *application = g_application_get_default ();

  session->is_ending = FALSE;
  if (session->is_closed)
    fh_session_close (session);
  if (application != NULL)
    g_application_release (application);
  g_object_unref (self);
}

/* Meanwhile the session may have begun something else, which has ended the interpreter. */
static void
finished_cb (FhCells *self, FhCell *cell, FhRun *run, FhSession *session)
{
  if (run == NULL || fh_session_get_run (session) == run)
    {
      fh_session_end_run (session);
      fh_session_reset_cells (session);
    }
  let_go (self, session);
}

static void
refused_cb (FhCells *self, FhCell *cell, const char *message, FhSession *session)
{
  fh_session_reset_cells (session);
  let_go (self, session);
}

void
fh_cells_close (FhCells *self, FhSession *session)
{
  GApplication *application = g_application_get_default ();
  g_autoptr (FhCell) end = fh_cell_new_end ();

  g_return_if_fail (FH_IS_CELLS (self) && FH_IS_SESSION (session));

  fh_cells_clear (self);
  if (fh_cells_get_run (self) != NULL || !fh_cells_push (self, end, NULL))
    {
      g_object_unref (self);
      fh_session_end_run (session);
      fh_session_reset_cells (session);
      return;
    }
  fh_cells_refuse_calls (self, "the session is being closed");
  session->is_ending = TRUE;
  if (application != NULL)
    g_application_hold (application);
  g_signal_connect_object (self, "finished", G_CALLBACK (finished_cb), session, 0);
  g_signal_connect_object (self, "refused", G_CALLBACK (refused_cb), session, 0);
}
