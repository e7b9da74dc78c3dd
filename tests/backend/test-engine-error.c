/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What engines of many years say of what went wrong is understood. */
#include <string.h>

#include "clients.h"

static const struct
{
  FhEngineKind kind;
  const char *text;
  FhEngineError code;
  const char *words; /* part of the sentence */
} cases[] = {
  { FH_ENGINE_DOCKER,
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon "
    "running?\n",
    FH_ENGINE_ERROR_NOT_RUNNING,
    "systemctl start docker" },
  { FH_ENGINE_DOCKER,
    "docker: Cannot connect to the Docker daemon at tcp://127.0.0.1:1. Is the docker daemon "
    "running?.\nSee 'docker run --help'.\n",
    FH_ENGINE_ERROR_NOT_RUNNING,
    "tcp://127.0.0.1:1" },
  { FH_ENGINE_DOCKER,
    "failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is "
    "correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file "
    "or directory",
    FH_ENGINE_ERROR_NOT_RUNNING,
    "systemctl start docker" },
  { FH_ENGINE_DOCKER,
    "error during connect: Get \"http://nosuch.example:2375/v1.24/version\": dial tcp: lookup "
    "nosuch.example on 10.0.0.1:53: no such host",
    FH_ENGINE_ERROR_NOT_RUNNING,
    "no such host" },
  { FH_ENGINE_DOCKER,
    "unable to resolve docker endpoint: context \"nosuch\" does not exist",
    FH_ENGINE_ERROR_NOT_RUNNING,
    "docker context ls" },
  { FH_ENGINE_PODMAN,
    "Cannot connect to Podman. Please verify your connection to the Linux system using `podman "
    "system connection list`\nError: unable to connect to Podman socket: Get \"http://d/v4.3.1/"
    "libpod/_ping\": dial unix /nosuch.sock: connect: no such file or directory",
    FH_ENGINE_ERROR_NOT_RUNNING,
    "Podman’s service does not respond" },
  { FH_ENGINE_PODMAN,
    "Error: failed to connect: dial tcp 127.0.0.1:1: connect: connection refused",
    FH_ENGINE_ERROR_NOT_RUNNING,
    "Podman’s service does not respond" },
  { FH_ENGINE_DOCKER,
    "Got permission denied while trying to connect to the Docker daemon socket at "
    "unix:///var/run/docker.sock: Get \"http://%2Fvar%2Frun%2Fdocker.sock/v1.24/info\": dial unix "
    "/var/run/docker.sock: connect: permission denied",
    FH_ENGINE_ERROR_NOT_ALLOWED,
    "not allowed to use it" },
  { FH_ENGINE_DOCKER,
    "permission denied while trying to connect to the Docker daemon socket at unix:///x.sock",
    FH_ENGINE_ERROR_NOT_ALLOWED,
    "not allowed to use it" },
  { FH_ENGINE_DOCKER,
    "Error: No such image: nosuch:latest",
    FH_ENGINE_ERROR_NO_IMAGE,
    "no such image here. Docker said: “No such image: nosuch:latest”" },
  { FH_ENGINE_DOCKER,
    "docker: Error response from daemon: No such image: nosuch:latest\n\nRun 'docker run --help' "
    "for more information\n",
    FH_ENGINE_ERROR_NO_IMAGE,
    "said: “No such image: nosuch:latest”" },
  { FH_ENGINE_PODMAN,
    "Error: inspecting object: nosuch: image not known",
    FH_ENGINE_ERROR_NO_IMAGE,
    "no such image here. Podman said: “inspecting" },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: manifest for reg/x:latest not found: manifest unknown: manifest "
    "unknown",
    FH_ENGINE_ERROR_NO_IMAGE,
    "The registry has no such image." },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: pull access denied for nosuch, repository does not exist or may "
    "require 'docker login': denied: requested access to the resource is denied",
    FH_ENGINE_ERROR_NO_IMAGE,
    "requires a login" },
  { FH_ENGINE_PODMAN,
    "Error: initializing source docker://reg/x:latest: reading manifest latest in reg/x: name "
    "unknown: repository name not known to registry",
    FH_ENGINE_ERROR_NO_IMAGE,
    "The registry has no such image." },
  { FH_ENGINE_PODMAN,
    "Error: short-name \"nosuch\" did not resolve to an alias and no unqualified-search registries "
    "are defined",
    FH_ENGINE_ERROR_NO_IMAGE,
    "which registry is meant" },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: no matching manifest for linux/amd64 in the manifest list entries",
    FH_ENGINE_ERROR_NO_IMAGE,
    "architecture" },
  { FH_ENGINE_PODMAN,
    "Error: choosing an image from manifest list docker://x: no image found in manifest list for "
    "architecture amd64, variant \"\", OS linux",
    FH_ENGINE_ERROR_NO_IMAGE,
    "architecture" },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: Get \"http://127.0.0.1:1/v2/\": dial tcp 127.0.0.1:1: connect: "
    "connection refused",
    FH_ENGINE_ERROR_FAILED,
    "refused the connection" },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: Get \"https://registry-1.docker.io/v2/\": dial tcp: lookup "
    "registry-1.docker.io on 10.0.0.1:53: no such host",
    FH_ENGINE_ERROR_FAILED,
    "Check the network" },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: failed to resolve reference \"docker.io/library/x:latest\": "
    "failed to do request: Head \"https://registry-1.docker.io/\": dial tcp: i/o timeout",
    FH_ENGINE_ERROR_FAILED,
    "connection timed out" },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: Get \"https://r/v2/\": net/http: TLS handshake timeout",
    FH_ENGINE_ERROR_FAILED,
    "connection timed out" },
  { FH_ENGINE_DOCKER,
    "toomanyrequests: You have reached your pull rate limit.",
    FH_ENGINE_ERROR_FAILED,
    "too many requests" },
  { FH_ENGINE_DOCKER,
    "write /var/lib/docker/tmp/x: no space left on device",
    FH_ENGINE_ERROR_FAILED,
    "is full" },
  { FH_ENGINE_DOCKER,
    "Error response from daemon: No such container: nosuch\nError: failed to start containers: "
    "nosuch\n",
    FH_ENGINE_ERROR_NO_CONTAINER,
    "“No such container: nosuch failed to start containers: nosuch”" },
  { FH_ENGINE_DOCKER,
    "Error: No such object: nosuch",
    FH_ENGINE_ERROR_NO_CONTAINER,
    "no such container" },
  { FH_ENGINE_PODMAN,
    "Error: no container with name or ID \"nosuch\" found: no such container",
    FH_ENGINE_ERROR_NO_CONTAINER,
    "no such container" },
  { FH_ENGINE_DOCKER,
    "docker: Error response from daemon: Conflict. The container name \"/x\" is already in use by "
    "container \"e833\". You have to remove (or rename) that container.",
    FH_ENGINE_ERROR_NAME_TAKEN,
    "of that name exists" },
  { FH_ENGINE_PODMAN,
    "Error: creating container storage: the container name \"x\" is already in use by 7ee4. You "
    "have to remove that container to be able to reuse that name: that name is already in use",
    FH_ENGINE_ERROR_NAME_TAKEN,
    "of that name exists" },
  { FH_ENGINE_PODMAN,
    "time=\"2026-01-01T00:00:00Z\" level=warning msg=\"\\\"/\\\" is not a shared mount\"\nError: "
    "something new\n",
    FH_ENGINE_ERROR_FAILED,
    "Podman said: “something new”" },
  { FH_ENGINE_DOCKER,
    "time=\"2026-01-01T00:00:00Z\" level=warning msg=alone",
    FH_ENGINE_ERROR_FAILED,
    "level=warning msg=alone" },
  { FH_ENGINE_DOCKER, "", FH_ENGINE_ERROR_FAILED, "Docker said: “”" },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = fh_engine_error_from_text (cases[i].kind, cases[i].text);

      if (error->domain != FH_ENGINE_ERROR || error->code != (int) cases[i].code ||
          strstr (error->message, cases[i].words) == NULL)
        g_error ("“%s” became %d “%s”", cases[i].text, error->code, error->message);
      g_assert_null (strchr (error->message, '\n'));
    }
}

