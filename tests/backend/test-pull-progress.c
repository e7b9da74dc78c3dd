/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What clients draw while they pull an image becomes a fraction, a line and, when it fails, words.
 */
#include <string.h>

#include "pull-progress.h"

#define UP(n)    "\x1b[" #n "A\x1b[2K\r"
#define DOWN(n)  "\r\x1b[" #n "B"
#define BAR      "[==>                                                ]  "
#define A        "57c1bbdd170a: "
#define B        "7de6a26e691d: "
#define C        "43ea0614ca7d: "
#define EMPTY(x) "\r\n\x1b[1A\x1b[2K\r" x "Pulling fs layer " DOWN (1)

/* Three layers of 3, 6 and 9 MB, as Docker draws them on a terminal. */
static const char *const docker_terminal[] = {
  "1: Pulling from eng/three\r\n" EMPTY (A) EMPTY (B) EMPTY (C),
  UP (3) A "Downloading " BAR " 32.35kB/3.001MB" DOWN (3),
  UP (2) B "Downloading " BAR " 65.12kB/6.002MB" DOWN (2),
  UP (1) C "Downloading " BAR " 97.89kB/9.003MB" DOWN (1),
  UP (3) A "Downloading " BAR " 1.5MB/3.001MB" DOWN (3),
  UP (3) A "Verifying Checksum " DOWN (3) UP (3) A "Download complete " DOWN (3),
  UP (3) A "Extracting " BAR " 32.77kB/3.001MB" DOWN (3),
  UP (3) A "Extracting " BAR " 3.001MB/3.001MB" DOWN (3) UP (3) A "Pull complete " DOWN (3),
  UP (2) B "Download complete " DOWN (2) UP (1) C "Download complete " DOWN (1),
  UP (2) B "Pull complete " DOWN (2) UP (1) C "Pull complete " DOWN (1),
  "Digest: sha256:b30b\r\nStatus: Downloaded newer image for eng/three:1\r\neng/three:1\r\n",
};

/* The same without a terminal. */
static const char docker_pipe[] =
    "1: Pulling from eng/three\n" A "Pulling fs layer\n" B "Pulling fs layer\n" C
    "Already exists\n" A "Verifying Checksum\n" A "Download complete\n" A "Pull complete\n";

static const char *const podman_terminal[] = {
  "Trying to pull 127.0.0.1:5078/eng/three:1...\r\nGetting image source signatures\r\n",
  "Copying blob 43ea0614ca7d [>-------------------------------------] 279.0KiB / 8.6MiB\r\n"
  "Copying blob 57c1bbdd170a [==>-----------------------------------] 247.0KiB / 2.9MiB\r\n"
  "Copying blob 7de6a26e691d [--------------------------------------] 0.0b / 5.7MiB\r\n",
  "\x1b[3A\x1b[JCopying blob 43ea0614ca7d [=>------------] 4.3MiB / 8.6MiB | 2.1 MiB/s\r\n"
  "Copying blob 57c1bbdd170a done  \r\nCopying blob 7de6a26e691d [=======] 5.7MiB / 5.7MiB\r\n",
  "\x1b[3A\x1b[JCopying blob 43ea0614ca7d done   | \r\nCopying blob 57c1bbdd170a done  \r\n"
  "Copying blob 7de6a26e691d skipped: already exists  \r\n",
  "Copying config 9c521a3b7a [======================================] 1.9KiB / 1.9KiB\r\n"
  "Writing manifest to image destination\r\nStoring signatures\r\n9c521a3b7ab9\r\n",
};

static void
feed (FhPullProgress *progress, const char *text)
{
  fh_pull_progress_feed (progress, text, strlen (text));
}

static void
assert_text (FhPullProgress *progress, const char *expected)
{
  g_autofree char *text = fh_pull_progress_get_text (progress);
  g_autoptr (GString) plain = g_string_new (text);

  /* A number and its unit stay in one line. */
  g_string_replace (plain, "\xc2\xa0", " ", 0);
  g_assert_cmpstr (plain->str, ==, expected);
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
  feed (progress, "Using default tag: latest\n3: Pulling from library/python\n");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, -1);
  assert_words (progress, "");
}

