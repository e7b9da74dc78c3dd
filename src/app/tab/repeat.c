/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program or an answer that is run again is compared with its last run in this tab; so is a
 * program that is run without a guard. */
#include <glib/gi18n.h>

#include "compare/compare-window.h"
#include "parts/message-dialogs.h"
#include "parts/toasts.h"
#include "tab/tab-private.h"

static void
clear_side (FhTab *self, guint side)
{
  g_clear_object (&self->compared_requests[side]);
  g_clear_object (&self->compared_results[side]);
}

static void
set_side (FhTab *self, guint side, FhRunRequest *request, FhRunResult *result)
{
  g_set_object (&self->compared_requests[side], request);
  g_set_object (&self->compared_results[side], result);
}

void
fh_tab_drop_bare (FhTab *self)
{
  if (!self->bare_waits)
    return;
  g_clear_object (&self->bare);
  self->bare_waits = FALSE;
  self->bare_follows = FALSE;
}

void
fh_tab_end_comparison (FhTab *self)
{
  clear_side (self, 0);
  clear_side (self, 1);
  g_clear_object (&self->bare);
  self->bare_follows = FALSE;
}

void
fh_tab_show_compared (FhTab *self, FhRunRequest *request, FhRunResult *result)
{
  g_autoptr (GPtrArray) blocks = fh_tab_find_blocks (self);

  fh_notice_bar_set_text (self->compare_notice, NULL);
  clear_side (self, 0);
  set_side (self, 1, request, result);
  self->compared_answer = blocks != NULL;
}

void
fh_tab_begin_comparison (FhTab *self)
{
  fh_notice_bar_set_text (self->compare_notice, NULL);
  if (self->compared_results[1] == NULL)
    return;
  set_side (self, 0, self->compared_requests[1], self->compared_results[1]);
  clear_side (self, 1);
}

/* "Output, Files": what differs. NULL: nothing, or the program is another one. */
static char *
name_parts (FhRunComparison *comparison)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  if (fh_run_comparison_is_same (comparison) ||
      fh_run_comparison_differs (comparison, FH_COMPARED_SOURCE))
    return NULL;
  for (guint part = 0; part < FH_N_COMPARED; part++)
    {
      if (fh_run_comparison_differs (comparison, part))
        g_strv_builder_add (builder, fh_compared_part_title (part));
    }
  names = g_strv_builder_end (builder);
  return g_strjoinv (", ", names);
}

static void
compare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (FhRunComparison) comparison = fh_run_pair_compare (data);

  g_task_return_pointer (task, name_parts (comparison), g_free);
}

static void
compared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhTab *self = FH_TAB (source);
  const FhRunPair *runs = g_task_get_task_data (G_TASK (result));
  g_autofree char *names = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autofree char *text = NULL;

  if (names == NULL || self->closed || self->compared_results[1] != runs->results[1])
    return;
  /* Translators: %s is a list such as “Output, Files” */
  text = g_strdup_printf (_ ("This differs from the last run: %s."), names);
  fh_notice_bar_set_text (self->compare_notice, text);
}

/* With what was typed for the run before it. */
static void
run_bare (FhTab *self)
{
  GBytes *given = fh_run_request_get_parts (self->compared_requests[1])->standard_input;
  g_autoptr (FhRunRequest) bare = g_steal_pointer (&self->bare);

  self->bare = given != NULL ? fh_run_request_with_input (bare, given) : g_object_ref (bare);
  self->bare_waits = FALSE;
  self->bare_follows = FALSE;
  fh_tab_run_request (self, self->bare);
}

/* Without the guard, or both side by side. Not in the midst of what else follows the run's end. */
static gboolean
go_on_cb (gpointer user_data)
{
  FhTab *self = FH_TAB (user_data);

  if (self->closed || self->bare == NULL)
    return G_SOURCE_REMOVE;
  if (self->bare_follows)
    run_bare (self);
  else if (self->compared_requests[1] == self->bare)
    fh_tab_compare (self);
  return G_SOURCE_REMOVE;
}

/* The user, or a fault, may have ended the first run: then the second does not begin. */
static void
follow_bare (FhTab *self)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (self->compared_results[1])->outcome;

  if (self->bare_waits && (outcome->status == FH_RUN_STATUS_STOPPED ||
                           fh_run_status_severity (outcome->status) == FH_RUN_SEVERITY_OURS))
    g_clear_object (&self->bare);
  self->bare_follows = self->bare_waits && self->bare != NULL;
  if (self->bare != NULL && (self->bare_waits || self->compared_requests[1] == self->bare))
    g_idle_add_full (G_PRIORITY_DEFAULT, go_on_cb, g_object_ref (self), g_object_unref);
}

static void
compare (FhTab *self, FhRunRequest *request, FhRunResult *result)
{
  g_autoptr (GTask) task = NULL;

  set_side (self, 1, request, result);
  self->compared_answer = self->form == FH_RECORD_ANSWER;
  follow_bare (self);
  /* Runs of different blocks differ in all that the blocks differ in, so they are not compared. */
  if (self->compared_results[0] == NULL ||
      !fh_block_runs_are_alike (fh_run_result_get_parts (self->compared_results[0])->blocks,
                                fh_run_result_get_parts (result)->blocks))
    return;
  task = g_task_new (self, self->cancellable, compared_cb, NULL);
  g_task_set_source_tag (task, fh_tab_compare_run);
  g_task_set_task_data (task,
                        fh_run_pair_new (self->compared_requests, self->compared_results),
                        fh_run_pair_free);
  g_task_run_in_thread (task, compare_in_thread);
}

