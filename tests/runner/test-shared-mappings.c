/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory-meter.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SCRATCH makedev (0, 0x2f)
#define PAGE    4096

/* As the kernel writes them: a program, shared memory, a name that lies, and files in the tmpfs. */
static const char maps[] =
    "00400000-00500000 r-xp 00000000 08:01 1048602      /usr/bin/python3\n"
    "7f0000000000-7f0000064000 rw-s 00000000 00:01 3077 /dev/zero (deleted)\n"
    "7f1000000000-7f1000064000 rw-p 00000000 00:00 0\n"
    "7f2000000000-7f200000a000 rw-s 00000000 00:2f 12   /dev/zero (deleted)\n"
    "7f3000000000-7f300000a000 rw-p 00000000 00:2f 13   /tmp/file\n"
    "nonsense\n";

static uint64_t
pages_without_file (const char *text, uint64_t shared_pages)
{
  g_autofree char *folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  g_autofree char *process = g_build_filename (folder, "7", NULL);
  g_autofree char *path = g_build_filename (process, "maps", NULL);
  const int proc = open (folder, O_RDONLY | O_DIRECTORY);
  const struct process one = { .pid = 7, .thread = 7 };
  const struct process other = { .pid = 8, .thread = 8 };
  uint64_t bytes;

  g_mkdir (process, 0700);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpuint (shared_mappings_without_file (proc, &other, SCRATCH, PAGE), ==, 0);
  bytes = shared_mappings_without_file (proc, &one, SCRATCH, shared_pages * PAGE);
  g_unlink (path);
  g_rmdir (process);
  g_rmdir (folder);
  close (proc);
  return bytes / PAGE;
}

/* Ten pages each of two files may be among them, and there are not more than a hundred others. */
static void
test_least (void)
{
  g_assert_cmpuint (pages_without_file (maps, 0), ==, 0);
  g_assert_cmpuint (pages_without_file (maps, 20), ==, 0);
  g_assert_cmpuint (pages_without_file (maps, 50), ==, 30);
  g_assert_cmpuint (pages_without_file (maps, 120), ==, 100);
  g_assert_cmpuint (pages_without_file (maps, 500), ==, 100);
  g_assert_cmpuint (pages_without_file ("", 50), ==, 0);
}

static void
test_too_many (void)
{
  g_autoptr (GString) text = g_string_new (maps);

  for (int i = 0; i < 5000; i++)
    g_string_append (text, "7f1000000000-7f1000064000 rw-p 00000000 00:00 0\n");
  g_assert_cmpuint (pages_without_file (text->str, 50), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runner/shared-mappings/least", test_least);
  g_test_add_func ("/runner/shared-mappings/too-many", test_too_many);
  return g_test_run ();
}
