/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages that the computer has set aside are not the guest's, and cost nothing where there are none.
 */
#include "seccomp-shared.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of a size that no computer has: the kernel's own answer is EINVAL. */
#define NO_SIZE (40u << 26)

/* What mmap says to who asks for huge pages, and has a /proc with these files; 0 when ordinary
 * pages are refused as well. */
static int
answer_of (const char *meminfo, const char *overcommit)
{
  g_autofree char *folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  g_autofree char *system_folder = g_build_filename (folder, "sys", "vm", NULL);
  g_autofree char *file = g_build_filename (folder, "meminfo", NULL);
  g_autofree char *setting = g_build_filename (system_folder, "nr_overcommit_hugepages", NULL);
  const struct setup setup = { .proc = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
  int status;
  pid_t pid;

  g_assert_cmpint (g_mkdir_with_parents (system_folder, 0700), ==, 0);
  g_assert_true (meminfo == NULL || g_file_set_contents (file, meminfo, -1, NULL));
  g_assert_true (overcommit == NULL || g_file_set_contents (setting, overcommit, -1, NULL));
  pid = fork ();
  if (pid == 0)
    {
      const int flags = MAP_PRIVATE | MAP_ANONYMOUS;

      if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || seccomp_shared_keep_pages (&setup) != 0 ||
          mmap (NULL, 4096, PROT_READ, flags, -1, 0) == MAP_FAILED ||
          mmap (NULL, 4096, PROT_READ, flags | MAP_HUGETLB | (int) NO_SIZE, -1, 0) != MAP_FAILED)
        _exit (0);
      _exit (errno);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  close (setup.proc);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  return WEXITSTATUS (status);
}

static void
test_huge_pages (void)
{
  static const char none[] = "MemTotal: 100 kB\nHugetlb:               0 kB\n";
  static const char some[] = "MemTotal: 100 kB\nHugetlb:            2048 kB\n";

  g_assert_cmpint (answer_of (none, "0\n"), ==, EINVAL);
  g_assert_cmpint (answer_of ("MemTotal: 100 kB\n", NULL), ==, EINVAL);
  g_assert_cmpint (answer_of (some, "0\n"), ==, ENOMEM);
  g_assert_cmpint (answer_of (none, "4\n"), ==, ENOMEM);
  g_assert_cmpint (answer_of (none, NULL), ==, ENOMEM);
  g_assert_cmpint (answer_of (NULL, "0\n"), ==, ENOMEM);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/seccomp-shared/huge-pages", test_huge_pages);
  return g_test_run ();
}
