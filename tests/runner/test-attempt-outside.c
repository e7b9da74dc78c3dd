/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user has, looked for at the end; on a real file system that never answers as well. */
#include "attempt-outside.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <linux/fuse.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture
{
  struct attempt_list list;
  struct fh_policy policy;
  char *home;
  char *file;
};

static void
set_up (struct fixture *fixture, const void *data)
{
  fixture->home = g_dir_make_tmp ("outside-XXXXXX", NULL);
  fixture->file = g_build_filename (fixture->home, "key", NULL);
  g_assert_true (g_file_set_contents (fixture->file, "x", 1, NULL));
  fixture->policy = (struct fh_policy){ .home = fixture->home, .watch = FH_WIRE_WATCH_ATTEMPTS };
  g_assert_true (attempt_list_init (&fixture->list));
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  attempt_list_clear (&fixture->list);
  g_unlink (fixture->file);
  g_rmdir (fixture->home);
  g_free (fixture->file);
  g_free (fixture->home);
}

static void
add (struct fixture *fixture, const char *object, uint32_t flags)
{
  const struct fh_attempt attempt = {
    .guard = FH_WIRE_GUARD_FILESYSTEM,
    .verdict = FH_WIRE_HIDDEN,
    .flags = flags,
    .error = ENOENT,
    .layer = "mount",
    .operation = "open",
    .object = object,
    .command = "python3",
  };

  attempt_list_add (&fixture->list, &attempt);
}

static void
add_as (struct fixture *fixture, const char *operation, const char *object)
{
  const struct fh_attempt attempt = {
    .guard = FH_WIRE_GUARD_FILESYSTEM,
    .verdict = FH_WIRE_HIDDEN,
    .flags = ATTEMPT_MAY_BE_OUTSIDE,
    .error = ENOENT,
    .layer = "mount",
    .operation = operation,
    .object = object,
    .command = "python3",
  };

  attempt_list_add (&fixture->list, &attempt);
}

static void
assert_kept (struct fixture *fixture, uint32_t n, const char *object, bool is_outside)
{
  const struct fh_attempt *attempt = &fixture->list.kept[n].attempt;

  g_assert_cmpuint (n, <, fixture->list.n);
  g_assert_cmpstr (attempt->object, ==, object);
  g_assert_cmpint ((attempt->flags & FH_ATTEMPT_EXISTS_OUTSIDE) != 0, ==, is_outside);
}

static void
test_reported (struct fixture *fixture, const void *data)
{
  add (fixture, "~/key", ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, "~/none", ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, "/workspace/key", ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, fixture->file, ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, "/etc/passwd", ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, "/etc/group", 0);
  add (fixture, "not a path", ATTEMPT_MAY_BE_OUTSIDE);
  fixture->list.kept[0].sent_count = 1;
  attempt_outside_settle (&fixture->list, &fixture->policy);
  assert_kept (fixture, 0, "~/key", true);
  assert_kept (fixture, 1, "~/none", false);
  assert_kept (fixture, 2, "/workspace/key", true);
  assert_kept (fixture, 3, fixture->file, true);
  assert_kept (fixture, 4, "/etc/passwd", true);
  assert_kept (fixture, 5, "/etc/group", false);
  assert_kept (fixture, 6, "not a path", false);
  /* It has to be sent again. */
  g_assert_cmpuint (fixture->list.kept[0].sent_count, ==, 0);
  g_assert_cmpuint (fixture->list.dropped, ==, 0);
}

static bool
is_missing (struct fixture *fixture, uint32_t n)
{
  const struct fh_attempt *attempt = &fixture->list.kept[n].attempt;
  const bool is_missing = attempt->flags & FH_ATTEMPT_IS_MISSING;

  g_assert_cmpuint (n, <, fixture->list.n);
  g_assert_cmpint (attempt->verdict, ==, is_missing ? FH_WIRE_OBSERVED : FH_WIRE_HIDDEN);
  return is_missing;
}

/* Only what was looked for and is not there was not hidden; a new name is hidden if its folder is
 * there. */
