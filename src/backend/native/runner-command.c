/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-command.h"

#include "policy-builder.h"
#include "run-conversation.h"
#include "systemd-bus.h"
#include "systemd-scope.h"

struct _FhRunnerCommand
{
  GBytes *frame; /* the policy */
  gboolean needs_scope;
  gboolean prepares;
  FhRunRequest *request;    /* nullable */
  GBytes *messages;         /* nullable */
  char *program;            /* nullable */
  GPtrArray *files;         /* nullable */
  FhRunnerProcess *process; /* set while it waits for its scope */
};

/* A scope is for the limits that the kernel enforces. */
static gboolean
needs_scope (const struct fh_policy *policy)
{
  return policy->tier != FH_WIRE_TIER_UNPROTECTED &&
         (policy->memory_bytes > 0 || policy->processes > 0);
}

FhRunnerCommand *
fh_runner_command_new (struct fh_policy *policy,
                       FhRunRequest *request,
                       GBytes *messages,
                       GError **error)
{
  g_autoptr (FhRunnerCommand) self = g_new0 (FhRunnerCommand, 1);

  g_return_val_if_fail (policy != NULL, NULL);

  g_set_object (&self->request, request);
  self->messages = messages != NULL ? g_bytes_ref (messages) : NULL;
  self->prepares =
      policy->kind != FH_POLICY_SINGLE || (request == NULL && fh_policy_can_wait (policy));
  self->needs_scope = needs_scope (policy);
  self->frame = fh_policy_to_frame (policy, error);
  fh_policy_free (policy);
  return self->frame != NULL ? g_steal_pointer (&self) : NULL;
}

void
fh_runner_command_set_work (FhRunnerCommand *self, const char *program, GPtrArray *files)
{
  g_return_if_fail (self != NULL && self->files == NULL);

  self->program = g_strdup (program);
  self->files = g_ptr_array_ref (files);
}

void
fh_runner_command_free (FhRunnerCommand *self)
{
  g_clear_pointer (&self->frame, g_bytes_unref);
  g_clear_pointer (&self->messages, g_bytes_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_free (self->program);
  g_clear_object (&self->request);
  g_clear_object (&self->process);
  g_free (self);
}

static void
send_cell (FhRunnerProcess *process, FhRunRequest *request, GBytes *messages)
{
  g_autoptr (GBytes) payload = fh_policy_build_cell_limits (request);

  fh_runner_process_send_input (process, messages);
  fh_runner_process_send_frame (process, FH_FRAME_RUN, payload);
}

void
fh_runner_command_send_program (FhRunnerProcess *process,
                                FhRunRequest *request,
                                const char *program,
                                GBytes *messages)
{
  if (fh_run_request_get_cell (request) != NULL)
    {
      send_cell (process, request, messages);
      return;
    }
  /* In a project they are among its files. */
  if (program == NULL)
    fh_runner_process_send_files (process, fh_run_request_get_files (request));
  fh_runner_process_send_file (process,
                               program != NULL ? program
                                               : fh_run_request_get_language (request)->file_name,
                               fh_run_request_get_source (request));
  if (fh_run_request_hands_on (request))
    fh_runner_process_send_frame (process, FH_FRAME_HAND_ON, NULL);
  fh_run_conversation_send_input (process, request);
  fh_runner_process_send_frame (process, FH_FRAME_RUN, messages);
}

void
fh_runner_command_send_next (FhRunnerProcess *process,
                             FhRunRequest *request,
                             GBytes *program,
                             GBytes *messages)
{
  GPtrArray *files = fh_run_request_get_files (request);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      FhRunFile *file = fh_run_file_copy (files->pdata[i]);

      file->is_there = !file->is_new;
      g_ptr_array_add (all, file);
    }
  fh_runner_process_send_files (process, all);
  fh_runner_process_send_file (process,
                               fh_run_request_get_language (request)->file_name,
                               fh_run_request_get_source (request));
  fh_runner_process_send_frame (process, FH_FRAME_HAND_ON, NULL);
  fh_runner_process_send (process, program);
  fh_run_conversation_send_input (process, request);
  fh_runner_process_send_frame (process, FH_FRAME_RUN, messages);
}

static void
send_all (FhRunnerCommand *self, FhRunnerProcess *process)
{
  fh_runner_process_send (process, self->frame);
  if (self->prepares)
    fh_runner_process_send_frame (process, FH_FRAME_PREPARE, NULL);
  if (self->files != NULL)
    fh_runner_process_send_files (process, self->files);
  if (self->request != NULL)
    fh_runner_command_send_program (process, self->request, self->program, self->messages);
  else if (!self->prepares)
    fh_runner_process_send_frame (process, FH_FRAME_RUN, NULL);
}

static void
set_scope (FhRunnerCommand *self)
{
  gsize size;
  guint8 *frame = g_bytes_unref_to_data (g_steal_pointer (&self->frame), &size);

  fh_policy_add_flags (frame, FH_POLICY_SCOPE);
  self->frame = g_bytes_new_take (frame, size);
}

static void
scope_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunnerCommand) self = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_systemd_scope_start_finish (result, &error))
    set_scope (self);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  else
    g_debug ("no control group for this run: %s", error->message);
  send_all (self, self->process);
}

void
fh_runner_command_send (FhRunnerCommand *self, FhRunnerProcess *process, GCancellable *cancellable)
{
  GPid pid = fh_runner_process_get_pid (process);

  if (pid != 0 && self->needs_scope && fh_systemd_bus_may_exist ())
    {
      self->process = g_object_ref (process);
      fh_systemd_scope_start_async (pid, cancellable, scope_cb, self);
      return;
    }
  send_all (self, process);
  fh_runner_command_free (self);
}
