/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-parts.h"

void
parts_set_up (Parts *parts, FhEngineKind kind)
{
  *parts = (Parts){
    .engine = { .kind = kind,
                .program = "/usr/bin/client",
                .limits_memory = TRUE,
                .limits_processes = TRUE,
                .limits_cpus = TRUE },
    .limits = { .memory_bytes = 256 * MIB, .disk_bytes = 64 * MIB, .processes = 50 },
    .guards = FH_RUN_GUARDS_DEFAULT,
  };
  parts->made_from = (FhContainerParts){
    .engine = &parts->engine,
    .options = &parts->options,
    .limits = &parts->limits,
    .guards = &parts->guards,
    .image = "sha256:abc",
    .name = "fumehood-1",
    .owner = "me",
    .runner = "/usr/libexec/fumehood-runner",
    .guest_folder = "/usr/share/fumehood/guest",
    .seccomp_profile = "/usr/share/fumehood/container/x=y.json",
    .uid = 1000,
    .gid = 1001,
  };
}

gboolean
parts_has (const Parts *parts, const char *word)
{
  g_auto (GStrv) words = fh_container_arguments_run (&parts->made_from);

  return g_strv_contains ((const char *const *) words, word);
}

void
parts_assert_word (const Parts *parts, const char *word)
{
  g_auto (GStrv) words = fh_container_arguments_run (&parts->made_from);
  g_autofree char *all = g_strjoinv ("\n  ", words);

  if (!g_strv_contains ((const char *const *) words, word))
    g_error ("%s is not in\n  %s", word, all);
}

guint
parts_count (const Parts *parts, const char *prefix)
{
  g_auto (GStrv) words = fh_container_arguments_run (&parts->made_from);
  guint n = 0;

  for (guint i = 0; words[i] != NULL; i++)
    n += g_str_has_prefix (words[i], prefix);
  return n;
}
