/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of options. Words reach an engine's client as arguments, so none may look like an option
 * or contain a separator, and none may open an unexpected way out of a container, such as the
 * engine's own socket.
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "container-volume.h"
#include "run-error.h"
#include "run-options-private.h"
#include "word-list.h"

/* A host name has at most 253 characters, and each part of it at most 63: RFC 1035. */
#define MAX_HOST_NAME 253
#define MAX_LABEL     63
#define MAX_IMPORTS   512

#define MAX_REFERENCE   512
#define MAX_NAME        128
#define MAX_WORD        256
#define MAX_LIST        64
#define MAX_VARIABLES   256
#define MAX_COMMAND     ((gsize) 16 << 10)
#define MAX_ENVIRONMENT ((gsize) 64 << 10) /* it travels in one message with everything else */

/* The runner takes as much, with the workspace before it. */
#define MAX_FILE_NAME 255
#define MAX_FOLDERS   30
#define MAX_FOLDER    900

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

#define refuse fh_run_error_refuse

static guint
count (const char *const *list)
{
  return list != NULL ? g_strv_length ((GStrv) list) : 0;
}

gboolean
fh_run_option_check_interpreter (const FhRunOptions *options, GError **error)
{
  const char *interpreter = options->interpreter;

  if (interpreter == NULL || g_path_is_absolute (interpreter) ||
      (options->in_container && strchr (interpreter, '/') == NULL))
    return TRUE;
  g_set_error_literal (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_INTERPRETER,
                       _ ("The interpreter must be an absolute path."));
  return FALSE;
}

gboolean
fh_run_option_check_cwd (const FhRunOptions *options, GError **error)
{
  g_auto (GStrv) names = NULL;
  guint n = 0;

  if (options->cwd == NULL)
    return TRUE;
  names = g_strsplit (options->cwd, "/", -1);
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_str_equal (names[i], "..") || strlen (names[i]) > MAX_FILE_NAME)
        return refuse (
            error,
            _ ("The program cannot start in “%s”: it has to be a path inside the sandbox, "
               "without “..”."),
            options->cwd);
      n += *names[i] != '\0' ? 1 : 0;
    }
  if (n == 0 || n > MAX_FOLDERS || strlen (options->cwd) > MAX_FOLDER)
    return refuse (
        error,
        _ ("The program cannot start in “%s”: name a folder below /workspace, or another "
           "one of the sandbox."),
        options->cwd);
  return TRUE;
}

gboolean
fh_run_option_check_without (const FhRunOptions *options, GError **error)
{
  if (options->guards.without & ~FH_RUN_GUARDS_SWITCHES)
    return refuse (error,
                   "%s",
                   _ ("The guards of files, processes and privileges cannot be switched off one by "
                      "one, only by running without protection."));
  return TRUE;
}

static gboolean
is_label (const char *label)
{
  gsize length = strlen (label);

  return length > 0 && length <= MAX_LABEL && label[0] != '-' && label[length - 1] != '-' &&
         strspn (label, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* The last part begins with a letter, unlike that of an address. */
static gboolean
is_host_name (const char *name)
{
  g_auto (GStrv) labels = g_strsplit (name, ".", -1);
  guint n = g_strv_length (labels);

  for (guint i = 0; i < n; i++)
    {
      if (!is_label (labels[i]))
        return FALSE;
    }
  return n > 0 && strlen (name) <= MAX_HOST_NAME && g_ascii_isalpha (labels[n - 1][0]);
}

gboolean
fh_run_option_check_allowed_hosts (const FhRunOptions *options, GError **error)
{
  const char *const *hosts = options->guards.allow_hosts;
  guint n = count (hosts);

  for (guint i = 0; i < n; i++)
    {
      if (!is_host_name (hosts[i]))
        return refuse (error,
                       _ ("“%s” is not a host name in lower case, such as “example.com”."),
                       hosts[i]);
    }
  return n <= MAX_LIST || refuse (error, "%s", _ ("At most 64 host names can be allowed."));
}

GStrv
fh_run_option_read_hosts (const char *const *words)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *ascii = g_hostname_to_ascii (words[i]);
      g_autofree char *name = g_ascii_strdown (ascii != NULL ? ascii : words[i], -1);

      if (g_str_has_suffix (name, "."))
        name[strlen (name) - 1] = '\0';
      g_strv_builder_add (builder, name);
    }
  return words[0] != NULL ? g_strv_builder_end (builder) : NULL;
}

/* Words that Python could have as names, between dots. */
static gboolean
is_module_name (const char *name)
{
  gboolean is_start = TRUE;

  for (const char *at = name; *at != '\0'; at++)
    {
      gboolean is_letter = g_ascii_isalpha (*at) || *at == '_' || (*at & 0x80) != 0;

      if (is_start ? !is_letter : !is_letter && !g_ascii_isdigit (*at) && *at != '.')
        return FALSE;
      is_start = *at == '.';
    }
  return !is_start && strlen (name) < 128 && g_utf8_validate (name, -1, NULL);
}

