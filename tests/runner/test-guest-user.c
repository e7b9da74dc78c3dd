/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-user.h"
#include "plan-data.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns whether a range was found in a file that holds `text`. */
static bool
find (const char *text, const char *name, uid_t uid, uid_t *first, uid_t *count)
{
  FILE *file = fmemopen ((void *) text, strlen (text), "r");
  bool is_found;

  g_assert_nonnull (file);
  is_found = guest_user_read_range (file, name, uid, first, count);
  fclose (file);
  return is_found;
}

static void
test_by_name (void)
{
  const char *text = "root:100000:65536\nann:165536:65536\nanna:231072:1\n";
  uid_t first, count;

  g_assert_true (find (text, "ann", 1000, &first, &count));
  g_assert_cmpuint (first, ==, 165536);
  g_assert_cmpuint (count, ==, 65536);
  g_assert_true (find (text, "anna", 1001, &first, &count));
  g_assert_cmpuint (first, ==, 231072);
  g_assert_cmpuint (count, ==, 1);
  g_assert_false (find (text, "an", 1002, &first, &count));
  g_assert_false (find (text, "", 1002, &first, &count));
}

static void
test_by_number (void)
{
  uid_t first, count;

  g_assert_true (find ("1000:100000:10", "ann", 1000, &first, &count));
  g_assert_cmpuint (first, ==, 100000);
  g_assert_cmpuint (count, ==, 10);
  g_assert_true (find ("1000:100000:10\n", "", 1000, &first, &count));
  g_assert_false (find ("10000:100000:10\n", "", 1000, &first, &count));
  g_assert_false (find ("-1000:100000:10\n", "", 1000, &first, &count));
}

/* The first line that makes sense. */
static void
test_nonsense (void)
{
  static const char *const nonsense[] = {
    "",
    "\n",
    "ann",
    "ann:",
    "ann:1",
    "ann:1:",
    "ann::1",
    "ann:1:0",
    "ann:0:1",
    "ann:-1:1",
    "ann: 1:1",
    "ann:1:1x",
    "ann:1x:1",
    "ann:0x10:1",
    "ann:4294967295:1",
    "ann:1:4294967295",
    "ann:4294967294:2",
    "ann:99999999999999999999:1",
    "#ann:1:1",
    ":1:1",
  };
  uid_t first, count;

  for (size_t i = 0; i < G_N_ELEMENTS (nonsense); i++)
    {
      g_autofree char *with_more = g_strconcat (nonsense[i], "\nann:7:8\n", NULL);

      if (nonsense[i][0] != '\0')
        g_assert_false (find (nonsense[i], "ann", 1000, &first, &count));
      g_assert_true (find (with_more, "ann", 1000, &first, &count));
      g_assert_cmpuint (first, ==, 7);
      g_assert_cmpuint (count, ==, 8);
    }
  g_assert_true (find ("ann:4294967293:1", "ann", 1000, &first, &count));
}

/* They are passed over as a whole; what follows in one is not taken for a line. */
static void
test_long_lines (void)
{
  g_autofree char *padding = g_strnfill (600, 'x');
  g_autofree char *text = g_strconcat (padding, ":1:1\nann:7:8:", padding, "\nann:9:9", NULL);
  uid_t first, count;

  g_assert_true (find (text, "ann", 1000, &first, &count));
  g_assert_cmpuint (first, ==, 9);
  for (size_t i = 0; i < 520; i++)
    {
      g_autofree char *tricky = g_strconcat (padding + 600 - i, "ann:5:5\n", NULL);

      g_assert_cmpint (find (tricky, "ann", 1000, &first, &count), ==, i == 0);
    }
}

static int
count_call (void *data)
{
  return ++*(int *) data;
}

