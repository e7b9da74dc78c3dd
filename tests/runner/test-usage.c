/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "usage.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

struct fixture
{
  char *folder;
  int proc;
};

static void
set_up (struct fixture *fixture, const void *data)
{
  fixture->folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  fixture->proc = open (fixture->folder, O_RDONLY | O_DIRECTORY);
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  g_autofree char *command = g_strconcat ("rm -r ", fixture->folder, NULL);

  close (fixture->proc);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (fixture->folder);
}

static void
put (struct fixture *fixture, const char *pid, const char *name, const char *text)
{
  g_autofree char *folder = g_build_filename (fixture->folder, pid, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_mkdir (folder, 0700);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* utime, stime, cutime, cstime in ticks, threads, resident pages */
static void
put_stat (struct fixture *fixture, const char *pid, const char *name, const char *numbers)
{
  g_auto (GStrv) words = g_strsplit (numbers, " ", -1);
  g_autofree char *text =
      g_strdup_printf ("%s (%s) S 1 2 2 0 -1 4194304 100 0 0 0 %s %s %s %s 20 0 "
                       "%s 0 1234 100000 %s 18446744073709551615 1 1 0\n",
                       pid,
                       name,
                       words[0],
                       words[1],
                       words[2],
                       words[3],
                       words[4],
                       words[5]);

  put (fixture, pid, "stat", text);
}

static void
test_sample (struct fixture *fixture, const void *data)
{
  const uint64_t tick = 1000000 / (uint64_t) sysconf (_SC_CLK_TCK);
  struct usage usage;

  put_stat (fixture, "1", "init", "1 2 30 40 1 500");
  put_stat (fixture, "2", "python3", "100 10 5 6 3 1000");
  put_stat (fixture, "3", "evil) S 1 (9 9 9", "7 8 0 0 1 24");
  put (fixture, "4", "stat", "");
  put (fixture, "uptime", "stat", "2 (x) S 1");
  g_assert_true (usage_sample (&(struct usage_source){ fixture->proc, 0 }, &usage));
  g_assert_cmpuint (usage.processes, ==, 2);
  g_assert_cmpuint (usage.threads, ==, 4);
  g_assert_cmpuint (usage.cpu_user_us, ==, (1 + 30 + 100 + 5 + 7) * tick);
  g_assert_cmpuint (usage.cpu_system_us, ==, (2 + 40 + 10 + 6 + 8) * tick);
  g_assert_cmpuint (usage.resident_bytes, ==, 1024 * (uint64_t) sysconf (_SC_PAGESIZE));
}

static uint64_t
exact_memory (struct fixture *fixture, uint64_t scratch_bytes, bool is_shared)
{
  struct usage_source source = { fixture->proc, 0 };

  return usage_exact_memory (&source, scratch_bytes, is_shared);
}

static void
test_exact_memory (struct fixture *fixture, const void *data)
{
  const uint64_t kib = 1024;

  put (fixture, "1", "status", "Name:\tinit\nRssAnon:\t  9999 kB\nRssShmem:\t 9999 kB\n");
  put (fixture,
       "2",
       "status",
       "Name:\ta\nRssAnon:\t   100 kB\nRssFile:\t 5000 kB\nRssShmem:\t 10 kB\n");
  put (fixture,
       "3",
       "status",
       "Name:\tb\nRssAnon:\t   200 kB\nRssFile:\t 5000 kB\nRssShmem:\t 20 kB\n");
  put (fixture,
       "2",
       "smaps_rollup",
       "0-1 ---p 0 00:00 0 [rollup]\nRss: 5110 kB\nPss: 60 kB\nPss_Anon:  50 kB\nPss_Shmem:   5 "
       "kB\n");
  g_assert_cmpuint (exact_memory (fixture, 0, false), ==, 330 * kib);
  /* What is mapped may be the same as what lies in the folders. */
  g_assert_cmpuint (exact_memory (fixture, 25 * kib, false), ==, 330 * kib);
  g_assert_cmpuint (exact_memory (fixture, 40 * kib, false), ==, 340 * kib);
  /* Process 3 cannot be read that way and counts in full. */
  g_assert_cmpuint (exact_memory (fixture, 0, true), ==, (50 + 5 + 200 + 20) * kib);
}

static void
test_scratch (struct fixture *fixture, const void *data)
{
  bool is_full = true;

  g_assert_cmpuint (usage_of_scratch (fixture->proc, &is_full), >, 0);
  g_assert_false (is_full);
  g_assert_cmpuint (usage_of_scratch (-1, &is_full), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/usage/sample", struct fixture, NULL, set_up, test_sample, tear_down);
  g_test_add ("/usage/exact-memory", struct fixture, NULL, set_up, test_exact_memory, tear_down);
  g_test_add ("/usage/scratch", struct fixture, NULL, set_up, test_scratch, tear_down);
  return g_test_run ();
}