void
fh_tab_compare_run (FhTab *self, FhRun *run)
{
  FhRunResult *result = fh_run_get_result (run);

  /* Cells follow each other, and are no runs of one program. */
  if (self->form == FH_RECORD_SESSION)
    fh_tab_end_comparison (self);
  if (result != NULL && result != self->compared_results[1] && self->form == FH_RECORD_RUNS)
    compare (self, fh_run_get_request (run), result);
}

void
fh_tab_compare_answer (FhTab *self)
{
  compare (self,
           fh_series_record_get_request (self->record),
           fh_series_record_get_result (self->record));
}

gboolean
fh_tab_may_compare (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return self->compared_results[0] != NULL && self->compared_results[1] != NULL;
}

void
fh_tab_compare (FhTab *self)
{
  const char *const names[] = { _ ("The last run"), _ ("This run") };
  const char *const bare_names[] = { _ ("With the guard"), _ ("Without the guard") };

  g_return_if_fail (FH_IS_TAB (self));

  if (fh_tab_may_compare (self))
    fh_compare_window_show (GTK_WIDGET (self),
                            self->compared_requests[1] == self->bare ? bare_names : names,
                            self->compared_requests,
                            self->compared_results);
}

/* The same program and input. */
static FhRunRequest *
derive (FhRunRequest *request, const FhRunOptions *options, GError **error)
{
  return fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_run_request_get_parts (request)->language,
          .source = fh_run_request_get_parts (request)->source,
          .title = fh_run_request_get_parts (request)->title,
          .arguments = fh_run_request_get_parts (request)->arguments,
          .standard_input = fh_run_request_get_parts (request)->standard_input,
          .files = fh_run_request_get_parts (request)->files,
          .options = options,
      },
      error);
}

void
fh_tab_run_with (FhTab *self, const FhRunOptions *options, const FhRunOptions *bare)
{
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (FH_IS_TAB (self));
  g_return_if_fail (options != NULL);

  self->loading = TRUE;
  fh_options_set_values (self->options, options);
  self->loading = FALSE;
  request = fh_options_build_request (self->options,
                                      fh_document_get_source (self->document),
                                      fh_document_get_title (self->document),
                                      NULL,
                                      FH_TIER_AUTO,
                                      &error);
  if (request != NULL && bare != NULL)
    self->bare = derive (request, bare, &error);
  if (error != NULL)
    {
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return;
    }
  self->bare_waits = bare != NULL;
  fh_tab_run_when_ready (self);
}

/* A question to the user, and what is run if the answer is yes. */
typedef struct
{
  FhTab *self;
  FhRunRequest *request;
} Question;

static void
without_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  FhTab *self = question->self;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "run") == 0 && !self->closed && fh_tab_may_repeat (self))
    {
      g_set_object (&self->bare, question->request);
      self->bare_waits = FALSE;
      fh_tab_run_request (self, question->request);
    }
  g_object_unref (question->self);
  g_object_unref (question->request);
  g_free (question);
}

static FhRunRequest *
derive_without (FhRunRequest *request, FhGuard guard, GError **error)
{
  g_autoptr (FhRunOptions) options =
      fh_run_options_copy (fh_run_request_get_parts (request)->options);
  g_autoptr (FhRunOptions) none = fh_run_options_new ();

  options->guards.without |= 1u << guard;
  /* All hosts can be reached. */
  if (guard == FH_GUARD_NETWORK)
    fh_run_option_copy (fh_run_option_find ("guards.allow_hosts"), options, none);
  return derive (request, options, error);
}

/* Tells what is lost without the guards, those included that were off in the past run. */
static char *
dup_losses (FhRunRequest *request, guint *n_losses)
{
  const guint without = fh_run_request_get_parts (request)->guards->without;
  GString *text = g_string_new (NULL);

  *n_losses = 0;
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (!(without & 1u << guard) || fh_guard_loss (guard) == NULL)
        continue;
      g_string_append_printf (text, "%s%s", *n_losses > 0 ? "\n" : "", fh_guard_loss (guard));
      (*n_losses)++;
    }
  return g_string_free (text, FALSE);
}

gboolean
fh_tab_may_repeat (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return self->compared_results[1] != NULL && !self->compared_answer &&
         fh_tab_get_run_state (self) == FH_RUN_FINISHED && fh_tab_may_run (self);
}

void
fh_tab_run_without (FhTab *self, FhGuard guard)
{
  const FhMessageChoice choices[] = {
    { "run", _ ("_Run Without This Guard"), TRUE },
    { NULL },
  };
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *heading = NULL;
  g_autofree char *body = NULL;
  g_autofree char *losses = NULL;
  guint n_losses;
  Question *question;

  g_return_if_fail (FH_IS_TAB (self));

  if (fh_guard_loss (guard) == NULL || !fh_tab_may_repeat (self))
    return;
  request = derive_without (self->compared_requests[1], guard, &error);
  if (request == NULL)
    {
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return;
    }
  losses = dup_losses (request, &n_losses);
  question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->request = g_steal_pointer (&request);
  /* Translators: %s is a guard, such as “Network” */
  heading = g_strdup_printf (_ ("Run Again Without the Guard “%s”?"), fh_guard_title (guard));
  body = g_strdup_printf (
      /* Translators: %s is such as “The program may fill the disk.”, or some of them */
      ngettext ("%s\n\nThe program is run once more as it was in this run, and both "
                "runs are then shown side by side. The guard is off for this one run "
                "only.",
                "%s\n\nThe program is run once more as it was in this run, and both "
                "runs are then shown side by side. These guards are off for this one run "
                "only.",
                n_losses),
      losses);
  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                heading,
                                body,
                                choices,
                                self->cancellable,
                                without_cb,
                                question);
}
