/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a session: one interpreter runs them, as long as it lives. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"
#include "run-title.h"
#include "series-builder.h"

/* As in data/guest/notebook.py. */
#define MAX_LINES 50
/* Characters. */
#define MAX_HEADING 80

typedef struct
{
  FhExecutor *executor;
  JsonArray *setup;   /* what a new interpreter does first */
  guint n_executed;   /* the number of the last cell */
  gboolean had_lived; /* the interpreter has answered a cell */
} Session;

/* The title of the cell, or the first line of its code. */
static char *
dup_heading (FhStep *step)
{
  const char *code = step->cell->source;
  g_autofree char *first = NULL;
  const char *title;

  code += strspn (code, " \t\r\n");
  title = code + strspn (code, "# \t");
  if (g_str_has_prefix (title, "%%"))
    {
      title += strspn (title, "% \t");
      code = title + strspn (title, "\r\n");
      if (strcspn (title, "\r\n") > 0)
        code = title;
    }
  code += strspn (code, " \t\r\n");
  /* A line of any length, cut between characters. */
  first = g_utf8_substring (code, 0, MIN (g_utf8_strlen (code, -1), MAX_HEADING));
  first[strcspn (first, "\r\n")] = '\0';
  return g_strdup_printf ("[%u] %s", step->number, first);
}

static char *
dup_left (guint n)
{
  return g_strdup_printf (
      ngettext ("%u cell that waited did not run.", "%u cells that waited did not run.", n),
      n);
}

/* "3, 5": the lines that the interpreter names. NULL if there are none. The program chooses them.
 */