static void
test_missing (struct fixture *fixture, const void *data)
{
  g_autofree char *closed = g_build_filename (fixture->home, "closed", NULL);
  g_autofree char *inside = g_build_filename (closed, "x", NULL);
  const bool is_root = getuid () == 0;

  g_assert_cmpint (g_mkdir (closed, 0), ==, 0);
  add_as (fixture, "open", "/dev/nobody-has-this");
  add_as (fixture, "open", "~/none");
  add_as (fixture, "open", "~/key");
  add_as (fixture, "list", "~/key/none");
  add_as (fixture, "open", inside);
  add_as (fixture, "open", "not a path");
  add_as (fixture, "create", "~/new");
  add_as (fixture, "create", "~/none/new");
  add_as (fixture, "rename", "/new");
  fixture->list.kept[0].sent_count = 1;
  attempt_outside_settle (&fixture->list, &fixture->policy);
  g_assert_true (is_missing (fixture, 0));
  g_assert_cmpuint (fixture->list.kept[0].sent_count, ==, 0);
  g_assert_true (is_missing (fixture, 1));
  g_assert_false (is_missing (fixture, 2));
  g_assert_true (is_missing (fixture, 3));
  g_assert_cmpint (is_missing (fixture, 4), ==, is_root);
  g_assert_false (is_missing (fixture, 5));
  g_assert_false (is_missing (fixture, 6));
  g_assert_true (is_missing (fixture, 7));
  g_assert_false (is_missing (fixture, 8));
  g_rmdir (closed);
}

static void
test_only_if (struct fixture *fixture, const void *data)
{
  const uint32_t flags = ATTEMPT_MAY_BE_OUTSIDE | ATTEMPT_ONLY_IF_OUTSIDE;

  for (int i = 0; i < 3; i++)
    add (fixture, "~/key", flags);
  add (fixture, "~/none", flags);
  g_assert_cmpuint (fixture->list.n, ==, 0);
  attempt_outside_settle (&fixture->list, &fixture->policy);
  g_assert_cmpuint (fixture->list.n, ==, 1);
  assert_kept (fixture, 0, "~/key", true);
  g_assert_cmpuint (fixture->list.kept[0].attempt.count, ==, 3);
}

static void
test_every_file (struct fixture *fixture, const void *data)
{
  fixture->policy.watch = FH_WIRE_WATCH_FILES;
  add (fixture, "~/none", ATTEMPT_MAY_BE_OUTSIDE | ATTEMPT_ONLY_IF_OUTSIDE);
  attempt_outside_settle (&fixture->list, &fixture->policy);
  assert_kept (fixture, 0, "/workspace/none", false);
  g_assert_cmpint (fixture->list.kept[0].attempt.verdict, ==, FH_WIRE_OBSERVED);
}

/* The name of another file must not be taken for the one that was meant. */
static void
test_cut (struct fixture *fixture, const void *data)
{
  g_autoptr (GString) path = g_string_new ("/etc");

  while (path->len + 4 < FH_ATTEMPT_OBJECT_MAX)
    g_string_append (path, "/../etc");
  g_string_append (path, "/passwd");
  add (fixture, path->str, ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, path->str, ATTEMPT_MAY_BE_OUTSIDE | ATTEMPT_ONLY_IF_OUTSIDE);
  attempt_outside_settle (&fixture->list, &fixture->policy);
  g_assert_cmpuint (fixture->list.n, ==, 1);
  g_assert_cmpuint (fixture->list.kept[0].attempt.flags & FH_ATTEMPT_EXISTS_OUTSIDE, ==, 0);
}

static void
test_many (struct fixture *fixture, const void *data)
{
  for (int i = 0; i < ATTEMPTS_OF_SUBJECT_MAX + 5; i++)
    {
      g_autofree char *object = g_strdup_printf ("~/%d", i);

      add (fixture, object, ATTEMPT_MAY_BE_OUTSIDE | ATTEMPT_ONLY_IF_OUTSIDE);
    }
  add (fixture, "~/key", ATTEMPT_MAY_BE_OUTSIDE);
  attempt_outside_settle (&fixture->list, &fixture->policy);
  g_assert_cmpuint (fixture->list.n, ==, 1);
  assert_kept (fixture, 0, "~/key", true);
  g_assert_cmpuint (fixture->list.dropped, ==, 5);
}

