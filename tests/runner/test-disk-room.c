/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "disk-watch.h"

#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

/* All in the same unit, whatever it is. */
static struct disk_room
room (uint64_t written, uint64_t dirtied, uint64_t shrunk)
{
  struct disk_room room = { .written = written };

  disk_room_conclude (&room, dirtied, shrunk, true);
  return room;
}

static void
test_least (void)
{
  /* It alone writes, and all is new. */
  g_assert_cmpuint (room (100, 100, 100).least, ==, 100);
  /* The same places again and again. */
  g_assert_cmpuint (room (100, 100, 10).least, ==, 10);
  g_assert_cmpuint (room (100, 100, 0).least, ==, 0);
  /* Others write new files at the same time, */
  g_assert_cmpuint (room (100, 600, 600).least, ==, 100);
  /* or it writes the same places meanwhile: not to be told from theirs being so. */
  g_assert_cmpuint (room (100, 600, 510).least, ==, 10);
  g_assert_cmpuint (room (100, 600, 500).least, ==, 0);
  /* Others delete files. */
  g_assert_cmpuint (room (100, 100, 30).least, ==, 30);
  /* It writes past the page cache, the same places. */
  g_assert_cmpuint (room (100, 0, 5).least, ==, 5);
  /* The kernel does not tell what all have written. */
  g_assert_cmpuint (room (100, UINT64_MAX, 100).least, ==, 0);
}

static void
test_most (void)
{
  struct disk_room unknown = { .written = 5 };

  g_assert_cmpuint (room (100, 600, 600).most, ==, 100);
  g_assert_cmpuint (room (100, 100, 10).most, ==, 10);
  disk_room_conclude (&unknown, 100, 90, false);
  g_assert_cmpuint (unknown.most, ==, 90);
  g_assert_cmpuint (unknown.least, ==, 0);
}

static uint64_t
written_after (const uint64_t *told, size_t n)
{
  struct disk_room room = { 0 };

  for (size_t i = 0; i < n; i++)
    disk_room_count (&room, told[i]);
  return room.written;
}
#define WRITTEN_AFTER(...)                                                                         \
  written_after ((const uint64_t[]){ __VA_ARGS__ },                                                \
                 sizeof ((const uint64_t[]){ __VA_ARGS__ }) / sizeof (uint64_t))

static void
test_count (void)
{
  g_assert_cmpuint (WRITTEN_AFTER (10, 20, 30, 30), ==, 30);
  /* Not seen, or seen twice, while a process was being waited for. */
  g_assert_cmpuint (WRITTEN_AFTER (10, 50, 20, 50, 50), ==, 50);
  g_assert_cmpuint (WRITTEN_AFTER (10, 50, 90, 50, 50), ==, 50);
  /* It has not been waited for. */
  g_assert_cmpuint (WRITTEN_AFTER (50, 50, 50, 0, 0, 30, 30), ==, 80);
}

/* Of this process, which writes to a file that it has deleted. */
static void
test_look (void)
{
  const size_t bytes = 4 << 20;
  g_autofree char *data = g_malloc (bytes);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "fh-room-XXXXXX", NULL);
  struct process self = { .pid = (uint32_t) getpid (), .thread = (uint32_t) getpid () };
  struct process_table table = {
    .proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
    .processes = &self,
    .n = 1,
  };
  const int folder = open (g_get_tmp_dir (), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct disk_room room;
  uint64_t before;
  int fd;

  disk_room_begin (&room, folder);
  for (int i = 0; i < 3; i++)
    disk_room_measure (&room, &table);
  before = self.written_bytes;
  fd = g_mkstemp (path);
  g_assert_cmpint (fd, >=, 0);
  unlink (path);
  g_assert_cmpint (write (fd, data, bytes), ==, (gssize) bytes);
  for (int i = 0; i < 3; i++)
    disk_room_measure (&room, &table);
  if (self.written_bytes == before)
    g_test_skip ("this folder is in memory");
  else
    g_assert_cmpuint (room.written, >=, bytes);
  g_assert_cmpuint (room.least, <=, room.written);
  close (fd);
  close (folder);
  close (table.proc);
}

/* No question is needed. */
static void
test_nowhere (void)
{
  struct process_table table = { .proc = -1, .n = 1 };
  struct disk_room room;

  disk_room_begin (&room, -1);
  disk_room_measure (&room, &table);
  g_assert_cmpuint (room.most, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runner/disk-room/least", test_least);
  g_test_add_func ("/runner/disk-room/most", test_most);
  g_test_add_func ("/runner/disk-room/count", test_count);
  g_test_add_func ("/runner/disk-room/look", test_look);
  g_test_add_func ("/runner/disk-room/nowhere", test_nowhere);
  return g_test_run ();
}
