/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every word that an engine's client is told, for either engine and every choice. */
#include <string.h>

#include "container-parts.h"

/* What holds for each of these engines alike. */
static const FhEngineKind kinds[] = { FH_ENGINE_DOCKER, FH_ENGINE_PODMAN };

static void
test_always (void)
{
  static const char *const expected[] = {
    "--name=fumehood-1",
    "--label=io.github.fumehood=1",
    "--label=io.github.fumehood.owner=me",
    "--label=io.github.fumehood.image=python:3-slim",
    "--interactive",
    "--pull=never",
    "--log-driver=none",
    "--no-healthcheck",
    "--stop-signal=SIGTERM",
    "--stop-timeout=1",
    "--hostname=sandbox",
    "--workdir=/",
    "--entrypoint=/opt/fumehood/runner",
    "--user=1000:1001",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--security-opt=seccomp=/usr/share/fumehood/container/x=y.json",
    "--ipc=private",
    "--cgroupns=private",
    "--read-only",
    "--network=none",
    "--ulimit=core=0:0",
    "--ulimit=nofile=4096:4096",
    "--pids-limit=52",
    "--memory=285212672",
    "--memory-swap=285212672",
    "--shm-size=16777216",
    "--mount=type=bind,source=/usr/libexec/fumehood-runner,target=/opt/fumehood/runner,readonly",
    "--mount=type=bind,source=/usr/share/fumehood/guest,target=/opt/fumehood/guest,readonly",
  };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      Parts parts;

      parts_set_up (&parts, kinds[k]);
      for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
        parts_assert_word (&parts, expected[i]);
      g_assert_cmpuint (parts_count (&parts, "--init"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--rm"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--tty"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--privileged"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--cap-add"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--cpus"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--gpus") + parts_count (&parts, "--device"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--add-host"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--userns"), ==, 0);
      g_assert_cmpuint (parts_count (&parts, "--mount="), ==, 2);
      g_assert_cmpuint (parts_count (&parts, "--security-opt=label"), ==, 0);
      /* Whatever the image's label of that name says. */
      parts_assert_word (&parts, "--label=io.github.fumehood.kept=");
    }
}

static void
test_docker (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts_assert_word (&parts,
                     "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,size=67108864,nr_inodes=8192,"
                     "uid=1000,gid=1001");
  parts_assert_word (&parts,
                     "--tmpfs=/workspace:rw,exec,nosuid,nodev,mode=1777,size=67108864,"
                     "nr_inodes=8192,uid=1000,gid=1001");
  parts_assert_word (&parts, "--env=HTTP_PROXY=");
  parts_assert_word (&parts, "--env=https_proxy=");
  g_assert_cmpuint (parts_count (&parts, "--env="), ==, 10);
  g_assert_cmpuint (parts_count (&parts, "--http-proxy"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--read-only-tmpfs"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--detach-keys"), ==, 0);
}

static void
test_podman (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_PODMAN);
  parts_assert_word (&parts,
                     "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,notmpcopyup,size=67108864");
  parts_assert_word (&parts, "--http-proxy=false");
  parts_assert_word (&parts, "--read-only-tmpfs=false");
  parts_assert_word (&parts, "--image-volume=ignore");
  parts_assert_word (&parts, "--sdnotify=ignore");
  parts_assert_word (&parts, "--detach-keys=");
  g_assert_cmpuint (parts_count (&parts, "--env="), ==, 0);
}

static void
assert_ends (GStrv words, const char *expected)
{
  g_autofree char *all = g_strjoinv (" ", words);

  g_assert_true (g_str_has_suffix (all, expected));
}

static void
test_commands (void)
{
  Parts parts;
  g_auto (GStrv) run = NULL;
  g_auto (GStrv) create = NULL;
  g_auto (GStrv) kept = NULL;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  run = fh_container_arguments_run (&parts.made_from);
  g_assert_cmpstr (run[0], ==, "run");
  assert_ends (run, " -- sha256:abc --container");
  create = fh_container_arguments_create (&parts.made_from);
  g_assert_cmpstr (create[0], ==, "create");
  g_assert_true (g_strv_contains ((const char *const *) create, "--interactive"));
  assert_ends (create, " -- sha256:abc --container");
  parts.options.is_kept = TRUE;
  kept = fh_container_arguments_create (&parts.made_from);
  g_assert_true (
      g_strv_contains ((const char *const *) kept, "--label=io.github.fumehood.kept=owner"));
  g_clear_pointer (&kept, g_strfreev);
  parts.options.after = FH_CONTAINER_STOP;
  kept = fh_container_arguments_create (&parts.made_from);
  g_assert_false (g_strv_contains ((const char *const *) kept, "--interactive"));
  g_assert_true (g_strv_contains ((const char *const *) kept, "--label=io.github.fumehood.kept=1"));
  assert_ends (kept, " -- sha256:abc --keep");
}

static void
assert_words (GStrv words, const char *expected)
{
  g_autofree char *all = g_strjoinv (" ", words);

  g_assert_cmpstr (all, ==, expected);
  g_strfreev (words);
}

