/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a container may be made with. The words reach an engine's client as arguments, so none may
 * be taken for an option or hold what separates the parts of one; and nothing may open a way out
 * of the container that nobody would think of, such as the socket of the engine itself.
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "container-options.h"
#include "container-volume.h"
#include "image-reference.h"
#include "run-error.h"

#define MAX_NAME        128
#define MAX_WORD        256
#define MAX_LIST        64
#define MAX_VARIABLES   256
#define MAX_ENVIRONMENT ((gsize) 64 << 10) /* it travels in one message with everything else */
#define MIN_MILLI_CPUS  10                 /* engines refuse less */
#define MAX_MILLI_CPUS  (1024 * 1000)

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *valid = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (message, -1);
  g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, valid);
  return FALSE;
}

/* A letter or a digit, then those and `more`: what engines take for a name. */
static gboolean
is_word (const char *text, const char *more, gsize max)
{
  g_autofree char *allowed = g_strconcat (LETTERS, DIGITS, more, NULL);
  gsize length = strlen (text);

  return length > 0 && length <= max && g_ascii_isalnum (text[0]) &&
         strspn (text, allowed) == length;
}

static gboolean
check_name (const FhContainerOptions *options, GError **error)
{
  const char *name = options->name;

  if (name != NULL && (strlen (name) < 2 || !is_word (name, "_.-", MAX_NAME)))
    return refuse (error,
                   _ ("“%s” cannot be the name of a container. It has 2 to 128 letters, digits, "
                      "dots, dashes and underscores, and begins with a letter or a digit."),
                   name);
  if (!options->is_kept && options->after != FH_CONTAINER_REMOVE)
    return refuse (error,
                   "%s",
                   _ ("Only a container that is kept for further runs can be stopped or left "
                      "running afterwards. All others are removed."));
  return TRUE;
}

static gboolean
check_folders (const FhContainerOptions *options, GError **error)
{
  if (options->work_dir != NULL && !fh_container_host_path_check (options->work_dir, error))
    return FALSE;
  if (options->bind_dir == NULL)
    return TRUE;
  if (options->work_dir == NULL)
    return refuse (error,
                   "%s",
                   _ ("The place of the work folder on the engine’s machine was named, but no work "
                      "folder."));
  if (options->files == FH_CONTAINER_FILES_COPY)
    return refuse (error,
                   "%s",
                   _ ("The work folder is to be copied, so its place on the engine’s machine "
                      "cannot be used."));
  return fh_container_host_path_check (options->bind_dir, error);
}

/* No address, no other container's network ("container:…"), no options behind a colon. */
static gboolean
check_network (const char *network, GError **error)
{
  if (network == NULL || is_word (network, "_.-", MAX_NAME))
    return TRUE;
  return refuse (error,
                 _ ("“%s” is not the name of a container network, such as “bridge”."),
                 network);
}

static gboolean
check_devices (const FhContainerOptions *options, GError **error)
{
  if (options->milli_cpus != 0 &&
      (options->milli_cpus < MIN_MILLI_CPUS || options->milli_cpus > MAX_MILLI_CPUS))
    return refuse (error, "%s", _ ("The number of processors must be from 0.01 to 1024."));
  if (options->gpus != NULL && !is_word (options->gpus, "_.,:/=-", MAX_WORD))
    return refuse (error,
                   _ ("“%s” does not name GPUs. Say “all”, how many, or which, such as "
                      "“device=0,1”."),
                   options->gpus);
  return TRUE;
}

static gboolean
check_volumes (const char *const *volumes, GError **error)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint i;

  for (i = 0; volumes != NULL && volumes[i] != NULL && i <= MAX_LIST; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (!fh_container_volume_parse (volumes[i], &volume, error))
        return FALSE;
      if (!g_hash_table_add (places, g_strdup (volume.inside)))
        return refuse (error,
                       _ ("Two folders cannot both be at “%s” in the container."),
                       volume.inside);
    }
  if (i > MAX_LIST)
    return refuse (error, "%s", _ ("At most 64 folders can be shown to a container."));
  return TRUE;
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

static gboolean
check_hosts (const char *const *hosts, GError **error)
{
  guint i;

  for (i = 0; hosts != NULL && hosts[i] != NULL && i <= MAX_LIST; i++)
    {
      const char *colon = strchr (hosts[i], ':');
      g_autofree char *name = g_strndup (hosts[i], colon != NULL ? (gsize) (colon - hosts[i]) : 0);

      if (!is_word (name, "_.-", 253) || !is_address (colon + 1))
        return refuse (error,
                       _ ("“%s” is not a host and its address, such as “db:192.0.2.7” or "
                          "“host.docker.internal:host-gateway”."),
                       hosts[i]);
    }
  if (i > MAX_LIST)
    return refuse (error, "%s", _ ("At most 64 hosts can be named."));
  return TRUE;
}

/* An environment variable as shells know them: POSIX, 8.1. The value may be anything. */
static gboolean
is_variable (const char *text)
{
  const char *equals = strchr (text, '=');
  gsize length = strspn (text, LETTERS DIGITS "_");

  return equals != NULL && length > 0 && text + length == equals && !g_ascii_isdigit (text[0]);
}

static gboolean
check_environment (const char *const *environment, GError **error)
{
  gsize size = 0;
  guint i;

  for (i = 0; environment != NULL && environment[i] != NULL && i <= MAX_VARIABLES; i++)
    {
      if (!is_variable (environment[i]))
        return refuse (error,
                       _ ("“%s” is not a variable and its value, such as “NAME=value”."),
                       environment[i]);
      size += strlen (environment[i]) + 1;
    }
  if (i > MAX_VARIABLES || size > MAX_ENVIRONMENT)
    return refuse (error,
                   "%s",
                   _ ("There are too many environment variables: at most 256 with 64 KiB can be "
                      "set."));
  return TRUE;
}

gboolean
fh_container_options_check (const FhContainerOptions *options, GError **error)
{
  g_return_val_if_fail (options != NULL, FALSE);

  return (options->image == NULL || fh_image_reference_check (options->image, error)) &&
         check_name (options, error) && check_folders (options, error) &&
         check_network (options->network, error) && check_devices (options, error) &&
         check_volumes (options->volumes, error) && check_hosts (options->hosts, error) &&
         check_environment (options->environment, error);
}
