/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-advice.h"

#include <glib/gi18n-lib.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "flatpak-info.h"
#include "readable-text.h"

/* The group that may use Docker's socket, as its packages create it. */
#define DOCKER_GROUP "docker"

#define MAX_GROUPS 1024

const char *
fh_engine_kind_name (FhEngineKind kind)
{
  return kind == FH_ENGINE_PODMAN ? "Podman" : "Docker";
}

static char *
not_installed (FhEngineKind kind)
{
  /* Never ask for more: who controls an engine controls the computer. */
  if (fh_flatpak_is_inside ())
    return g_strdup (_ ("Fumehood is installed with Flatpak, where container engines are out of "
                        "reach unless you yourself have let Fumehood use the client and the "
                        "socket of one. That protects you: who controls an engine controls this "
                        "computer. Runs without a container are guarded by Flatpak’s own "
                        "sandbox. For containers, install Fumehood without Flatpak."));
  if (kind == FH_ENGINE_PODMAN)
    return g_strdup (_ ("Podman is not installed. On most systems its package is called “podman”, "
                        "such as “sudo apt install podman”."));
  if (kind == FH_ENGINE_DOCKER)
    return g_strdup (_ ("Docker is not installed. On Debian and Ubuntu its package is called "
                        "“docker.io”: “sudo apt install docker.io”."));
  return g_strdup (_ ("Neither Podman nor Docker is installed. Podman needs no administrator to "
                      "run: “sudo apt install podman”. Docker: “sudo apt install docker.io”."));
}

static const char *
variable_of (FhEngineKind kind)
{
  return kind == FH_ENGINE_PODMAN ? "CONTAINER_HOST" : "DOCKER_HOST";
}

const char *
fh_engine_named_endpoint (FhEngineKind kind)
{
  const char *value = g_getenv (variable_of (kind));

  return value != NULL && *value != '\0' ? value : NULL;
}

static gboolean
is_elsewhere (const char *endpoint)
{
  return endpoint != NULL && *endpoint != '\0' && !g_str_has_prefix (endpoint, "unix://");
}

static char *
not_running (FhEngineKind kind, const char *endpoint)
{
  const char *named = fh_engine_named_endpoint (kind);
  g_autofree char *place = NULL;

  if (named != NULL)
    {
      place = fh_readable_text_new (named, strlen (named));
      /* Translators: "Docker", an address, the name of an environment variable (twice) */
      return g_strdup_printf (_ ("%s does not respond at %s. The variable %s selects that address: "
                                 "start it there, or unset %s to use the one on this computer."),
                              fh_engine_kind_name (kind),
                              place,
                              variable_of (kind),
                              variable_of (kind));
    }
  if (is_elsewhere (endpoint))
    {
      place = fh_readable_text_new (endpoint, strlen (endpoint));
      /* Translators: "Docker", an address */
      return g_strdup_printf (_ ("%s does not respond at %s, the address of its current context. "
                                 "Start it there, or choose another context: “docker context ls”."),
                              fh_engine_kind_name (kind),
                              place);
    }
  if (kind == FH_ENGINE_PODMAN)
    return g_strdup (
        _ ("Podman’s service does not respond. Check “podman system connection list”."));
  return g_strdup (_ ("Docker is installed, but its service is not running. Start it with “sudo "
                      "systemctl start docker”."));
}

static gboolean
has_group (const gid_t *groups, int count, gid_t wanted)
{
  for (int i = 0; i < count; i++)
    if (groups[i] == wanted)
      return TRUE;
  return FALSE;
}

/* TRUE when the user is in the group, but this session is older. */
static gboolean
must_log_in_anew (void)
{
  const struct group *group = getgrnam (DOCKER_GROUP);
  const struct passwd *user;
  g_autofree gid_t *groups = g_new (gid_t, MAX_GROUPS);
  gid_t wanted;
  int count = MAX_GROUPS;

  if (group == NULL)
    return FALSE;
  wanted = group->gr_gid;
  user = getpwuid (getuid ());
  if (user == NULL || getgrouplist (user->pw_name, user->pw_gid, groups, &count) < 0)
    return FALSE;
  if (!has_group (groups, count, wanted))
    return FALSE;
  count = getgroups (MAX_GROUPS, groups);
  return getegid () != wanted && !has_group (groups, count, wanted);
}

static char *
not_allowed (FhEngineKind kind)
{
  if (kind == FH_ENGINE_PODMAN)
    return g_strdup (_ ("Podman’s service is running, but you are not allowed to use it."));
  if (must_log_in_anew ())
    return g_strdup (_ ("Docker is running, but this session may not use it yet: you were added to "
                        "the group “docker” after you logged in. Log out and in again."));
  return g_strdup (
      _ ("Docker is running, but you are not allowed to use it. Members of the group “docker” are: "
         "“sudo usermod -aG docker $USER”, then log in again. Note that this group is as powerful "
         "as the administrator; Podman needs no such group."));
}

static char *
timed_out (FhEngineKind kind, const char *endpoint)
{
  const char *named = fh_engine_named_endpoint (kind);
  const char *address = named != NULL ? named : endpoint;
  g_autofree char *place = NULL;

  if (address == NULL || *address == '\0')
    {
      /* Translators: "Docker" */
      return g_strdup_printf (
          _ ("%s does not respond in time. It may be overloaded, or hang: restart it."),
          fh_engine_kind_name (kind));
    }
  place = fh_readable_text_new (address, strlen (address));
  /* Translators: "Docker", an address */
  return g_strdup_printf (
      _ ("%s at %s does not respond in time. It may be overloaded, hang or be unreachable."),
      fh_engine_kind_name (kind),
      place);
}

char *
fh_engine_advice (FhEngineKind kind, FhEngineError code, const char *endpoint)
{
  if (code == FH_ENGINE_ERROR_NOT_INSTALLED)
    return not_installed (kind);
  if (code == FH_ENGINE_ERROR_NOT_RUNNING)
    return not_running (kind, endpoint);
  if (code == FH_ENGINE_ERROR_NOT_ALLOWED)
    return not_allowed (kind);
  return code == FH_ENGINE_ERROR_TIMED_OUT ? timed_out (kind, endpoint) : NULL;
}

GError *
fh_engine_advise (const GError *error, FhEngineKind kind, const char *endpoint)
{
  g_autofree char *general = NULL;
  g_autofree char *special = NULL;
  const char *words = NULL;

  g_return_val_if_fail (error != NULL, NULL);

  if (error->domain == FH_ENGINE_ERROR)
    {
      general = fh_engine_advice (kind, error->code, NULL);
      special = fh_engine_advice (kind, error->code, endpoint);
    }
  if (general != NULL && g_str_has_prefix (error->message, general))
    words = error->message + strlen (general);
  else if (general != NULL && error->code == FH_ENGINE_ERROR_TIMED_OUT)
    words = "";
  return words != NULL ? g_error_new (FH_ENGINE_ERROR, error->code, "%s%s", special, words)
                       : g_error_copy (error);
}
