/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "answer-choices.h"
#include "approval/approval-dialog.h"
#include "code-look.h"
#include "interpreter.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/toasts.h"
#include "tab/tab-private.h"
#include "traceback-parser.h"

/* A tab with a model's whole answer: Run runs its blocks. */

/* After a change of the text, such as a paste, before its blocks are shown. */
#define LOOK_DELAY_MS 150

GPtrArray *
fh_tab_find_blocks (FhTab *self)
{
  GPtrArray *blocks = self->in_session ? NULL : fh_document_get_blocks (self->document);

  return blocks != NULL ? g_ptr_array_ref (blocks) : NULL;
}

/* An answer is prose, too: as one program it would run what its sentences happen to say. */
gboolean
fh_tab_may_run_unprotected (FhTab *self)
{
  g_autoptr (GPtrArray) blocks = NULL;

  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  if (self->in_session || fh_tab_is_in_container (self) ||
      fh_tab_get_run_state (self) != FH_RUN_FINISHED)
    return FALSE;
  blocks = fh_tab_find_blocks (self);
  return blocks == NULL;
}

/* With what was chosen for them. */
static GPtrArray *
find_chosen_blocks (FhTab *self)
{
  g_autoptr (GPtrArray) found = fh_tab_find_blocks (self);
  GPtrArray *blocks = found != NULL ? fh_answer_blocks_copy (found) : NULL;
  g_autofree char *setting = NULL;
  g_autofree char *project = NULL;
  g_auto (GStrv) policies = NULL;

  if (blocks == NULL || self->services == NULL)
    return blocks;
  g_object_get (self->options, "project", &project, NULL);
  if (project != NULL && *project != '\0')
    fh_answer_run_diffs (blocks);
  g_object_get (fh_services_get_settings (self->services), "block-policies", &setting, NULL);
  policies = g_strsplit (setting, " ", -1);
  fh_answer_choices_apply (self->choices, (const char *const *) policies, blocks);
  return blocks;
}

/* Why not all of them will run: about the first of those that won't. (transfer full) (nullable) */
static char *
dup_problem (FhTab *self, GPtrArray *blocks)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];
      g_autofree char *problem = fh_answer_block_dup_problem (block);

      if (problem == NULL && block->action != FH_BLOCK_SAVE && self->missing != NULL &&
          g_ptr_array_find (self->missing, block->language, NULL))
        problem = g_strdup_printf (_ ("“%s” is not installed here"), block->language->interpreter);
      if (problem != NULL)
        /* Translators: the number of a block, and why it cannot run. */
        return g_strdup_printf (_ ("It stops at block %u: %s."), i + 1, problem);
    }
  return NULL;
}

/* The notice has so many sentences about what was done to the blocks. */
#define N_REPAIRS 3

/* Tells what was done first so that the blocks are read as they are meant. NULL if nothing was.
 * (transfer full) */
static char *
dup_repairs (GPtrArray *blocks)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < blocks->len; i++)
    {
      g_auto (GStrv) repairs = fh_answer_block_dup_repairs (blocks->pdata[i]);

      for (guint j = 0; repairs[j] != NULL; j++, n++)
        {
          if (n > 0 && n < N_REPAIRS)
            g_string_append_c (text, ' ');
          if (n < N_REPAIRS)
            g_string_append_printf (text, _ ("Block %u: %s"), i + 1, repairs[j]);
        }
    }
  if (n == 0)
    return NULL;
  if (n <= N_REPAIRS)
    return g_strdup (text->str);
  n -= N_REPAIRS;
  /* Translators: sentences, and how many more there are like them. */
  return g_strdup_printf (ngettext ("%s And %u more.", "%s And %u more.", n), text->str, n);
}

/* Shows what was done to the blocks, which can be undone, and that it is. */
static void
show_repairs (FhTab *self, GPtrArray *blocks)
{
  const gboolean as_written = fh_document_is_as_written (self->document);
  g_autofree char *text = NULL;

  if (blocks != NULL && as_written)
    text = g_strdup (_ ("The blocks are read as they stand there."));
  else if (blocks != NULL)
    text = dup_repairs (blocks);
  if (text != NULL)
    g_object_set (self->repair_notice,
                  "button-label",
                  as_written ? _ ("Read as Meant") : _ ("Read as Written"),
                  NULL);
  fh_notice_bar_set_text (self->repair_notice, text);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.read-otherwise", text != NULL);
}

