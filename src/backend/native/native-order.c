/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "native-order.h"

#include "folder-exchange.h"
#include "run-driver.h"
#include "run-error.h"
#include "runner-locator.h"
#include "work-folder.h"

FhNativeWork *
fh_native_work_new (FhRun *run)
{
  FhRunRequest *request = fh_run_get_request (run);
  const FhRunOptions *options = fh_run_request_get_parts (request)->options;
  const char *project = fh_run_options_get_project (options);
  FhNativeWork *self;

  if (options->in_container || (options->work_dir == NULL && project == NULL))
    return NULL;
  self = g_atomic_rc_box_new0 (FhNativeWork);
  self->path = g_strdup (project != NULL ? project : options->work_dir);
  self->run = project != NULL ? g_object_ref (run) : NULL;
  self->program = g_strdup_printf (FH_SHARED_PROGRAM_PREFIX "%08x-%s",
                                   g_random_int (),
                                   fh_run_request_get_parts (request)->language->file_name);
  self->left = fh_run_guards_collect_files (&options->guards)
                   ? g_object_ref (fh_run_get_files (run))
                   : fh_result_files_new ();
  self->cancellable = g_cancellable_new ();
  return self;
}

static void
clear (gpointer data)
{
  FhNativeWork *self = data;

  g_clear_pointer (&self->lock, fh_run_lock_free);
  g_clear_pointer (&self->folder, fh_opened_path_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->project, fh_project_copy_free);
  g_clear_object (&self->changes);
  g_clear_object (&self->run);
  g_clear_object (&self->left);
  g_clear_object (&self->cancellable);
  g_free (self->path);
  g_free (self->program);
  g_free (self->step);
  g_free (self->message);
}

static void
release (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

void
fh_native_work_free (FhNativeWork *self)
{
  if (self == NULL)
    return;
  self->done = NULL;
  if (!self->is_saving)
    g_cancellable_cancel (self->cancellable);
  release (self);
}

/* The contents of all changes are among the files, also of those that an earlier run made. */
static void
tell_changes (FhNativeWork *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->changes)); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (self->changes, i);
      const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
      g_autoptr (FhResultFile) file = NULL;

      if (facts->content == NULL || fh_result_files_has (self->left, facts->path))
        continue;
      file = fh_result_file_new (
          &(FhResultFileFacts){ .path = facts->path,
                                .size = facts->new_size,
                                .is_changed = facts->kind == FH_FOLDER_CHANGE_CHANGED,
                                .content = facts->content });
      fh_result_files_add (self->left, file);
    }
  fh_run_set_changes (self->run, self->changes);
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhNativeWork *self = g_task_get_task_data (G_TASK (result));
  FhNativeWorkFunc done = g_steal_pointer (&self->done);
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (done == NULL)
    return;
  if (self->changes != NULL)
    tell_changes (self);
  if (self->is_saving && error != NULL && self->outcome.message == NULL)
    self->outcome.message = self->message = g_strdup (error->message);
  done (error, self->user_data);
}

