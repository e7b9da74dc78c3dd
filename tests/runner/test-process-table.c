/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process-table.h"

#include "headless.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct fixture
{
  char *folder;
  struct process_table table;
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
put (struct fixture *fixture, const char *pid, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->folder, pid, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* parent; utime, stime, cutime, cstime in ticks; threads, start; resident pages, image */
struct numbers
{
  int parent;
  int times[4];
  int threads;
  int started;
  int pages;
  int image;
};

static void
put_stat (struct fixture *fixture, const char *pid, const char *name, struct numbers numbers)
{
  g_autofree char *text =
      g_strdup_printf ("%s (%s) S %d 2 2 0 -1 4194304 100 0 0 0 %d %d %d %d 20 0 "
                       "%d 0 %d 409600 %d 18446744073709551615 %d 1 %d\n",
                       pid,
                       name,
                       numbers.parent,
                       numbers.times[0],
                       numbers.times[1],
                       numbers.times[2],
                       numbers.times[3],
                       numbers.threads,
                       numbers.started,
                       numbers.pages,
                       numbers.image,
                       numbers.image + 1);

  put (fixture, pid, "stat", text);
}

static const struct process *
find (struct fixture *fixture, uint32_t pid)
{
  const struct process *process = process_table_find (&fixture->table, pid);

  g_assert_nonnull (process);
  return process;
}

static void
test_fields (struct fixture *fixture, const void *data)
{
  const uint64_t tick = 1000000 / (uint64_t) sysconf (_SC_CLK_TCK);
  const struct process *process;

  put_stat (fixture, "1", "init", (struct numbers){ 0, { 1, 2, 30, 40 }, 1, 1, 500, 10 });
  put_stat (fixture, "10", "evil) S 1 (9 9 9", (struct numbers){ 2, { 7, 8, 0, 0 }, 1, 3, 24, 30 });
  put_stat (fixture, "2", "python3", (struct numbers){ 1, { 100, 10, 5, 6 }, 3, 2, 1000, 20 });
  put (fixture, "4", "stat", "");
  put (fixture, "5", "stat", "5 (x");
  put (fixture, "6", "stat", "6 (x)");
  put (fixture, "uptime", "stat", "2 (x) S 1");
  g_assert_true (process_table_read (&fixture->table));
  g_assert_cmpuint (fixture->table.n, ==, 3);
  g_assert_null (process_table_find (&fixture->table, 3));
  process = find (fixture, 2);
  g_assert_cmpuint (process->threads, ==, 3);
  g_assert_cmpuint (process->parent, ==, 1);
  g_assert_cmpuint (process->cpu_user_us, ==, 100 * tick);
  g_assert_cmpuint (process->cpu_system_us, ==, 10 * tick);
  g_assert_cmpuint (process->children_user_us, ==, 5 * tick);
  g_assert_cmpuint (process->children_system_us, ==, 6 * tick);
  g_assert_cmpuint (process->started, ==, 2);
  g_assert_cmpuint (process->size_bytes, ==, 409600);
  g_assert_cmpuint (process->resident_bytes, ==, 1000 * (uint64_t) sysconf (_SC_PAGESIZE));
  g_assert_cmpuint (process->image[0], ==, 20);
  g_assert_cmpuint (process->image[1], ==, 21);
  process = find (fixture, 10);
  g_assert_cmpuint (process->parent, ==, 2);
  g_assert_cmpuint (process->cpu_user_us, ==, 7 * tick);
}

static void
test_memory_of_processes (struct fixture *fixture, const void *data)
{
  const uint64_t tick = 1000000 / (uint64_t) sysconf (_SC_CLK_TCK);
  const struct process *process;

  put_stat (fixture, "2", "a", (struct numbers){ 1, { 10, 5, 0, 0 }, 1, 7, 100, 20 });
  put_stat (fixture, "3", "b", (struct numbers){ 1, { 10, 5, 0, 0 }, 1, 8, 100, 30 });
  put_stat (fixture, "4", "c", (struct numbers){ 1, { 10, 5, 0, 0 }, 1, 9, 100, 40 });
  g_assert_true (process_table_read (&fixture->table));
  for (size_t i = 0; i < 3; i++)
    {
      g_assert_cmpuint (fixture->table.processes[i].new_user_us, ==, 10 * tick);
      fixture->table.processes[i].memory.part.own = 77;
    }
  put_stat (fixture, "2", "a", (struct numbers){ 1, { 12, 9, 0, 0 }, 1, 7, 100, 20 });
  put_stat (fixture, "3", "b", (struct numbers){ 1, { 12, 9, 0, 0 }, 1, 8, 100, 99 });
  put_stat (fixture, "4", "c", (struct numbers){ 1, { 12, 9, 0, 0 }, 1, 99, 100, 40 });
  g_assert_true (process_table_read (&fixture->table));
  process = find (fixture, 2);
  g_assert_cmpuint (process->new_user_us, ==, 2 * tick);
  g_assert_cmpuint (process->new_system_us, ==, 4 * tick);
  g_assert_cmpuint (process->memory.part.own, ==, 77);
  /* Another program in the same process. */
  process = find (fixture, 3);
  g_assert_cmpuint (process->new_user_us, ==, 2 * tick);
  g_assert_cmpuint (process->memory.part.own, ==, 0);
  /* Another process of the same number. */
  process = find (fixture, 4);
  g_assert_cmpuint (process->new_user_us, ==, 12 * tick);
  g_assert_cmpuint (process->memory.part.own, ==, 0);
}

/* In kB. */
static void
put_memory (struct fixture *fixture, const char *pid, int anonymous, int shared, int tables)
{
  g_autofree char *rollup = g_strdup_printf ("400000-7fff rollup\nRss: 4000 kB\nPss_Anon: %d kB\n"
                                             "Pss_Shmem: %d kB\nSwapPss: 0 kB\n",
                                             anonymous,
                                             shared);
  g_autofree char *status = g_strdup_printf ("Name:\ta\nVmPTE:\t%d kB\n", tables);

  put (fixture, pid, "smaps_rollup", rollup);
  put (fixture, pid, "status", status);
}

static bool
uses_parents_memory (struct fixture *fixture, uint32_t pid)
{
  g_assert_true (process_table_read (&fixture->table));
  process_table_find_vforked (&fixture->table);
  return find (fixture, pid)->uses_parents_memory;
}

/* The kernel's word decides, not the likeness. */
static void
test_vfork (struct fixture *fixture, const void *data)
{
  const struct numbers parent = { 1, { 0 }, 1, 7, 1000, 20 };
  const struct numbers child = { 2, { 0 }, 1, 8, 1010, 20 };
  const struct numbers other = { 2, { 0 }, 1, 8, 1000, 50 };
  g_autofree char *waits = g_strdup_printf ("%d 0x4100 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f\n", SYS_clone);
  g_autofree char *forks =
      g_strdup_printf ("%d 0x1200011 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f\n", SYS_clone);

  put_stat (fixture, "2", "a", parent);
  put (fixture, "2", "syscall", waits);
  put_stat (fixture, "3", "a", child);
  for (int i = 2; i < 5; i++)
    put_memory (fixture, (const char *[]){ "2", "3", "4" }[i - 2], 4000, 10, 40);
  g_assert_true (uses_parents_memory (fixture, 3));
  g_assert_false (uses_parents_memory (fixture, 2));
  /* One waiting thread is one child. */
  put_stat (fixture, "4", "a", child);
  g_assert_true (uses_parents_memory (fixture, 3));
  g_assert_false (uses_parents_memory (fixture, 4));
  put_stat (fixture, "3", "a", other);
  g_assert_false (uses_parents_memory (fixture, 3));
  g_assert_true (uses_parents_memory (fixture, 4));
  put (fixture, "2", "syscall", forks);
  g_assert_false (uses_parents_memory (fixture, 4));
  put (fixture, "2", "syscall", "running\n");
  g_assert_false (uses_parents_memory (fixture, 4));
}

/* As much memory, but of a kind that counts. */
static void
test_vfork_in_name (struct fixture *fixture, const void *data)
{
  g_autofree char *waits = g_strdup_printf ("%d 0x4100 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f\n", SYS_clone);
  static const int parts[][3] = { { 40000, 10, 40 }, { 400, 39000, 40 }, { 400, 10, 4000 } };

  put_stat (fixture, "2", "a", (struct numbers){ 1, { 0 }, 1, 7, 10000, 20 });
  put (fixture, "2", "syscall", waits);
  put_memory (fixture, "2", 400, 10, 40);
  put_stat (fixture, "3", "a", (struct numbers){ 2, { 0 }, 1, 8, 10000, 20 });
  put_stat (fixture, "4", "a", (struct numbers){ 2, { 0 }, 1, 9, 10000, 20 });
  put_memory (fixture, "4", 400, 10, 40);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      put_memory (fixture, "3", parts[i][0], parts[i][1], parts[i][2]);
      g_assert_false (uses_parents_memory (fixture, 3));
      g_assert_true (uses_parents_memory (fixture, 4));
    }
  put_memory (fixture, "3", 500, 10, 40);
  g_assert_true (uses_parents_memory (fixture, 3));
  g_assert_false (uses_parents_memory (fixture, 4));
  /* What cannot be asked is not lent. */
  put (fixture, "2", "smaps_rollup", "");
  g_assert_false (uses_parents_memory (fixture, 3));
  g_assert_false (uses_parents_memory (fixture, 4));
}

/* Where the kernel only says in which place threads wait. */
static void
test_vfork_of_others (struct fixture *fixture, const void *data)
{
  put_stat (fixture, "2", "a", (struct numbers){ 1, { 0 }, 3, 7, 1000, 20 });
  put_memory (fixture, "2", 4000, 10, 40);
  put_stat (fixture, "2/task/2", "a", (struct numbers){ 1, { 0 }, 3, 7, 1000, 20 });
  put (fixture, "2", "task/8/wchan", "kernel_clone.isra.0");
  put (fixture, "2", "task/9/wchan", "io_schedule");
  for (int i = 3; i < 5; i++)
    {
      g_autofree char *pid = g_strdup_printf ("%d", i);

      put_stat (fixture, pid, "a", (struct numbers){ 2, { 0 }, 1, 8, 1000, 20 });
      put_memory (fixture, pid, 4000, 10, 40);
    }
  g_assert_true (uses_parents_memory (fixture, 3));
  g_assert_false (uses_parents_memory (fixture, 4));
}

static void
test_vfork_in_threads (struct fixture *fixture, const void *data)
{
  g_autofree char *waits = g_strdup_printf ("%d 0x4100 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f\n", SYS_clone);

  put_stat (fixture, "2", "a", (struct numbers){ 1, { 0 }, 3, 7, 1000, 20 });
  put (fixture, "2", "syscall", "running\n");
  put (fixture, "2", "task/2/syscall", "running\n");
  put (fixture, "2", "task/8/syscall", waits);
  put (fixture, "2", "task/9/syscall", waits);
  put_memory (fixture, "2", 4000, 10, 40);
  for (int i = 3; i < 6; i++)
    {
      g_autofree char *pid = g_strdup_printf ("%d", i);

      put_stat (fixture, pid, "a", (struct numbers){ 2, { 0 }, 1, 8, 1000, 20 });
      put_memory (fixture, pid, 4000, 10, 40);
    }
  g_assert_true (uses_parents_memory (fixture, 3));
  g_assert_true (uses_parents_memory (fixture, 4));
  g_assert_false (uses_parents_memory (fixture, 5));
}

/* What the kernel says about a main thread that has ended. */
static void
put_ended (struct fixture *fixture, const char *path, int threads)
{
  g_autofree char *text = g_strdup_printf ("2 (x) Z 1 2 2 0 -1 4194304 0 0 0 0 7 8 0 0 20 0 "
                                           "%d 0 9 0 0 18446744073709551615 0 0 0\n",
                                           threads);

  put (fixture, "2", path, text);
}

static void
test_without_main_thread (struct fixture *fixture, const void *data)
{
  const uint64_t tick = 1000000 / (uint64_t) sysconf (_SC_CLK_TCK);
  g_autofree char *living = g_strdup ("4 (x) S 1 2 2 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 "
                                      "2 0 10 409600 50 18446744073709551615 20 1 21\n");
  const struct process *process;
  char text[16];

  put_ended (fixture, "stat", 2);
  put_ended (fixture, "task/2/stat", 2);
  put (fixture, "2", "task/4/stat", living);
  put (fixture, "2", "task/4/status", "of four");
  g_assert_true (process_table_read (&fixture->table));
  process = find (fixture, 2);
  g_assert_cmpuint (process->thread, ==, 4);
  g_assert_cmpint (process->state, ==, 'S');
  g_assert_cmpuint (process->started, ==, 9);
  g_assert_cmpuint (process->cpu_user_us, ==, 7 * tick);
  g_assert_cmpuint (process->size_bytes, ==, 409600);
  g_assert_cmpuint (process->resident_bytes, ==, 50 * (uint64_t) sysconf (_SC_PAGESIZE));
  g_assert_cmpuint (process->image[0], ==, 20);
  g_assert_false (process->is_opaque);
  g_assert_false (process_is_dead (process));
  g_assert_true (process_thread_lives (fixture->table.proc, process));
  g_assert_true (process_read_file (fixture->table.proc, process, "status", text, sizeof text));
  g_assert_cmpstr (text, ==, "of four");
}

/* Threads that are about to end hold nothing, and of a zombie there is only one. */
static void
test_ended (struct fixture *fixture, const void *data)
{
  struct process process;

  put_ended (fixture, "stat", 2);
  put_ended (fixture, "task/2/stat", 2);
  put_ended (fixture, "task/4/stat", 2);
  g_assert_true (process_read (fixture->table.proc, 2, &process));
  g_assert_cmpuint (process.size_bytes, ==, 0);
  g_assert_false (process.is_opaque);
  g_assert_false (process_is_dead (&process));
  g_assert_false (process_read_again (fixture->table.proc, &process));
  g_assert_false (process_thread_lives (fixture->table.proc, &process));
  put_ended (fixture, "stat", 1);
  g_assert_true (process_read (fixture->table.proc, 2, &process));
  g_assert_true (process_is_dead (&process));
  g_assert_false (process_read (fixture->table.proc, 3, &process));
}

/* More than can be told apart, none of which has memory. */
static void
test_opaque (struct fixture *fixture, const void *data)
{
  struct process process;

  put_ended (fixture, "stat", 2);
  for (int i = 0; i < 4100; i++)
    {
      g_autofree char *thread = g_strdup_printf ("%s/2/task/%d", fixture->folder, 10 + i);

      g_assert_cmpint (g_mkdir_with_parents (thread, 0700), ==, 0);
    }
  g_assert_true (process_read (fixture->table.proc, 2, &process));
  g_assert_true (process.is_opaque);
  g_assert_false (process_is_dead (&process));
}

/* The kernel's own words. */
static void
test_headless (void)
{
  const uint64_t bytes = 8 << 20;
  struct process_table table = { .proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                 .top = (uint32_t) getpid () };
  const pid_t pid = headless_start (bytes, NULL);
  const struct process *process;
  char text[4096];

  g_assert_true (process_table_read (&table));
  process = process_table_find (&table, (uint32_t) pid);
  g_assert_nonnull (process);
  g_assert_cmpuint (process->thread, !=, (uint32_t) pid);
  g_assert_cmpuint (process->threads, ==, 2);
  g_assert_cmpuint (process->resident_bytes, >=, bytes);
  g_assert_true (process_read_file (table.proc, process, "maps", text, sizeof text));
  headless_end (pid);
  g_assert_true (process_table_read (&table));
  g_assert_null (process_table_find (&table, (uint32_t) pid));
  close (table.proc);
  process_table_clear (&table);
}

/* A table that could not be read is not an empty one. */
static void
test_unreadable (struct fixture *fixture, const void *data)
{
  struct process_table table = { .proc = open ("/dev/null", O_RDONLY | O_CLOEXEC) };

  g_assert_false (process_table_read (&table));
  close (table.proc);
  process_table_clear (&table);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/runner/process-table/" name, struct fixture, NULL, set_up, function, tear_down)
  ADD ("fields", test_fields);
  ADD ("memory-of-processes", test_memory_of_processes);
  ADD ("vfork", test_vfork);
  ADD ("vfork-in-threads", test_vfork_in_threads);
  ADD ("vfork-in-name", test_vfork_in_name);
  ADD ("vfork-of-others", test_vfork_of_others);
  ADD ("without-main-thread", test_without_main_thread);
  ADD ("ended", test_ended);
  ADD ("opaque", test_opaque);
  ADD ("unreadable", test_unreadable);
  g_test_add_func ("/runner/process-table/headless", test_headless);
  return g_test_run ();
}
