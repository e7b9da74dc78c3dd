/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deleted files that a process still holds, and folders in folders. */
#include "disk-watch.h"

#include "headless.h"

#include <glib/gstdio.h>

#define BYTES (1 << 20)

struct fixture
{
  char *folder;
  struct process_table table;
  struct disk_watch watch;
};

static void
set_up (struct fixture *fixture, const void *data)
{
  fixture->folder = g_dir_make_tmp ("fh-disk-XXXXXX", NULL);
  fixture->table = (struct process_table){
    .proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
    .top = (uint32_t) getpid (),
  };
  disk_watch_begin (&fixture->watch,
                    open (fixture->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                    64 * BYTES);
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  close (fixture->watch.folder);
  close (fixture->table.proc);
  process_table_clear (&fixture->table);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static uint64_t
bytes_now (struct fixture *fixture)
{
  g_assert_true (process_table_read (&fixture->table));
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  return fixture->watch.bytes;
}

static void
test_without_main_thread (struct fixture *fixture, const void *data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "file", NULL);
  pid_t pid;

  g_assert_cmpuint (bytes_now (fixture), ==, 0);
  pid = headless_start (BYTES, path);
  g_assert_cmpuint (bytes_now (fixture), >=, BYTES);
  headless_end (pid);
  g_assert_cmpuint (bytes_now (fixture), ==, 0);
}

/* In the one list of open files that its other threads do not share. */
static void
test_thread_of_its_own (struct fixture *fixture, const void *data)
{
  static _Alignas(16) char stack[16384];
  g_autofree char *path = g_build_filename (fixture->folder, "file", NULL);
  int pair[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe2 (pair, O_CLOEXEC), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      struct headless headless = { BYTES, path, pair[1] };
      int fd = open (path, O_RDWR | O_CREAT, 0600);
      char *pages = g_malloc0 (BYTES);

      if (write (fd, pages, BYTES) != BYTES || unlink (path) < 0)
        _exit (1);
      clone ((int (*) (void *)) (void (*) (void)) pause,
             stack + sizeof stack,
             CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
             NULL);
      close (fd);
      if (write (headless.ready, "x", 1) != 1)
        _exit (1);
      for (;;)
        poll (NULL, 0, -1);
    }
  g_assert_cmpint (read (pair[0], &byte, 1), ==, 1);
  g_assert_cmpuint (bytes_now (fixture), >=, BYTES);
  headless_end (pid);
  close (pair[0]);
  close (pair[1]);
}

/* If the disk has lost more than the limit, files that are only mapped count as hidden: one if the
 * run can have written as much, several in any case. One that is open as well does not. */
static void
test_hidden (struct fixture *fixture, const void *data)
{
  char *pages[4];
  int kept = -1;

  fixture->watch.limit = BYTES;
  for (int i = 0; i < 4; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%d", fixture->folder, i);
      int fd = open (path, O_RDWR | O_CREAT, 0600);

      g_assert_cmpint (ftruncate (fd, BYTES), ==, 0);
      pages[i] = mmap (NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
      g_assert_true (pages[i] != MAP_FAILED);
      unlink (path);
      if (i == 0)
        kept = fd;
      else
        close (fd);
    }
  /* As if the sandbox's first process were another: this one is looked into. */
  fixture->table.top = 1;
  g_assert_true (process_table_read (&fixture->table));
  fixture->table.processes[0] = *process_table_find (&fixture->table, (uint32_t) getpid ());
  fixture->table.n = 1;
  /* The disk has not lost anything. */
  fixture->watch.room.free_before = 0;
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  /* It has, and three are hidden; what this process has written is not much. */
  fixture->watch.room.free_before = UINT64_MAX;
  fixture->watch.room.written = 0;
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  /* Now four are; and two looks have to agree. */
  close (kept);
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  g_assert_true (disk_watch_check (&fixture->watch, &fixture->table));
  for (int i = 1; i < 4; i++)
    munmap (pages[i], 4096);
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  /* A single one, and this process has written as much as the limit. */
  fixture->watch.room.written = 2 * BYTES;
  g_assert_false (disk_watch_check (&fixture->watch, &fixture->table));
  g_assert_true (disk_watch_check (&fixture->watch, &fixture->table));
  munmap (pages[0], 4096);
}

/* Folders that are deeper than descriptors allow are measured like all others. */
static void
test_deep (struct fixture *fixture, const void *data)
{
  const size_t depth = 200;
  GString *path = g_string_new (fixture->folder);
  g_autofree char *file = NULL;
  g_autofree char *pages = g_malloc0 (BYTES);

  for (size_t i = 0; i < depth; i++)
    {
      g_string_append (path, "/d");
      g_assert_cmpint (g_mkdir (path->str, 0700), ==, 0);
    }
  g_assert_cmpuint (bytes_now (fixture), >=, depth * 4096);
  g_assert_cmpuint (bytes_now (fixture), <, BYTES + depth * 4096);
  file = g_strconcat (path->str, "/file", NULL);
  g_assert_true (g_file_set_contents (file, pages, BYTES, NULL));
  g_assert_cmpuint (bytes_now (fixture), >=, BYTES + depth * 4096);
  fixture->watch.limit = BYTES;
  g_assert_true (disk_watch_check (&fixture->watch, &fixture->table));
  g_assert_cmpint (g_unlink (file), ==, 0);
  for (size_t i = 0; i < depth; i++)
    {
      g_assert_cmpint (g_rmdir (path->str), ==, 0);
      g_string_truncate (path, path->len - 2);
    }
  g_string_free (path, TRUE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/runner/disk-watch/" name, struct fixture, NULL, set_up, function, tear_down)
  ADD ("without-main-thread", test_without_main_thread);
  ADD ("thread-of-its-own", test_thread_of_its_own);
  ADD ("hidden", test_hidden);
  ADD ("deep", test_deep);
  return g_test_run ();
}
