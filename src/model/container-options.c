/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-options.h"

#include "config.h"

static const char *const engine_names[] = {
  [FH_ENGINE_AUTO] = "auto",
  [FH_ENGINE_DOCKER] = "docker",
  [FH_ENGINE_PODMAN] = "podman",
};

static const char *const after_names[] = {
  [FH_CONTAINER_REMOVE] = "remove",
  [FH_CONTAINER_STOP] = "stop",
  [FH_CONTAINER_LEAVE] = "leave",
};

static const char *const files_names[] = {
  [FH_CONTAINER_FILES_AUTO] = "auto",
  [FH_CONTAINER_FILES_BIND] = "bind",
  [FH_CONTAINER_FILES_COPY] = "copy",
};

static gboolean
find (const char *const *names, guint n, const char *text, guint *found)
{
  for (guint i = 0; i < n; i++)
    {
      if (g_strcmp0 (text, names[i]) != 0)
        continue;
      *found = i;
      return TRUE;
    }
  return FALSE;
}

static char **
copy_list (const char *const *list)
{
  return g_strdupv ((GStrv) (gpointer) list);
}

FhContainerOptions *
fh_container_options_copy (const FhContainerOptions *options)
{
  FhContainerOptions *copy;

  if (options == NULL)
    return NULL;
  copy = g_new (FhContainerOptions, 1);
  *copy = *options;
  copy->image = g_strdup (options->image);
  copy->name = g_strdup (options->name);
  copy->work_dir = g_strdup (options->work_dir);
  copy->bind_dir = g_strdup (options->bind_dir);
  copy->network = g_strdup (options->network);
  copy->gpus = g_strdup (options->gpus);
  copy->volumes = (const char *const *) copy_list (options->volumes);
  copy->hosts = (const char *const *) copy_list (options->hosts);
  copy->environment = (const char *const *) copy_list (options->environment);
  return copy;
}

void
fh_container_options_free (FhContainerOptions *options)
{
  if (options == NULL)
    return;
  g_free ((char *) options->image);
  g_free ((char *) options->name);
  g_free ((char *) options->work_dir);
  g_free ((char *) options->bind_dir);
  g_free ((char *) options->network);
  g_free ((char *) options->gpus);
  g_strfreev ((GStrv) (gpointer) options->volumes);
  g_strfreev ((GStrv) (gpointer) options->hosts);
  g_strfreev ((GStrv) (gpointer) options->environment);
  g_free (options);
}

const char *
fh_container_options_image (const FhContainerOptions *options)
{
  g_return_val_if_fail (options != NULL, NULL);

  return options->image != NULL ? options->image : FH_CONTAINER_DEFAULT_IMAGE;
}

const char *
fh_engine_kind_to_string (FhEngineKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (engine_names), NULL);

  return engine_names[kind];
}

gboolean
fh_engine_kind_from_string (const char *text, FhEngineKind *kind)
{
  guint found;

  g_return_val_if_fail (kind != NULL, FALSE);

  if (!find (engine_names, G_N_ELEMENTS (engine_names), text, &found))
    return FALSE;
  *kind = (FhEngineKind) found;
  return TRUE;
}

const char *
fh_container_after_to_string (FhContainerAfter after)
{
  g_return_val_if_fail ((guint) after < G_N_ELEMENTS (after_names), NULL);

  return after_names[after];
}

gboolean
fh_container_after_from_string (const char *text, FhContainerAfter *after)
{
  guint found;

  g_return_val_if_fail (after != NULL, FALSE);

  if (!find (after_names, G_N_ELEMENTS (after_names), text, &found))
    return FALSE;
  *after = (FhContainerAfter) found;
  return TRUE;
}

const char *
fh_container_files_to_string (FhContainerFiles files)
{
  g_return_val_if_fail ((guint) files < G_N_ELEMENTS (files_names), NULL);

  return files_names[files];
}

gboolean
fh_container_files_from_string (const char *text, FhContainerFiles *files)
{
  guint found;

  g_return_val_if_fail (files != NULL, FALSE);

  if (!find (files_names, G_N_ELEMENTS (files_names), text, &found))
    return FALSE;
  *files = (FhContainerFiles) found;
  return TRUE;
}
