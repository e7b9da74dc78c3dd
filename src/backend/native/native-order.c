/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "native-order.h"

#include "policy-builder.h"
#include "run-error.h"
#include "runner-locator.h"
#include "time-zone.h"

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

static gboolean
build (FhNativeOrder *self, GError **error)
{
  const FhPolicyParts parts = {
    .request = self->request,
    .interpreter = self->interpreter,
    .guest_folder = self->guest_folder,
    .time_zone = self->time_zone,
    .tier = self->tier,
    .program = self->program,
    .is_shared = self->shown != NULL,
    .shown = (const char *const *) self->shown,
    .has_python = self->has_python,
  };

  g_clear_pointer (&self->policy, fh_policy_free);
  g_clear_pointer (&self->messages, g_bytes_unref);
  self->policy = fh_policy_build (&parts);
  if (self->project != NULL)
    add_project (self->policy, self->project);
  self->messages = fh_policy_build_messages (&parts, error);
  return self->messages != NULL;
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

/* A program whose interpreter is not there will say so when its turn comes. */
static void
find_shown (FhNativeOrder *self)
{
  const char *const *shares = fh_run_request_get_shares (self->request);
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; shares[i] != NULL; i++)
    {
      const FhLanguage *language = fh_language_lookup (shares[i]);
      const gboolean is_python = g_str_equal (shares[i], "python");
      g_autoptr (FhInterpreter) interpreter = NULL;

      if (language != NULL)
        interpreter = fh_interpreter_resolve (
            language,
            is_python ? fh_run_request_get_shared_python (self->request) : NULL,
            NULL);
      if (interpreter == NULL)
        continue;
      self->has_python = self->has_python || is_python;
      add_shown (shown, interpreter->shown);
    }
  g_ptr_array_add (shown, NULL);
  self->shown = (GStrv) g_ptr_array_free (g_steal_pointer (&shown), FALSE);
}

/* Elsewhere a process could outlive the end of all, or the files are not the sandbox's own. */
static gboolean
can_share (FhNativeOrder *self)
{
  const FhRunOptions *options = fh_run_request_get_options (self->request);

  return fh_run_request_get_shares (self->request) != NULL &&
         (self->tier == FH_TIER_NAMESPACES || self->tier == FH_TIER_BUBBLEWRAP) &&
         options->work_dir == NULL && options->project == NULL;
}

FhNativeOrder *
fh_native_order_new (FhRunRequest *request, FhTier tier, GError **error)
{
  g_autoptr (FhNativeOrder) self = g_new0 (FhNativeOrder, 1);

  self->request = g_object_ref (request);
  self->tier = tier;
  self->cpu = -1;
  self->guest_folder = fh_runner_locate_guest_folder ();
  self->time_zone = fh_time_zone_of_user ();
  self->interpreter = fh_interpreter_resolve (fh_run_request_get_language (request),
                                              fh_run_request_get_interpreter (request),
                                              error);
  if (self->interpreter == NULL || !fh_runner_check_guest_folder (self->guest_folder, error))
    return NULL;
  if (can_share (self))
    find_shown (self);
  if (!build (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
fh_native_order_set_work (FhNativeOrder *self,
                          const char *program,
                          GPtrArray *files,
                          FhOpenedPath *project,
                          FhResultFiles *left,
                          GError **error)
{
  g_return_val_if_fail (self != NULL && self->files == NULL, FALSE);
  g_return_val_if_fail (program != NULL && files != NULL, FALSE);

  self->program = g_strdup (program);
  self->files = g_ptr_array_ref (files);
  self->project = project != NULL ? fh_opened_path_ref (project) : NULL;
  self->left = g_object_ref (left);
  return build (self, error);
}

void
fh_native_order_free (FhNativeOrder *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->request);
  g_clear_pointer (&self->interpreter, fh_interpreter_free);
  g_clear_pointer (&self->policy, fh_policy_free);
  g_clear_pointer (&self->messages, g_bytes_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->project, fh_opened_path_unref);
  g_clear_object (&self->left);
  g_strfreev (self->shown);
  g_clear_pointer (&self->next, g_bytes_unref);
  g_free (self->program);
  g_free (self->guest_folder);
  g_free (self->time_zone);
  g_free (self);
}

FhRunStatus
fh_native_order_status_of (const GError *error)
{
  gboolean ours = error->domain != FH_RUN_ERROR || error->code == FH_RUN_ERROR_UNAVAILABLE;

  return ours ? FH_RUN_STATUS_INTERNAL_ERROR : FH_RUN_STATUS_NOT_STARTED;
}

void
fh_native_order_set_cell (FhNativeOrder *self, guint32 number)
{
  const FhPolicyParts parts = { .request = self->request, .tier = self->tier };

  g_bytes_unref (self->messages);
  self->messages = fh_policy_build_cell (&parts, number);
}

FhRunnerCommand *
fh_native_order_make_command (FhNativeOrder *self,
                              FhRunRequest *request,
                              FhPortalFolder **folder,
                              GError **error)
{
  FhRunnerCommand *command;

  if (!fh_portal_folder_prepare (self->policy, folder, error))
    return NULL;
  command = fh_runner_command_new (g_steal_pointer (&self->policy),
                                   request,
                                   request != NULL ? self->messages : NULL,
                                   error);
  if (command != NULL && self->files != NULL)
    fh_runner_command_set_work (command, self->program, self->files);
  return command;
}

void
fh_native_order_send (const FhNativeOrder *self, FhRunnerProcess *process)
{
  if (self->next != NULL)
    {
      fh_runner_command_send_next (process, self->request, self->next, self->messages);
      return;
    }
  if (self->files != NULL)
    fh_runner_process_send_files (process, self->files);
  fh_runner_command_send_program (process, self->request, self->program, self->messages);
}

FhRunEvents *
fh_native_order_make_events (const FhNativeOrder *self, FhRun *run)
{
  FhRunEvents *events = fh_run_events_new (
      run,
      fh_tier_to_string (self->tier),
      (const char *const *) (self->shown != NULL ? self->shown : self->interpreter->shown));

  if (self->left != NULL)
    fh_run_events_set_files (events, self->left);
  return events;
}
