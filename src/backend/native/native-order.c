/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "native-order.h"

#include "run-error.h"
#include "runner-locator.h"

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
  const char *const *shares = fh_run_request_get_shares (request);
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; shares[i] != NULL; i++)
    {
      const FhLanguage *language = fh_language_lookup (shares[i]);
      const gboolean is_python = g_str_equal (shares[i], "python");
      g_autoptr (FhInterpreter) interpreter = NULL;

      if (language != NULL)
        interpreter =
            fh_interpreter_resolve (language,
                                    is_python ? fh_run_request_get_shared_python (request) : NULL,
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
  const FhRunOptions *options = fh_run_request_get_options (request);

  return fh_run_request_get_shares (request) != NULL &&
         (tier == FH_TIER_NAMESPACES || tier == FH_TIER_BUBBLEWRAP) && options->work_dir == NULL &&
         options->project == NULL;
}

static void
add_files (FhOrder *self, const FhNativeFiles *files)
{
  self->files = g_ptr_array_ref (files->files);
  self->has_all_files = TRUE;
  self->left = g_object_ref (files->left);
  if (files->project != NULL)
    add_project (self->policy, files->project);
}

FhOrder *
fh_native_order_new (FhRunRequest *request, FhTier tier, const FhNativeFiles *files, GError **error)
{
  g_autofree char *guest_folder = fh_runner_locate_guest_folder ();
  g_autofree char *time_zone = fh_time_zone_of_user ();
  g_autoptr (FhInterpreter) interpreter =
      fh_interpreter_resolve (fh_run_request_get_language (request),
                              fh_run_request_get_interpreter (request),
                              error);
  FhPolicyParts parts = {
    .request = request,
    .interpreter = interpreter,
    .guest_folder = guest_folder,
    .time_zone = time_zone,
    .tier = tier,
    .program = files != NULL ? files->program : NULL,
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
  if (files != NULL)
    add_files (self, files);
  return fh_order_encode (self, error) ? g_steal_pointer (&self) : NULL;
}

FhRunStatus
fh_native_order_status_of (const GError *error)
{
  gboolean ours = error->domain != FH_RUN_ERROR || error->code == FH_RUN_ERROR_UNAVAILABLE;

  return ours ? FH_RUN_STATUS_INTERNAL_ERROR : FH_RUN_STATUS_NOT_STARTED;
}
