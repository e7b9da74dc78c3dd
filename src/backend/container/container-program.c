/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-program.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "policy-builder.h"
#include "run-conversation.h"
#include "time-zone.h"

struct _FhContainerProgram
{
  FhRunRequest *request;
  GBytes *policy; /* its frame */
  GBytes *messages;
  gboolean can_wait;
  char *program; /* name of the source file */
};

/* Must not overwrite a file in a folder with other files. */
static char *
program_name (FhContainerInstance *instance, const FhLanguage *language)
{
  if (!fh_container_instance_is_shared (instance))
    return g_strdup (language->file_name);
  return g_strdup_printf (FH_SHARED_PROGRAM_PREFIX "%08x-%s", g_random_int (), language->file_name);
}

FhContainerProgram *
fh_container_program_new (FhContainerInstance *instance,
                          FhRunRequest *request,
                          gboolean needs_files,
                          GError **error)
{
  g_autoptr (FhContainerProgram) self = g_new0 (FhContainerProgram, 1);
  const FhLanguage *language = fh_run_request_get_language (request);
  const char *name = fh_run_request_get_interpreter (request);
  const FhInterpreter interpreter = {
    .path = (char *) (name != NULL ? name : language->interpreter),
  };
  g_autofree char *time_zone = fh_time_zone_of_user ();
  g_autofree char *program = program_name (instance, language);
  const FhPolicyParts parts = {
    .request = request,
    .interpreter = &interpreter,
    .guest_folder = instance->guest_folder,
    .time_zone = time_zone,
    .tier = FH_TIER_CONTAINER,
    .container = instance->options,
    .image_environment = (const char *const *) instance->image->environment,
    .program = program,
    .needs_files = needs_files,
    .has_shared_workspace = fh_container_instance_is_shared (instance),
  };
  struct fh_policy *policy;

  self->request = g_object_ref (request);
  self->program = g_steal_pointer (&program);
  self->messages = fh_policy_build_messages (&parts, error);
  if (self->messages == NULL)
    return NULL;
  policy = fh_policy_build (&parts);
  fh_container_folders_add_proofs (instance->folders, policy);
  self->policy = fh_policy_to_frame (policy, error);
  self->can_wait = fh_policy_can_wait (policy);
  fh_policy_free (policy);
  return self->policy != NULL ? g_steal_pointer (&self) : NULL;
}

void
fh_container_program_free (FhContainerProgram *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->request);
  g_clear_pointer (&self->policy, g_bytes_unref);
  g_clear_pointer (&self->messages, g_bytes_unref);
  g_free (self->program);
  g_free (self);
}

GBytes *
fh_container_program_get_policy (FhContainerProgram *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->policy;
}

gboolean
fh_container_program_can_wait (FhContainerProgram *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->can_wait;
}

gboolean
fh_container_program_is_cell (FhContainerProgram *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return fh_run_request_get_cell (self->request) != NULL;
}

void
fh_container_program_set_cell (FhContainerProgram *self, guint32 number)
{
  const FhPolicyParts parts = { .request = self->request, .tier = FH_TIER_CONTAINER };

  g_return_if_fail (self != NULL);

  g_bytes_unref (self->messages);
  self->messages = fh_policy_build_cell (&parts, number);
}

static void
send_cell (FhContainerProgram *self, FhRunnerProcess *process)
{
  g_autoptr (GBytes) limits = fh_policy_build_cell_limits (self->request);

  fh_runner_process_send_input (process, self->messages);
  fh_runner_process_send_frame (process, FH_FRAME_RUN, limits);
}

void
fh_container_program_send (FhContainerProgram *self, GPtrArray *files, FhRunnerProcess *process)
{
  fh_runner_process_send_files (process, files);
  if (fh_container_program_is_cell (self))
    {
      send_cell (self, process);
      return;
    }
  fh_runner_process_send_files (process, fh_run_request_get_files (self->request));
  fh_runner_process_send_file (process, self->program, fh_run_request_get_source (self->request));
  if (fh_run_request_hands_on (self->request))
    fh_runner_process_send_frame (process, FH_FRAME_HAND_ON, NULL);
  fh_run_conversation_send_input (process, self->request);
  fh_runner_process_send_frame (process, FH_FRAME_RUN, self->messages);
}

char *
fh_container_program_dup_missing (FhContainerProgram *self, FhContainerInstance *instance)
{
  const char *program = fh_run_request_get_interpreter (self->request);

  if (program == NULL)
    program = fh_run_request_get_language (self->request)->interpreter;
  return g_strdup_printf (
      /* Translators: the name of an image, then that of a program such as "python3" */
      _ ("The image “%s” has no program “%s”. Choose another image, or an interpreter that it "
         "has."),
      fh_container_options_image (instance->options),
      program);
}

static gboolean
holds (int fd, GBytes *source)
{
  const gsize size = g_bytes_get_size (source);
  g_autofree char *text = g_malloc (size + 1);
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
         read (fd, text, size + 1) == (gssize) size &&
         (size == 0 || memcmp (text, g_bytes_get_data (source, NULL), size) == 0);
}

/* Follows no links. A `bind_dir` may be on another computer. */
void
fh_container_program_clear_up (FhContainerProgram *self, FhContainerInstance *instance)
{
  FhOpenedPath *workspace = instance->folders->opened;
  fh_autofd int fd = -1;

  if (workspace == NULL || instance->options->bind_dir != NULL)
    return;
  fd = openat (workspace->fd,
               self->program,
               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0 && holds (fd, fh_run_request_get_source (self->request)))
    unlinkat (workspace->fd, self->program, 0);
}
