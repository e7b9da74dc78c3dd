/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-choice.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

/* No file is called like that by anybody who wants to have it run. */
#define MARK "\001container\001"

void
fh_container_choice_clear (FhContainerChoice *choice)
{
  g_free (choice->container);
  g_free (choice->engine);
  g_free (choice->keep);
  g_free (choice->name);
  g_free (choice->after);
  g_free (choice->work_dir);
  g_free (choice->bind_dir);
  g_free (choice->files);
  g_free (choice->network);
  g_free (choice->cpus);
  g_free (choice->gpus);
  g_strfreev (choice->volumes);
  g_strfreev (choice->hosts);
  g_strfreev (choice->environment);
  fh_container_options_free (choice->options);
}

static void
add_place (FhContainerChoice *choice, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "container",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->container,
      N_ ("Run it in a container of this image (default: python:3-slim)"),
      N_ ("[IMAGE]") },
    { "no-container",
      0,
      0,
      G_OPTION_ARG_NONE,
      &choice->no_container,
      N_ ("Run it on this computer, which is the default"),
      NULL },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
add_life (FhContainerChoice *choice, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "engine",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->engine,
      N_ ("auto (default), docker or podman"),
      N_ ("NAME") },
    { "no-pull",
      0,
      0,
      G_OPTION_ARG_NONE,
      &choice->no_pull,
      N_ ("Only use an image that is already there"),
      NULL },
    { "keep",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->keep,
      N_ ("Use this container again and again: what a run installs stays"),
      N_ ("NAME") },
    { "after",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->after,
      N_ ("With --keep, afterwards: leave (default), stop or remove it"),
      N_ ("WHAT") },
    { "container-name",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->name,
      N_ ("Give a container for one run this name"),
      N_ ("NAME") },
    { NULL },
  };

  g_option_group_add_entries (group, entries);
}

static void
add_folders (FhContainerChoice *choice, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "work-dir",
      0,
      0,
      G_OPTION_ARG_FILENAME,
      &choice->work_dir,
      N_ ("A folder of yours that is /workspace: the program changes it"),
      N_ ("FOLDER") },
    { "bind-dir",
      0,
      0,
      G_OPTION_ARG_FILENAME,
      &choice->bind_dir,
      N_ ("The same folder as the engine’s machine knows it"),
      N_ ("FOLDER") },
    { "container-files",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->files,
      N_ ("How its files get in and out: auto (default), bind or copy"),
      N_ ("HOW") },
    { "volume",
      0,
      0,
      G_OPTION_ARG_FILENAME_ARRAY,
      &choice->volumes,
      N_ ("Show it a file or folder, read-only without :rw; may be repeated"),
      N_ ("HOST:INSIDE[:rw]") },
    { NULL },
  };

  g_option_group_add_entries (group, entries);
}

static void
add_grants (FhContainerChoice *choice, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "network",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->network,
      N_ ("A network of the engine, such as bridge (default: none)"),
      N_ ("NAME") },
    { "add-host",
      0,
      0,
      G_OPTION_ARG_STRING_ARRAY,
      &choice->hosts,
      N_ ("A host name for it alone; may be repeated"),
      N_ ("NAME:ADDRESS") },
    { "env",
      0,
      0,
      G_OPTION_ARG_FILENAME_ARRAY,
      &choice->environment,
      N_ ("An environment variable, yours without =VALUE; may be repeated"),
      N_ ("NAME[=VALUE]") },
    { "cpus", 0, 0, G_OPTION_ARG_STRING, &choice->cpus, N_ ("Processors, such as 1.5"), N_ ("N") },
    { "gpus",
      0,
      0,
      G_OPTION_ARG_STRING,
      &choice->gpus,
      N_ ("GPUs: all, how many, or device=0,1 (default: none)"),
      N_ ("WHICH") },
    { "writable",
      0,
      0,
      G_OPTION_ARG_NONE,
      &choice->is_writable,
      N_ ("Let it change the files of the image, for itself"),
      NULL },
    { "root",
      0,
      0,
      G_OPTION_ARG_NONE,
      &choice->is_root,
      N_ ("Let it be user 0 inside, without the rights of one"),
      NULL },
    { NULL },
  };

  g_option_group_add_entries (group, entries);
}

void
fh_container_choice_add (FhContainerChoice *choice, GOptionContext *context)
{
  GOptionGroup *group = g_option_group_new ("container",
                                            _ ("Container Options, with --container:"),
                                            _ ("Show options of containers"),
                                            NULL,
                                            NULL);

  g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
  add_place (choice, context);
  add_life (choice, group);
  add_folders (choice, group);
  add_grants (choice, group);
  g_option_context_add_group (context, group);
}