gboolean
fh_run_option_check_imports (const FhRunOptions *options, GError **error)
{
  const char *const *imports = options->guards.imports;
  guint n = count (imports);

  for (guint i = 0; i < n; i++)
    {
      if (!is_module_name (imports[i]))
        return refuse (error, _ ("“%s” is not the name of a module."), imports[i]);
    }
  return n <= MAX_IMPORTS || refuse (error, "%s", _ ("At most 512 modules can be allowed."));
}

/* A module stands for all below it, so "numpy.*" is the same as "numpy". */
static void
add_module (GStrvBuilder *builder, const char *word)
{
  gsize size = strlen (word);
  g_autofree char *name = g_str_has_suffix (word, ".*") ? g_strndup (word, size - 2) : NULL;

  g_strv_builder_add (builder, name != NULL ? name : word);
}

GStrv
fh_run_option_read_imports (const char *const *words)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  gboolean is_one = count (words) == 1;

  if ((is_one && g_str_equal (words[0], "all")) || g_strv_contains (words, "*"))
    return NULL;
  for (guint i = 0; words[i] != NULL; i++)
    {
      if (g_str_equal (words[i], "default"))
        g_strv_builder_addv (builder, (const char **) fh_run_guards_default_imports ());
      else if (!is_one || !g_str_equal (words[i], "none"))
        add_module (builder, words[i]);
    }
  return g_strv_builder_end (builder);
}

/* The grammar of image references, from the specification that both engines follow. */
#define PART_OF_HOST "[a-zA-Z0-9](?:[a-zA-Z0-9-]*+(?<!-))?"
#define HOST         "(?:" PART_OF_HOST "(?:\\." PART_OF_HOST ")*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?"
#define PART         "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*"
#define TAG          ":[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}"
#define DIGEST       "@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}"
#define REFERENCE                                                                                  \
  "^(?:sha256:[0-9a-f]{64}|(?:" HOST "/)?" PART "(?:/" PART ")*(?:" TAG ")?(?:" DIGEST ")?)\\z"

static gboolean
is_reference (const char *text)
{
  static GRegex *regex;

  return g_regex_match (fh_regex_once (&regex, REFERENCE, G_REGEX_OPTIMIZE), text, 0, NULL);
}

gboolean
fh_image_reference_check (const char *image, GError **error)
{
  g_autofree char *lower = NULL;

  g_return_val_if_fail (image != NULL, FALSE);

  if (strlen (image) > MAX_REFERENCE)
    return refuse (error, "%s", _ ("The name of the image is too long."));
  if (is_reference (image))
    return TRUE;
  lower = g_ascii_strdown (image, -1);
  if (image[0] == '\0')
    return refuse (error, "%s", _ ("Name an image, such as “python:3-slim”."));
  if (!g_str_equal (lower, image) && is_reference (lower))
    return refuse (error, _ ("Image names must be in lower case: “%s”."), lower);
  return refuse (error,
                 _ ("“%s” is not the name of an image, such as “python:3-slim” or "
                    "“registry.example/team/tools:2”."),
                 image);
}

gboolean
fh_run_option_check_image (const FhRunOptions *options, GError **error)
{
  return options->container.image == NULL ||
         fh_image_reference_check (options->container.image, error);
}

/* A letter or a digit, then those and the characters of `more`: what engines accept as a name. */
static gboolean
is_word (const char *text, const char *more, gsize max)
{
  g_autofree char *allowed = g_strconcat (LETTERS, DIGITS, more, NULL);
  gsize length = strlen (text);

  return length > 0 && length <= max && g_ascii_isalnum (text[0]) &&
         strspn (text, allowed) == length;
}

gboolean
fh_run_option_check_name (const FhRunOptions *options, GError **error)
{
  const char *name = options->container.name;

  if (name == NULL || (strlen (name) >= 2 && is_word (name, "_.-", MAX_NAME)))
    return TRUE;
  return refuse (error,
                 _ ("“%s” cannot be the name of a container. Use 2 to 128 letters, digits, dots, "
                    "dashes and underscores, with a letter or a digit first."),
                 name);
}

gboolean
fh_run_option_check_init (const FhRunOptions *options, GError **error)
{
  return options->container.init == NULL || strlen (options->container.init) <= MAX_COMMAND ||
         refuse (error, "%s", _ ("The set-up command of a container is longer than 16 KiB."));
}

gboolean
fh_run_option_check_network (const FhRunOptions *options, GError **error)
{
  const char *network = options->container.network;

  return network == NULL || is_word (network, "_.-", MAX_NAME) ||
         refuse (error,
                 _ ("“%s” is not the name of a container network, such as “bridge”."),
                 network);
}

