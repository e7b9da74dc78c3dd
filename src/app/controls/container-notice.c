/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/container-notice.h"

#include <glib/gi18n.h>

static void
take (GStrvBuilder *builder, char *words)
{
  g_strv_builder_add (builder, words);
  g_free (words);
}

static guint
count (const char *const *list)
{
  return list != NULL ? g_strv_length ((GStrv) list) : 0;
}

char *
fh_container_notice_new (const FhContainerOptions *options)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  g_autofree char *list = NULL;
  guint n_volumes;

  g_return_val_if_fail (options != NULL, NULL);

  n_volumes = count (options->volumes);
  if (options->network != NULL)
    take (builder, g_strdup_printf (_ ("the network “%s”"), options->network));
  if (options->work_dir != NULL)
    take (builder, g_strdup_printf (_ ("writing to the folder “%s”"), options->work_dir));
  if (n_volumes > 0)
    take (builder, g_strdup_printf (ngettext ("%u volume", "%u volumes", n_volumes), n_volumes));
  if (options->gpus != NULL)
    take (builder, g_strdup (_ ("graphics processors")));
  if (options->is_writable)
    take (builder, g_strdup (_ ("writing to the image’s folders")));
  if (options->is_root)
    take (builder, g_strdup (_ ("the image’s user root")));
  words = g_strv_builder_end (builder);
  if (words[0] == NULL)
    return NULL;
  list = g_strjoinv (", ", words);
  /* Translators: %s is a list: “the network “bridge”, 2 volumes” */
  return g_strdup_printf (_ ("The container is given: %s"), list);
}
