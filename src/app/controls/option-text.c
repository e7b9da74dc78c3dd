/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/option-text.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

char *
fh_option_text_place (const FhRunOptions *options)
{
  const char *project;

  g_return_val_if_fail (options != NULL, NULL);

  project = fh_run_options_get_project (options);
  if (project != NULL)
    {
      g_autofree char *name = g_path_get_basename (project);
      g_autofree char *shown = g_utf8_make_valid (name, -1);

      /* Translators: the name of the project folder that a program works on */
      return g_strdup_printf (_ ("This Computer (%s)"), shown);
    }
  if (options->in_container)
    return g_strdup (fh_container_options_image (&options->container));
  /* An earlier run or a draft has it; no row shows it. */
  if (options->work_dir != NULL)
    return g_strdup_printf (_ ("write access to the folder “%s”"), options->work_dir);
  return g_strdup (C_ ("place", "This Computer"));
}

char *
fh_option_text_guards (const FhRunOptions *options)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) titles = NULL;
  g_autofree char *list = NULL;

  g_return_val_if_fail (options != NULL, NULL);

  if (options->guards.without == 0)
    return NULL;
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      g_autoptr (FhGuardState) state =
          fh_guard_state_new ((FhGuard) guard, FH_GUARD_LEVEL_OFF, "", NULL);

      if (!fh_run_guards_have (&options->guards, (FhGuard) guard))
        g_strv_builder_add (builder, fh_guard_title (fh_guard_state_get_facts (state)->guard));
    }
  titles = g_strv_builder_end (builder);
  list = g_strjoinv (", ", titles);
  /* Translators: %s is a list of guards: “Network, Memory” */
  return g_strdup_printf (_ ("Switched off for the next run: %s"), list);
}

char *
fh_option_text_container (const FhRunOptions *options)
{
  const FhContainerOptions *container = &options->container;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  g_autofree char *list = NULL;
  guint n_volumes = container->volumes != NULL ? g_strv_length ((GStrv) container->volumes) : 0;

  if (!options->in_container)
    return NULL;
  if (container->network != NULL)
    fh_strv_builder_take (builder, g_strdup_printf (_ ("the network “%s”"), container->network));
  if (container->work_dir != NULL)
    fh_strv_builder_take (
        builder,
        g_strdup_printf (_ ("write access to the folder “%s”"), container->work_dir));
  if (n_volumes > 0)
    fh_strv_builder_take (
        builder,
        g_strdup_printf (ngettext ("%u volume", "%u volumes", n_volumes), n_volumes));
  if (container->gpus != NULL)
    fh_strv_builder_take (builder, g_strdup (_ ("graphics processors")));
  if (container->is_writable)
    fh_strv_builder_take (builder, g_strdup (_ ("write access to the image’s folders")));
  if (container->is_root)
    fh_strv_builder_take (builder, g_strdup (_ ("the root user")));
  words = g_strv_builder_end (builder);
  if (words[0] == NULL)
    return NULL;
  list = g_strjoinv (", ", words);
  /* Translators: %s is a list: “the network “bridge”, 2 volumes” */
  return g_strdup_printf (_ ("The container is given: %s"), list);
}
