/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include <glib.h>

static void
test_allowed_targets (void)
{
  static const char *const targets[] = {
    "/opt/fumehood", "/home/someone/.pyenv/versions/3.12",
    "/tmp/venv",     "/workspace/data",
    "/processes",    "/devel",
    "/tmpfiles",     "/a/...",
    "/nix/store",    "/...",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_test_message ("%s", targets[i]);
      g_assert_true (bind_target_is_allowed (targets[i]));
    }
}

static void
test_refused_targets (void)
{
  static const char *const targets[] = {
    "",        "/",         "relative",   "/proc", "/proc/self", "/dev",     "/dev/null",
    "/tmp",    "/tmp/",     "/workspace", "//opt", "/opt//x",    "/opt/",    "/opt/.",
    "/opt/..", "/opt/../x", "/opt/./x",   "/..",   "/./proc",    "/../proc",
  };
  g_autofree char *long_name = g_strnfill (NAME_MAX + 1, 'a');
  g_autofree char *long_part = g_strconcat ("/opt/", long_name, NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_test_message ("%s", targets[i]);
      g_assert_false (bind_target_is_allowed (targets[i]));
    }
  g_assert_false (bind_target_is_allowed (long_part));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bind-target/allowed-targets", test_allowed_targets);
  g_test_add_func ("/bind-target/refused-targets", test_refused_targets);
  return g_test_run ();
}
