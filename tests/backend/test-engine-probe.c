/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine is what it says of itself, and what is wrong with it is said with what to do. */
#include <string.h>

#include "engine-room.h"

static FhEngine *
docker_that (const char *act)
{
  g_autoptr (GError) error = NULL;
  FhEngine *engine;

  engine_room_set (act, NULL);
  engine = engine_room_probe (FH_ENGINE_DOCKER, &error);
  g_assert_no_error (error);
  g_assert_nonnull (engine);
  return engine;
}

static FhEngine *
podman_that (const char *act)
{
  g_autoptr (GError) error = NULL;
  FhEngine *engine;

  engine_room_set (NULL, act);
  engine = engine_room_probe (FH_ENGINE_PODMAN, &error);
  g_assert_no_error (error);
  g_assert_nonnull (engine);
  return engine;
}

static void
test_docker (void)
{
  g_autoptr (FhEngine) engine = docker_that ("works");
  const FhEngineFacts *facts = fh_engine_get_facts (engine);
  g_autofree char *text = fh_engine_describe (engine);

  g_assert_cmpint (facts->kind, ==, FH_ENGINE_DOCKER);
  g_assert_cmpstr (facts->program, ==, engine_room_program (FH_ENGINE_DOCKER));
  g_assert_cmpstr (facts->version, ==, "20.10.24");
  g_assert_cmpstr (facts->architecture, ==, "amd64");
  g_assert_cmpstr (facts->storage, ==, "overlay2");
  g_assert_cmpstr (facts->endpoint, ==, "unix:///var/run/docker.sock");
  g_assert_false (facts->is_rootless);
  g_assert_false (facts->is_remote);
  g_assert_true (facts->limits_memory && facts->limits_processes && facts->limits_cpus);
  g_assert_cmpstr (text, ==, "Docker 20.10.24");
}

static void
test_docker_kinds (void)
{
  g_autoptr (FhEngine) rootless = docker_that ("rootless");
  g_autoptr (FhEngine) desktop = docker_that ("desktop");
  g_autoptr (FhEngine) other = docker_that ("other-machine");
  g_autoptr (FhEngine) arm = docker_that ("arm");
  g_autoptr (FhEngine) poor = docker_that ("no-limits");
  g_autofree char *text = fh_engine_describe (rootless);
  g_autofree char *far = fh_engine_describe (desktop);

  g_assert_true (fh_engine_get_facts (rootless)->is_rootless);
  g_assert_cmpstr (text, ==, "Docker 20.10.24, rootless");
  g_assert_true (fh_engine_get_facts (desktop)->is_remote);
  g_assert_cmpstr (far, ==, "Docker 20.10.24, on another machine");
  g_assert_true (fh_engine_get_facts (other)->is_remote);
  g_assert_cmpstr (fh_engine_get_facts (arm)->architecture, ==, "arm64");
  g_assert_false (fh_engine_get_facts (poor)->limits_memory);
  g_assert_false (fh_engine_get_facts (poor)->limits_processes);
  g_assert_false (fh_engine_get_facts (poor)->limits_cpus);
}

static void
test_docker_elsewhere (void)
{
  g_autoptr (FhEngine) engine = NULL;

  g_setenv ("DOCKER_HOST", "tcp://127.0.0.1:2375", TRUE);
  engine = docker_that ("works");
  g_unsetenv ("DOCKER_HOST");
  g_assert_true (fh_engine_get_facts (engine)->is_remote);
  g_assert_cmpstr (fh_engine_get_facts (engine)->endpoint, ==, "tcp://127.0.0.1:2375");
}

static void
test_docker_that_is_podman (void)
{
  g_autoptr (FhEngine) engine = docker_that ("is-podman");

  g_assert_cmpint (fh_engine_get_facts (engine)->kind, ==, FH_ENGINE_PODMAN);
  g_assert_cmpstr (fh_engine_get_facts (engine)->program,
                   ==,
                   engine_room_program (FH_ENGINE_DOCKER));
}

/* The answer counts, although another process holds the streams until the calls are counted. */
static void
test_child_left_behind (void)
{
  G_GNUC_UNUSED g_autoptr (FhEngine) engine = docker_that ("child");

  g_assert_cmpuint (engine_room_count_calls (), >, 0);
}

static void
test_podman (void)
{
  g_autoptr (FhEngine) rootless = podman_that ("works");
  g_autoptr (FhEngine) root = podman_that ("root");
  g_autoptr (FhEngine) remote = podman_that ("remote");
  g_autoptr (FhEngine) poor = podman_that ("no-limits");
  const FhEngineFacts *facts = fh_engine_get_facts (rootless);
  g_autofree char *text = fh_engine_describe (rootless);

  g_assert_cmpint (facts->kind, ==, FH_ENGINE_PODMAN);
  g_assert_cmpstr (facts->version, ==, "4.3.1");
  g_assert_cmpstr (facts->architecture, ==, "amd64");
  g_assert_cmpstr (facts->storage, ==, "overlay");
  g_assert_cmpstr (facts->endpoint, ==, "unix:///run/user/1000/podman/podman.sock");
  g_assert_true (facts->is_rootless);
  g_assert_true (facts->limits_memory && facts->limits_processes && facts->limits_cpus);
  g_assert_cmpstr (text, ==, "Podman 4.3.1, rootless");
  g_assert_false (fh_engine_get_facts (root)->is_rootless);
  g_assert_true (fh_engine_get_facts (remote)->is_remote);
  g_assert_false (fh_engine_get_facts (poor)->limits_memory);
}