static gboolean
may_be_image (const char *word)
{
  return word != NULL && word[0] != '-' && word[0] != '\0';
}

void
fh_container_choice_mark_words (char **words)
{
  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    {
      char *next = words[i + 1];

      if (!g_str_equal (words[i], "--container"))
        continue;
      g_free (words[i]);
      words[i] = g_strdup ("--container=");
      if (!may_be_image (next))
        continue;
      words[i + 1] = g_strconcat (MARK, next, NULL);
      g_free (next);
    }
}

void
fh_container_choice_take_word (FhContainerChoice *choice, char **left, guint n_needed)
{
  guint n = left != NULL ? g_strv_length (left) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *word = NULL;

      if (!g_str_has_prefix (left[i], MARK))
        continue;
      word = g_steal_pointer (&left[i]);
      left[i] = g_strdup (word + strlen (MARK));
      if (n <= n_needed || choice->container == NULL || choice->container[0] != '\0')
        continue;
      g_free (choice->container);
      choice->container = g_steal_pointer (&left[i]);
      memmove (left + i, left + i + 1, (n - i) * sizeof *left);
      n--;
      i--;
    }
}

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, message);
  return FALSE;
}

/* Options of containers say nothing about a run on this computer: a slip, and a dangerous one. */
static gboolean
check_unused (const FhContainerChoice *choice, GError **error)
{
  const struct
  {
    gboolean is_given;
    const char *option;
  } all[] = {
    { choice->engine != NULL, "--engine" },       { choice->no_pull, "--no-pull" },
    { choice->keep != NULL, "--keep" },           { choice->after != NULL, "--after" },
    { choice->name != NULL, "--container-name" }, { choice->work_dir != NULL, "--work-dir" },
    { choice->bind_dir != NULL, "--bind-dir" },   { choice->files != NULL, "--container-files" },
    { choice->volumes != NULL, "--volume" },      { choice->network != NULL, "--network" },
    { choice->hosts != NULL, "--add-host" },      { choice->environment != NULL, "--env" },
    { choice->cpus != NULL, "--cpus" },           { choice->gpus != NULL, "--gpus" },
    { choice->is_writable, "--writable" },        { choice->is_root, "--root" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      if (all[i].is_given)
        return refuse (error,
                       /* Translators: an option of the command line */
                       _ ("%s is for containers only: say --container as well."),
                       all[i].option);
    }
  return TRUE;
}

static gboolean
check_guards (const FhGuardOptions *guards, GError **error)
{
  if (guards->tier != NULL)
    return refuse (error, "%s", _ ("Choose --container or --tier, not both."));
  if (guards->without_protection)
    return refuse (error, "%s", _ ("Choose --container or --without-protection, not both."));
  if (guards->allow_hosts != NULL)
    return refuse (error,
                   "%s",
                   _ ("--allow-host needs a proxy that containers do not have. Give the container "
                      "a whole network with --network instead."));
  if (guards->guards.without & 1u << FH_GUARD_NETWORK)
    return refuse (error,
                   "%s",
                   _ ("A container gets a network with --network, such as --network bridge, and "
                      "not with --without network."));
  if (guards->guards.without & 1u << FH_GUARD_ENVIRONMENT)
    return refuse (error,
                   "%s",
                   _ ("A container is given single variables with --env, and not with --without "
                      "environment."));
  return TRUE;
}

gboolean
fh_container_choice_parse_engine (const char *text, FhEngineKind *kind, GError **error)
{
  if (fh_engine_kind_from_string (text, kind))
    return TRUE;
  return refuse (error, _ ("“%s” is not an engine. Choose auto, docker or podman."), text);
}

static gboolean
take_words (const FhContainerChoice *choice, FhContainerOptions *options, GError **error)
{
  if (choice->engine != NULL &&
      !fh_container_choice_parse_engine (choice->engine, &options->engine, error))
    {
      g_prefix_error_literal (error, "--engine: ");
      return FALSE;
    }
  if (choice->after != NULL && !fh_container_after_from_string (choice->after, &options->after))
    return refuse (error, _ ("--after: “%s” is none of leave, stop and remove."), choice->after);
  if (choice->files != NULL && !fh_container_files_from_string (choice->files, &options->files))
    return refuse (error,
                   _ ("--container-files: “%s” is none of auto, bind and copy."),
                   choice->files);
  return TRUE;
}

static gboolean
take_name (const FhContainerChoice *choice, FhContainerOptions *options, GError **error)
{
  if (choice->keep != NULL && choice->name != NULL)
    return refuse (error, "%s", _ ("Choose --keep or --container-name, not both."));
  if (choice->keep == NULL && choice->after != NULL)
    return refuse (error, "%s", _ ("--after tells what becomes of a container that --keep keeps."));
  options->is_kept = choice->keep != NULL;
  options->name = options->is_kept ? choice->keep : choice->name;
  if (options->is_kept && choice->after == NULL)
    options->after = FH_CONTAINER_LEAVE;
  return TRUE;
}

/* Thousandths, because a fraction must be exact and no locale may change what a point means. */
static gboolean
take_cpus (const char *text, guint *milli_cpus, GError **error)
{
  char *end = NULL;
  double number;

  if (text == NULL)
    return TRUE;
  number = g_ascii_strtod (text, &end);
  if (!g_ascii_isdigit (text[0]) || *end != '\0' || strpbrk (text, "xXeEpP") != NULL ||
      !(number >= 0.01 && number <= 1024))
    return refuse (error,
                   _ ("--cpus: “%s” is not a number of processors from 0.01 to 1024."),
                   text);
  *milli_cpus = (guint) (number * 1000 + 0.5);
  return TRUE;
}

/* The part on this computer may be named from the present folder. */
static GStrv
whole_volumes (char **volumes)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; volumes != NULL && volumes[i] != NULL; i++)
    {
      const char *colon = strchr (volumes[i], ':');
      g_autofree char *host =
          colon != NULL ? g_strndup (volumes[i], (gsize) (colon - volumes[i])) : NULL;
      g_autofree char *whole = host != NULL ? g_canonicalize_filename (host, NULL) : NULL;
      g_autofree char *volume = whole != NULL ? g_strconcat (whole, colon, NULL) : NULL;

      g_strv_builder_add (builder, volume != NULL ? volume : volumes[i]);
    }
  return g_strv_builder_end (builder);
}