static void
write_file (const char *path, const char *text)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (ssize_t) strlen (text));
  close (fd);
}

/* A server that greets the kernel and answers nothing after that. False where an ordinary user may
 * not have one. */
static bool
mount_silent_server (const char *folder, int *device)
{
  g_autofree char *options = NULL;
  g_autofree char *user = g_strdup_printf ("0 %d 1", (int) getuid ());
  g_autofree char *group = g_strdup_printf ("0 %d 1", (int) getgid ());
  char request[FUSE_MIN_READ_BUFFER];
  struct fuse_out_header *head;
  struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION,
                                .minor = FUSE_KERNEL_MINOR_VERSION,
                                .max_write = 4096 };
  char answer[sizeof *head + sizeof init];

  if (access ("/dev/fuse", R_OK | W_OK) < 0 || unshare (CLONE_NEWUSER | CLONE_NEWNS) < 0)
    return false;
  write_file ("/proc/self/setgroups", "deny");
  write_file ("/proc/self/uid_map", user);
  write_file ("/proc/self/gid_map", group);
  *device = open ("/dev/fuse", O_RDWR | O_CLOEXEC);
  options = g_strdup_printf ("fd=%d,rootmode=40000,user_id=0,group_id=0", *device);
  if (mount ("silent", folder, "fuse", MS_NOSUID | MS_NODEV, options) < 0)
    return false;
  g_assert_cmpint (read (*device, request, sizeof request), >, 0);
  head = (struct fuse_out_header *) (void *) answer;
  *head =
      (struct fuse_out_header){ .len = sizeof answer,
                                .unique = ((struct fuse_in_header *) (void *) request)->unique };
  memcpy (answer + sizeof *head, &init, sizeof init);
  g_assert_cmpint (write (*device, answer, sizeof answer), ==, sizeof answer);
  return true;
}

/* In a process of its own, for the sake of its namespaces. 77: it cannot be tried. */
static int
look_without_an_answer (struct fixture *fixture)
{
  char request[FUSE_MIN_READ_BUFFER];
  int device;
  pid_t server;

  g_unlink (fixture->file);
  if (!mount_silent_server (fixture->home, &device))
    return 77;
  /* Takes the question and never answers, so that the process that asked cannot even be killed. */
  server = fork ();
  while (server == 0)
    {
      if (read (device, request, sizeof request) < 0)
        _exit (0);
    }
  add (fixture, "~/key", ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, "/etc/passwd", ATTEMPT_MAY_BE_OUTSIDE);
  add (fixture, "~/other", ATTEMPT_MAY_BE_OUTSIDE | ATTEMPT_ONLY_IF_OUTSIDE);
  attempt_outside_settle (&fixture->list, &fixture->policy);
  assert_kept (fixture, 0, "~/key", false);
  g_assert_false (is_missing (fixture, 0));
  assert_kept (fixture, 1, "/etc/passwd", true);
  g_assert_cmpuint (fixture->list.dropped, ==, 1);
  kill (server, SIGKILL);
  waitpid (server, NULL, 0);
  close (device);
  return 0;
}

static void
test_silence (struct fixture *fixture, const void *data)
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    _exit (look_without_an_answer (fixture));
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == 77)
    g_test_skip ("an ordinary user may not mount a file system of his own here");
  else
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/attempt-outside/reported", struct fixture, NULL, set_up, test_reported, tear_down);
  g_test_add ("/attempt-outside/missing", struct fixture, NULL, set_up, test_missing, tear_down);
  g_test_add ("/attempt-outside/only-if", struct fixture, NULL, set_up, test_only_if, tear_down);
  g_test_add ("/attempt-outside/every-file",
              struct fixture,
              NULL,
              set_up,
              test_every_file,
              tear_down);
  g_test_add ("/attempt-outside/cut", struct fixture, NULL, set_up, test_cut, tear_down);
  g_test_add ("/attempt-outside/many", struct fixture, NULL, set_up, test_many, tear_down);
  g_test_add ("/attempt-outside/silence", struct fixture, NULL, set_up, test_silence, tear_down);
  return g_test_run ();
}
