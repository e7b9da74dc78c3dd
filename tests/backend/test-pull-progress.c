/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that clients write while they pull an image become a share of layers, a line and, when
 * it fails, words. */
#include <string.h>

#include "pull-progress.h"

#define A "57c1bbdd170a: "
#define B "7de6a26e691d: "
#define C "43ea0614ca7d: "

/* Three layers, as Docker draws them on a terminal. */
static const char *const docker[] = {
  "1: Pulling from eng/three",
  A "Pulling fs layer ",
  B "Pulling fs layer ",
  C "Pulling fs layer ",
  A "Downloading  1.5MB/3.001MB",
  A "Verifying Checksum ",
  A "Extracting  3.001MB/3.001MB",
  A "Pull complete ",
  B "Already exists ",
  C "Pull complete ",
  "Digest: sha256:b30b",
};

static const char *const podman[] = {
  "Trying to pull 127.0.0.1:5078/eng/three:1...",
  "Copying blob 43ea0614ca7d [>-------------------------------------] 279.0KiB / 8.6MiB",
  "Copying blob 57c1bbdd170a [==>-----------------------------------] 247.0KiB / 2.9MiB",
  "Copying blob 43ea0614ca7d done   | ",
  "Copying blob 57c1bbdd170a skipped: already exists  ",
  "Copying blob sha256:7de6a26e691d3117af8cde37716858142bb84c468ddfc14d2d089ea10cef2e95",
  "Copying config 9c521a3b7a [======================================] 1.9KiB / 1.9KiB",
};

static void
feed (FhPullProgress *progress, const char *line)
{
  fh_pull_progress_add (progress, line, strlen (line));
}

static void
assert_text (FhPullProgress *progress, const char *expected)
{
  g_autofree char *text = fh_pull_progress_get_text (progress);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_words (FhPullProgress *progress, const char *expected)
{
  g_autofree char *words = fh_pull_progress_get_words (progress);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_nothing (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();

  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, -1);
  assert_text (progress, "");
  assert_words (progress, "");
  feed (progress, "3: Pulling from library/python");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, -1);
  assert_text (progress, "3: Pulling from library/python");
  assert_words (progress, "");
}

static void
test_docker (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  static const double thirds[] = { -3, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (docker); i++)
    {
      feed (progress, docker[i]);
      g_assert_cmpfloat_with_epsilon (fh_pull_progress_get_fraction (progress),
                                      thirds[i] / 3,
                                      0.001);
      if (i == 4)
        assert_text (progress, "0 of 3 layers (57c1bbdd170a: Downloading  1.5MB/3.001MB)");
    }
  assert_text (progress, "3 of 3 layers (Digest: sha256:b30b)");
  assert_words (progress, "");
}

static void
test_podman (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  static const double fractions[] = { -1, 0, 0, 0.5, 1, 1, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (podman); i++)
    {
      feed (progress, podman[i]);
      g_assert_cmpfloat_with_epsilon (fh_pull_progress_get_fraction (progress),
                                      fractions[i],
                                      0.001);
      if (i == 1)
        assert_text (progress, "0 of 1 layer (Copying blob 43ea0614ca7d  279.0KiB / 8.6MiB)");
      if (i == 5)
        assert_text (progress,
                     "2 of 3 layers (Copying blob sha256:7de6a26e691d3117af8cde37716858142bb84c46"
                     "8ddfc14d2d089ea10cef2e95)");
    }
}

/* A layer that is here stays here. */
static void
test_never_backwards (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();

  feed (progress, A "Pull complete");
  feed (progress, B "Pulling fs layer");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, 1);
  feed (progress, A "Waiting");
  assert_text (progress, "1 of 2 layers (57c1bbdd170a: Waiting)");
}

static void
test_words (void)
{
  g_autoptr (FhPullProgress) of_docker = fh_pull_progress_new ();
  g_autoptr (FhPullProgress) of_podman = fh_pull_progress_new ();
  g_autoptr (FhPullProgress) invalid = fh_pull_progress_new ();

  feed (of_docker, "Using default tag: latest");
  feed (of_docker, "something");
  feed (of_docker, A "Downloading");
  feed (of_docker, "Error response from daemon: manifest unknown");
  feed (of_docker, "more");
  assert_words (of_docker, "Error response from daemon: manifest unknown\nmore\n");
  assert_text (of_docker, "0 of 1 layer (more)");
  feed (of_podman, "Trying to pull x...");
  feed (of_podman, "time=\"2026\" level=warning msg=\"Failed, retrying\"");
  feed (of_podman, "Error: initializing source docker://x: connection refused");
  assert_words (of_podman, "Error: initializing source docker://x: connection refused\n");
  feed (invalid, "invalid reference format\xff");
  assert_words (invalid, "invalid reference format\xef\xbf\xbd\n");
}

static void
test_nonsense (void)
{
  static const char *const lines[] = {
    "Copying blob",
    "Copying blob ",
    "Copying blob zzz done",
    "Copying blob sha256: done",
    "Copying config x",
    "57c1: Pull complete",
    ": Pull complete",
    "57c1bbdd170a Pull complete",
    "]57[",
    " ",
  };
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    feed (progress, lines[i]);
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, -1);
  assert_text (progress, "]57[");
}

/* Much of everything: what is kept stays small. */
static void
test_bounded (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  g_autofree char *long_line = g_strnfill (100000, 'x');
  g_autofree char *words = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 5000; i++)
    {
      g_autofree char *layer = g_strdup_printf ("%012x: Pulling fs layer", i);
      g_autofree char *noise = g_strdup_printf ("noise %u", i);

      feed (progress, noise);
      feed (progress, layer);
    }
  assert_text (progress, "0 of 512 layers (000000001387: Pulling fs layer)");
  for (guint i = 0; i < 100; i++)
    feed (progress, long_line);
  words = fh_pull_progress_get_words (progress);
  g_assert_cmpuint (strlen (words), <, 20000);
  text = fh_pull_progress_get_text (progress);
  g_assert_cmpuint (strlen (text), <, 200);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pull-progress/nothing", test_nothing);
  g_test_add_func ("/pull-progress/docker", test_docker);
  g_test_add_func ("/pull-progress/podman", test_podman);
  g_test_add_func ("/pull-progress/never-backwards", test_never_backwards);
  g_test_add_func ("/pull-progress/words", test_words);
  g_test_add_func ("/pull-progress/nonsense", test_nonsense);
  g_test_add_func ("/pull-progress/bounded", test_bounded);
  return g_test_run ();
}