void
fh_tab_read_otherwise_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhTab *self = FH_TAB (widget);

  fh_document_set_as_written (self->document, !fh_document_is_as_written (self->document));
  fh_tab_drop_changed_run (self);
  fh_tab_look_for_answer (self);
  self->touched = TRUE;
  fh_tab_schedule_draft (self);
}

/* Says how many blocks there are, and what Run does with them. (transfer full) */
static char *
dup_plan (GPtrArray *blocks)
{
  guint n_saved = 0;

  for (guint i = 0; i < blocks->len; i++)
    n_saved += ((const FhAnswerBlock *) blocks->pdata[i])->action == FH_BLOCK_SAVE;
  if (n_saved == 0)
    return g_strdup_printf (
        ngettext ("This is an answer with %u code block. Run runs it.",
                  "This is an answer with %u code blocks. Run runs them one after the other.",
                  blocks->len),
        blocks->len);
  if (n_saved == blocks->len)
    return g_strdup_printf (
        ngettext ("This is an answer with %u code block. Run saves it as a file.",
                  "This is an answer with %u code blocks. Run saves them as files.",
                  blocks->len),
        blocks->len);
  /* Translators: how many blocks there are, how many of them run, and how many are saved */
  return g_strdup_printf (_ ("This is an answer with %u code blocks: %u to run, %u to save as "
                             "files. Run does it in order."),
                          blocks->len,
                          blocks->len - n_saved,
                          n_saved);
}

static void
show_notice (FhTab *self, GPtrArray *blocks)
{
  g_autofree char *text = NULL;
  g_autofree char *problem = NULL;

  if (blocks == NULL && fh_traceback_begins (fh_document_get_text (self->document)))
    text = g_strdup (
        _ ("This is an error message and not a program. Paste the code that it is about."));
  else if (blocks != NULL)
    text = dup_plan (blocks);
  if (blocks != NULL)
    problem = dup_problem (self, blocks);
  if (problem != NULL)
    {
      g_autofree char *first = g_steal_pointer (&text);

      text = g_strconcat (first, " ", problem, NULL);
    }
  fh_set_css_class (self->answer_notice, "quiet", problem == NULL);
  fh_notice_bar_set_text (self->answer_notice, text);
  show_repairs (self, blocks);
  g_object_set (self->editor, "markdown", blocks != NULL, NULL);
  fh_controls_bar_set_is_answer (self->controls, blocks != NULL);
  fh_editor_blocks_show (fh_editor_view_get_blocks (self->editor), blocks, self->missing);
}

/* In a thread: it looks into folders. */
static void
find_missing (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GPtrArray *missing = g_ptr_array_new ();

  for (const FhLanguage *language = fh_language_list (); language->id != NULL; language++)
    {
      g_autofree char *path = fh_interpreter_find (language->interpreter);

      if (path == NULL)
        g_ptr_array_add (missing, (gpointer) language);
    }
  g_task_return_pointer (task, missing, (GDestroyNotify) g_ptr_array_unref);
}

static void
missing_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhTab *self = FH_TAB (source);
  GPtrArray *missing = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) blocks = NULL;

  if (missing == NULL || self->closed || self->editor == NULL)
    {
      g_clear_pointer (&missing, g_ptr_array_unref);
      return;
    }
  g_clear_pointer (&self->missing, g_ptr_array_unref);
  self->missing = missing;
  blocks = find_chosen_blocks (self);
  show_notice (self, blocks);
}

/* What an image has is not known. */
static void
look_for_missing (FhTab *self)
{
  g_autoptr (GTask) task = NULL;

  if (fh_options_is_in_container (self->options))
    {
      g_clear_pointer (&self->missing, g_ptr_array_unref);
      return;
    }
  task = g_task_new (self, self->cancellable, missing_cb, NULL);
  g_task_set_source_tag (task, look_for_missing);
  g_task_run_in_thread (task, find_missing);
}

void
fh_tab_look_for_answer (FhTab *self)
{
  g_autoptr (GPtrArray) blocks = find_chosen_blocks (self);

  g_clear_handle_id (&self->answer_timer, g_source_remove);
  if (blocks != NULL && blocks->len > 0)
    look_for_missing (self);
  show_notice (self, blocks);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.fold-prose", blocks != NULL);
  if (self->has_answer != (blocks != NULL))
    {
      self->has_answer = blocks != NULL;
      fh_tab_notify (self, "run-state");
    }
}

static gboolean
timer_cb (gpointer user_data)
{
  FhTab *self = FH_TAB (user_data);

  self->answer_timer = 0;
  fh_tab_look_for_answer (self);
  return G_SOURCE_REMOVE;
}