static void
assert_refused (FhEngineKind kind, const char *act, FhEngineError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  if (kind == FH_ENGINE_DOCKER)
    engine_room_set (act, NULL);
  else
    engine_room_set (NULL, act);
  g_assert_null (engine_room_probe (kind, &error));
  g_assert_error (error, FH_ENGINE_ERROR, (int) code);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (strstr (error->message, words) == NULL)
    g_error ("%s: “%s” is not in “%s”", act != NULL ? act : "-", words, error->message);
}

static void
test_missing (void)
{
  assert_refused (FH_ENGINE_DOCKER, NULL, FH_ENGINE_ERROR_NOT_INSTALLED, "docker.io");
  assert_refused (FH_ENGINE_PODMAN, NULL, FH_ENGINE_ERROR_NOT_INSTALLED, "install podman");
}

static void
test_down (void)
{
  static const char *const acts[] = { "down", "down-later" };

  for (guint i = 0; i < G_N_ELEMENTS (acts); i++)
    {
      assert_refused (FH_ENGINE_DOCKER,
                      acts[i],
                      FH_ENGINE_ERROR_NOT_RUNNING,
                      "systemctl start docker");
      assert_refused (FH_ENGINE_DOCKER,
                      acts[i],
                      FH_ENGINE_ERROR_NOT_RUNNING,
                      "Docker said: “Cannot connect to the Docker daemon at unix:///");
      g_setenv ("DOCKER_HOST", "tcp://10.1.2.3:2375", TRUE);
      assert_refused (FH_ENGINE_DOCKER,
                      acts[i],
                      FH_ENGINE_ERROR_NOT_RUNNING,
                      "at tcp://10.1.2.3:2375. The variable DOCKER_HOST selects that address");
      g_unsetenv ("DOCKER_HOST");
    }
  assert_refused (FH_ENGINE_DOCKER,
                  "context-elsewhere",
                  FH_ENGINE_ERROR_NOT_RUNNING,
                  "at ssh://somebody@elsewhere, the address of its current context");
  assert_refused (FH_ENGINE_DOCKER, "no-context", FH_ENGINE_ERROR_NOT_RUNNING, "does not exist");
  assert_refused (FH_ENGINE_PODMAN,
                  "down",
                  FH_ENGINE_ERROR_NOT_RUNNING,
                  "podman system connection list");
}

static void
test_denied (void)
{
  assert_refused (FH_ENGINE_DOCKER, "denied", FH_ENGINE_ERROR_NOT_ALLOWED, "group “docker”");
  assert_refused (FH_ENGINE_DOCKER, "denied-later", FH_ENGINE_ERROR_NOT_ALLOWED, "group “docker”");
}

static void
test_nonsense (void)
{
  static const char *const acts[] = { "not-json", "nested", "list", "empty" };

  for (guint i = 0; i < G_N_ELEMENTS (acts); i++)
    assert_refused (FH_ENGINE_DOCKER, acts[i], FH_ENGINE_ERROR_FAILED, "Invalid answer");
  assert_refused (FH_ENGINE_DOCKER,
                  "no-version",
                  FH_ENGINE_ERROR_FAILED,
                  "did not identify itself");
  assert_refused (FH_ENGINE_DOCKER, "floods", FH_ENGINE_ERROR_FAILED, "wrote too much");
  assert_refused (FH_ENGINE_DOCKER, "silent", FH_ENGINE_ERROR_FAILED, "failed with status 3");
  assert_refused (FH_ENGINE_DOCKER, "killed", FH_ENGINE_ERROR_FAILED, "signal 9");
  assert_refused (FH_ENGINE_PODMAN, "broken", FH_ENGINE_ERROR_FAILED, "newuidmap");
}

/* It ignores the request to end as well: by itself it never would. */
static void
test_hangs (void)
{
  assert_refused (FH_ENGINE_DOCKER, "hangs", FH_ENGINE_ERROR_TIMED_OUT, "does not respond in time");
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  engine_room_begin ();
  g_test_add_func ("/engine-probe/docker", test_docker);
  g_test_add_func ("/engine-probe/docker-kinds", test_docker_kinds);
  g_test_add_func ("/engine-probe/docker-elsewhere", test_docker_elsewhere);
  g_test_add_func ("/engine-probe/docker-that-is-podman", test_docker_that_is_podman);
  g_test_add_func ("/engine-probe/child-left-behind", test_child_left_behind);
  g_test_add_func ("/engine-probe/podman", test_podman);
  g_test_add_func ("/engine-probe/missing", test_missing);
  g_test_add_func ("/engine-probe/down", test_down);
  g_test_add_func ("/engine-probe/denied", test_denied);
  g_test_add_func ("/engine-probe/nonsense", test_nonsense);
  g_test_add_func ("/engine-probe/hangs", test_hangs);
  status = g_test_run ();
  engine_room_end ();
  return status;
}
