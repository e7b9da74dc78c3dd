/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order.h"

#include "runner-locator.h"
#include "systemd-scope.h"

FhOrder *
fh_order_new (const FhPolicyParts *parts, GError **error)
{
  g_autoptr (FhOrder) self = g_rc_box_new0 (FhOrder);

  self->request = g_object_ref (parts->request);
  self->tier = parts->tier;
  self->cpu = -1;
  self->program = g_strdup (parts->program);
  self->is_shared = parts->is_shared;
  self->policy = fh_policy_build (parts);
  self->messages = fh_policy_build_messages (parts, error);
  return self->messages != NULL ? g_steal_pointer (&self) : NULL;
}

FhOrder *
fh_order_new_probe (struct fh_policy *policy)
{
  FhOrder *self = g_rc_box_new0 (FhOrder);

  self->policy = policy;
  self->cpu = -1;
  return self;
}

FhOrder *
fh_order_ref (FhOrder *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  FhOrder *self = data;

  g_clear_object (&self->request);
  g_clear_pointer (&self->policy, fh_policy_free);
  g_clear_pointer (&self->frame, g_bytes_unref);
  g_clear_pointer (&self->messages, g_bytes_unref);
  g_free (self->program);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->next, g_bytes_unref);
  g_strfreev (self->shown);
  g_clear_pointer (&self->container, fh_container_options_free);
  for (gsize i = 0; i < G_N_ELEMENTS (self->layers); i++)
    g_free (self->layers[i]);
  g_clear_object (&self->left);
  g_clear_object (&self->waiting);
}

void
fh_order_unref (FhOrder *self)
{
  g_rc_box_release_full (self, clear);
}

gboolean
fh_order_encode (FhOrder *self, GError **error)
{
  g_clear_pointer (&self->frame, g_bytes_unref);
  self->frame = fh_policy_to_frame (self->policy, error);
  return self->frame != NULL;
}

void
fh_order_set_cell (FhOrder *self, guint32 number)
{
  const FhPolicyParts parts = { .request = self->request, .tier = self->tier };

  g_bytes_unref (self->messages);
  self->messages = fh_policy_build_cell (&parts, number);
}

static void
send_files (FhFrameStream *stream, GPtrArray *files)
{
  for (guint i = 0; files != NULL && i < files->len; i++)
    fh_frame_stream_send_file (stream, files->pdata[i]);
}

/* A sandbox that stays has some already, which are only compared with. */
static void
send_request_files (const FhOrder *self, FhFrameStream *stream)
{
  GPtrArray *files = fh_run_request_get_parts (self->request)->files;

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      FhRunFile file = *(const FhRunFile *) files->pdata[i];

      file.is_there = self->next != NULL && !file.is_new;
      fh_frame_stream_send_file (stream, &file);
    }
}

/* The end of the input is told if it would stay open otherwise. */
static void
send_input (FhRunRequest *request, FhFrameStream *stream)
{
  GBytes *input = fh_run_request_get_parts (request)->standard_input;

  if (input != NULL)
    fh_frame_stream_send_input (stream, input);
  if (fh_run_request_get_parts (request)->input_stays && !fh_run_request_takes_live_input (request))
    fh_frame_stream_send_frame (stream, FH_FRAME_INPUT, NULL);
}

static void
send_cell (const FhOrder *self, FhFrameStream *stream)
{
  g_autoptr (GBytes) limits = fh_policy_build_cell_limits (self->request);

  fh_frame_stream_send_input (stream, self->messages);
  fh_frame_stream_send_frame (stream, FH_FRAME_RUN, limits);
}

static void
send_program (const FhOrder *self, FhRunner *runner)
{
  FhFrameStream *stream = runner->stream;
  const char *usual = fh_run_request_get_parts (self->request)->language->file_name;
  const FhRunFile program = {
    .path = self->program != NULL ? self->program : (char *) usual,
    .content = fh_run_request_get_parts (self->request)->source,
  };

  send_files (stream, self->files);
  if (fh_run_request_get_parts (self->request)->cell != NULL)
    {
      send_cell (self, stream);
      return;
    }
  if (!self->has_all_files)
    send_request_files (self, stream);
  fh_frame_stream_send_file (stream, &program);
  if (self->next != NULL || fh_run_request_get_parts (self->request)->hands_on)
    fh_frame_stream_send_frame (stream, FH_FRAME_HAND_ON, NULL);
  if (self->next != NULL)
    fh_frame_stream_send (stream, self->next);
  send_input (self->request, stream);
  fh_frame_stream_send_frame (stream, FH_FRAME_RUN, self->messages);
}

void
fh_order_send_program (const FhOrder *self, FhRunner *runner)
{
  fh_frame_stream_hold (runner->stream, TRUE);
  send_program (self, runner);
  fh_frame_stream_hold (runner->stream, FALSE);
}

/* A sandbox for many runs is prepared in any case. */
static void
send_all (const FhOrder *self, FhRunner *runner)
{
  FhFrameStream *stream = runner->stream;
  const gboolean has_program = self->request != NULL && !self->is_ahead;
  const gboolean prepares =
      self->policy->kind != FH_POLICY_SINGLE || (!has_program && fh_policy_can_wait (self->policy));

  fh_frame_stream_send (stream, self->frame);
  if (prepares)
    fh_frame_stream_send_frame (stream, FH_FRAME_PREPARE, NULL);
  if (has_program)
    fh_order_send_program (self, runner);
  else if (!prepares)
    fh_frame_stream_send_frame (stream, FH_FRAME_RUN, NULL);
}

static void
scope_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhOrder) self = user_data;
  g_autoptr (FhRunner) runner = g_steal_pointer (&self->waiting);
  g_autoptr (GError) error = NULL;

  if (fh_systemd_scope_start_finish (result, &error))
    {
      self->policy->flags |= FH_POLICY_SCOPE;
      fh_order_encode (self, NULL);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  else
    g_debug ("no control group for this run: %s", error->message);
  send_all (self, runner);
}

/* A scope is for the limits that the kernel enforces. An engine has its own. */
static gboolean
needs_scope (const struct fh_policy *policy)
{
  return policy->tier != FH_WIRE_TIER_UNPROTECTED && policy->tier != FH_WIRE_TIER_CONTAINER &&
         (policy->memory_bytes > 0 || policy->processes > 0);
}

void
fh_order_send (FhOrder *self, FhRunner *runner)
{
  const GPid pid = fh_runner_get_pid (runner);

  if (pid == 0 || !needs_scope (self->policy) || !fh_systemd_may_exist ())
    {
      send_all (self, runner);
      return;
    }
  self->waiting = g_object_ref (runner);
  fh_systemd_scope_start_async (pid, runner->closing, scope_cb, fh_order_ref (self));
}

FhRunner *
fh_order_start (FhOrder *self, GError **error)
{
  g_autofree char *path = fh_runner_locate ();
  g_autoptr (FhPortalFolder) folder = NULL;
  FhRunner *runner;

  if (!fh_portal_folder_prepare (self->policy, &folder, error))
    return NULL;
  /* The policy names the folder now. */
  if ((folder != NULL || self->frame == NULL) && !fh_order_encode (self, error))
    return NULL;
  runner = fh_runner_start (path, self->cpu, g_steal_pointer (&folder), error);
  if (runner != NULL)
    fh_order_send (self, runner);
  return runner;
}
