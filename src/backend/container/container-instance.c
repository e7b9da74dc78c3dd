/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-instance.h"

#include <unistd.h>

#include "container-ours.h"
#include "runner-locator.h"
#include "wire-translation.h"

FhContainerInstance *
fh_container_instance_new (const FhContainerOptions *options,
                           const FhRunLimits *limits,
                           const FhRunGuards *guards,
                           gsize input_size,
                           FhContainerRemovals *removals)
{
  FhContainerInstance *self;

  g_return_val_if_fail (options != NULL && limits != NULL, NULL);

  self = g_atomic_rc_box_new0 (FhContainerInstance);
  self->options = fh_container_options_copy (options);
  self->guards = guards != NULL ? *guards : FH_RUN_GUARDS_DEFAULT;
  self->limits = fh_run_guards_limits (&self->guards, limits);
  self->guards.allow_hosts = NULL;
  self->guards.imports = NULL;
  self->input_size = input_size;
  self->removals =
      removals != NULL ? fh_container_removals_ref (removals) : fh_container_removals_new ();
  self->owner = fh_container_owner ();
  self->runner = fh_runner_locate ();
  self->guest_folder = fh_runner_locate_guest_folder ();
  /* A kept container serves watched runs and others; the runner refuses what is not reported. */
  self->seccomp_profile =
      fh_runner_locate_container_profile (options->is_kept || self->guards.watch != FH_WATCH_OFF);
  return self;
}

void
fh_container_instance_inherit (FhContainerInstance *self, FhContainerInstance *last)
{
  g_set_object (&self->engine, last->engine);
  if (last->has_run)
    self->image = g_steal_pointer (&last->image);
  if (!self->options->is_kept)
    return;
  self->name = g_strdup (last->name);
  self->state = last->state;
}

FhContainerInstance *
fh_container_instance_copy (FhContainerInstance *self)
{
  FhContainerInstance *copy = g_atomic_rc_box_new0 (FhContainerInstance);

  *copy = *self;
  copy->options = fh_container_options_copy (self->options);
  copy->removals = fh_container_removals_ref (self->removals);
  copy->engine = self->engine != NULL ? g_object_ref (self->engine) : NULL;
  copy->image = fh_image_copy (self->image);
  copy->folders = NULL;
  copy->name = g_strdup (self->name);
  copy->id = g_strdup (self->id);
  copy->owner = g_strdup (self->owner);
  copy->runner = g_strdup (self->runner);
  copy->guest_folder = g_strdup (self->guest_folder);
  copy->seccomp_profile = g_strdup (self->seccomp_profile);
  return copy;
}

void
fh_container_instance_take (FhContainerInstance *self, FhContainerInstance *made)
{
  g_set_object (&self->engine, made->engine);
  g_clear_pointer (&self->image, fh_image_free);
  self->image = g_steal_pointer (&made->image);
  g_clear_pointer (&self->folders, fh_container_folders_free);
  self->folders = g_steal_pointer (&made->folders);
  g_free (self->id);
  self->id = g_steal_pointer (&made->id);
  self->by_copy = made->by_copy;
  self->state = made->state;
  self->was_recreated = made->was_recreated;
}

FhContainerInstance *
fh_container_instance_ref (FhContainerInstance *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  FhContainerInstance *self = data;

  fh_container_options_free (self->options);
  fh_container_removals_unref (self->removals);
  g_clear_object (&self->engine);
  g_clear_pointer (&self->image, fh_image_free);
  g_clear_pointer (&self->folders, fh_container_folders_free);
  g_free (self->name);
  g_free (self->id);
  g_free (self->owner);
  g_free (self->runner);
  g_free (self->guest_folder);
  g_free (self->seccomp_profile);
}

void
fh_container_instance_unref (FhContainerInstance *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* A kept container is compared by the name of its image: a newer image must not invalidate what was
 * installed in the old one. */
FhContainerParts
fh_container_instance_get_parts (FhContainerInstance *self)
{
  g_assert (self->engine != NULL && self->image != NULL && self->folders != NULL);

  return (FhContainerParts){
    .engine = fh_engine_get_facts (self->engine),
    .options = self->options,
    .limits = &self->limits,
    .guards = &self->guards,
    .image = self->options->is_kept ? fh_container_options_image (self->options) : self->image->id,
    .name = self->name,
    .owner = self->owner,
    .runner = self->runner,
    .guest_folder = self->guest_folder,
    .seccomp_profile = self->seccomp_profile,
    .home = self->folders->home != NULL ? self->folders->home->path : NULL,
    .workspace = self->folders->workspace,
    .sources = (const char *const *) self->folders->sources,
    .input_size = self->input_size,
    .image_volumes = (const char *const *) self->image->volumes,
    .uid = getuid (),
    .gid = getgid (),
    .by_copy = self->by_copy,
  };
}

void
fh_container_instance_get_layers (FhContainerInstance *self, char **layers)
{
  FhContainerParts parts = fh_container_instance_get_parts (self);

  for (gsize i = 0; i < FH_N_LAYERS; i++)
    layers[i] = fh_container_layers (&parts, (FhGuard) i);
}

gboolean
fh_container_instance_is_shared (FhContainerInstance *self)
{
  return self->options->is_kept || self->options->work_dir != NULL ||
         self->folders->workspace != NULL;
}

gboolean
fh_container_instance_copies_files (FhContainerInstance *self)
{
  return self->by_copy && self->options->work_dir != NULL && self->options->bind_dir == NULL;
}

gboolean
fh_container_instance_needs_files (FhContainerInstance *self, FhRunRequest *request)
{
  return fh_container_instance_copies_files (self) &&
         !fh_run_guards_collect_files (fh_run_request_get_parts (request)->guards);
}

void
fh_container_instance_begin_again (FhContainerInstance *self)
{
  if (self->folders != NULL)
    fh_container_folders_unlock (self->folders);
  g_clear_pointer (&self->folders, fh_container_folders_free);
  if (self->options->is_kept)
    return;
  self->state = FH_CONTAINER_NONE;
  g_clear_pointer (&self->name, g_free);
}

void
fh_container_instance_remove (FhContainerInstance *self)
{
  const gboolean is_certain = self->options->name == NULL && !self->options->is_kept;

  self->state = FH_CONTAINER_NONE;
  fh_container_removals_add (self->removals, self->engine, self->name, is_certain);
}

void
fh_container_instance_release (FhContainerInstance *self)
{
  self->is_released = TRUE;
  if (!self->options->is_kept || self->state == FH_CONTAINER_NONE)
    return;
  if (self->options->after == FH_CONTAINER_REMOVE)
    fh_container_instance_remove (self);
  else if (self->options->after == FH_CONTAINER_STOP)
    fh_engine_start (&(FhEngineOrder){ self->engine, self->name, FH_CONTAINER_GRACE_S },
                     fh_container_stop_in_thread,
                     NULL,
                     NULL,
                     NULL);
}

static GStrv
client_arguments (FhContainerInstance *self)
{
  FhContainerParts parts = fh_container_instance_get_parts (self);

  if (self->options->is_kept)
    return fh_container_arguments_exec (&parts);
  return self->by_copy ? fh_container_arguments_start (&parts)
                       : fh_container_arguments_run (&parts);
}

GStrv
fh_container_instance_command (FhContainerInstance *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) arguments = client_arguments (self);

  g_strv_builder_add (builder, fh_engine_get_facts (self->engine)->program);
  g_strv_builder_addv (builder, (const char **) arguments);
  return g_strv_builder_end (builder);
}
