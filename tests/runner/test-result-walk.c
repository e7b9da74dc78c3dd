/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk stays in its folder, also when another process changes it at the same time. */
#include "result-walk.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOREVER_US 3600000000u

/* `inside` is what is walked; `outside` lies beside it and holds what must never be seen. */
typedef struct
{
  char *folder;
  int inside;
  int outside;
  struct result_walk *walk;
} Fixture;

static void
write_at (int folder, const char *name, const char *text)
{
  int fd = openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
  close (fd);
}

static int
make_folder (int parent, const char *name)
{
  int fd;

  g_assert_cmpint (mkdirat (parent, name, 0755), ==, 0);
  fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  return fd;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GError *error = NULL;
  int fd;

  fixture->folder = g_dir_make_tmp ("fumehood-walk-XXXXXX", &error);
  g_assert_no_error (error);
  fd = open (fixture->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  fixture->inside = make_folder (fd, "inside");
  fixture->outside = make_folder (fd, "outside");
  write_at (fixture->outside, "file", "secret");
  close (fd);
  fixture->walk = g_new (struct result_walk, 1);
}

static void
remove_below (int folder)
{
  GDir *dir;
  const char *name;
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", folder);

  fchmod (folder, 0755);
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      int child = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

      if (child >= 0)
        {
          remove_below (child);
          close (child);
        }
      unlinkat (folder, name, child >= 0 ? AT_REMOVEDIR : 0);
    }
  g_clear_pointer (&dir, g_dir_close);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  int fd = open (fixture->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  remove_below (fd);
  close (fd);
  close (fixture->inside);
  close (fixture->outside);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->walk);
}

static void
begin (Fixture *fixture)
{
  result_walk_begin (fixture->walk, fixture->inside, clock_now_us () + FOREVER_US);
}

static void
test_shallow_first (Fixture *fixture, gconstpointer data)
{
  int a = make_folder (fixture->inside, "a");
  int b = make_folder (a, "b");
  struct result_entry entry;
  GString *paths = g_string_new (NULL);

  write_at (b, "3", "");
  write_at (a, "2", "");
  write_at (fixture->inside, "1", "");
  begin (fixture);
  while (result_walk_next (fixture->walk, &entry))
    g_string_append_printf (paths, "%s %s, ", entry.path, entry.name);
  result_walk_end (fixture->walk);
  g_assert_cmpstr (paths->str, ==, "1 1, a/2 2, a/b/3 3, ");
  g_assert_false (fixture->walk->missing.is_incomplete);
  g_assert_cmpuint (fixture->walk->missing.n_left_out, ==, 0);
  g_string_free (paths, TRUE);
  close (a);
  close (b);
}

/* Each after what is beside it, and not the root, nor a folder that only has others. */
static void
test_empty_folders (Fixture *fixture, gconstpointer data)
{
  int a = make_folder (fixture->inside, "a");
  struct result_entry entry;
  GString *paths = g_string_new (NULL);

  close (make_folder (a, "empty"));
  close (make_folder (fixture->inside, "b"));
  write_at (fixture->inside, "1", "");
  begin (fixture);
  fixture->walk->tells_empty = true;
  while (result_walk_next (fixture->walk, &entry))
    g_string_append_printf (paths, "%s %u, ", entry.path, entry.kind);
  result_walk_end (fixture->walk);
  g_assert_true (g_str_equal (paths->str, "1 0, b 4, a/empty 4, ") ||
                 g_str_equal (paths->str, "1 0, a/empty 4, b 4, "));
  g_string_free (paths, TRUE);
  close (a);
}

static void
test_no_folder (Fixture *fixture, gconstpointer data)
{
  int file = openat (fixture->outside, "file", O_RDONLY | O_CLOEXEC);
  const int roots[] = { -1, file };
  struct result_entry entry;

  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    {
      result_walk_begin (fixture->walk, roots[i], clock_now_us () + FOREVER_US);
      g_assert_false (result_walk_next (fixture->walk, &entry));
      g_assert_true (fixture->walk->missing.is_incomplete);
      result_walk_end (fixture->walk);
    }
  close (file);
}

static void
test_out_of_time (Fixture *fixture, gconstpointer data)
{
  struct result_entry entry;

  write_at (fixture->inside, "a", "");
  write_at (fixture->inside, "b", "");
  begin (fixture);
  g_assert_true (result_walk_next (fixture->walk, &entry));
  fixture->walk->deadline_us = clock_now_us ();
  g_assert_false (result_walk_next (fixture->walk, &entry));
  g_assert_true (fixture->walk->missing.is_incomplete);
  result_walk_end (fixture->walk);
}

static bool
count_down (void *data)
{
  guint *left = data;

  return (*left)-- > 0;
}

/* Also where there are nothing but folders. */
static void
test_no_longer_wanted (Fixture *fixture, gconstpointer data)
{
  struct result_entry entry;
  guint left = 10;

  for (guint i = 0; i < 50; i++)
    {
      char name[8];

      snprintf (name, sizeof name, "%u", i);
      close (make_folder (fixture->inside, name));
    }
  begin (fixture);
  fixture->walk->is_wanted = count_down;
  fixture->walk->data = &left;
  g_assert_false (result_walk_next (fixture->walk, &entry));
  g_assert_true (fixture->walk->missing.is_incomplete);
  g_assert_cmpuint (left, ==, G_MAXUINT);
  result_walk_end (fixture->walk);
}