static char *
dup_lines (JsonObject *answer, const char *name)
{
  JsonArray *lines = fh_json_get_array (answer, name, MAX_LINES, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; lines != NULL && i < json_array_get_length (lines); i++)
    {
      JsonNode *node = json_array_get_element (lines, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64)
        g_string_append_printf (text,
                                "%s%" G_GINT64_FORMAT,
                                text->len > 0 ? ", " : "",
                                json_node_get_int (node));
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
add_lines (FhStep *step, const char *name, const char *sentence, GStrvBuilder *repairs)
{
  g_autofree char *lines = dup_lines (step->answer, name);
  g_autofree char *repair = lines != NULL ? g_strdup_printf ("%s: %s", sentence, lines) : NULL;

  if (repair != NULL)
    g_strv_builder_add (repairs, repair);
}

static char **
dup_repairs (FhStep *step)
{
  g_autoptr (GStrvBuilder) repairs = g_strv_builder_new ();

  if (step->answer != NULL)
    {
      /* Translators: followed by numbers of lines */
      add_lines (step,
                 "notebook_lines",
                 _ ("Lines for a notebook that were run as what they mean there"),
                 repairs);
      add_lines (step,
                 "left_out_lines",
                 _ ("Lines for a notebook that mean nothing here and were left out"),
                 repairs);
    }
  return g_strv_builder_end (repairs);
}

/* Only cells that execute code are seen. */
static FhStep *
new_step (FhCell *cell)
{
  static const FhStepKind kind = {
    .dup_heading = dup_heading,
    .dup_left = dup_left,
    .dup_repairs = dup_repairs,
  };
  FhStep *step = fh_step_new (&kind);

  step->language = fh_language_lookup ("python");
  step->line = cell->line;
  step->cell = g_object_ref (cell);
  step->is_silent = cell->kind != FH_CELL_EXECUTE;
  return step;
}

static GBytes *
to_bytes (JsonNode *node)
{
  char *text = fh_json_to_text (node, FALSE);

  return g_bytes_new_take (text, strlen (text));
}

static FhRunRequest *
new_request (Session *self, FhStep *step, const FhRunOptions *given, GError **error)
{
  FhCell *cell = step->cell;
  g_autoptr (FhRunOptions) options = fh_run_options_copy (given);
  g_autoptr (JsonNode) setup_node = json_node_init_array (json_node_alloc (), self->setup);
  g_autoptr (JsonNode) order_node = json_node_init_object (json_node_alloc (), cell->order);
  g_autoptr (GBytes) order = to_bytes (order_node);
  g_autoptr (GBytes) setup = to_bytes (setup_node);
  g_autoptr (GBytes) source = g_bytes_new (cell->source, strlen (cell->source));
  g_autofree char *title = NULL;

  if (step->number > 0)
    {
      g_autofree char *of_source = fh_run_title_choose (NULL, source);

      title = g_strdup_printf ("[%u] %s", step->number, of_source);
    }
  if (cell->wall_ms > 0)
    options->limits.wall_ms = cell->wall_ms;
  return fh_run_request_new (
      &(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                           .source = source,
                           .title = title,
                           .options = options,
                           .cell = order,
                           .setup = json_array_get_length (self->setup) > 0 ? setup : NULL },
      error);
}

static FhRunRequest *
next_request (gpointer data,
              FhStep *step,
              const FhRunOptions *options,
              gboolean *is_last,
              GError **error)
{
  Session *self = data;

  *is_last = TRUE;
  if (step->cell->kind == FH_CELL_RESET || (step->cell->kind == FH_CELL_END && !self->had_lived))
    {
      fh_executor_reset_cells (self->executor);
      self->had_lived = FALSE;
      return NULL;
    }
  if (step->cell->kind == FH_CELL_EXECUTE)
    {
      g_autofree char *name = NULL;

      step->number = ++self->n_executed;
      name = g_strdup_printf ("<cell %u>", step->number);
      json_object_set_string_member (step->cell->order, "name", name);
    }
  return new_request (self, step, options, error);
}

/* The last one of that name counts. */
static void
keep (Session *self, FhCell *cell)
{
  const char *name = json_object_get_string_member (cell->order, "name");

  for (guint i = json_array_get_length (self->setup); i > 0; i--)
    {
      JsonObject *order = json_array_get_object_element (self->setup, i - 1);

      if (g_str_equal (json_object_get_string_member (order, "name"), name))
        json_array_remove_element (self->setup, i - 1);
    }
  json_array_add_object_element (self->setup, json_object_ref (cell->order));
}

/* The interpreter counts the cells that it has run. */
static gboolean
is_first_cell (FhStep *step)
{
  guint64 number = 0;

  return step->answer != NULL &&
         fh_json_get_number (step->answer, "cell", G_MAXUINT32, &number, NULL) && number == 1;
}

static gboolean
asks_for_input (FhStep *step)
{
  const char *exception;

  return step->answer != NULL && fh_json_get_string (step->answer, "exception", &exception, NULL) &&
         g_str_has_suffix (exception, "EOFError: EOF when reading a line");
}

/* Whether the variables are still there is what people want to know. */
static void
set_note (FhStep *step, const FhRunOutcome *outcome, gboolean lives)
{
  if (asks_for_input (step))
    fh_step_set_note (step,
                      _ ("A cell cannot ask for input. Write the text into its code, or run the "
                         "program without a session."));
  else if (!lives && fh_run_outcome_has_run (outcome))
    fh_step_set_note (
        step,
        _ ("The session has ended: its variables are gone. The next cell starts a new one."));
  else if (lives && outcome->status != FH_RUN_STATUS_OK && outcome->status != FH_RUN_STATUS_FAILED)
    fh_step_set_note (step, _ ("The session goes on: its variables are still there."));
}

static void
take_run (Session *self, FhStep *step, FhRun *run)
{
  GBytes *answer = fh_run_get_answer (run);

  if (answer != NULL)
    step->answer = fh_json_guard_parse (g_bytes_get_data (answer, NULL),
                                        g_bytes_get_size (answer),
                                        FH_RUN_MAX_ANSWER,
                                        NULL);
  step->is_restarted = self->had_lived && is_first_cell (step);
  self->had_lived = answer != NULL;
  if (!step->is_silent)
    set_note (step, fh_run_result_get_parts (fh_run_get_result (run))->outcome, answer != NULL);
}

static gboolean
take_result (gpointer data, FhStep *step, FhRun *run, GError **error)
{
  Session *self = data;
  gboolean is_good = FALSE;

  if (run != NULL)
    {
      take_run (self, step, run);
      is_good =
          fh_run_result_get_parts (fh_run_get_result (run))->outcome->status == FH_RUN_STATUS_OK;
    }
  else
    {
      fh_json_get_bool (step->answer, "success", &is_good, NULL);
    }
  if (step->cell->is_kept && is_good)
    keep (self, step->cell);
  return TRUE;
}

/* If there is an interpreter, and the executor was not closed. */
static FhStep *
last_step (gpointer data)
{
  Session *self = data;
  g_autoptr (FhCell) cell = NULL;

  if (!self->had_lived || fh_executor_get_run (self->executor) == NULL)
    return NULL;
  cell = fh_cell_new_end ();
  return new_step (cell);
}

static void
end_interpreter (gpointer data)
{
  fh_executor_reset_cells (((Session *) data)->executor);
}

static void
session_free (gpointer data)
{
  Session *self = data;

  g_object_unref (self->executor);
  json_array_unref (self->setup);
  g_free (self);
}

static const FhSeriesBuilder builder = {
  .stays_open = TRUE,
  .new_cell = new_step,
  .next_request = next_request,
  .take_result = take_result,
  .last_step = last_step,
  .close = end_interpreter,
  .free = session_free,
};

FhSeries *
fh_series_new_session (FhExecutor *executor, const FhRunOptions *options, FhAfterFailure after)
{
  Session *self;

  g_return_val_if_fail (FH_IS_EXECUTOR (executor) && options != NULL, NULL);
  g_return_val_if_fail (after != FH_AFTER_FAILURE_END, NULL);

  self = g_new0 (Session, 1);
  self->executor = g_object_ref (executor);
  self->setup = json_array_new ();
  return fh_series_new (executor, &builder, self, options, after);
}