gboolean
fh_run_option_check_gpus (const FhRunOptions *options, GError **error)
{
  const char *gpus = options->container.gpus;

  return gpus == NULL || is_word (gpus, "_.,:/=-", MAX_WORD) ||
         refuse (error,
                 _ ("“%s” does not name GPUs. Use “all”, a number, or names such as “device=0,1”."),
                 gpus);
}

gboolean
fh_run_option_check_volumes (const FhRunOptions *options, GError **error)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *const *volumes = options->container.volumes;
  guint n = count (volumes);

  for (guint i = 0; i < MIN (n, MAX_LIST); i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (!fh_container_volume_parse (volumes[i], &volume, error))
        return FALSE;
      if (!g_hash_table_add (places, g_strdup (volume.inside)))
        return refuse (error, _ ("Two volumes cannot both be mounted at “%s”."), volume.inside);
    }
  return n <= MAX_LIST || refuse (error, "%s", _ ("A container can have at most 64 volumes."));
}

static gboolean
is_address (const char *text)
{
  g_autofree char *bare = NULL;
  gsize length = strlen (text);

  if (g_str_equal (text, "host-gateway"))
    return TRUE;
  if (length > 2 && text[0] == '[' && text[length - 1] == ']')
    bare = g_strndup (text + 1, length - 2);
  return strchr (text, '%') == NULL && g_hostname_is_ip_address (bare != NULL ? bare : text);
}

gboolean
fh_run_option_check_hosts (const FhRunOptions *options, GError **error)
{
  const char *const *hosts = options->container.hosts;
  guint n = count (hosts);

  for (guint i = 0; i < MIN (n, MAX_LIST); i++)
    {
      const char *colon = strchr (hosts[i], ':');
      g_autofree char *name = g_strndup (hosts[i], colon != NULL ? (gsize) (colon - hosts[i]) : 0);

      if (!is_word (name, "_.-", MAX_HOST_NAME) || !is_address (colon + 1))
        return refuse (error,
                       _ ("“%s” is not a host and its address, such as “db:192.0.2.7” or "
                          "“host.docker.internal:host-gateway”."),
                       hosts[i]);
    }
  return n <= MAX_LIST || refuse (error, "%s", _ ("At most 64 hosts can be added."));
}

/* A name as shells know them (POSIX, 8.1) with any value. */
static gboolean
is_variable (const char *text)
{
  const char *equals = strchr (text, '=');
  gsize length = strspn (text, LETTERS DIGITS "_");

  return equals != NULL && length > 0 && text + length == equals && !g_ascii_isdigit (text[0]);
}

gboolean
fh_run_option_check_environment (const FhRunOptions *options, GError **error)
{
  const char *const *environment = options->container.environment;
  guint n = count (environment);
  gsize size = 0;

  for (guint i = 0; i < MIN (n, MAX_VARIABLES); i++)
    {
      if (!is_variable (environment[i]))
        return refuse (error,
                       _ ("“%s” is not a variable and its value, such as “NAME=value”."),
                       environment[i]);
      size += strlen (environment[i]) + 1;
    }
  if (n > MAX_VARIABLES || size > MAX_ENVIRONMENT)
    return refuse (
        error,
        "%s",
        _ ("Too many environment variables. At most 256 with 64 KiB in all can be set."));
  return TRUE;
}

static char *
describe_number (const FhRunOption *option, guint64 number)
{
  FhRunOptions options = { 0 };

  fh_run_option_set_number (option, &options, number);
  return fh_run_option_describe (option, &options);
}

gboolean
fh_run_option_refuse_range (const FhRunOption *option, GError **error)
{
  g_autofree char *least = describe_number (option, option->minimum);
  g_autofree char *most = describe_number (option, option->maximum);

  if (option->flags & FH_OPTION_LIMITED)
    /* Translators: an option such as "Open Files" and its range: "16" and "400" */
    return refuse (error, _ ("%s must be between %s and %s."), _ (option->title), least, most);
  /* Translators: an option such as "CPU Time" and its range: "0.1 s" and "24 h" */
  return refuse (error,
                 _ ("%s must be between %s and %s, or “none” for no limit."),
                 _ (option->title),
                 least,
                 most);
}

static gboolean
check_range (const FhRunOption *option, const FhRunOptions *options, GError **error)
{
  guint64 value = fh_run_option_get_number (option, options);

  return value == 0 || (value >= option->minimum && value <= option->maximum) ||
         fh_run_option_refuse_range (option, error);
}

static gboolean
check_host_path (const char *path, GError **error)
{
  return path == NULL || fh_container_host_path_check (path, error);
}