/* More folders than are remembered: the others are counted. */
static void
test_many_folders (Fixture *fixture, gconstpointer data)
{
  const guint n = 5000;
  const guint room = (RESULT_WALK_QUEUE_SIZE - 1) / 251;
  struct result_entry entry;

  for (guint i = 0; i < n; i++)
    {
      char name[256];

      snprintf (name, sizeof name, "%0250u", i);
      g_assert_cmpint (mkdirat (fixture->inside, name, 0755), ==, 0);
    }
  begin (fixture);
  g_assert_false (result_walk_next (fixture->walk, &entry));
  g_assert_cmpuint (fixture->walk->missing.n_left_out, ==, n - room);
  g_assert_false (fixture->walk->missing.is_incomplete);
  result_walk_end (fixture->walk);
}

/* What was a file is something else when it is opened. */
static void
test_file_is_replaced (Fixture *fixture, gconstpointer data)
{
  for (int how = 0; how < 4; how++)
    {
      struct result_entry entry;
      int fd;

      write_at (fixture->inside, "a", "mine");
      begin (fixture);
      g_assert_true (result_walk_next (fixture->walk, &entry));
      g_assert_cmpint (entry.kind, ==, FH_WIRE_RESULT_REGULAR);
      g_assert_cmpint (unlinkat (fixture->inside, "a", 0), ==, 0);
      if (how == 0)
        g_assert_cmpint (mkfifoat (fixture->inside, "a", 0644), ==, 0);
      else if (how == 1)
        g_assert_cmpint (symlinkat ("../outside/file", fixture->inside, "a"), ==, 0);
      else if (how == 2)
        close (make_folder (fixture->inside, "a"));
      fd = result_walk_open (fixture->walk, &entry);
      g_assert_cmpint (fd, ==, -1);
      g_assert_true (fixture->walk->missing.is_incomplete);
      result_walk_end (fixture->walk);
      unlinkat (fixture->inside, "a", how == 2 ? AT_REMOVEDIR : 0);
    }
}

typedef struct
{
  int folder;
  atomic_bool is_over;
} Swapper;

/* Turns "d" from a folder into a link that leads out and back, again and again; and "f" likewise.
 */
static void *
swap (void *data)
{
  Swapper *swapper = data;

  while (!atomic_load (&swapper->is_over))
    {
      renameat2 (swapper->folder, "d", swapper->folder, "d-link", RENAME_EXCHANGE);
      renameat2 (swapper->folder, "f", swapper->folder, "f-link", RENAME_EXCHANGE);
    }
  return NULL;
}

static void
assert_mine (Fixture *fixture, struct result_entry *entry, guint *n_read)
{
  char text[16] = "";
  int fd;

  if (entry->kind != FH_WIRE_RESULT_REGULAR)
    return;
  fd = result_walk_open (fixture->walk, entry);
  if (fd < 0)
    return;
  g_assert_cmpint (read (fd, text, sizeof text - 1), >=, 0);
  g_assert_cmpstr (text, ==, "mine");
  close (fd);
  (*n_read)++;
}

static void
test_folder_is_swapped (Fixture *fixture, gconstpointer data)
{
  Swapper swapper = { .folder = fixture->inside };
  int parent = make_folder (fixture->inside, "d");
  int folder = make_folder (parent, "e");
  int decoy = make_folder (fixture->outside, "e");
  guint64 end_us = clock_now_us () + 500000;
  guint n_read = 0;
  pthread_t thread;

  write_at (folder, "file", "mine");
  write_at (decoy, "file", "secret");
  write_at (fixture->inside, "f", "mine");
  g_assert_cmpint (symlinkat ("../outside", fixture->inside, "d-link"), ==, 0);
  g_assert_cmpint (symlinkat ("../outside/file", fixture->inside, "f-link"), ==, 0);
  g_assert_cmpint (pthread_create (&thread, NULL, swap, &swapper), ==, 0);
  while (clock_now_us () < end_us)
    {
      struct result_entry entry;

      begin (fixture);
      while (result_walk_next (fixture->walk, &entry))
        assert_mine (fixture, &entry, &n_read);
      result_walk_end (fixture->walk);
    }
  atomic_store (&swapper.is_over, true);
  pthread_join (thread, NULL);
  g_test_message ("%u files were read", n_read);
  g_assert_cmpuint (n_read, >, 0);
  close (parent);
  close (folder);
  close (decoy);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/result-walk/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("shallow-first", test_shallow_first);
  ADD ("empty-folders", test_empty_folders);
  ADD ("no-folder", test_no_folder);
  ADD ("out-of-time", test_out_of_time);
  ADD ("no-longer-wanted", test_no_longer_wanted);
  ADD ("many-folders", test_many_folders);
  ADD ("file-is-replaced", test_file_is_replaced);
  ADD ("folder-is-swapped", test_folder_is_swapped);
  return g_test_run ();
}
