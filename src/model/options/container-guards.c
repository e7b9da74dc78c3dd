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

static gboolean
has_host_network (const FhContainerOptions *options)
{
  return g_strcmp0 (options->network, "host") == 0;
}

static gboolean
has_variables (const FhContainerOptions *options)
{
  return options->environment != NULL && options->environment[0] != NULL;
}

/* The first rule of a guard that is so holds. */
static const struct
{
  FhGuard guard;
  gboolean (*is_so) (const FhContainerOptions *options);
  FhGuardLevel level;
  const char *reason;
} rules[] = {
  { FH_GUARD_FILESYSTEM, has_lasting_folder, FH_GUARD_LEVEL_DEGRADED, "shared-folder" },
  { FH_GUARD_NETWORK, has_host_network, FH_GUARD_LEVEL_DEGRADED, "host-network" },
  { FH_GUARD_DISK, has_lasting_folder, FH_GUARD_LEVEL_DEGRADED, "shared-folder" },
  { FH_GUARD_DISK, has_writable_volume, FH_GUARD_LEVEL_DEGRADED, "writable-volume" },
  { FH_GUARD_ENVIRONMENT, has_variables, FH_GUARD_LEVEL_ACTIVE, "named-variables" },
};

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

/* What is weaker already stays, but not the network: that of this computer looks from inside as if
 * it were the container's own. */
static FhGuardState *
refine (FhGuardState *state, const FhContainerOptions *options)
{
  const FhGuard guard = fh_guard_state_get_facts (state)->guard;
  const gboolean is_network = guard == FH_GUARD_NETWORK;

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      if (rules[i].guard == guard && rules[i].is_so (options) &&
          (is_network || fh_guard_state_get_facts (state)->level == FH_GUARD_LEVEL_ACTIVE))
        return fh_guard_state_new (guard,
                                   rules[i].level,
                                   is_network ? "socket families"
                                              : fh_guard_state_get_facts (state)->layers,
                                   rules[i].reason);
    }
  return g_object_ref (state);
}

void
fh_container_guards_refine (GPtrArray *guards, const FhContainerOptions *options)
{
  g_auto (GStrv) paths = NULL;

  g_return_if_fail (guards != NULL);
  g_return_if_fail (options != NULL);

  paths = given_paths (options);
  for (guint i = 0; i < guards->len; i++)
    {
      g_autoptr (FhGuardState) before = g_ptr_array_index (guards, i);
      g_autoptr (FhGuardState) refined = refine (before, options);

      if (fh_guard_state_get_facts (refined)->guard == FH_GUARD_FILESYSTEM && paths[0] != NULL)
        g_ptr_array_index (guards, i) =
            fh_guard_state_new_showing (refined, (const char *const *) paths);
      else
        g_ptr_array_index (guards, i) = g_steal_pointer (&refined);
    }
}