gboolean
fh_run_option_check (const FhRunOption *option, const FhRunOptions *options, GError **error)
{
  if (fh_run_option_is_limit (option))
    return check_range (option, options, error);
  if (option->kind == FH_OPTION_PATH && option->check == NULL)
    return check_host_path (*fh_run_option_text (option, options), error);
  return option->check == NULL || option->check (options, error);
}

static gboolean
check_each (const char *prefix, const FhRunOptions *options, GError **error)
{
  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      if (!g_str_has_prefix (option->key, prefix) ||
          (option->place == FH_OPTION_IN_CONTAINER && !options->in_container))
        continue;
      if (!fh_run_option_check (option, options, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns a sentence about guards that do not go together; NULL if all do. */
static const char *
conflict_of_guards (const FhRunGuards *guards)
{
  if (guards->tier == FH_TIER_CONTAINER)
    return _ ("A container is chosen by its image, not as a tier.");
  if (count (guards->allow_hosts) > 0 && !fh_run_guards_have (guards, FH_GUARD_NETWORK))
    return _ ("Hosts are allowed by the network guard, which is switched off.");
  if (guards->no_sockets && count (guards->allow_hosts) > 0)
    return _ ("Without sockets no host can be reached.");
  if (guards->no_sockets && !fh_run_guards_have (guards, FH_GUARD_NETWORK))
    return _ ("Sockets are blocked by the network guard, which is switched off.");
  return NULL;
}

static const char *
conflict_of_container (const FhContainerOptions *container)
{
  if (!container->is_kept && container->after != FH_CONTAINER_REMOVE)
    return _ ("Only a container that is kept for further runs can be stopped or left running "
              "afterwards. All others are removed.");
  if (container->init != NULL && !container->is_kept)
    return _ ("Only a container that is kept for further runs can have a set-up command. Keep the "
              "container, or put the command into its image.");
  if (container->bind_dir != NULL && container->work_dir == NULL)
    return _ ("The path of the work folder on the engine’s machine needs a work folder.");
  if (container->bind_dir != NULL && container->files == FH_CONTAINER_FILES_COPY)
    return _ ("The work folder is to be copied, so its path on the engine’s machine cannot be "
              "used.");
  return NULL;
}

/* Guards that have no meaning in a container. */
static const char *
conflict_in_container (const FhRunGuards *guards)
{
  if (guards->tier == FH_TIER_UNPROTECTED)
    return _ ("A container is a protection. Run either in a container or without protection.");
  if (guards->tier != FH_TIER_AUTO)
    return _ ("Choose a container or a tier, not both.");
  if (count (guards->allow_hosts) > 0)
    return _ ("In a container hosts cannot be allowed one by one. Give it a network instead.");
  if (!fh_run_guards_have (guards, FH_GUARD_NETWORK))
    return _ ("The network guard of a container cannot be switched off. Give the container a "
              "network instead.");
  if (!fh_run_guards_have (guards, FH_GUARD_ENVIRONMENT))
    return _ ("A container cannot have your whole environment. Set single variables instead.");
  return NULL;
}

static const char *
conflict_of_folders (const FhRunOptions *options)
{
  if (options->work_dir != NULL && options->project != NULL)
    return _ ("Choose a work folder, whose files the program changes, or a project folder, whose "
              "changes are kept apart.");
  if (options->project != NULL && options->guards.no_files)
    return _ ("The files that a program leaves in a project folder have to be collected.");
  if ((options->work_dir != NULL || options->project != NULL) &&
      options->guards.tier == FH_TIER_UNPROTECTED)
    return _ ("Without protection the program has no workspace for the files of a work folder. It "
              "can open them where they are.");
  return NULL;
}

static gboolean
check_conflict (const char *sentence, GError **error)
{
  return sentence == NULL || refuse (error, "%s", sentence);
}

gboolean
fh_run_options_check (const FhRunOptions *options, GError **error)
{
  g_return_val_if_fail (options != NULL, FALSE);

  if (!check_each ("", options, error) ||
      !check_conflict (conflict_of_guards (&options->guards), error))
    return FALSE;
  if (!options->in_container)
    return check_conflict (conflict_of_folders (options), error);
  return check_conflict (conflict_of_container (&options->container), error) &&
         check_conflict (conflict_in_container (&options->guards), error);
}

gboolean
fh_run_guards_check (const FhRunGuards *guards, GError **error)
{
  g_return_val_if_fail (guards != NULL, FALSE);

  return check_each ("guards.", &(FhRunOptions){ .guards = *guards }, error) &&
         check_conflict (conflict_of_guards (guards), error);
}

gboolean
fh_container_options_check (const FhContainerOptions *container, GError **error)
{
  const FhRunOptions options = { .in_container = TRUE, .container = *container };

  g_return_val_if_fail (container != NULL, FALSE);

  return check_each ("container.", &options, error) &&
         check_conflict (conflict_of_container (container), error);
}