static void
test_hostile (void)
{
  g_autoptr (GString) text = g_string_new ("Error: \x1b]0;title\x07 a\tb\xff \u202e ");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (text, "ä");
  error = fh_engine_error_from_text (FH_ENGINE_DOCKER, text->str);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strchr (error->message, 0x1b));
  g_assert_null (strchr (error->message, 0x07));
  g_assert_null (strstr (error->message, "\u202e"));
  g_assert_cmpuint (strlen (error->message), <, 700);
  g_assert_true (g_str_has_suffix (error->message, "…”"));
}

static void
test_words (void)
{
  const char text[] = "docker: Error response from daemon: first.\nSee 'docker run --help'.\n"
                      "  second  \r\n\nUsage:  docker pull\nWARNING: stays\n";
  g_autofree char *words = fh_engine_words (text, sizeof text - 1);
  g_autofree char *nothing = fh_engine_words ("", 0);

  g_assert_cmpstr (words, ==, "first.\nsecond\nWARNING: stays");
  g_assert_cmpstr (nothing, ==, "");
}

int
main (int argc, char *argv[])
{
  g_unsetenv ("DOCKER_HOST");
  g_unsetenv ("CONTAINER_HOST");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine-error/cases", test_cases);
  g_test_add_func ("/engine-error/hostile", test_hostile);
  g_test_add_func ("/engine-error/words", test_words);
  return g_test_run ();
}
