/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "container-options.h"
#include "container-volume.h"

static void G_GNUC_PRINTF (2, 3) append (GString *text, const char *format, ...)
{
  va_list arguments;

  g_string_append (text, ", ");
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static void
append_life (GString *text, const FhContainerOptions *options)
{
  if (options->engine != FH_ENGINE_AUTO)
    append (text, "%s", options->engine == FH_ENGINE_DOCKER ? "Docker" : "Podman");
  if (options->is_kept && options->name != NULL)
    append (text, _ ("kept as “%s”"), options->name);
  else if (options->is_kept)
    append (text, "%s", _ ("kept"));
  else if (options->name != NULL)
    append (text, _ ("named “%s”"), options->name);
}

static void
append_folders (GString *text, const FhContainerOptions *options)
{
  if (options->work_dir != NULL)
    append (text, _ ("work folder %s"), options->work_dir);
  for (guint i = 0; options->volumes != NULL && options->volumes[i] != NULL; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (!fh_container_volume_parse (options->volumes[i], &volume, NULL))
        continue;
      /* Translators: a folder of the user's and its place in a container */
      append (text,
              volume.is_writable ? _ ("%s at %s, to write") : _ ("%s at %s"),
              volume.host,
              volume.inside);
    }
}

static guint
count (const char *const *list)
{
  return list != NULL ? g_strv_length ((GStrv) (gpointer) list) : 0;
}

static void
append_grants (GString *text, const FhContainerOptions *options)
{
  guint n_hosts = count (options->hosts);
  guint n_variables = count (options->environment);

  if (options->network != NULL)
    append (text, _ ("network %s"), options->network);
  if (n_hosts > 0)
    append (text, g_dngettext (GETTEXT_PACKAGE, "%u host", "%u hosts", n_hosts), n_hosts);
  if (n_variables > 0)
    append (text,
            g_dngettext (GETTEXT_PACKAGE, "%u variable", "%u variables", n_variables),
            n_variables);
  if (options->milli_cpus != 0)
    append (text, _ ("%g processors"), options->milli_cpus / 1000.0);
  if (options->gpus != NULL)
    append (text, _ ("GPUs %s"), options->gpus);
  if (options->is_writable)
    append (text, "%s", _ ("may change the image’s files"));
  if (options->is_root)
    append (text, "%s", _ ("as user 0"));
}

char *
fh_container_options_describe (const FhContainerOptions *options)
{
  GString *text;
  g_autofree char *all = NULL;

  g_return_val_if_fail (options != NULL, NULL);

  text = g_string_new (fh_container_options_image (options));
  append_life (text, options);
  append_folders (text, options);
  append_grants (text, options);
  all = g_string_free (text, FALSE);
  return g_utf8_make_valid (all, -1);
}
