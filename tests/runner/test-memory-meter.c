/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory-meter.h"

#include "headless.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define KIB   1024
#define LIMIT (1000 * KIB)

struct fixture
{
  char *folder;
  struct process_table table;
  struct memory_meter meter;
};

static void
set_up (struct fixture *fixture, const void *data)
{
  fixture->folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  fixture->table = (struct process_table){
    .proc = open (fixture->folder, O_RDONLY | O_DIRECTORY),
  };
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  g_autofree char *command = g_strconcat ("rm -r ", fixture->folder, NULL);

  close (fixture->table.proc);
  process_table_clear (&fixture->table);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (fixture->folder);
}

static void
put (struct fixture *fixture, int pid, const char *name, const char *text)
{
  g_autofree char *number = g_strdup_printf ("%d", pid);
  g_autofree char *folder = g_build_filename (fixture->folder, number, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_mkdir (folder, 0700);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Sizes in KiB. Processes of one image came out of one another by fork. */
static void
put_process (struct fixture *fixture, int pid, int image, int own, int shared)
{
  g_autofree char *stat = g_strdup_printf ("%d (x) S 1 2 2 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 "
                                           "1 0 %d 409600 100 18446744073709551615 %d 1 %d\n",
                                           pid,
                                           pid,
                                           image,
                                           image + 1);
  g_autofree char *status = g_strdup_printf ("Name:\ta\nVmPTE:\t 4 kB\nVmSwap:\t 6 kB\n"
                                             "RssAnon:\t %d kB\nRssFile:\t 5000 kB\n"
                                             "RssShmem:\t %d kB\n",
                                             own - 10,
                                             shared);

  put (fixture, pid, "stat", stat);
  put (fixture, pid, "status", status);
}

static void
put_part (struct fixture *fixture, int pid, int own, int shared)
{
  g_autofree char *text = g_strdup_printf ("0-1 ---p 0 00:00 0 [rollup]\nRss: 5110 kB\nPss: 60 kB\n"
                                           "Pss_Anon:  %d kB\nPss_Shmem: %d kB\nSwapPss: 6 kB\n",
                                           own - 10,
                                           shared);

  put (fixture, pid, "smaps_rollup", text);
}

static void
remove_process (struct fixture *fixture, int pid)
{
  g_autofree char *command = g_strdup_printf ("rm -r %s/%d", fixture->folder, pid);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

/* In KiB. */
static uint64_t
look (struct fixture *fixture, uint64_t scratch)
{
  /* An ordinary folder is in no order. */
  fixture->table.first = 0;
  g_assert_true (process_table_read (&fixture->table));
  memory_meter_measure (&fixture->meter, &fixture->table, scratch * KIB, LIMIT);
  return fixture->meter.bytes / KIB;
}

static uint64_t
look_anew (struct fixture *fixture)
{
  fixture->meter.next_round_us = 0;
  return look (fixture, 0);
}

/* Before the next round is due, however slow the machine is. */
static uint64_t
look_soon (struct fixture *fixture)
{
  fixture->meter.next_round_us = UINT64_MAX;
  return look (fixture, 0);
}

static void
test_one (struct fixture *fixture, const void *data)
{
  put_process (fixture, 1, 10, 9999, 9999);
  put_process (fixture, 2, 20, 300, 100);
  g_assert_cmpuint (look (fixture, 0), ==, 400);
  /* What is mapped may be the same as what lies in the folders. */
  g_assert_cmpuint (look (fixture, 90), ==, 400);
  g_assert_cmpuint (look (fixture, 120), ==, 420);
  put_process (fixture, 2, 20, 1500, 100);
  g_assert_cmpuint (look (fixture, 0), ==, 1600);
}

/* They have become programs of their own. */
static void
test_programs (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 500, 0);
  put_process (fixture, 3, 30, 600, 0);
  g_assert_cmpuint (look (fixture, 0), ==, 1100);
  remove_process (fixture, 2);
  g_assert_cmpuint (look (fixture, 0), ==, 600);
}

static void
test_forked (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 700, 0);
  g_assert_cmpuint (look (fixture, 0), ==, 700);
  put_process (fixture, 3, 20, 700, 0);
  put_part (fixture, 2, 350, 0);
  put_part (fixture, 3, 350, 0);
  g_assert_cmpuint (look (fixture, 0), ==, 700);
  /* The child writes to it, which only a new round finds, */
  put_part (fixture, 2, 700, 0);
  put_part (fixture, 3, 700, 0);
  g_assert_cmpuint (look_anew (fixture), ==, 1400);
  /* and what it has goes with it. */
  remove_process (fixture, 2);
  put_process (fixture, 4, 20, 700, 0);
  g_assert_cmpuint (look_soon (fixture), ==, 700);
}

/* As long as there is enough, only the table is read. */
static void
test_forked_before_the_first_look (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 700, 0);
  put_process (fixture, 3, 20, 700, 0);
  put_part (fixture, 2, 350, 0);
  put_part (fixture, 3, 350, 0);
  g_assert_true (process_table_read (&fixture->table));
  g_assert_cmpuint (look (fixture, 0), ==, 700);
  g_assert_cmpuint (look_soon (fixture), ==, 700);
}

