/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy-parts.h"

#include <string.h>

#include "time-zone.h"
#include "wire-container.h"
#include "wire-proxy.h"

/*
 * The environment is built from scratch, or from the image's variables:
 *
 * - PATH starts with the interpreter's own folder when that is not a system one, so that the
 *   tools of a virtual environment are found as they would be after activating it.
 * - LANG gives UTF-8 without any language. LC_ALL stays unset: it would overrule the LC_ names
 *   that a program sets for its children.
 * - OPENBLAS_NUM_THREADS=1, because OpenBLAS hangs under a small memory limit when it starts a
 *   thread for each processor.
 * - PYTHONDONTWRITEBYTECODE=1, so that the workspace holds only what the program wrote on purpose
 *   and the interpreter does not try to write into read-only prefixes.
 */

#define NOT_BY_PROXY "localhost,127.0.0.1,::1"

#define SYSTEM_PATH "/usr/local/bin:/usr/bin:/bin"

static char *
path_variable (const char *interpreter)
{
  g_autofree char *folder = g_path_get_dirname (interpreter);
  const char *const system_folders[] = { "/usr/local/bin", "/usr/bin", "/bin", NULL };

  /* A colon would split the folder in two. */
  if (g_strv_contains (system_folders, folder) || strchr (folder, ':') != NULL)
    return g_strdup ("PATH=" SYSTEM_PATH);
  return g_strconcat ("PATH=", folder, ":" SYSTEM_PATH, NULL);
}

/* Programs read the lower-case or the upper-case names; few read both. */
static void
add_proxy (GStrvBuilder *builder, const FhRunGuards *guards)
{
  const gboolean is_off =
      !fh_run_guards_have (guards, FH_GUARD_NETWORK) || guards->tier == FH_TIER_UNPROTECTED;

  if (is_off || guards->allow_hosts == NULL || guards->allow_hosts[0] == NULL)
    return;
  g_strv_builder_add_many (builder,
                           "http_proxy=" FH_PROXY_URL,
                           "https_proxy=" FH_PROXY_URL,
                           "HTTP_PROXY=" FH_PROXY_URL,
                           "HTTPS_PROXY=" FH_PROXY_URL,
                           "no_proxy=" NOT_BY_PROXY,
                           "NO_PROXY=" NOT_BY_PROXY,
                           NULL);
}

/* The user's own, except for folders, which do not exist inside. */
static char **
users_environment (void)
{
  g_auto (GStrv) environment = g_get_environ ();

  environment = g_environ_setenv (environment, "HOME", FH_INSIDE_WORKSPACE, TRUE);
  environment = g_environ_setenv (environment, "TMPDIR", "/tmp", TRUE);
  environment = g_environ_setenv (environment, "PWD", FH_INSIDE_WORKSPACE, TRUE);
  environment = g_environ_unsetenv (environment, "OLDPWD");
  return g_steal_pointer (&environment);
}

static char **
native_environment (const FhPolicyParts *parts)
{
  const FhRunGuards *guards = fh_run_request_get_guards (parts->request);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *path = path_variable (parts->interpreter->path);

  if (!fh_run_guards_have (guards, FH_GUARD_ENVIRONMENT))
    return users_environment ();
  g_strv_builder_add_many (builder,
                           path,
                           "HOME=" FH_INSIDE_WORKSPACE,
                           "LANG=C.UTF-8",
                           "TMPDIR=/tmp",
                           /* Caches are no result of the program. */
                           "XDG_CACHE_HOME=/tmp/.cache",
                           "TERM=dumb",
                           "OPENBLAS_NUM_THREADS=1",
                           "PYTHONDONTWRITEBYTECODE=1",
                           NULL);
  if (parts->time_zone != NULL && fh_time_zone_is_plain (parts->time_zone))
    {
      g_autofree char *zone = g_strconcat ("TZ=", parts->time_zone, NULL);

      g_strv_builder_add (builder, zone);
    }
  add_proxy (builder, guards);
  return g_strv_builder_end (builder);
}

/* The PATH of an image that sets none, as Docker chooses it. */
#define IMAGE_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Here are the programs that an ordinary user installs, such as pip's scripts. */
#define KEPT_PATH FH_CONTAINER_HOME "/.local/bin:"

/* A proxy from the build of the image may contain a password. */
static gboolean
is_proxy (const char *variable)
{
  const char *end = strchr (variable, '=');

  return end != NULL && end - variable >= 6 && g_ascii_strncasecmp (end - 6, "_proxy", 6) == 0;
}

static char **
add_variable (char **environment, const char *variable)
{
  g_auto (GStrv) parts = g_strsplit (variable, "=", 2);

  if (parts[0] == NULL || parts[0][0] == '\0' || parts[1] == NULL)
    return environment;
  return g_environ_setenv (environment, parts[0], parts[1], TRUE);
}

static char **
add_variables (char **environment, const char *const *variables)
{
  for (gsize i = 0; variables != NULL && variables[i] != NULL; i++)
    {
      if (!is_proxy (variables[i]))
        environment = add_variable (environment, variables[i]);
    }
  return environment;
}

static char **
add_path (char **environment, const FhContainerOptions *options)
{
  const char *path = g_environ_getenv (environment, "PATH");
  g_autofree char *whole = NULL;

  if (path == NULL || *path == '\0')
    path = IMAGE_PATH;
  whole = g_strconcat (options->is_kept ? KEPT_PATH : "", path, NULL);
  return g_environ_setenv (environment, "PATH", whole, TRUE);
}

/* The image's variables, overridden by ours, overridden by the user's. */
static char **
container_environment (const FhPolicyParts *parts)
{
  static const char *const ours[] = {
    "LANG=C.UTF-8",           "TMPDIR=" FH_CONTAINER_TMP,  "TERM=dumb",
    "OPENBLAS_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1", NULL,
  };
  const FhContainerOptions *options = parts->container;
  const char *const *wishes = options->environment;
  const FhRunGuards *guards = fh_run_request_get_guards (parts->request);
  char **environment = NULL;

  if (!fh_run_guards_have (guards, FH_GUARD_ENVIRONMENT))
    environment = g_environ_unsetenv (users_environment (), "PATH");
  environment = add_variables (environment, parts->image_environment);
  environment = add_path (environment, options);
  environment = add_variables (environment, ours);
  environment = g_environ_setenv (environment,
                                  "HOME",
                                  options->is_kept ? FH_CONTAINER_HOME : FH_CONTAINER_WORKSPACE,
                                  TRUE);
  /* Keep caches out of the workspace; a home is the right place for them. */
  if (!options->is_kept)
    environment =
        g_environ_setenv (environment, "XDG_CACHE_HOME", FH_CONTAINER_TMP "/.cache", TRUE);
  if (parts->time_zone != NULL && fh_time_zone_is_plain (parts->time_zone))
    environment = g_environ_setenv (environment, "TZ", parts->time_zone, TRUE);
  for (gsize i = 0; wishes != NULL && wishes[i] != NULL; i++)
    environment = add_variable (environment, wishes[i]);
  return environment;
}

char **
fh_policy_environment (const FhPolicyParts *parts)
{
  return parts->container != NULL ? container_environment (parts) : native_environment (parts);
}
