/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-cells.h"

#include "mcp-result.h"

struct _FhMcpCells
{
  FhMcpWork parent_instance;

  FhMcpHost *host;
  FhMcpSessions *sessions;
  char *name;
  FhCell *cell;
  gboolean with_reset;
  char *note; /* nullable */

  FhCells *cells; /* while it works */
  gboolean is_stopped;
  gboolean is_new; /* the interpreter; variables of earlier cells are gone */
  char *why;       /* the earlier one ended; nullable */
};

G_DEFINE_FINAL_TYPE (FhMcpCells, fh_mcp_cells, FH_TYPE_MCP_WORK)

/* Takes the result. */
static void
finish (FhMcpCells *self, JsonObject *result)
{
  if (self->cells != NULL)
    g_signal_handlers_disconnect_by_data (self->cells, self);
  g_clear_object (&self->cells);
  fh_mcp_work_finish (FH_MCP_WORK (self), result);
}

static void
started_cb (FhCells *cells, FhCell *cell, FhRun *run, FhMcpCells *self)
{
  if (cell != self->cell)
    return;
  fh_mcp_work_watch (FH_MCP_WORK (self), run);
  if (self->is_stopped)
    fh_run_stop (run);
}

static void
restarted_cb (FhCells *cells, FhCell *cell, const char *why, FhMcpCells *self)
{
  self->is_new = TRUE;
  self->why = g_strdup (why);
}

static JsonObject *
executed (FhMcpCells *self, FhRun *run)
{
  const FhRunOptions *options = fh_mcp_host_get_options (self->host);
  const FhRunOutcome *outcome = fh_run_result_get_outcome (fh_run_get_result (run));
  JsonObject *described = fh_mcp_result_describe_cell (run, options->show_bytes);
  g_autofree char *text = NULL;

  if (self->note != NULL)
    fh_mcp_result_add_note (described, self->note);
  if (self->is_new)
    fh_mcp_result_add_note (described,
                            "The interpreter had ended. A new one was started: variables of "
                            "earlier cells are gone.");
  if (self->why != NULL)
    fh_mcp_result_add_note (described, self->why);
  if (json_object_get_boolean_member (described, "session_ended"))
    fh_mcp_result_add_note (described,
                            "The session’s interpreter has ended: its variables are gone.");
  text = fh_mcp_result_text (described);
  return fh_mcp_result_new (text, described, !fh_run_outcome_has_run (outcome));
}

static JsonObject *
listed (FhRun *run)
{
  JsonObject *described = fh_mcp_result_describe_variables (run);
  g_autofree char *text = NULL;

  if (described == NULL)
    return fh_mcp_result_new_refusal (fh_run_result_get_sentence (fh_run_get_result (run)));
  text = fh_mcp_result_variables_text (described);
  return fh_mcp_result_new (text, described, FALSE);
}

static void
finished_cb (FhCells *cells, FhCell *cell, FhRun *run, FhMcpCells *self)
{
  if (cell != self->cell)
    return;
  finish (self, fh_cell_get_kind (cell) == FH_CELL_EXECUTE ? executed (self, run) : listed (run));
}

static void
refused_cb (FhCells *cells, FhCell *cell, const char *message, FhMcpCells *self)
{
  if (cell == self->cell)
    finish (self, fh_mcp_result_new_refusal (message));
}

static gboolean
push (FhMcpCells *self, GError **error)
{
  g_autoptr (FhCell) end = fh_cell_new_end ();
  g_autoptr (FhCell) reset = fh_cell_new_reset ();

  return (!self->with_reset ||
          (fh_cells_push (self->cells, end, error) && fh_cells_push (self->cells, reset, error))) &&
         fh_cells_push (self->cells, self->cell, error);
}

static gboolean
start_cb (gpointer user_data)
{
  FhMcpCells *self = user_data;
  const gboolean is_list = fh_cell_get_kind (self->cell) == FH_CELL_LIST;
  g_autoptr (GError) error = NULL;
  FhCells *cells;

  /* A session that is made now would not be closed with the others. */
  if (self->is_stopped)
    {
      finish (self, fh_mcp_result_new_refusal (""));
      return G_SOURCE_REMOVE;
    }
  cells = is_list ? fh_mcp_sessions_find (self->sessions, self->name)
                  : fh_mcp_sessions_get (self->sessions, self->name, &error);
  if (cells == NULL)
    {
      finish (self,
              fh_mcp_result_new_refusal (error != NULL ? error->message
                                                       : "There is no session of this name."));
      return G_SOURCE_REMOVE;
    }
  self->cells = g_object_ref (cells);
  g_signal_connect (cells, "started", G_CALLBACK (started_cb), self);
  g_signal_connect (cells, "restarted", G_CALLBACK (restarted_cb), self);
  g_signal_connect (cells, "finished", G_CALLBACK (finished_cb), self);
  g_signal_connect (cells, "refused", G_CALLBACK (refused_cb), self);
  if (!push (self, &error))
    finish (self, fh_mcp_result_new_refusal (error->message));
  return G_SOURCE_REMOVE;
}

static void
start (FhMcpWork *work)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, start_cb, g_object_ref (work), g_object_unref);
}

static void
stop (FhMcpWork *work, gboolean by_force)
{
  FhMcpCells *self = FH_MCP_CELLS (work);

  self->is_stopped = TRUE;
  if (self->cells == NULL || fh_cells_get_cell (self->cells) != self->cell)
    return;
  fh_cells_interrupt (self->cells);
  if (by_force)
    fh_cells_interrupt (self->cells);
}

static void
fh_mcp_cells_finalize (GObject *object)
{
  FhMcpCells *self = FH_MCP_CELLS (object);

  if (self->cells != NULL)
    g_signal_handlers_disconnect_by_data (self->cells, self);
  g_clear_object (&self->cells);
  g_object_unref (self->cell);
  g_free (self->name);
  g_free (self->note);
  g_free (self->why);

  G_OBJECT_CLASS (fh_mcp_cells_parent_class)->finalize (object);
}

static void
fh_mcp_cells_class_init (FhMcpCellsClass *klass)
{
  FhMcpWorkClass *work_class = FH_MCP_WORK_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_mcp_cells_finalize;
  work_class->start = start;
  work_class->stop = stop;
}

static void
fh_mcp_cells_init (FhMcpCells *self)
{
}

FhMcpWork *
fh_mcp_cells_new (FhMcpHost *host,
                  FhMcpSessions *sessions,
                  const char *name,
                  FhCell *cell,
                  const FhRunOptions *options,
                  gboolean with_reset,
                  const char *note)
{
  FhMcpCells *self = g_object_new (FH_TYPE_MCP_CELLS, NULL);
  g_autofree char *key = g_strconcat ("session ", name, NULL);

  self->host = host;
  self->sessions = sessions;
  self->name = g_strdup (name);
  self->cell = g_object_ref (cell);
  self->with_reset = with_reset;
  self->note = g_strdup (note);
  fh_mcp_work_set_key (FH_MCP_WORK (self),
                       fh_mcp_host_keeps_container (host) ? FH_MCP_CONTAINER_KEY : key);
  if (fh_cell_get_kind (cell) == FH_CELL_EXECUTE)
    fh_mcp_work_set_code (FH_MCP_WORK (self), fh_cell_get_source (cell), "python", options);
  return FH_MCP_WORK (self);
}