/* What a process takes in addition is seen at once. */
static void
test_growth (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 700, 0);
  put_process (fixture, 3, 20, 700, 0);
  put_part (fixture, 2, 350, 0);
  put_part (fixture, 3, 350, 0);
  g_assert_cmpuint (look (fixture, 0), ==, 700);
  put_process (fixture, 3, 20, 1100, 0);
  g_assert_cmpuint (look_soon (fixture), ==, 1100);
  put_process (fixture, 2, 20, 800, 0);
  g_assert_cmpuint (look_soon (fixture), ==, 1200);
  put_process (fixture, 3, 20, 200, 0);
  g_assert_cmpuint (look_soon (fixture), ==, 800);
}

/* A parent that was measured before the fork, and a child measured after it. */
static void
test_fork_in_a_round (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 700, 0);
  g_assert_cmpuint (look (fixture, 0), ==, 700);
  put_process (fixture, 3, 20, 700, 0);
  put_part (fixture, 2, 700, 0);
  put_part (fixture, 3, 1, 0);
  g_assert_cmpuint (look (fixture, 0), <=, 701);
  put_process (fixture, 4, 20, 700, 0);
  put_part (fixture, 4, 233, 0);
  g_assert_cmpuint (look_soon (fixture), <=, 701);
}

static void
test_shared (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 100, 600);
  put_process (fixture, 3, 30, 100, 600);
  put_part (fixture, 2, 100, 300);
  put_part (fixture, 3, 100, 300);
  g_assert_cmpuint (look (fixture, 0), ==, 800);
  put_part (fixture, 2, 100, 600);
  put_part (fixture, 3, 100, 600);
  g_assert_cmpuint (look_anew (fixture), ==, 1400);
}

/* Then it counts in full. */
static void
test_process_that_cannot_be_asked (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 600, 0);
  put_process (fixture, 3, 20, 600, 0);
  put_part (fixture, 2, 500, 0);
  g_assert_cmpuint (look (fixture, 0), ==, 1100);
}

static void
test_asking_takes_too_long (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 600, 0);
  put_process (fixture, 3, 20, 600, 0);
  fixture->meter.slow_reads = 100;
  g_assert_cmpuint (look (fixture, 0), ==, 1200);
  g_assert_true (fixture->meter.is_guess);
  put_process (fixture, 3, 20, 300, 0);
  look (fixture, 0);
  g_assert_false (fixture->meter.is_guess);
}

/* Many of whom each makes the meter wait for a moment. */
static void
test_round_takes_too_long (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 600, 0);
  put_process (fixture, 3, 20, 600, 0);
  fixture->meter.is_in_round = true;
  fixture->meter.round_blocked_us = 2500000;
  g_assert_cmpuint (look (fixture, 0), ==, 1200);
  g_assert_true (fixture->meter.is_guess);
  /* One that has come to its end has told all. */
  fixture->meter.is_in_round = false;
  look (fixture, 0);
  g_assert_false (fixture->meter.is_guess);
}

/* It has ended, or is about to: its status says nothing of memory. */
static void
test_without_memory (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 300, 0);
  put_process (fixture, 3, 30, 600, 0);
  put (fixture, 3, "status", "Name:\ta\nThreads:\t1\n");
  put (fixture, 3, "stat", "3 (x) Z 1 2 2 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 3 0 0 0 0 0 0\n");
  g_assert_cmpuint (look (fixture, 0), ==, 300);
  g_assert_false (process_table_find (&fixture->table, 3)->is_opaque);
}

/* It has memory, and does not say how much. */
static void
test_opaque (struct fixture *fixture, const void *data)
{
  put_process (fixture, 2, 20, 300, 0);
  put (fixture, 2, "status", "Name:\ta\nThreads:\t1\n");
  look (fixture, 0);
  g_assert_true (process_table_find (&fixture->table, 2)->is_opaque);
}

/* The kernel's own words. */
static void
test_headless (void)
{
  const uint64_t bytes = 64 << 20;
  struct process_table table = { .proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                 .top = (uint32_t) getpid () };
  struct memory_meter meter = { 0 };
  const pid_t pid = headless_start (bytes, NULL);

  g_assert_true (process_table_read (&table));
  memory_meter_measure (&meter, &table, 0, bytes / 2);
  g_assert_cmpuint (meter.bytes, >=, bytes);
  headless_end (pid);
  close (table.proc);
  process_table_clear (&table);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/runner/memory-meter/" name, struct fixture, NULL, set_up, function, tear_down)
  ADD ("one", test_one);
  ADD ("programs", test_programs);
  ADD ("forked", test_forked);
  ADD ("forked-before-the-first-look", test_forked_before_the_first_look);
  ADD ("growth", test_growth);
  ADD ("fork-in-a-round", test_fork_in_a_round);
  ADD ("shared", test_shared);
  ADD ("process-that-cannot-be-asked", test_process_that_cannot_be_asked);
  ADD ("asking-takes-too-long", test_asking_takes_too_long);
  ADD ("round-takes-too-long", test_round_takes_too_long);
  ADD ("without-memory", test_without_memory);
  ADD ("opaque", test_opaque);
  g_test_add_func ("/runner/memory-meter/headless", test_headless);
  return g_test_run ();
}