void
fh_tab_look_for_answer_soon (FhTab *self)
{
  g_clear_handle_id (&self->answer_timer, g_source_remove);
  if (!self->closed)
    self->answer_timer = g_timeout_add (LOOK_DELAY_MS, timer_cb, self);
}

void
fh_tab_drop_question (FhTab *self)
{
  GtkWidget *dialog = g_steal_pointer (&self->question);

  if (dialog == NULL)
    return;
  g_signal_handlers_disconnect_by_data (dialog, self);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

void
fh_tab_finish_answer (FhTab *self)
{
  g_autoptr (FhResultFiles) files = fh_series_dup_files (self->series);
  FhRunRequest *request = fh_series_record_get_request (self->record);
  FhRunResult *result = fh_series_record_get_result (self->record);

  fh_tab_drop_question (self);
  if (result == NULL)
    return;
  fh_tab_show_ended (self, request, result, files);
  fh_output_status_show_answer (fh_output_view_get_status (FH_OUTPUT_VIEW (self->output)),
                                request,
                                result);
  fh_output_pictures_add (fh_output_view_get_pictures (FH_OUTPUT_VIEW (self->output)), files);
  fh_tab_compare_answer (self);
}

/* The dialog goes by itself. */
static void
answered_cb (FhTab *self, FhApprovalAnswer answer, const char *reason)
{
  const FhLanguage *language = self->asked;

  g_signal_handlers_disconnect_by_data (self->question, self);
  self->question = NULL;
  if (self->series == NULL)
    return;
  if (answer == FH_APPROVAL_ALWAYS)
    fh_tab_choose_policy (self, language, FH_BLOCK_RUN);
  if (answer == FH_APPROVAL_REFUSED)
    fh_series_refuse (self->series, reason);
  else
    fh_series_approve (self->series, answer == FH_APPROVAL_ALWAYS);
}

/* A question whose window closes is answered with no. */
static void
destroyed_cb (FhTab *self)
{
  self->question = NULL;
  if (self->series != NULL)
    fh_series_refuse (self->series, NULL);
}

/* `user_data`: the dialog, which is not kept alive: it must be gone before its window. */
static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) dialog = g_weak_ref_get (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) looks = fh_code_look_finish (result, &error);
  g_autofree char *text = NULL;

  g_weak_ref_clear (user_data);
  g_free (user_data);
  if (dialog == NULL || gtk_widget_in_destruction (dialog) || !gtk_widget_get_realized (dialog))
    return;
  if (looks != NULL && looks->len == 1)
    text = fh_code_look_dup_text (looks->pdata[0]);
  else if (error != NULL)
    text = g_strdup (error->message);
  fh_approval_dialog_set_look (FH_APPROVAL_DIALOG (dialog), text);
}

static void
look_at (FhTab *self, const FhAnswerBlock *block, const FhRunOptions *options)
{
  g_autoptr (GPtrArray) blocks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  GWeakRef *dialog = g_new (GWeakRef, 1);

  g_ptr_array_add (blocks, fh_answer_block_new (block->language, block->code));
  g_weak_ref_init (dialog, self->question);
  fh_approval_dialog_set_look (FH_APPROVAL_DIALOG (self->question), _ ("Looking at the code…"));
  fh_code_look_async (blocks, options, self->cancellable, looked_cb, dialog);
}

/* Names the guards that stand between the block and the computer. */
static char *
dup_guards (FhTab *self, const FhRunOptions *options)
{
  const FhRunGuards *guards = &options->guards;
  g_autoptr (FhProtection) protection =
      fh_probes_get (fh_services_get_probes (self->services), options, FALSE);
  const gboolean has_network =
      options->in_container ? options->container.network != NULL
                            : !fh_run_guards_have (guards, FH_GUARD_NETWORK) ||
                                  (guards->allow_hosts != NULL && guards->allow_hosts[0] != NULL);
  g_autofree char *summary = fh_run_options_summarize (options);

  return g_strdup_printf ("%s · %s · %s",
                          fh_protection_get_title_without (protection, guards->without),
                          has_network ? _ ("with network") : _ ("no network"),
                          summary);
}