/* The caller then collects nothing, and goes on as whom it was. */
static void
test_namespace_that_cannot_be_entered (void)
{
  int own = open ("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);

  g_assert_cmpint (own, >=, 0);
  g_assert_false (guest_user_assume (-1));
  g_assert_false (guest_user_assume (STDIN_FILENO));
  /* A process is never put into the one in which it is: setns (2). */
  g_assert_false (guest_user_assume (own));
  g_assert_cmpint (setfsuid (geteuid ()), >=, 0);
  close (own);
}

/* Neither the user nor what the kernel allows of this process is another one afterwards. */
static void
test_call_that_cannot_be_made (void)
{
  const int own = open ("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
  int n = 0;

  g_assert_cmpint (own, >=, 0);
  g_assert_cmpint (prctl (PR_SET_DUMPABLE, 1), ==, 0);
  g_assert_cmpint (guest_user_call (own, count_call, &n), ==, -EPERM);
  g_assert_cmpint (guest_user_call (-1, count_call, &n), ==, -EPERM);
  g_assert_cmpint (n, ==, 0);
  g_assert_cmpint (prctl (PR_GET_DUMPABLE), ==, 1);
  g_assert_cmpint (setfsuid ((uid_t) -1), ==, (int) geteuid ());
  close (own);
}

/* Returns a process in a user namespace of its own, where nobody is mapped, or -1. */
static pid_t
start_in_namespace (void)
{
  int ready[2];
  char word;
  pid_t child;

  g_assert_cmpint (pipe (ready), ==, 0);
  child = fork ();
  if (child == 0)
    {
      if (unshare (CLONE_NEWUSER) < 0 || write (ready[1], "", 1) != 1)
        _exit (1);
      close (ready[1]);
      for (;;)
        pause ();
    }
  close (ready[1]);
  if (read (ready[0], &word, 1) != 1)
    {
      waitpid (child, NULL, 0);
      child = -1;
    }
  close (ready[0]);
  return child;
}

static int
open_of (pid_t process, const char *name, int flags)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", (int) process, name);
  const int fd = open (path, flags | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

/* It is called as the guest, and this process stays where it was. */
static void
test_call (void)
{
  const pid_t child = start_in_namespace ();
  g_autofree char *map = g_strdup_printf (PLAN_USER_ID " %u 1", (unsigned int) geteuid ());
  int users, ids, n = 6;

  if (child < 0)
    {
      g_test_skip ("user namespaces cannot be made here");
      return;
    }
  users = open_of (child, "ns/user", O_RDONLY);
  g_assert_cmpint (guest_user_call (users, count_call, &n), ==, -EPERM);
  ids = open_of (child, "uid_map", O_WRONLY);
  g_assert_cmpint (write (ids, map, strlen (map)), ==, (ssize_t) strlen (map));
  g_assert_cmpint (prctl (PR_SET_DUMPABLE, 1), ==, 0);
  g_assert_cmpint (guest_user_call (users, count_call, &n), ==, 7);
  g_assert_cmpint (n, ==, 7);
  g_assert_cmpint (prctl (PR_GET_DUMPABLE), ==, 1);
  close (ids);
  close (users);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
}

static void
test_mapper (void)
{
  struct guest_user user = { .is_own = true, .outside = 100000, .mapper = "/bin/true" };

  g_assert_cmpint (guest_user_map (&user, getpid ()), ==, 0);
  user.mapper = "/bin/false";
  g_assert_cmpint (guest_user_map (&user, getpid ()), ==, -EPERM);
  user.mapper = "/nonexistent";
  g_assert_cmpint (guest_user_map (&user, getpid ()), ==, -EPERM);
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guest-user/by-name", test_by_name);
  g_test_add_func ("/guest-user/by-number", test_by_number);
  g_test_add_func ("/guest-user/nonsense", test_nonsense);
  g_test_add_func ("/guest-user/long-lines", test_long_lines);
  g_test_add_func ("/guest-user/namespace-that-cannot-be-entered",
                   test_namespace_that_cannot_be_entered);
  g_test_add_func ("/guest-user/call-that-cannot-be-made", test_call_that_cannot_be_made);
  g_test_add_func ("/guest-user/call", test_call);
  g_test_add_func ("/guest-user/mapper", test_mapper);
  return g_test_run ();
}