static void
work (FhNativeWork *self, GTaskThreadFunc function, FhNativeWorkFunc done, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, done_cb, NULL);

  self->done = done;
  self->user_data = user_data;
  g_task_set_task_data (task, g_atomic_rc_box_acquire (self), release);
  g_task_run_in_thread (task, function);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FhNativeWork *self = data;
  GError *error = NULL;

  self->folder = fh_work_folder_make (self->path, &error);
  if (self->folder != NULL)
    self->lock = fh_run_lock_new (&error);
  if (self->lock != NULL && fh_run_lock_take_folder (self->lock, self->folder, &error))
    self->files = fh_exchange_read (self->folder, FALSE, NULL, cancellable, &error);
  if (self->files != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
open_project_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FhNativeWork *self = data;
  FhRunRequest *request = fh_run_get_request (self->run);
  GPtrArray *handed = fh_run_request_get_parts (request)->files;
  GError *error = NULL;

  self->project = fh_project_copy_new (self->path, handed, !self->is_refused, cancellable, &error);
  if (self->project == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->project->removed = g_strdupv ((GStrv) fh_run_request_get_parts (request)->removed);
  self->files = fh_project_copy_list (self->project);
  g_task_return_boolean (task, TRUE);
}

/* One that is mounted is there when the sandbox is made: it serves one run, in namespaces. */
static gboolean
can_be_mounted (FhNativeWork *self, FhTier tier)
{
  return tier == FH_TIER_NAMESPACES && !self->is_refused &&
         fh_run_request_get_parts (fh_run_get_request (self->run))->cell == NULL;
}

gboolean
fh_native_work_is_open (FhNativeWork *self, FhTier tier)
{
  return self->files != NULL &&
         (self->project == NULL || !self->project->is_mounted || can_be_mounted (self, tier));
}

gboolean
fh_native_work_is_refused (FhNativeWork *self, const FhRunOutcome *outcome)
{
  if (self->project == NULL || !self->project->is_mounted ||
      outcome->status != FH_RUN_STATUS_GUARD_FAILED ||
      g_strcmp0 (outcome->step, "project-folder") != 0)
    return FALSE;
  self->is_refused = TRUE;
  return TRUE;
}

void
fh_native_work_open (FhNativeWork *self, FhTier tier, FhNativeWorkFunc opened, gpointer user_data)
{
  g_return_if_fail (self->folder == NULL && self->done == NULL);

  g_clear_pointer (&self->project, fh_project_copy_free);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  self->is_refused = self->run != NULL && !can_be_mounted (self, tier);
  work (self, self->run != NULL ? open_project_in_thread : open_in_thread, opened, user_data);
}

/* The program may have changed its own file, which does not belong to the folder. */
static FhResultFiles *
without_program (FhNativeWork *self)
{
  FhResultFiles *files = fh_result_files_new ();

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->left)); i++)
    {
      FhResultFile *file = fh_result_files_get (self->left, i);

      if (!g_str_equal (fh_result_file_get_facts (file)->path, self->program))
        fh_result_files_add (files, file);
    }
  fh_result_files_set_left_out (files,
                                fh_result_files_get_facts (self->left)->n_left_out,
                                fh_result_files_get_facts (self->left)->is_incomplete);
  return files;
}

/* First what is gone, because the program may have put a folder in place of a file. */
static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FhNativeWork *self = data;
  g_autoptr (FhResultFiles) files = without_program (self);
  g_autoptr (GError) undeleted = NULL;
  GError *error = NULL;

  fh_exchange_delete (self->folder,
                      self->files,
                      fh_result_files_get_facts (self->left)->gone,
                      &undeleted);
  fh_exchange_write (self->folder, files, &error);
  g_clear_pointer (&self->lock, fh_run_lock_free);
  if (error == NULL)
    error = g_steal_pointer (&undeleted);
  if (error == NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
compare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FhNativeWork *self = data;

  self->changes = fh_project_copy_find_changes (self->project, self->left, self->program);
  g_task_return_boolean (task, TRUE);
}

void
fh_native_work_save (FhNativeWork *self,
                     FhRunConversation *conversation,
                     const FhRunOutcome *outcome,
                     FhNativeWorkFunc saved,
                     gpointer user_data)
{
  g_return_if_fail (self != NULL && self->files != NULL && !self->is_saving);

  self->is_saving = TRUE;
  self->step = g_strdup (outcome->step);
  self->message = g_strdup (outcome->message);
  self->outcome = *outcome;
  self->outcome.step = self->step;
  self->outcome.message = self->message;
  fh_run_conversation_close (conversation);
  work (self, self->run != NULL ? compare_in_thread : save_in_thread, saved, user_data);
}

/* The order */

