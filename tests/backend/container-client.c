/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the backend tells an engine's client, and what it does with containers, for tests that have
 * a real engine:
 *
 *   container-client words run|create|exec [KEY=VALUE…]   every word, each with a NUL behind it
 *   container-client find|stop|restart|remove|later NAME
 *   container-client list|reap|wait
 *
 * `wait` prints its owner's name and stays until its standard input ends. The engine is $FH_ENGINE,
 * or Docker. An error is the line "error CODE MESSAGE" and exit status 1. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container-arguments.h"
#include "container-ops.h"
#include "runner-locator.h"

static char *
value_of (char **words, const char *key, const char *otherwise)
{
  const gsize length = strlen (key);

  for (guint i = 3; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], key) && words[i][length] == '=')
      return words[i] + length + 1;
  return (char *) otherwise;
}

static guint64
number_of (char **words, const char *key, guint64 otherwise)
{
  const char *text = value_of (words, key, NULL);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : otherwise;
}

static void
tell_words (const char *command, const FhContainerParts *parts)
{
  g_auto (GStrv) words = g_str_equal (command, "run")      ? fh_container_arguments_run (parts)
                         : g_str_equal (command, "create") ? fh_container_arguments_create (parts)
                                                           : fh_container_arguments_exec (parts);

  for (guint i = 0; words[i] != NULL; i++)
    {
      fputs (words[i], stdout);
      putchar ('\0');
    }
}

static FhContainerOptions
options_of (char **words, const char **volumes, const char **hosts)
{
  volumes[0] = value_of (words, "volume", NULL);
  hosts[0] = value_of (words, "host", NULL);
  return (FhContainerOptions){
    .is_kept = number_of (words, "kept", 0) != 0,
    .after = number_of (words, "kept", 0) != 0 ? FH_CONTAINER_LEAVE : FH_CONTAINER_REMOVE,
    .is_writable = number_of (words, "writable", 0) != 0,
    .is_root = number_of (words, "root", 0) != 0,
    .network = value_of (words, "network", NULL),
    .milli_cpus = (guint) number_of (words, "cpus", 0),
    .work_dir = value_of (words, "workspace", NULL),
    .volumes = volumes,
    .hosts = hosts,
  };
}

static void
compose (char **words, const FhEngineFacts *facts)
{
  const char *volumes[2] = { NULL };
  const char *hosts[2] = { NULL };
  const FhContainerOptions options = options_of (words, volumes, hosts);
  const FhRunLimits limits = {
    .memory_bytes = number_of (words, "memory", 64 << 20),
    .disk_bytes = number_of (words, "disk", 8 << 20),
    .processes = (guint) number_of (words, "processes", 40),
  };
  const FhRunGuards guards = { .without = (guint) number_of (words, "without", 0) };
  g_autofree char *runner = fh_runner_locate ();
  g_autofree char *guest = fh_runner_locate_guest_folder ();
  g_autofree char *owner = fh_container_owner ();
  g_autofree char *profile =
      fh_runner_locate_container_profile (number_of (words, "watched", 0) != 0);
  const FhContainerParts parts = {
    .engine = facts,
    .options = &options,
    .limits = &limits,
    .guards = &guards,
    .image = value_of (words, "image", "plain:latest"),
    .name = value_of (words, "name", "fumehood-nobody"),
    .owner = value_of (words, "owner", owner),
    .runner = value_of (words, "runner", runner),
    .guest_folder = guest,
    .seccomp_profile = profile,
    .home = value_of (words, "home", NULL),
    .workspace = options.work_dir,
    .uid = getuid (),
    .gid = getgid (),
  };

  tell_words (words[2], &parts);
}

static void
tell_container (const FhContainer *container)
{
  printf ("%s %s %s ours=%d kept=%d exit=%d %s\n",
          container->name,
          container->state,
          container->image,
          container->is_ours,
          container->is_kept,
          container->exit_code,
          container->owner);
}

static void
wait_for_end (void)
{
  g_autofree char *owner = fh_container_owner ();
  char end;

  puts (owner);
  fflush (stdout);
  while (read (STDIN_FILENO, &end, 1) > 0)
    continue;
}

static void
list (FhEngine *engine, GError **error)
{
  g_autoptr (GPtrArray) all = fh_container_list (engine, NULL, error);

  for (guint i = 0; all != NULL && i < all->len; i++)
    tell_container (all->pdata[i]);
}

static void
find (FhEngine *engine, const char *name, GError **error)
{
  g_autoptr (FhContainer) container = fh_container_find (engine, name, NULL, error);

  if (container != NULL)
    tell_container (container);
}

static void
act (FhEngine *engine, char **words, GError **error)
{
  const char *verb = words[1];

  if (g_str_equal (verb, "find"))
    find (engine, words[2], error);
  else if (g_str_equal (verb, "stop"))
    fh_container_stop (engine, words[2], 5, NULL, error);
  else if (g_str_equal (verb, "restart"))
    fh_container_restart (engine, words[2], NULL, error);
  else if (g_str_equal (verb, "remove"))
    fh_container_remove (engine, words[2], NULL, error);
  else if (g_str_equal (verb, "list"))
    list (engine, error);
  else if (g_str_equal (verb, "reap"))
    printf ("%d\n", fh_container_reap (engine, NULL, error));
  else if (g_str_equal (verb, "words"))
    compose (words, fh_engine_get_facts (engine));
  else if (g_str_equal (verb, "later"))
    fh_container_remove_later (engine, words[2]);
  else
    wait_for_end ();
}

int
main (int argc, char *argv[])
{
  FhEngineKind kind = FH_ENGINE_DOCKER;
  g_autoptr (FhEngine) engine = NULL;
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  if (argc < 2 || (g_getenv ("FH_ENGINE") != NULL &&
                   !fh_engine_kind_from_string (g_getenv ("FH_ENGINE"), &kind)))
    {
      fputs ("usage: container-client VERB [NAME | COMMAND [KEY=VALUE…]]\n", stderr);
      return 2;
    }
  engine = fh_engine_choose (kind, NULL, &error);
  if (engine != NULL)
    act (engine, argv, &error);
  if (error == NULL)
    return 0;
  printf ("error %d %s\n", error->code, error->message);
  return 1;
}
