/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-path.h"

#include <glib.h>
#include <string.h>

static void
test_join (void)
{
  static const struct
  {
    const char *base;
    const char *path;
    const char *joined;
  } cases[] = {
    { "/", "/", "/" },
    { "/", "/etc/passwd", "/etc/passwd" },
    { "/workspace", "a.txt", "/workspace/a.txt" },
    { "/workspace", "./a//b/", "/workspace/a/b" },
    { "/workspace/x", "../../home", "/home" },
    { "/workspace", "../../../..", "/" },
    { "/workspace", "", "/workspace" },
    { "/", "a", "/a" },
    { "/", "/..x/...", "/..x/..." },
    { "/workspace", "/proc/self/root/home/x", "/home/x" },
    { "/workspace", "/proc/12/root/proc/thread-self/root/etc/../root", "/root" },
    { "/workspace", "/proc/self/root", "/" },
    { "/workspace", "/proc/self/rooted", "/proc/self/rooted" },
    { "/workspace", "/proc/self/root/../../home", "/home" },
    { "/workspace", "/proc/root/x", "/proc/root/x" },
  };
  char joined[PATH_MAX];

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s + %s", cases[i].base, cases[i].path);
      g_assert_true (path_join (cases[i].base, cases[i].path, joined));
      g_assert_cmpstr (joined, ==, cases[i].joined);
    }
}

static void
test_join_what_does_not_fit (void)
{
  g_autofree char *longest = g_strnfill (PATH_MAX - 2, 'x');
  g_autofree char *too_long = g_strnfill (PATH_MAX - 1, 'x');
  char joined[PATH_MAX];

  g_assert_true (path_join ("/", longest, joined));
  g_assert_cmpuint (strlen (joined), ==, PATH_MAX - 1);
  g_assert_false (path_join ("/", too_long, joined));
  g_assert_false (path_join ("/workspace", longest, joined));
}

static void
test_places (void)
{
  static const struct
  {
    const char *path;
    enum path_place place;
  } cases[] = {
    { "/workspace", PATH_WORKSPACE },
    { "/workspace/a", PATH_WORKSPACE },
    { "/workspaces", PATH_ELSEWHERE },
    { "/workspace/.ssh/id_rsa", PATH_PRIVATE },
    { "/workspace/.sshd", PATH_WORKSPACE },
    { "/tmp/a", PATH_SCRATCH },
    { "/dev/shm/a", PATH_SCRATCH },
    { "/dev/null", PATH_SYSTEM },
    { "/dev/kvm", PATH_PRIVATE },
    { "/dev/ptmx", PATH_PRIVATE },
    { "/usr/lib/python3", PATH_SYSTEM },
    { "/etc/passwd", PATH_SYSTEM },
    { "/etc/shadow", PATH_PRIVATE },
    { "/etc/shadows", PATH_SYSTEM },
    { "/proc/self/maps", PATH_SYSTEM },
    { "/proc/kcore", PATH_PRIVATE },
    { "/sys/devices/system/cpu/online", PATH_SYSTEM },
    { "/sys/class/dmi/id/product_serial", PATH_PRIVATE },
    { "/home", PATH_PRIVATE },
    { "/homes", PATH_ELSEWHERE },
    { "/root/x", PATH_PRIVATE },
    { "/run/user/1000/bus", PATH_PRIVATE },
    { "/var/run/nscd/socket", PATH_QUIET },
    { "/var/log/syslog", PATH_PRIVATE },
    { "/data/people/me/x", PATH_PRIVATE },
    { "/data/people/you", PATH_ELSEWHERE },
    { "/opt/python/lib", PATH_SYSTEM },
    { "/opt/other", PATH_ELSEWHERE },
    { "/", PATH_ELSEWHERE },
  };
  struct fh_bind bind = { .source = (char *) "/x", .target = (char *) "/opt/python" };
  struct fh_policy policy = {
    .home = (char *) "/data/people/me",
    .binds = &bind,
    .n_binds = 1,
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].path);
      g_assert_cmpint (path_place_of (cases[i].path, &policy), ==, cases[i].place);
    }
  g_assert_true (path_is_shown ("/x", &policy));
  g_assert_true (path_is_shown ("/x/y", &policy));
  g_assert_false (path_is_shown ("/xy", &policy));
  /* No home, and one that is everything, say nothing about the user's files. */
  policy.home = (char *) "";
  g_assert_cmpint (path_place_of ("/data/people/me/x", &policy), ==, PATH_ELSEWHERE);
  policy.home = (char *) "/";
  g_assert_cmpint (path_place_of ("/data/people/me/x", &policy), ==, PATH_ELSEWHERE);
}

static void
test_plainly_system (void)
{
  g_assert_true (path_is_plainly_system ("/usr/lib/x"));
  g_assert_true (path_is_plainly_system ("/lib/x86_64-linux-gnu/libc.so.6"));
  g_assert_false (path_is_plainly_system ("/usr/../home/x"));
  g_assert_false (path_is_plainly_system ("/usrlocal"));
  g_assert_false (path_is_plainly_system ("/library"));
  g_assert_false (path_is_plainly_system ("/etc/passwd"));
  g_assert_false (path_is_plainly_system ("usr/x"));
  g_assert_false (path_is_plainly_system (""));
}

static void
test_in_home (void)
{
  char shown[PATH_MAX];

  path_in_home ("/workspace/.ssh/id_rsa", shown);
  g_assert_cmpstr (shown, ==, "~/.ssh/id_rsa");
  path_in_home ("/workspace", shown);
  g_assert_cmpstr (shown, ==, "~");
  path_in_home ("/workspaces/x", shown);
  g_assert_cmpstr (shown, ==, "/workspaces/x");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attempt-path/join", test_join);
  g_test_add_func ("/attempt-path/join-what-does-not-fit", test_join_what_does_not_fit);
  g_test_add_func ("/attempt-path/places", test_places);
  g_test_add_func ("/attempt-path/plainly-system", test_plainly_system);
  g_test_add_func ("/attempt-path/in-home", test_in_home);
  return g_test_run ();
}