/* The descriptor stays open, so that no other folder gets its numbers. */
static void
add_project (struct fh_policy *policy, const FhOpenedPath *project)
{
  policy->flags |= FH_POLICY_PROJECT;
  policy->proofs = g_new0 (struct fh_proof, 1);
  policy->n_proofs = 1;
  policy->proofs[0] =
      (struct fh_proof){ g_strdup (project->path), project->device, project->inode };
}

static void
add_shown (GPtrArray *shown, GStrv more)
{
  for (gsize i = 0; more[i] != NULL; i++)
    {
      if (!g_ptr_array_find_with_equal_func (shown, more[i], g_str_equal, NULL))
        g_ptr_array_add (shown, g_strdup (more[i]));
    }
}

/* Returns what all need that may share the sandbox. A program whose interpreter is not there will
 * say so when its turn comes. */
static GStrv
find_shown (FhRunRequest *request, gboolean *has_python)
{
  const char *const *shares = fh_run_request_get_parts (request)->shares;
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; shares[i] != NULL; i++)
    {
      const FhLanguage *language = fh_language_lookup (shares[i]);
      const gboolean is_python = g_str_equal (shares[i], "python");
      g_autoptr (FhInterpreter) interpreter = NULL;

      if (language != NULL)
        interpreter = fh_interpreter_resolve (
            language,
            is_python ? fh_run_request_get_parts (request)->shared_python : NULL,
            NULL);
      if (interpreter == NULL)
        continue;
      *has_python = *has_python || is_python;
      add_shown (shown, interpreter->shown);
    }
  g_ptr_array_add (shown, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&shown), FALSE);
}

/* Elsewhere a process could outlive the end of all, or the files are not the sandbox's own. */
static gboolean
can_share (FhRunRequest *request, FhTier tier)
{
  const FhRunOptions *options = fh_run_request_get_parts (request)->options;

  return fh_run_request_get_parts (request)->shares != NULL &&
         (tier == FH_TIER_NAMESPACES || tier == FH_TIER_BUBBLEWRAP) && options->work_dir == NULL &&
         options->project == NULL;
}

static void
add_files (FhOrder *self, const FhNativeWork *work)
{
  self->files = g_ptr_array_ref (work->files);
  self->has_all_files = TRUE;
  self->left = g_object_ref (work->left);
  if (work->project != NULL && work->project->is_mounted)
    add_project (self->policy, work->project->folder);
}

FhOrder *
fh_native_order_new (FhRunRequest *request, FhTier tier, const FhNativeWork *work, GError **error)
{
  g_autofree char *guest_folder = fh_runner_locate_guest_folder ();
  g_autofree char *time_zone = fh_time_zone_of_user ();
  g_autoptr (FhInterpreter) interpreter =
      fh_interpreter_resolve (fh_run_request_get_parts (request)->language,
                              fh_run_request_get_parts (request)->interpreter,
                              error);
  FhPolicyParts parts = {
    .request = request,
    .interpreter = interpreter,
    .guest_folder = guest_folder,
    .time_zone = time_zone,
    .tier = tier,
    .program = work != NULL ? work->program : NULL,
    .is_shared = can_share (request, tier),
  };
  g_autoptr (FhOrder) self = NULL;
  g_auto (GStrv) shown = NULL;

  if (interpreter == NULL || !fh_runner_check_guest_folder (guest_folder, error))
    return NULL;
  shown =
      parts.is_shared ? find_shown (request, &parts.has_python) : g_strdupv (interpreter->shown);
  parts.shown = (const char *const *) shown;
  self = fh_order_new (&parts, error);
  if (self == NULL)
    return NULL;
  self->shown = g_steal_pointer (&shown);
  if (work != NULL)
    add_files (self, work);
  return fh_order_encode (self, error) ? g_steal_pointer (&self) : NULL;
}

FhRunStatus
fh_native_order_status_of (const GError *error)
{
  gboolean ours = error->domain != FH_RUN_ERROR || error->code == FH_RUN_ERROR_UNAVAILABLE;

  return ours ? FH_RUN_STATUS_INTERNAL_ERROR : FH_RUN_STATUS_NOT_STARTED;
}
