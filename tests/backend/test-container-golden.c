/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every word for either engine and every option, compared with container-arguments.golden: all
 * words in their order for the plain cases, and what the others add and leave out. With
 * FH_GOLDEN_WRITE in the environment the file is written instead: its changes are then to be read
 * like those of a program. */
#include <string.h>

#include "container-parts.h"
#include "wire-translation.h"

typedef void (*Change) (Parts *parts);

static const char *const volumes[] = { "/data/a:/a", "/data/b:/b:rw", NULL };
static const char *const sources[] = { "/opened/a", "/opened/b", NULL };
static const char *const hosts[] = { "db:10.0.0.1", NULL };
static const char *const image_volumes[] = { "/var/lib/x", NULL };

static void
change_nothing (Parts *parts)
{
}

static void
change_kept (Parts *parts)
{
  parts->options.is_kept = TRUE;
  parts->made_from.home = "/cache/home";
  parts->made_from.workspace = "/cache/workspace";
}

static void
change_kept_longer (Parts *parts)
{
  change_kept (parts);
  parts->options.name = "lab";
  parts->options.after = FH_CONTAINER_STOP;
}

static void
change_copied (Parts *parts)
{
  parts->made_from.by_copy = TRUE;
}

static void
change_kept_copied (Parts *parts)
{
  parts->options.is_kept = TRUE;
  parts->made_from.by_copy = TRUE;
}

static void
change_root (Parts *parts)
{
  parts->options.is_root = TRUE;
}

static void
change_writable (Parts *parts)
{
  parts->options.is_writable = TRUE;
}

static void
change_folders (Parts *parts)
{
  parts->options.volumes = volumes;
  parts->made_from.sources = sources;
  parts->made_from.workspace = "/home/me/work";
  parts->made_from.image_volumes = image_volumes;
}

static void
change_network (Parts *parts)
{
  parts->options.network = "bridge";
  parts->options.hosts = hosts;
}

static void
change_unguarded (Parts *parts)
{
  parts->guards.without = ~0u;
}

static void
change_unlimited (Parts *parts)
{
  parts->limits = (FhRunLimits){ 0 };
}

static void
change_incapable (Parts *parts)
{
  parts->engine.limits_memory = parts->engine.limits_processes = parts->engine.limits_cpus = FALSE;
  parts->options.milli_cpus = 1500;
}

static void
change_cpus (Parts *parts)
{
  parts->options.milli_cpus = 1500;
  parts->made_from.input_size = 12345;
}

static void
change_all_gpus (Parts *parts)
{
  parts->options.gpus = "all";
}

static void
change_two_gpus (Parts *parts)
{
  parts->options.gpus = "2";
}

static void
change_named_gpus (Parts *parts)
{
  parts->options.gpus = "device=0,vendor.com/gpu=x";
}

static const struct
{
  const char *name;
  Change change;
} changes[] = {
  { "plain", change_nothing },
  { "kept", change_kept },
  { "kept longer", change_kept_longer },
  { "copied", change_copied },
  { "kept and copied", change_kept_copied },
  { "root", change_root },
  { "writable", change_writable },
  { "folders", change_folders },
  { "network", change_network },
  { "without guards", change_unguarded },
  { "without limits", change_unlimited },
  { "an engine that limits nothing", change_incapable },
  { "cpus", change_cpus },
  { "all gpus", change_all_gpus },
  { "two gpus", change_two_gpus },
  { "named gpus", change_named_gpus },
};

static GStrv (*const commands[]) (const FhContainerParts *parts) = {
  fh_container_arguments_run,
  fh_container_arguments_create,
  fh_container_arguments_start,
  fh_container_arguments_exec,
};

/* The digest holds the version of the program, which changes with each release. */
static char *
masked (const char *word)
{
  const char *const digest = "--label=" FH_CONTAINER_LABEL_OPTIONS "=";

  return g_str_has_prefix (word, digest) ? g_strconcat (digest, "DIGEST", NULL) : g_strdup (word);
}

/* The commands, and the layers of each guard. */
static GStrv
words_of (FhEngineKind kind, gboolean is_rootless, Change change)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  Parts parts;

  parts_set_up (&parts, kind);
  parts.engine.is_rootless = is_rootless;
  change (&parts);
  for (guint c = 0; c < G_N_ELEMENTS (commands); c++)
    {
      g_auto (GStrv) words = commands[c](&parts.made_from);

      for (guint w = 0; words[w] != NULL; w++)
        {
          g_autofree char *word = masked (words[w]);
          g_autofree char *line = g_strdup_printf ("%s %s", words[0], word);

          g_strv_builder_add (builder, line);
        }
    }
  for (guint guard = 0; guard < FH_N_LAYERS; guard++)
    {
      g_autofree char *layers = fh_container_layers (&parts.made_from, (FhGuard) guard);
      g_autofree char *line =
          g_strdup_printf ("guard %u: %s", guard, layers != NULL ? layers : "-");

      g_strv_builder_add (builder, line);
    }
  return g_strv_builder_end (builder);
}

static void
add_missing (GString *text, const char *sign, GStrv words, GStrv others)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (others == NULL || !g_strv_contains ((const char *const *) others, words[i]))
      g_string_append_printf (text, "%s%s\n", sign, words[i]);
}

static void
add_case (GString *text, FhEngineKind kind, gboolean is_rootless, guint i)
{
  g_auto (GStrv) plain = words_of (kind, is_rootless, change_nothing);
  g_auto (GStrv) words = words_of (kind, is_rootless, changes[i].change);

  g_string_append_printf (text,
                          "%s%s, %s\n",
                          fh_engine_kind_to_string (kind),
                          is_rootless ? " rootless" : "",
                          changes[i].name);
  add_missing (text, i == 0 ? "  " : "  + ", words, i == 0 ? NULL : plain);
  add_missing (text, "  - ", plain, words);
}

static void
test_all (void)
{
  const char *path = g_getenv ("FH_GOLDEN");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      add_case (text, FH_ENGINE_DOCKER, FALSE, i);
      add_case (text, FH_ENGINE_DOCKER, TRUE, i);
      add_case (text, FH_ENGINE_PODMAN, FALSE, i);
      add_case (text, FH_ENGINE_PODMAN, TRUE, i);
    }
  if (g_getenv ("FH_GOLDEN_WRITE") != NULL)
    g_file_set_contents (path, text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, expected);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-golden/all", test_all);
  return g_test_run ();
}
