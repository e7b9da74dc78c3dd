/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-program.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients.h"
#include "descriptor.h"

/* Must not overwrite a file in a folder with other files. */
static char *
program_name (FhContainerInstance *instance, const FhLanguage *language)
{
  if (!fh_container_instance_is_shared (instance))
    return g_strdup (language->file_name);
  return g_strdup_printf (FH_SHARED_PROGRAM_PREFIX "%08x-%s", g_random_int (), language->file_name);
}

FhOrder *
fh_container_program_order (FhContainerInstance *instance,
                            FhRunRequest *request,
                            GPtrArray *files,
                            gboolean needs_files,
                            GError **error)
{
  const FhLanguage *language = fh_run_request_get_parts (request)->language;
  const char *name = fh_run_request_get_parts (request)->interpreter;
  const FhInterpreter interpreter = {
    .path = (char *) (name != NULL ? name : language->interpreter),
  };
  g_autofree char *time_zone = fh_time_zone_of_user ();
  g_autofree char *program = program_name (instance, language);
  g_autoptr (FhOrder) order = fh_order_new (
      &(FhPolicyParts){
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
      },
      error);

  if (order == NULL)
    return NULL;
  order->files = files != NULL ? g_ptr_array_ref (files) : NULL;
  order->left = needs_files ? fh_result_files_new () : NULL;
  order->container = fh_container_options_copy (instance->options);
  fh_container_instance_get_layers (instance, order->layers);
  fh_container_folders_add_proofs (instance->folders, order->policy);
  return fh_order_encode (order, error) ? g_steal_pointer (&order) : NULL;
}

FhRunner *
fh_container_program_start_client (FhContainerInstance *instance, GError **error)
{
  g_auto (GStrv) command = fh_container_instance_command (instance);
  g_auto (GStrv) environment = fh_engine_environment ();

  FhRunner *runner = fh_runner_start_client ((const char *const *) command,
                                             (const char *const *) environment,
                                             error);

  if (runner != NULL && !instance->options->is_kept)
    fh_container_leftovers_note (instance->engine, instance->name);
  return runner;
}

char *
fh_container_program_dup_missing (const FhOrder *order, FhContainerInstance *instance)
{
  const char *program = fh_run_request_get_parts (order->request)->interpreter;

  if (program == NULL)
    program = fh_run_request_get_parts (order->request)->language->interpreter;
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
fh_container_program_clear_up (const FhOrder *order, FhContainerInstance *instance)
{
  FhOpenedPath *workspace = instance->folders->opened;
  fh_autofd int fd = -1;

  if (workspace == NULL || instance->options->bind_dir != NULL)
    return;
  fd = openat (workspace->fd,
               order->program,
               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0 && holds (fd, fh_run_request_get_parts (order->request)->source))
    unlinkat (workspace->fd, order->program, 0);
}