static void
test_further_commands (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  assert_words (fh_container_arguments_exec (&parts.made_from),
                "exec --interactive -- fumehood-1 /opt/fumehood/runner --container");
  assert_words (fh_container_arguments_start (&parts.made_from),
                "start --attach --interactive -- fumehood-1");
  parts_set_up (&parts, FH_ENGINE_PODMAN);
  assert_words (fh_container_arguments_exec (&parts.made_from),
                "exec --interactive --detach-keys= -- fumehood-1 /opt/fumehood/runner --container");
  assert_words (fh_container_arguments_start (&parts.made_from),
                "start --attach --interactive --detach-keys= -- fumehood-1");
}

static void
test_user (void)
{
  static const struct
  {
    FhEngineKind kind;
    gboolean is_rootless;
    gboolean is_root;
    const char *user;
    gboolean keeps_id;
  } cases[] = {
    { FH_ENGINE_DOCKER, FALSE, FALSE, "--user=1000:1001", FALSE },
    { FH_ENGINE_DOCKER, FALSE, TRUE, "--user=0:0", FALSE },
    { FH_ENGINE_DOCKER, TRUE, FALSE, "--user=0:0", FALSE },
    { FH_ENGINE_DOCKER, TRUE, TRUE, "--user=0:0", FALSE },
    { FH_ENGINE_PODMAN, FALSE, FALSE, "--user=1000:1001", FALSE },
    { FH_ENGINE_PODMAN, FALSE, TRUE, "--user=0:0", FALSE },
    { FH_ENGINE_PODMAN, TRUE, FALSE, "--user=1000:1001", TRUE },
    { FH_ENGINE_PODMAN, TRUE, TRUE, "--user=0:0", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Parts parts;

      parts_set_up (&parts, cases[i].kind);
      parts.engine.is_rootless = cases[i].is_rootless;
      parts.options.is_root = cases[i].is_root;
      parts_assert_word (&parts, cases[i].user);
      g_assert_cmpuint (parts_count (&parts, "--user="), ==, 1);
      g_assert_cmpint (parts_has (&parts, "--userns=keep-id"), ==, cases[i].keeps_id);
    }
}

static void
test_limits (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.made_from.input_size = 4 * MIB;
  parts.options.milli_cpus = 1500;
  parts_assert_word (&parts, "--memory=289406976");
  parts_assert_word (&parts, "--cpus=1.500");
  parts.options.milli_cpus = 50;
  parts_assert_word (&parts, "--cpus=0.050");
  parts.options.is_kept = TRUE;
  parts_assert_word (&parts, "--memory=285212672");
  parts_assert_word (&parts, "--pids-limit=53");
  parts.limits.processes = 4;
  parts_assert_word (&parts, "--pids-limit=16");
  parts.limits.memory_bytes = 32 * MIB;
  parts_assert_word (&parts, "--shm-size=8388608");
  parts.limits = (FhRunLimits){ 0 };
  g_assert_cmpuint (parts_count (&parts, "--memory"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--pids"), ==, 0);
  parts_assert_word (&parts, "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,uid=1000,gid=1001");
  parts_assert_word (&parts, "--shm-size=1073741824");
}

static void
test_limits_of_the_engine (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_PODMAN);
  parts.options.milli_cpus = 1000;
  parts.engine.is_rootless = TRUE;
  parts.engine.limits_memory = parts.engine.limits_cpus = FALSE;
  parts.engine.limits_processes = FALSE;
  g_assert_cmpuint (parts_count (&parts, "--memory"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--pids"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--cpus"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--ulimit=nofile"), ==, 0);
  parts_assert_word (&parts, "--ulimit=core=0:0");
}

static void
test_switched_off (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.guards.without = 1u << FH_GUARD_MEMORY | 1u << FH_GUARD_DISK | 1u << FH_GUARD_SYSTEM_CALLS |
                         1u << FH_GUARD_NETWORK;
  parts.limits = fh_run_guards_limits (&parts.guards, &parts.limits);
  g_assert_cmpuint (parts_count (&parts, "--memory"), ==, 0);
  parts_assert_word (&parts, "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,uid=1000,gid=1001");
  /* The engine's own profile: never none. */
  g_assert_cmpuint (parts_count (&parts, "--security-opt=seccomp"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--network"), ==, 0);
  parts_assert_word (&parts, "--cap-drop=ALL");
  parts_assert_word (&parts, "--read-only");
}

static void
test_options (void)
{
  const char *const hosts[] = { "db:192.0.2.7", "six:[::1]", NULL };
  Parts parts;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      parts_set_up (&parts, kinds[k]);
      parts.options.network = "bridge";
      parts.options.hosts = hosts;
      parts.options.is_writable = TRUE;
      parts.options.image = "registry.example:5000/a/b@sha256:0";
      parts_assert_word (&parts, "--network=bridge");
      g_assert_cmpuint (parts_count (&parts, "--network"), ==, 1);
      parts_assert_word (&parts, "--add-host=db:192.0.2.7");
      parts_assert_word (&parts, "--add-host=six:[::1]");
      g_assert_cmpuint (parts_count (&parts, "--read-only"), ==, 0);
      parts_assert_word (&parts,
                         "--label=io.github.fumehood.image=registry.example:5000/a/b@sha256:0");
    }
}

static void
test_gpus (void)
{
  static const struct
  {
    FhEngineKind kind;
    const char *gpus;
    const char *first;
    guint n;
  } cases[] = {
    { FH_ENGINE_DOCKER, "all", "--gpus=all", 1 },
    { FH_ENGINE_DOCKER, "2", "--gpus=2", 1 },
    { FH_ENGINE_DOCKER, "device=0", "--gpus=\"device=0\"", 1 },
    { FH_ENGINE_DOCKER, "GPU-1,GPU-2", "--gpus=\"device=GPU-1,GPU-2\"", 1 },
    { FH_ENGINE_PODMAN, "all", "--device=nvidia.com/gpu=all", 1 },
    { FH_ENGINE_PODMAN, "2", "--device=nvidia.com/gpu=1", 2 },
    { FH_ENGINE_PODMAN, "device=3", "--device=nvidia.com/gpu=3", 1 },
    { FH_ENGINE_PODMAN, "0,1", "--device=nvidia.com/gpu=1", 2 },
    { FH_ENGINE_PODMAN, "amd.com/gpu=0", "--device=amd.com/gpu=0", 1 },
    { FH_ENGINE_PODMAN, "99999999999", "--device=nvidia.com/gpu=63", 64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Parts parts;

      parts_set_up (&parts, cases[i].kind);
      parts.options.gpus = cases[i].gpus;
      parts_assert_word (&parts, cases[i].first);
      g_assert_cmpuint (parts_count (&parts, "--gpus") + parts_count (&parts, "--device"),
                        ==,
                        cases[i].n);
    }
}

/* Whatever stands in a value, no word of its own comes of it before "--". */
static void
test_no_loose_words (void)
{
  static const char *const alone[] = { "--interactive", "--read-only", "--no-healthcheck" };
  const char *const hosts[] = { "--privileged:1.1.1.1", NULL };
  Parts parts;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_auto (GStrv) words = NULL;

      parts_set_up (&parts, kinds[k]);
      parts.made_from.name = parts.made_from.owner = parts.made_from.workspace = "--privileged";
      parts.made_from.image = "--privileged";
      parts.options.network = parts.options.gpus = "--privileged";
      parts.options.hosts = hosts;
      words = fh_container_arguments_run (&parts.made_from);
      for (guint i = 1; !g_str_equal (words[i], "--"); i++)
        {
          gboolean is_alone = FALSE;

          for (guint j = 0; j < G_N_ELEMENTS (alone); j++)
            is_alone = is_alone || g_str_equal (words[i], alone[j]);
          g_assert_true (is_alone || strchr (words[i], '=') != NULL);
          g_assert_false (g_str_has_prefix (words[i], "--privileged"));
        }
      g_strfreev (g_steal_pointer (&words));
      words = fh_container_arguments_exec (&parts.made_from);
      g_assert_cmpstr (words[g_strv_length (words) - 4], ==, "--");
    }
}

static void
assert_digest (const Parts *parts, const char *other, gboolean is_same)
{
  g_autofree char *digest = fh_container_options_digest (&parts->made_from);

  g_assert_cmpuint (strlen (digest), ==, 64);
  g_assert_cmpint (g_str_equal (digest, other), ==, is_same);
}

static void
test_digest (void)
{
  Parts parts;
  g_autofree char *digest = NULL;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  digest = fh_container_options_digest (&parts.made_from);
  parts.made_from.name = "other";
  parts.made_from.owner = "somebody";
  parts.made_from.input_size = 5;
  parts.limits.wall_ms = 1;
  parts.limits.output_bytes = 1;
  parts.options.after = FH_CONTAINER_LEAVE;
  assert_digest (&parts, digest, TRUE);
  parts.limits.memory_bytes += 1;
  assert_digest (&parts, digest, FALSE);
  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.options.network = "bridge";
  assert_digest (&parts, digest, FALSE);
  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.made_from.image = "sha256:abd";
  assert_digest (&parts, digest, FALSE);
  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.made_from.seccomp_profile = "/other.json";
  assert_digest (&parts, digest, FALSE);
  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.made_from.workspace = "/home/u";
  assert_digest (&parts, digest, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-arguments/always", test_always);
  g_test_add_func ("/container-arguments/docker", test_docker);
  g_test_add_func ("/container-arguments/podman", test_podman);
  g_test_add_func ("/container-arguments/commands", test_commands);
  g_test_add_func ("/container-arguments/further-commands", test_further_commands);
  g_test_add_func ("/container-arguments/user", test_user);
  g_test_add_func ("/container-arguments/limits", test_limits);
  g_test_add_func ("/container-arguments/limits-of-the-engine", test_limits_of_the_engine);
  g_test_add_func ("/container-arguments/switched-off", test_switched_off);
  g_test_add_func ("/container-arguments/options", test_options);
  g_test_add_func ("/container-arguments/gpus", test_gpus);
  g_test_add_func ("/container-arguments/no-loose-words", test_no_loose_words);
  g_test_add_func ("/container-arguments/digest", test_digest);
  return g_test_run ();
}