void
fh_tab_ask (FhTab *self, FhStep *step)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  const FhAnswerBlock *block = fh_step_get_block (step);
  const FhRunOptions *options = fh_series_get_options (self->series);
  g_autofree char *summary = dup_guards (self, options);
  /* Translators: the name of a language, such as Python. */
  g_autofree char *question =
      g_strdup_printf (_ ("The answer wants to run this %s code"), block->language->name);

  fh_tab_drop_question (self);
  self->asked = block->language;
  self->question = fh_approval_dialog_new (question, block->code, summary);
  fh_approval_dialog_offer_always (FH_APPROVAL_DIALOG (self->question));
  fh_connect (self->question, "answered", answered_cb, self);
  fh_connect (self->question, "destroy", destroyed_cb, self);
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (self->question), GTK_WINDOW (root));
  gtk_window_set_modal (GTK_WINDOW (self->question), TRUE);
  gtk_window_present (GTK_WINDOW (self->question));
  look_at (self, block, options);
}

/* (transfer full): the `n_blocks` from number `first` on. */
static GPtrArray *
take_blocks (GPtrArray *all, guint first, guint n_blocks)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);

  while (blocks->len < n_blocks && first <= all->len)
    g_ptr_array_add (blocks, g_ptr_array_steal_index (all, first - 1));
  /* Someone who runs just this one does not want it saved. */
  if (n_blocks == 1 && blocks->len == 1 &&
      ((FhAnswerBlock *) blocks->pdata[0])->action == FH_BLOCK_SAVE)
    fh_answer_block_set_action (blocks->pdata[0], first, FH_BLOCK_RUN);
  return blocks;
}

static void
start (FhTab *self, GPtrArray *blocks, guint first)
{
  g_autoptr (FhRunOptions) options = fh_options_dup_run_values (self->options);
  g_autoptr (FhResultFiles) files = NULL;

  /* What runs later may need what earlier ones have made. */
  if (first > 1 && fh_tab_shows (self, FH_RECORD_ANSWER))
    files = fh_series_dup_files (self->series);
  else if (first > 1 && self->result != NULL &&
           fh_run_result_get_parts (self->result)->blocks != NULL)
    files = g_object_ref (fh_run_result_get_parts (self->result)->files);
  fh_tab_end_series (self);
  fh_tab_begin_comparison (self);
  self->moved_since_run = FALSE;
  fh_output_view_show_pages (FH_OUTPUT_VIEW (self->output), &(FhShownResult){ NULL });
  fh_editor_blocks_begin (fh_editor_view_get_blocks (self->editor), first, blocks->len);
  fh_tab_start_series (self,
                       fh_series_new_answer (self->executor, blocks, first, options, files, TRUE),
                       FH_RECORD_ANSWER,
                       fh_document_get_text (self->document),
                       blocks,
                       first);
  fh_options_end_run (self->options);
}

gboolean
fh_tab_run_blocks (FhTab *self, guint first, guint n_blocks)
{
  g_autoptr (GPtrArray) all = find_chosen_blocks (self);
  g_autoptr (GPtrArray) blocks = NULL;
  g_autofree char *problem = NULL;

  if (all == NULL)
    return FALSE;
  fh_tab_look_for_answer (self);
  g_object_get (self->options, "problem", &problem, NULL);
  blocks = take_blocks (all, first, n_blocks);
  if (problem != NULL || blocks->len == 0)
    fh_toast_show_problem (GTK_WIDGET (self),
                           problem != NULL ? problem : _ ("No code blocks to execute."));
  else
    start (self, blocks, first);
  return TRUE;
}

gboolean
fh_tab_run_answer (FhTab *self, FhRunResult *again)
{
  GPtrArray *runs = again != NULL ? fh_run_result_get_parts (again)->blocks : NULL;
  const FhBlockRun *first = runs != NULL ? runs->pdata[0] : NULL;
  /* A block that runs alone is not saved, but the last one of several may have been. */
  const gboolean is_all = first == NULL || (runs->len == 1 && first->end == FH_BLOCK_END_SAVED);

  return fh_tab_run_blocks (self,
                            first != NULL ? first->number : 1,
                            is_all ? G_MAXUINT : runs->len);
}

void
fh_tab_restore_choices (FhTab *self, GPtrArray *runs)
{
  g_autoptr (GPtrArray) blocks = fh_tab_find_blocks (self);

  for (guint i = 0; blocks != NULL && runs != NULL && i < runs->len; i++)
    {
      const FhBlockRun *run = runs->pdata[i];
      const FhAnswerBlock *block =
          run->number <= blocks->len ? blocks->pdata[run->number - 1] : NULL;

      if (block == NULL || run->language == NULL)
        continue;
      if (run->language != block->language)
        fh_answer_choices_set_language (self->choices, block, run->language);
      if (run->end == FH_BLOCK_END_SAVED && block->action != FH_BLOCK_SAVE)
        fh_answer_choices_set_policy (self->choices, blocks, run->language, FH_BLOCK_SAVE);
    }
}