static void
test_docker_terminal (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  static const double fractions[] = {
    0, 0.009, 0.009, 0.009, 0.074, 0.141, 0.141, 0.174, 0.833, 1, 1,
  };
  static const char *const texts[] = {
    "0 of 3 layers",
    "0 of 3 layers, 31.6 KiB so far",
    "0 of 3 layers, 95.2 KiB so far",
    "0 of 3 layers, 190.8 KiB of 17.2 MiB",
    "0 of 3 layers, 1.6 MiB of 17.2 MiB",
    "0 of 3 layers, 3.0 MiB of 17.2 MiB",
    "0 of 3 layers, 3.0 MiB of 17.2 MiB",
    "1 of 3 layers, 3.0 MiB of 17.2 MiB",
    "1 of 3 layers, 17.2 MiB of 17.2 MiB",
    "3 of 3 layers, 17.2 MiB of 17.2 MiB",
    "3 of 3 layers, 17.2 MiB of 17.2 MiB",
  };

  for (guint i = 0; i < G_N_ELEMENTS (docker_terminal); i++)
    {
      feed (progress, docker_terminal[i]);
      g_assert_cmpfloat_with_epsilon (fh_pull_progress_get_fraction (progress), fractions[i], 0.01);
      assert_text (progress, texts[i]);
    }
}

static void
test_docker_pipe (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();

  feed (progress, docker_pipe);
  g_assert_cmpfloat_with_epsilon (fh_pull_progress_get_fraction (progress), 0.5, 0.001);
  assert_text (progress, "2 of 3 layers");
}

static void
test_podman_terminal (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  static const double fractions[] = { -1, 0.024, 0.634, 1, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (podman_terminal); i++)
    {
      feed (progress, podman_terminal[i]);
      g_assert_cmpfloat_with_epsilon (fh_pull_progress_get_fraction (progress), fractions[i], 0.02);
    }
  assert_text (progress, "3 of 3 layers, 17.2 MiB of 17.2 MiB");
}

/* Without a terminal Podman says no more than what it begins with. */
static void
test_podman_pipe (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();

  feed (progress,
        "Copying blob sha256:43ea0614ca7dbf14fa2c9227859184d8958817b84bb12cb3de1bf3986ba35a9d\n"
        "Copying blob sha256:57c1bbdd170a3117af8cde37716858142bb84c468ddfc14d2d089ea10cef2e95\n");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, 0);
  assert_text (progress, "0 of 2 layers");
  feed (progress, "Copying config sha256:9c521a3b7ab9524dc7ca1695694493c749243f25b10491cbbc86\n");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, 1);
  assert_text (progress, "2 of 2 layers");
}

/* However the bytes are cut, the end is the same, and it never went back on the way. */
static void
assert_any_cut (const char *const *pieces, guint count)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < count; i++)
    g_string_append (all, pieces[i]);
  for (gsize step = 1; step < 64; step++)
    {
      g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
      double before = -1;

      for (gsize at = 0; at < all->len; at += step)
        {
          double now;

          fh_pull_progress_feed (progress, all->str + at, MIN (step, all->len - at));
          now = fh_pull_progress_get_fraction (progress);
          g_assert_cmpfloat (now, >=, before);
          before = now;
        }
      g_assert_cmpfloat (before, ==, 1);
    }
}

static void
test_any_cut (void)
{
  assert_any_cut (docker_terminal, G_N_ELEMENTS (docker_terminal));
  assert_any_cut (podman_terminal, G_N_ELEMENTS (podman_terminal));
}

/* Layers whose size comes to light late, or shrinks, do not throw it back. */
static void
test_never_backwards (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  double before;

  feed (progress, A "Downloading " BAR "9MB/10MB\n");
  before = fh_pull_progress_get_fraction (progress);
  feed (progress, B "Downloading " BAR "1MB/900MB\n");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, before);
  feed (progress, A "Downloading " BAR "0B/10MB\n");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, before);
  feed (progress, A "Pull complete\n" A "Downloading " BAR "1MB/10MB\n" A "Waiting\n");
  assert_text (progress, "1 of 2 layers, 10.5 MiB of 867.8 MiB");
}

