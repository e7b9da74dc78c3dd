/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include "executor-private.h"

static void
let_go (FhCells *self, FhExecutor *executor)
{
  GApplication *application = g_application_get_default ();

  executor->is_ending = FALSE;
  if (executor->is_closed)
    fh_executor_close (executor);
  if (application != NULL)
    g_application_release (application);
  g_object_unref (self);
}

/* Meanwhile the executor may have begun something else, which has ended the interpreter. */
static void
finished_cb (FhCells *self, FhCell *cell, FhRun *run, FhExecutor *executor)
{
  if (run == NULL || fh_executor_get_run (executor) == run)
    {
      fh_executor_end_run (executor);
      fh_executor_reset_cells (executor);
    }
  let_go (self, executor);
}

static void
refused_cb (FhCells *self, FhCell *cell, const char *message, FhExecutor *executor)
{
  fh_executor_reset_cells (executor);
  let_go (self, executor);
}

void
fh_cells_close (FhCells *self, FhExecutor *executor)
{
  GApplication *application = g_application_get_default ();
  g_autoptr (FhCell) end = fh_cell_new_end ();

  g_return_if_fail (FH_IS_CELLS (self) && FH_IS_EXECUTOR (executor));

  fh_cells_clear (self);
  if (fh_cells_get_run (self) != NULL || !fh_cells_push (self, end, NULL))
    {
      g_object_unref (self);
      fh_executor_end_run (executor);
      fh_executor_reset_cells (executor);
      return;
    }
  fh_cells_refuse_calls (self, "the session is being closed");
  executor->is_ending = TRUE;
  if (application != NULL)
    g_application_hold (application);
  g_signal_connect_object (self, "finished", G_CALLBACK (finished_cb), executor, 0);
  g_signal_connect_object (self, "refused", G_CALLBACK (refused_cb), executor, 0);
}
