/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-guards.h"

#include "container-volume.h"

static gboolean
has_writable_volume (const FhContainerOptions *options)
{
  for (guint i = 0; options->volumes != NULL && options->volumes[i] != NULL; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (fh_container_volume_parse (options->volumes[i], &volume, NULL) && volume.is_writable)
        return TRUE;
    }
  return FALSE;
}

/* The program's folder remains afterwards. A probe does not get the folder, and a folder that is
 * copied in and out looks like the program's own from inside. */
static gboolean
has_lasting_folder (const FhContainerOptions *options)
{
  return options->work_dir != NULL || options->is_kept;
}

static GStrv
given_paths (const FhContainerOptions *options)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (options->work_dir != NULL)
    g_strv_builder_add (builder, options->work_dir);
  for (guint i = 0; options->volumes != NULL && options->volumes[i] != NULL; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (fh_container_volume_parse (options->volumes[i], &volume, NULL))
        g_strv_builder_add (builder, volume.host);
    }
  return g_strv_builder_end (builder);
}

static FhGuardState *
refine_files (FhGuardState *state, const FhContainerOptions *options)
{
  g_auto (GStrv) paths = given_paths (options);
  g_autoptr (FhGuardState) weaker = NULL;

  if (fh_guard_state_get_level (state) == FH_GUARD_LEVEL_ACTIVE && has_lasting_folder (options))
    weaker = fh_guard_state_new (FH_GUARD_FILESYSTEM,
                                 FH_GUARD_LEVEL_DEGRADED,
                                 fh_guard_state_get_layers (state),
                                 "shared-folder");
  if (paths[0] != NULL)
    return fh_guard_state_new_showing (weaker != NULL ? weaker : state,
                                       (const char *const *) paths);
  return g_steal_pointer (&weaker);
}

/* The container has no network of its own, even if it looks so from inside. */
static FhGuardState *
refine_network (FhGuardState *state, const FhContainerOptions *options)
{
  if (g_strcmp0 (options->network, "host") != 0)
    return NULL;
  return fh_guard_state_new (FH_GUARD_NETWORK,
                             FH_GUARD_LEVEL_DEGRADED,
                             "socket families",
                             "host-network");
}

static FhGuardState *
refine_disk (FhGuardState *state, const FhContainerOptions *options)
{
  const char *reason = NULL;

  if (has_lasting_folder (options))
    reason = "shared-folder";
  else if (has_writable_volume (options))
    reason = "writable-volume";
  if (reason == NULL || fh_guard_state_get_level (state) != FH_GUARD_LEVEL_ACTIVE)
    return NULL;
  return fh_guard_state_new (FH_GUARD_DISK,
                             FH_GUARD_LEVEL_DEGRADED,
                             fh_guard_state_get_layers (state),
                             reason);
}

static FhGuardState *
refine_environment (FhGuardState *state, const FhContainerOptions *options)
{
  if (options->environment == NULL || options->environment[0] == NULL ||
      fh_guard_state_get_level (state) != FH_GUARD_LEVEL_ACTIVE)
    return NULL;
  return fh_guard_state_new (FH_GUARD_ENVIRONMENT,
                             FH_GUARD_LEVEL_ACTIVE,
                             fh_guard_state_get_layers (state),
                             "named-variables");
}

static FhGuardState *
refine (FhGuardState *state, const FhContainerOptions *options)
{
  const FhGuard guard = fh_guard_state_get_guard (state);

  if (guard == FH_GUARD_FILESYSTEM)
    return refine_files (state, options);
  if (guard == FH_GUARD_NETWORK)
    return refine_network (state, options);
  if (guard == FH_GUARD_DISK)
    return refine_disk (state, options);
  return guard == FH_GUARD_ENVIRONMENT ? refine_environment (state, options) : NULL;
}

void
fh_container_guards_refine (GPtrArray *guards, const FhContainerOptions *options)
{
  g_return_if_fail (guards != NULL);
  g_return_if_fail (options != NULL);

  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *refined = refine (g_ptr_array_index (guards, i), options);

      if (refined == NULL)
        continue;
      g_object_unref (g_ptr_array_index (guards, i));
      g_ptr_array_index (guards, i) = refined;
    }
}