static void
test_words (void)
{
  g_autoptr (FhPullProgress) docker = fh_pull_progress_new ();
  g_autoptr (FhPullProgress) podman = fh_pull_progress_new ();
  g_autoptr (FhPullProgress) cut = fh_pull_progress_new ();

  feed (docker,
        "Using default tag: latest\r\nsomething\r\n" A "Downloading\r"
        "Error response from daemon: manifest\x1b[0m unknown\r\nmore\r\n");
  assert_words (docker, "Error response from daemon: manifest unknown\nmore\n");
  feed (podman,
        "Trying to pull x...\r\ntime=\"2026\" level=warning msg=\"Failed, retrying\"\r\n"
        "Error: initializing source docker://x: connection refused\r\n");
  assert_words (podman, "Error: initializing source docker://x: connection refused\n");
  feed (cut, "invalid reference format\xff");
  assert_words (cut, "invalid reference format\xef\xbf\xbd");
}

static void
test_nonsense (void)
{
  static const char *const lines[] = {
    A "Downloading [",
    A "Downloading ]/",
    A "Downloading ] /5MB",
    A "Downloading ] 5MB/",
    A "Downloading ] 5MB/0B",
    A "Downloading ] nan/nan",
    A "Downloading ] -5MB/-3MB",
    A "Downloading ] 1e400GB/1e400GB",
    A "Downloading ] 99999999999999999999TB/1B",
    A "Downloading ] 5XB/7XB",
    "Copying blob",
    "Copying blob ",
    "Copying blob zzz done",
    "Copying blob sha256: done",
    "57c1: Pull complete",
    ": Pull complete",
    "\x1b",
    "\x1b[",
    "\x1b[9999999999;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;m",
    "\x1b\x1b[1\x1b[2K",
  };
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      feed (progress, lines[i]);
      feed (progress, "\n");
    }
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), ==, 0);
  assert_text (progress, "0 of 1 layer");
  feed (progress, A "Downloading ] 7MB/5MB\n");
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), <=, 1);
}

/* Much of everything: what is kept stays small. */
static void
test_bounded (void)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  g_autofree char *words = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 5000; i++)
    {
      g_autofree char *line = g_strdup_printf ("%012x: Pulling fs layer\nnoise %u\n", i, i);

      feed (progress, line);
    }
  text = fh_pull_progress_get_text (progress);
  g_assert_cmpstr (text, ==, "0 of 512 layers");
  for (guint i = 0; i < 100000; i++)
    feed (progress, "xxxxxxxxxxxxxxxxxxxxxxxx");
  words = fh_pull_progress_get_words (progress);
  g_assert_cmpuint (strlen (words), <, 20000);
}

/* Whatever comes, it is survived. */
static void
test_random (void)
{
  static const char alphabet[] = "57c1bbdd170a: Downloading[=>]/kMGBi\x1b[2KA\r\nCopying blob";
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();

  for (guint i = 0; i < 200000; i++)
    {
      char c = g_test_rand_int_range (0, 10) == 0
                   ? (char) g_test_rand_int_range (0, 256)
                   : alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];

      fh_pull_progress_feed (progress, &c, 1);
    }
  g_assert_cmpfloat (fh_pull_progress_get_fraction (progress), <=, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pull-progress/nothing", test_nothing);
  g_test_add_func ("/pull-progress/docker-terminal", test_docker_terminal);
  g_test_add_func ("/pull-progress/docker-pipe", test_docker_pipe);
  g_test_add_func ("/pull-progress/podman-terminal", test_podman_terminal);
  g_test_add_func ("/pull-progress/podman-pipe", test_podman_pipe);
  g_test_add_func ("/pull-progress/any-cut", test_any_cut);
  g_test_add_func ("/pull-progress/never-backwards", test_never_backwards);
  g_test_add_func ("/pull-progress/words", test_words);
  g_test_add_func ("/pull-progress/nonsense", test_nonsense);
  g_test_add_func ("/pull-progress/bounded", test_bounded);
  g_test_add_func ("/pull-progress/random", test_random);
  return g_test_run ();
}
