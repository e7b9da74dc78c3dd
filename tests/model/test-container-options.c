/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice of a container: what no engine is to be told. */
#include <string.h>

#include "container-options.h"
#include "container-volume.h"
#include "run-error.h"

/* Whatever it is, as one line of text. */
static void
tell (const char *text)
{
  g_autofree char *shown = g_strescape (text, NULL);

  g_test_message ("%s", shown);
}

static void
assert_good (const FhContainerOptions *options)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_container_options_check (options, &error));
  g_assert_no_error (error);
}

static void
assert_refused (const FhContainerOptions *options, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (fh_container_options_check (options, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” is not in “%s”", part, error->message);
}

static void
test_images (void)
{
  static const char *const good[] = {
    "python:3-slim",
    "python",
    "plain:latest",
    "a",
    "library/python:3.12-slim-bookworm",
    "docker.io/library/python:3",
    "localhost/mine",
    "localhost:5000/mine:1_2.3-x",
    "127.0.0.1:5000/a/b/c",
    "[::1]:5000/a",
    "REGISTRY.example/team/x__y--z",
    "ghcr.io/a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "a:b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "0123456789ab",
    NULL,
  };
  static const char *const bad[] = {
    " python",      "python ",      "python 3",  "-v/:/host", "--privileged", "a\nb",
    "a:",           ":a",           "a@",        "a@sha256:", "a//b",         "/a",
    "a/",           "../a",         "a:-b",      "a:b:c",     "docker://a",   "docker-archive:/x",
    "dir:/etc",     "http://a/b",   "a\x1b[31m", "\xff\xfe",  "a;b",          "$(id)",
    "pyth\u00f6n",  "a@sha256:xyz", "a.",        "a..b",      "a___b",        "-a.example/b",
    "a-.example/b", NULL,
  };
  g_autofree char *longest = g_strnfill (512, 'a');
  g_autofree char *too_long = g_strnfill (513, 'a');
  g_autofree char *dashes = g_strnfill (512, '-');

  dashes[0] = 'a';
  assert_good (&(FhContainerOptions){ .image = NULL });
  for (guint i = 0; good[i] != NULL; i++)
    assert_good (&(FhContainerOptions){ .image = good[i] });
  for (guint i = 0; bad[i] != NULL; i++)
    {
      tell (bad[i]);
      assert_refused (&(FhContainerOptions){ .image = bad[i] }, "is not the name of an image");
    }
  assert_good (&(FhContainerOptions){ .image = longest });
  assert_refused (&(FhContainerOptions){ .image = too_long }, "too long");
  assert_refused (&(FhContainerOptions){ .image = dashes }, "is not the name");
  assert_refused (&(FhContainerOptions){ .image = "" }, "Name an image");
  assert_refused (&(FhContainerOptions){ .image = "Python:3-slim" }, "lower case: “python:3-slim”");
}

static void
test_names (void)
{
  static const char *const bad[] = { "",    "a",   "-a", ".a",       "_a",  "a b",
                                     "a/b", "a:b", "ä",  "\xff\xff", "a\n", NULL };
  g_autofree char *longest = g_strnfill (128, 'x');
  g_autofree char *too_long = g_strnfill (129, 'x');
  g_autofree char *too_long_command = g_strnfill ((16 << 10) + 1, 'x');

  assert_good (&(FhContainerOptions){ .name = "my-box_1.2" });
  assert_good (&(FhContainerOptions){ .name = longest });
  assert_refused (&(FhContainerOptions){ .name = too_long }, "cannot be the name");
  for (guint i = 0; bad[i] != NULL; i++)
    assert_refused (&(FhContainerOptions){ .name = bad[i] }, "cannot be the name");
  assert_good (&(FhContainerOptions){ .is_kept = TRUE });
  assert_good (&(FhContainerOptions){ .is_kept = TRUE, .name = "box" });
  assert_good (
      &(FhContainerOptions){ .is_kept = TRUE, .name = "box", .after = FH_CONTAINER_LEAVE });
  assert_refused (&(FhContainerOptions){ .after = FH_CONTAINER_LEAVE }, "Only a container");
  assert_good (&(FhContainerOptions){ .is_kept = TRUE, .init = "pip install six" });
  assert_refused (&(FhContainerOptions){ .name = "box", .init = "true" }, "a set-up command");
  assert_refused (&(FhContainerOptions){ .is_kept = TRUE, .init = too_long_command }, "16 KiB");
  assert_refused (&(FhContainerOptions){ .name = "box", .after = FH_CONTAINER_STOP },
                  "Only a container");
}

static void
test_folders (void)
{
  static const char *const relative[] = { "", "a", "./a", "~/a", "..", NULL };
  static const char *const crooked[] = {
    "/a/../b", "/a/.", "//a", "/a//b", "/a/b//", "/a\nb", NULL
  };
  static const char *const dangerous[] = {
    "/",
    "/proc",
    "/proc/1/root",
    "/sys",
    "/dev",
    "/dev/sda",
    "/run",
    "/run/",
    "/run/user/1",
    "/var/run",
    "/var",
    "/var/lib",
    "/var/lib/docker/overlay2",
    "/etc",
    "/etc/ssh",
    "/boot",
    "/run/media",
    NULL,
  };
  static const char *const good[] = { "/home/me",           "/home/me/", "/tmp/x",
                                      "/srv/a b,c=d",       "/runs",     "/devel/x",
                                      "/run/media/me/disk", "/a\xff",    NULL };

  for (guint i = 0; good[i] != NULL; i++)
    assert_good (&(FhContainerOptions){ .work_dir = good[i], .bind_dir = good[i] });
  for (guint i = 0; relative[i] != NULL; i++)
    assert_refused (&(FhContainerOptions){ .work_dir = relative[i] }, "begin with a slash");
  for (guint i = 0; crooked[i] != NULL; i++)
    assert_refused (&(FhContainerOptions){ .work_dir = crooked[i] }, "not a plain path");
  for (guint i = 0; dangerous[i] != NULL; i++)
    {
      tell (dangerous[i]);
      assert_refused (&(FhContainerOptions){ .work_dir = dangerous[i] }, "control this computer");
      assert_refused (&(FhContainerOptions){ .work_dir = "/srv/x", .bind_dir = dangerous[i] },
                      "control this computer");
    }
  assert_refused (&(FhContainerOptions){ .work_dir = "/home/me/.docker/run/docker.sock" },
                  "socket of a container engine");
  assert_refused (&(FhContainerOptions){ .bind_dir = "/srv/x" }, "needs a work folder");
  assert_refused (&(FhContainerOptions){ .work_dir = "/srv/x",
                                         .bind_dir = "/srv/y",
                                         .files = FH_CONTAINER_FILES_COPY },
                  "is to be copied");
}

static void
assert_volume (const char *text, const char *part)
{
  const char *const volumes[] = { text, NULL };

  tell (text);
  if (part == NULL)
    assert_good (&(FhContainerOptions){ .volumes = volumes });
  else
    assert_refused (&(FhContainerOptions){ .volumes = volumes }, part);
}

static void
test_volumes (void)
{
  static const char *const taken[] = {
    "/a:/",
    "/a:/proc",
    "/a:/proc/x",
    "/a:/sys",
    "/a:/dev/shm",
    "/a:/workspace",
    "/a:/tmp",
    "/a:/tmp/",
    "/a:/workspace/in",
    "/a:/opt/fumehood",
    "/a:/opt",
    "/a:/home",
    "/a:/home/fumehood/x:rw",
    "/a:/opt/fumehood/guest:rw",
    NULL,
  };
  const char *const twice[] = { "/a:/data", "/b:/data/:rw", NULL };
  const char *many[66] = { NULL };
  g_auto (FhContainerVolume) volume = { 0 };
  g_auto (GStrv) places = g_new0 (char *, 66);

  assert_volume ("/a:/data", NULL);
  assert_volume ("/a b:/data:ro", NULL);
  assert_volume ("/a/:/data/:rw", NULL);
  assert_volume ("/usr/share/dict:/usr/share/dict", NULL);
  for (guint i = 0; taken[i] != NULL; i++)
    assert_volume (taken[i], "already uses");
  assert_volume ("/a", "not a folder and its place");
  assert_volume ("", "not a folder and its place");
  assert_volume ("/a:/b:/c", "not a folder and its place");
  assert_volume ("/a:/b:rw,z", "not a folder and its place");
  assert_volume ("/a:/b:rw:ro", "not a folder and its place");
  assert_volume ("name:/b", "begin with a slash");
  assert_volume ("/a:b", "begin with a slash");
  assert_volume ("/a:", "begin with a slash");
  assert_volume ("/a/../run:/b", "not a plain path");
  assert_volume ("/a:/b/..", "not a plain path");
  assert_volume ("/:/host", "control this computer");
  assert_volume ("/run/docker.sock:/x", "socket of a container engine");
  assert_volume ("/run/user/1000/podman/podman.sock:/x", "socket of a container engine");
  assert_volume ("/var/run/x:/x", "control this computer");
  assert_refused (&(FhContainerOptions){ .volumes = twice }, "Two volumes cannot both");
  for (guint i = 0; i < 65; i++)
    many[i] = places[i] = g_strdup_printf ("/a:/data%u", i);
  assert_refused (&(FhContainerOptions){ .volumes = many }, "at most 64");
  many[64] = NULL;
  assert_good (&(FhContainerOptions){ .volumes = many });
  g_assert_true (fh_container_volume_parse ("/a/:/b:rw", &volume, NULL));
  g_assert_cmpstr (volume.host, ==, "/a");
  g_assert_cmpstr (volume.inside, ==, "/b");
  g_assert_true (volume.is_writable);
}

static void
test_words (void)
{
  static const char *const networks[] = { "",
                                          "-x",
                                          "container:a",
                                          "ns:/proc/1/ns/net",
                                          "a b",
                                          "a,b",
                                          "slirp4netns:allow_host_loopback=true",
                                          "\xff",
                                          NULL };
  static const char *const gpus[] = { "", "-1", "a b", "\"device=0\"", "all;x", "ä", NULL };

  assert_good (&(FhContainerOptions){ .network = "bridge" });
  assert_good (&(FhContainerOptions){ .network = "my_net-1.x" });
  for (guint i = 0; networks[i] != NULL; i++)
    assert_refused (&(FhContainerOptions){ .network = networks[i] }, "not the name of a container");
  assert_good (&(FhContainerOptions){ .gpus = "all" });
  assert_good (&(FhContainerOptions){ .gpus = "2" });
  assert_good (&(FhContainerOptions){ .gpus = "device=0,1" });
  assert_good (&(FhContainerOptions){ .gpus = "nvidia.com/gpu=all" });
  for (guint i = 0; gpus[i] != NULL; i++)
    assert_refused (&(FhContainerOptions){ .gpus = gpus[i] }, "does not name GPUs");
  assert_good (&(FhContainerOptions){ .milli_cpus = 10 });
  assert_good (&(FhContainerOptions){ .milli_cpus = 1024000 });
  assert_refused (&(FhContainerOptions){ .milli_cpus = 9 }, "between 0.01 and 1024");
  assert_refused (&(FhContainerOptions){ .milli_cpus = 1024001 }, "between 0.01 and 1024");
}

static void
assert_host (const char *text, gboolean is_good)
{
  const char *const hosts[] = { text, NULL };

  tell (text);
  if (is_good)
    assert_good (&(FhContainerOptions){ .hosts = hosts });
  else
    assert_refused (&(FhContainerOptions){ .hosts = hosts }, "not a host and its address");
}

static void
assert_variable (const char *text, gboolean is_good)
{
  const char *const environment[] = { text, NULL };

  tell (text);
  if (is_good)
    assert_good (&(FhContainerOptions){ .environment = environment });
  else
    assert_refused (&(FhContainerOptions){ .environment = environment }, "not a variable");
}

static void
test_hosts_and_variables (void)
{
  g_autofree char *large = g_strnfill (65536, 'x');
  const char *too_much[] = { large, NULL };

  assert_host ("db:192.0.2.7", TRUE);
  assert_host ("host.docker.internal:host-gateway", TRUE);
  assert_host ("six:2001:db8::1", TRUE);
  assert_host ("six:[2001:db8::1]", TRUE);
  assert_host ("db", FALSE);
  assert_host (":192.0.2.7", FALSE);
  assert_host ("db:", FALSE);
  assert_host ("db:example.com", FALSE);
  assert_host ("-db:192.0.2.7", FALSE);
  assert_host ("a b:192.0.2.7", FALSE);
  assert_host ("db:192.0.2.7\n127.0.0.1 x", FALSE);
  assert_host ("six:fe80::1%eth0", FALSE);
  assert_variable ("A=", TRUE);
  assert_variable ("_a1=b=c\n\xff", TRUE);
  assert_variable ("A", FALSE);
  assert_variable ("=x", FALSE);
  assert_variable ("1A=x", FALSE);
  assert_variable ("A B=x", FALSE);
  assert_variable ("--privileged=x", FALSE);
  assert_variable ("", FALSE);
  memcpy (large, "A=", 2);
  assert_refused (&(FhContainerOptions){ .environment = too_much }, "Too many environment");
}

static void
assert_described (const FhContainerOptions *options, const char *expected)
{
  g_autofree char *text = fh_container_options_describe (options);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_described (void)
{
  static const char *const volumes[] = { "/a:/data", "/b\xff:/b:rw", NULL };
  static const char *const hosts[] = { "db:192.0.2.7", NULL };
  static const char *const environment[] = { "KEY=secret", "B=", NULL };

  assert_described (&(FhContainerOptions){ 0 }, "python:3-slim");
  assert_described (&(FhContainerOptions){ .name = "one" }, "python:3-slim, named “one”");
  assert_described (&(FhContainerOptions){ .image = "plain",
                                           .engine = FH_ENGINE_PODMAN,
                                           .is_kept = TRUE,
                                           .name = "lab",
                                           .work_dir = "/w",
                                           .volumes = volumes,
                                           .network = "bridge",
                                           .hosts = hosts,
                                           .environment = environment,
                                           .milli_cpus = 1500,
                                           .gpus = "all",
                                           .is_writable = TRUE,
                                           .is_root = TRUE },
                    "plain, Podman, kept as “lab”, work folder /w, /a at /data, "
                    "/b\xef\xbf\xbd at /b, writable, network bridge, 1 host, 2 variables, "
                    "1.5 processors, GPUs all, writable image, as root");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-options/images", test_images);
  g_test_add_func ("/container-options/names", test_names);
  g_test_add_func ("/container-options/folders", test_folders);
  g_test_add_func ("/container-options/volumes", test_volumes);
  g_test_add_func ("/container-options/words", test_words);
  g_test_add_func ("/container-options/hosts-and-variables", test_hosts_and_variables);
  g_test_add_func ("/container-options/described", test_described);
  return g_test_run ();
}