/* NULL with a sentence when a variable is to be passed on that we do not have. */
static GStrv
whole_environment (char **variables, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; variables != NULL && variables[i] != NULL; i++)
    {
      const char *value = strchr (variables[i], '=') == NULL ? g_getenv (variables[i]) : NULL;
      g_autofree char *variable =
          value != NULL ? g_strconcat (variables[i], "=", value, NULL) : g_strdup (variables[i]);

      if (strchr (variable, '=') == NULL)
        {
          refuse (error,
                  _ ("--env: there is no variable “%s” in your environment. Say NAME=VALUE."),
                  variable);
          return NULL;
        }
      g_strv_builder_add (builder, variable);
    }
  return g_strv_builder_end (builder);
}

static char *
whole_path (const char *path)
{
  return path != NULL ? g_canonicalize_filename (path, NULL) : NULL;
}

static gboolean
build_options (FhContainerChoice *choice, GError **error)
{
  g_autofree char *work_dir = whole_path (choice->work_dir);
  g_auto (GStrv) volumes = whole_volumes (choice->volumes);
  g_auto (GStrv) environment = whole_environment (choice->environment, error);
  FhContainerOptions options = {
    .image = choice->container[0] != '\0' ? choice->container : NULL,
    .no_pull = choice->no_pull,
    .work_dir = work_dir,
    .bind_dir = choice->bind_dir,
    .network = choice->network,
    .gpus = choice->gpus,
    .volumes = (const char *const *) volumes,
    .hosts = (const char *const *) choice->hosts,
    .environment = (const char *const *) environment,
    .is_writable = choice->is_writable,
    .is_root = choice->is_root,
  };

  if (environment == NULL || !take_words (choice, &options, error) ||
      !take_name (choice, &options, error) ||
      !take_cpus (choice->cpus, &options.milli_cpus, error) ||
      !fh_container_options_check (&options, error))
    return FALSE;
  choice->options = fh_container_options_copy (&options);
  return TRUE;
}

gboolean
fh_container_choice_finish (FhContainerChoice *choice, const FhGuardOptions *guards, GError **error)
{
  if (choice->container != NULL && choice->no_container)
    return refuse (error, "%s", _ ("Choose --container or --no-container, not both."));
  if (choice->container == NULL)
    return check_unused (choice, error);
  return check_guards (guards, error) && build_options (choice, error);
}
