/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel-file.h"

#include <fcntl.h>
#include <glib.h>

static void
test_number (void)
{
  static const char text[] =
      "oom 1\noom_kill 22\nVmPTE:\t   40 kB\nPss: 7 kB\nmax\nlast 18446744073709551615";

  g_assert_cmpuint (kernel_file_number (text, "oom", 0), ==, 1);
  g_assert_cmpuint (kernel_file_number (text, "oom_kill", 0), ==, 22);
  g_assert_cmpuint (kernel_file_number (text, "oom_", 5), ==, 5);
  g_assert_cmpuint (kernel_file_number (text, "kill", 5), ==, 5);
  g_assert_cmpuint (kernel_file_number (text, "max", 5), ==, 5);
  g_assert_cmpuint (kernel_file_number (text, "last", 0), ==, G_MAXUINT64);
  g_assert_cmpuint (kernel_file_number ("", "oom", 5), ==, 5);
  g_assert_cmpuint (kernel_file_number ("\n\noom 3", "oom", 5), ==, 3);
  g_assert_cmpuint (kernel_file_bytes (text, "VmPTE"), ==, 40 * 1024);
  g_assert_cmpuint (kernel_file_bytes (text, "Pss"), ==, 7 * 1024);
  g_assert_cmpuint (kernel_file_bytes (text, "Swap"), ==, 0);
}

static void
test_read (void)
{
  char text[8];

  g_assert_true (kernel_file_read (AT_FDCWD, "/proc/self/status", text, sizeof text));
  g_assert_cmpuint (strlen (text), ==, sizeof text - 1);
  g_assert_false (kernel_file_read (AT_FDCWD, "/dev/null", text, sizeof text));
  g_assert_cmpstr (text, ==, "");
  g_assert_false (kernel_file_read (AT_FDCWD, "/proc/self/no-such-file", text, sizeof text));
}

static void
test_write (void)
{
  g_assert_cmpint (kernel_file_write (AT_FDCWD, "/dev/null", "1"), ==, 0);
  g_assert_cmpint (kernel_file_write (AT_FDCWD, "/dev/full", "1"), ==, -ENOSPC);
  g_assert_cmpint (kernel_file_write (AT_FDCWD, "/proc/no-such-file", "1"), ==, -ENOENT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernel-file/number", test_number);
  g_test_add_func ("/kernel-file/read", test_read);
  g_test_add_func ("/kernel-file/write", test_write);
  return g_test_run ();
}
