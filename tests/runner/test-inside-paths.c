/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy says of paths inside becomes what is true without a root folder of one's own. */
#include "inside-paths.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "wire-guest.h"

static struct fh_bind binds[] = {
  { (char *) "/home/user/share/bootstrap.py", (char *) "/opt/fumehood/bootstrap.py", true },
  { (char *) "/home/user/venv", (char *) "/home/user/venv", false },
};

/* Borrows all of the policy, which has to live as long. */
static void
init (struct plan *plan, struct fh_policy *policy)
{
  *plan = (struct plan){ .policy = policy, .argv = policy->argv, .env = policy->env };
  strcpy (plan->folder.workspace, "/cache/run/workspace");
  strcpy (plan->folder.tmp, "/cache/run/tmp");
  policy->binds = binds;
  policy->n_binds = G_N_ELEMENTS (binds);
  g_assert_cmpint (inside_paths_plan (plan), ==, 0);
}

static void
test_arguments (void)
{
  static const char *const pairs[][2] = {
    { "/workspace/a.out", "/cache/run/workspace/a.out" },
    { "/workspace/main.py", "main.py" },
    { "/workspace", "." },
    { "/workspace/", "." },
    { "/workspaces", "/workspaces" },
    { "/tmp/file", "/cache/run/tmp/file" },
    { "/tmpfile", "/tmpfile" },
    { "/opt/fumehood/bootstrap.py", "/home/user/share/bootstrap.py" },
    { "/opt/fumehood/bootstrap.pyc", "/opt/fumehood/bootstrap.pyc" },
    { "/home/user/venv/bin/python", "/home/user/venv/bin/python" },
    { "in /workspace/x", "in /workspace/x" },
    { "", "" },
    { "\xff\xfe", "\xff\xfe" },
  };
  char *argv[G_N_ELEMENTS (pairs) + 1] = { NULL };
  char *env[] = { NULL };
  struct fh_policy policy = { .argv = argv, .env = env, .cwd = (char *) "" };
  struct plan plan;

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    argv[i] = (char *) pairs[i][0];
  init (&plan, &policy);
  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_assert_cmpstr (plan.argv[i], ==, pairs[i][1]);
  g_assert_null (plan.argv[G_N_ELEMENTS (pairs)]);
  inside_paths_clear (&plan);
}

/* Started elsewhere, the program would not find a relative path. */
static void
test_start_folder (void)
{
  char *argv[] = { (char *) "sh", (char *) "/workspace/main.sh", NULL };
  char *env[] = { NULL };
  struct fh_policy policy = { .argv = argv, .env = env, .cwd = (char *) "/tmp/a" };
  struct plan plan;

  init (&plan, &policy);
  g_assert_cmpstr (plan.argv[1], ==, "/cache/run/workspace/main.sh");
  g_assert_cmpstr (plan.cwd, ==, "/cache/run/tmp/a");
  inside_paths_clear (&plan);
}

static void
test_environment (void)
{
  char *argv[] = { NULL };
  char *env[] = {
    (char *) "HOME=/workspace", (char *) "TMPDIR=/tmp", (char *) "PATH=/tmp:/bin",
    (char *) "A=b=/workspace",  (char *) "EMPTY=",      NULL,
  };
  struct fh_policy policy = { .argv = argv, .env = env, .cwd = (char *) "" };
  struct plan plan;

  init (&plan, &policy);
  g_assert_cmpstr (plan.env[0], ==, "HOME=/cache/run/workspace");
  g_assert_cmpstr (plan.env[1], ==, "TMPDIR=/cache/run/tmp");
  g_assert_cmpstr (plan.env[2], ==, "PATH=/tmp:/bin");
  g_assert_cmpstr (plan.env[3], ==, "A=b=/workspace");
  g_assert_cmpstr (plan.env[4], ==, "EMPTY=");
  g_assert_null (plan.env[5]);
  inside_paths_clear (&plan);
}

static void
append (GByteArray *messages, guint8 kind, const char *words, gsize size)
{
  const guint32 whole = GUINT32_TO_LE ((guint32) size + 1);

  g_byte_array_append (messages, (const guint8 *) &whole, sizeof whole);
  g_byte_array_append (messages, &kind, 1);
  g_byte_array_append (messages, (const guint8 *) words, (guint) size);
}

#define WORDS(text) text, sizeof text - 1

static void
check_messages (GByteArray *messages, GByteArray *expected)
{
  char *argv[] = { NULL };
  char *env[] = { NULL };
  struct fh_policy policy = { .argv = argv, .env = env, .cwd = (char *) "" };
  uint8_t *bytes = malloc (messages->len + 1);
  size_t size = messages->len;
  struct plan plan;

  if (size > 0)
    memcpy (bytes, messages->data, size);
  init (&plan, &policy);
  /* With a root of its own, the paths are true. */
  policy.tier = FH_WIRE_TIER_NAMESPACES;
  g_assert_cmpint (inside_paths_translate (&plan, &bytes, &size), ==, 0);
  g_assert_cmpmem (bytes, size, messages->data, messages->len);
  policy.tier = FH_WIRE_TIER_LANDLOCK;
  g_assert_cmpint (inside_paths_translate (&plan, &bytes, &size), ==, 0);
  g_assert_cmpmem (bytes, size, expected->data, expected->len);
  free (bytes);
  inside_paths_clear (&plan);
}

static void
test_messages (void)
{
  g_autoptr (GByteArray) messages = g_byte_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();

  append (messages, FH_GUEST_GUARDS, WORDS ("report\0/workspace/x"));
  append (messages, FH_GUEST_RUN, WORDS ("/workspace/main.py\0/tmp/a\0\0plain\0"));
  append (expected, FH_GUEST_GUARDS, WORDS ("report\0/workspace/x"));
  append (expected, FH_GUEST_RUN, WORDS ("main.py\0/cache/run/tmp/a\0\0plain\0"));
  check_messages (messages, expected);
}

/* Not ours to understand: it goes on as it is. */
static void
test_what_is_no_message (void)
{
  static const struct
  {
    const char *bytes;
    gsize size;
  } cases[] = {
    { WORDS ("") },
    { WORDS ("\1") },
    { WORDS ("\0\0\0\0\1/workspace/x") },
    { WORDS ("\xff\xff\xff\xff\1/workspace/x") },
    { WORDS ("\x20\0\0\0\1/workspace/x") },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) messages = g_byte_array_new ();

      g_byte_array_append (messages, (const guint8 *) cases[i].bytes, (guint) cases[i].size);
      check_messages (messages, messages);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/inside-paths/arguments", test_arguments);
  g_test_add_func ("/inside-paths/start-folder", test_start_folder);
  g_test_add_func ("/inside-paths/environment", test_environment);
  g_test_add_func ("/inside-paths/messages", test_messages);
  g_test_add_func ("/inside-paths/what-is-no-message", test_what_is_no_message);
  return g_test_run ();
}
