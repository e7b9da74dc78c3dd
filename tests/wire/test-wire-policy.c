/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "payload.h"
#include "wire-policy.h"

#define LIMIT (1u << 20)

static char *example_argv[] = { (char *) "/usr/bin/python3", (char *) "-u", (char *) "", NULL };
static char *example_env[] = { (char *) "PATH=/usr/bin", (char *) "X=", (char *) "Y=\xff=", NULL };
static char *example_hosts[] = { (char *) "example.com", (char *) "a-b.example", NULL };
static struct fh_bind example_binds[] = {
  { (char *) "/opt/python", (char *) "/opt/python", FALSE },
  { (char *) "/home/me/venv", (char *) "/home/me/venv", TRUE },
};

static struct fh_proof example_proofs[] = {
  { (char *) "/workspace", 42, G_MAXUINT64 },
  { (char *) "/data", G_MAXUINT64 - 1, 0 },
};

static struct fh_policy
example (void)
{
  return (struct fh_policy){
    .flags = FH_POLICY_GUEST_CHANNEL,
    .wall_ms = 1,
    .cpu_ms = 2,
    .memory_bytes = (guint64) 1 << 40,
    .disk_bytes = 4,
    .output_bytes = G_MAXUINT64,
    .processes = 128,
    .open_files = 64,
    .tier = FH_WIRE_TIER_LANDLOCK,
    .watch = FH_WIRE_WATCH_FILES,
    .without = 1u << FH_WIRE_GUARD_NETWORK,
    .home = (char *) "/home/me",
    .allow_hosts = example_hosts,
    .argv = example_argv,
    .env = example_env,
    .binds = example_binds,
    .n_binds = G_N_ELEMENTS (example_binds),
    .cwd = (char *) "/workspace/a b",
  };
}

static GBytes *
encode (const struct fh_policy *policy)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, LIMIT);
  fh_policy_encode (policy, &buffer);
  return payload_take (&buffer, FH_FRAME_POLICY);
}

static gboolean
try_policy (const void *payload, gsize size)
{
  struct fh_policy *policy = fh_policy_decode (payload, size);

  if (policy == NULL)
    return FALSE;
  g_assert_true (policy->argv != NULL && policy->env != NULL);
  g_assert_true (policy->argv[0] != NULL || policy->flags & FH_POLICY_PROBE);
  g_assert_cmpuint (policy->n_binds, <=, FH_POLICY_MAX_BINDS);
  g_assert_cmpuint (policy->n_proofs, <=, FH_POLICY_MAX_PROOFS);
  g_assert_true (policy->n_proofs <= 1 || policy->tier == FH_WIRE_TIER_CONTAINER);
  g_assert_nonnull (policy->proof_kernel);
  for (gsize i = 0; i < policy->n_proofs; i++)
    g_assert_cmpint (policy->proofs[i].path[0], ==, '/');
  g_assert_cmphex (policy->flags & ~(guint32) FH_POLICY_ALL_FLAGS, ==, 0);
  for (gsize i = 0; i < policy->n_binds; i++)
    {
      g_assert_cmpint (policy->binds[i].source[0], ==, '/');
      g_assert_cmpint (policy->binds[i].target[0], ==, '/');
    }
  fh_policy_free (policy);
  return TRUE;
}

static gboolean
is_taken (const struct fh_policy *policy)
{
  g_autoptr (GBytes) payload = encode (policy);

  return try_policy (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
}

static void
test_round_trip (void)
{
  struct fh_policy policy = example ();
  g_autoptr (GBytes) payload = encode (&policy);
  struct fh_policy *copy =
      fh_policy_decode (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));

  g_assert_nonnull (copy);
  g_assert_cmphex (copy->flags, ==, policy.flags);
  g_assert_cmpstr (copy->cwd, ==, policy.cwd);
  g_assert_cmpuint (copy->wall_ms, ==, policy.wall_ms);
  g_assert_cmpuint (copy->cpu_ms, ==, policy.cpu_ms);
  g_assert_cmpuint (copy->memory_bytes, ==, policy.memory_bytes);
  g_assert_cmpuint (copy->disk_bytes, ==, policy.disk_bytes);
  g_assert_cmpuint (copy->output_bytes, ==, policy.output_bytes);
  g_assert_cmpuint (copy->processes, ==, policy.processes);
  g_assert_cmpuint (copy->open_files, ==, policy.open_files);
  g_assert_cmpuint (copy->tier, ==, policy.tier);
  g_assert_cmpuint (copy->watch, ==, policy.watch);
  g_assert_cmphex (copy->without, ==, policy.without);
  g_assert_cmpstr (copy->home, ==, policy.home);
  g_assert_cmpstrv (copy->allow_hosts, policy.allow_hosts);
  g_assert_cmpstrv (copy->argv, policy.argv);
  g_assert_cmpstrv (copy->env, policy.env);
  g_assert_cmpuint (copy->n_binds, ==, policy.n_binds);
  g_assert_cmpstr (copy->binds[1].source, ==, "/home/me/venv");
  g_assert_cmpstr (copy->binds[1].target, ==, "/home/me/venv");
  g_assert_false (copy->binds[0].is_copy);
  g_assert_true (copy->binds[1].is_copy);
  fh_policy_free (copy);
  fh_policy_free (NULL);
}

/* What is shown to a container is proven there, and nowhere else. */
static void
test_proofs (void)
{
  struct fh_policy policy = example ();
  struct fh_policy *copy;
  g_autoptr (GBytes) payload = NULL;

  policy.proofs = example_proofs;
  policy.n_proofs = G_N_ELEMENTS (example_proofs);
  policy.proof_kernel = (char *) "0123-4567";
  g_assert_false (is_taken (&policy));
  policy.tier = FH_WIRE_TIER_CONTAINER;
  payload = encode (&policy);
  copy = fh_policy_decode (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
  g_assert_nonnull (copy);
  g_assert_cmpuint (copy->n_proofs, ==, 2);
  g_assert_cmpstr (copy->proofs[1].path, ==, "/data");
  g_assert_cmpuint (copy->proofs[1].device, ==, G_MAXUINT64 - 1);
  g_assert_cmpuint (copy->proofs[0].inode, ==, G_MAXUINT64);
  g_assert_cmpstr (copy->proof_kernel, ==, "0123-4567");
  fh_policy_free (copy);
  assert_exact (payload, try_policy);
  g_assert_cmpuint (try_mutations (payload, try_policy), >, 0);

  example_proofs[1].path = (char *) "data";
  g_assert_false (is_taken (&policy));
  example_proofs[1].path = (char *) "/data";
  policy.proofs = g_new0 (struct fh_proof, FH_POLICY_MAX_PROOFS + 1);
  for (guint i = 0; i <= FH_POLICY_MAX_PROOFS; i++)
    policy.proofs[i].path = (char *) "/x";
  policy.n_proofs = FH_POLICY_MAX_PROOFS;
  g_assert_true (is_taken (&policy));
  policy.n_proofs++;
  g_assert_false (is_taken (&policy));
  g_free (policy.proofs);
}

static void
test_least (void)
{
  const struct fh_policy probe = { .flags = FH_POLICY_PROBE };
  const struct fh_policy nothing = { 0 };

  g_assert_true (is_taken (&probe));
  g_assert_false (is_taken (&nothing));
}

static void
test_exact (void)
{
  struct fh_policy policy = example ();
  g_autoptr (GBytes) payload = encode (&policy);

  assert_exact (payload, try_policy);
}

static void
test_mutated (void)
{
  struct fh_policy policy = example ();
  g_autoptr (GBytes) payload = encode (&policy);
  guint taken = try_mutations (payload, try_policy);

  g_assert_cmpuint (taken, >, 0);
  g_assert_cmpuint (taken, <, 5000);
}

/* What a newer backend asks for would not be done; so nothing is. */
static void
test_from_the_future (void)
{
  struct fh_policy policy = example ();
  g_autoptr (GBytes) payload = encode (&policy);
  gsize size = g_bytes_get_size (payload);
  g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (payload, NULL), size);

  data[0] = FH_WIRE_VERSION + 1;
  g_assert_false (try_policy (data, size));
  data[0] = FH_WIRE_VERSION;
  g_assert_true (try_policy (data, size));
  data[3] = 1;
  g_assert_false (try_policy (data, size));
  policy.flags |= 1u << 4;
  g_assert_false (is_taken (&policy));
  policy.flags = 1u << 31;
  g_assert_false (is_taken (&policy));
}

static const struct fh_policy no_limits = { .flags = FH_POLICY_PROBE };

static void
test_limits_without_their_guard (void)
{
  const guint off = 1u << FH_WIRE_GUARD_MEMORY | 1u << FH_WIRE_GUARD_TIME |
                    1u << FH_WIRE_GUARD_DISK | 1u << FH_WIRE_GUARD_OUTPUT;
  struct fh_policy policy = no_limits;
  guint64 *const limits[] = {
    &policy.memory_bytes, &policy.disk_bytes, &policy.wall_ms, &policy.cpu_ms, &policy.output_bytes,
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      policy.without = off;
      g_assert_true (is_taken (&policy));
      *limits[i] = 1;
      g_assert_false (is_taken (&policy));
      policy.without = 0;
      policy.tier = FH_WIRE_TIER_UNPROTECTED;
      g_assert_cmpint (is_taken (&policy), ==, i >= 2);
      policy = no_limits;
      policy.tier = FH_WIRE_TIER_UNPROTECTED;
      policy.processes = i;
      g_assert_cmpint (is_taken (&policy), ==, i == 0);
      policy = no_limits;
    }
}

static void
test_guards_without_a_switch (void)
{
  struct fh_policy policy = example ();

  for (guint guard = 0; guard < 32; guard++)
    {
      policy = no_limits;
      policy.without = 1u << guard;
      g_assert_cmpint (is_taken (&policy), ==, (FH_POLICY_SWITCHES >> guard) & 1);
    }
  policy = example ();
  policy.without = 0;
  policy.tier = FH_WIRE_TIER_CONTAINER + 1;
  g_assert_false (is_taken (&policy));
  /* Only a container can hold what was there before. */
  policy.flags |= FH_POLICY_SHARED_WORKSPACE;
  policy.tier = FH_WIRE_TIER_CONTAINER;
  g_assert_true (is_taken (&policy));
  policy.tier = FH_WIRE_TIER_LANDLOCK;
  g_assert_false (is_taken (&policy));
  policy.flags &= ~(guint32) FH_POLICY_SHARED_WORKSPACE;
  /* Its descriptor comes after the guest channel's. */
  policy.flags |= FH_POLICY_SEALED_PROGRAM | FH_POLICY_GUEST_CHANNEL;
  g_assert_true (is_taken (&policy));
  policy.flags &= ~(guint32) FH_POLICY_GUEST_CHANNEL;
  g_assert_false (is_taken (&policy));
  policy.flags &= ~(guint32) FH_POLICY_SEALED_PROGRAM;
  policy.tier = FH_WIRE_TIER_NAMESPACES;
  policy.flags |= FH_POLICY_TELL_GONE | FH_POLICY_COLLECT;
  g_assert_true (is_taken (&policy));
  policy.flags &= ~(guint32) FH_POLICY_COLLECT;
  g_assert_false (is_taken (&policy));
  policy.flags &= ~(guint32) FH_POLICY_TELL_GONE;
  policy.watch = FH_WIRE_WATCH_FILES + 1;
  g_assert_false (is_taken (&policy));
}

static void
test_open_files (void)
{
  static const guint32 good[] = { 0, FH_POLICY_MIN_OPEN_FILES, FH_POLICY_MAX_OPEN_FILES };
  static const guint32 bad[] = { 1,
                                 FH_POLICY_MIN_OPEN_FILES - 1,
                                 FH_POLICY_MAX_OPEN_FILES + 1,
                                 G_MAXUINT32 };
  struct fh_policy policy = example ();

  for (guint i = 0; i < G_N_ELEMENTS (good) + G_N_ELEMENTS (bad); i++)
    {
      const gboolean is_good = i < G_N_ELEMENTS (good);

      policy.open_files = is_good ? good[i] : bad[i - G_N_ELEMENTS (good)];
      g_assert_cmpint (is_taken (&policy), ==, is_good);
    }
}

static void
test_host_names (void)
{
  static const char *const good[] = { "example.com", "a", "xn--bcher-kva.example", "1.a" };
  static const char *const bad[] = { "",      "10.0.0.1", "*.com", "a b", "A.com", ".a",    "a.",
                                     "[::1]", "a:80",     "a/b",   "a\n", "1.2",   "user@a" };
  struct fh_policy policy = example ();

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      char *hosts[] = { (char *) good[i], NULL };

      policy.allow_hosts = hosts;
      g_assert_true (is_taken (&policy));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      char *hosts[] = { (char *) "example.com", (char *) bad[i], NULL };

      policy.allow_hosts = hosts;
      g_assert_false (is_taken (&policy));
    }
}

static void
test_environment (void)
{
  char *without_value[] = { (char *) "A=1", (char *) "B", NULL };
  char *without_name[] = { (char *) "=1", NULL };
  char *empty[] = { (char *) "", NULL };
  struct fh_policy policy = example ();

  policy.env = NULL;
  g_assert_true (is_taken (&policy));
  policy.env = without_value;
  g_assert_false (is_taken (&policy));
  policy.env = without_name;
  g_assert_false (is_taken (&policy));
  policy.env = empty;
  g_assert_false (is_taken (&policy));
}

static void
test_binds_that_are_not_absolute (void)
{
  static const char *const paths[] = { "", "opt", "./opt", "../opt" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      struct fh_bind source = { (char *) (gpointer) paths[i], (char *) "/opt", FALSE };
      struct fh_bind target = { (char *) "/opt", (char *) (gpointer) paths[i], FALSE };
      struct fh_policy policy = example ();

      policy.n_binds = 1;
      policy.binds = &source;
      g_assert_false (is_taken (&policy));
      policy.binds = &target;
      g_assert_false (is_taken (&policy));
    }
}

static void
test_bind_that_is_neither_mount_nor_copy (void)
{
  struct fh_bind bind = { (char *) "/a", (char *) "/b", FALSE };
  const struct fh_policy policy = { .flags = FH_POLICY_PROBE, .binds = &bind, .n_binds = 1 };
  g_autoptr (GBytes) payload = encode (&policy);
  gsize size = g_bytes_get_size (payload);
  g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (payload, NULL), size);

  /* Before the proofs, their kernel and the folder: four bytes each. */
  g_assert_true (try_policy (data, size));
  data[size - 13] = 1;
  g_assert_true (try_policy (data, size));
  data[size - 13] = 2;
  g_assert_false (try_policy (data, size));
}

static void
test_caps (void)
{
  g_autofree char **strings = g_new0 (char *, FH_POLICY_MAX_STRINGS + 2);
  g_autofree struct fh_bind *binds = g_new0 (struct fh_bind, FH_POLICY_MAX_BINDS + 1);
  struct fh_policy policy = example ();

  for (guint i = 0; i < FH_POLICY_MAX_STRINGS; i++)
    strings[i] = (char *) "a";
  for (guint i = 0; i < FH_POLICY_MAX_BINDS + 1; i++)
    binds[i] = (struct fh_bind){ (char *) "/a", (char *) "/a", FALSE };
  policy.argv = strings;
  policy.binds = binds;
  policy.n_binds = FH_POLICY_MAX_BINDS;
  g_assert_true (is_taken (&policy));
  policy.n_binds++;
  g_assert_false (is_taken (&policy));
  policy.n_binds = 0;
  strings[FH_POLICY_MAX_STRINGS] = (char *) "a";
  g_assert_false (is_taken (&policy));
}

/* Counts that claim more than there is must not be believed before they are checked. */
static void
test_counts_that_lie (void)
{
  static const guint32 counts[] = { 1, FH_POLICY_MAX_STRINGS, 0x10000, 0x7fffffff, 0xffffffff };
  const gsize at = 4 + 4 + 5 * 8 + 4 + 4 + 1 + 1 + 1 + 4; /* of the length of the home */
  const struct fh_policy probe = { .flags = FH_POLICY_PROBE };
  g_autoptr (GBytes) payload = encode (&probe);

  /* Home, hosts, arguments, environment, modules, binds, proofs, their kernel and the folder: all
   * zero, in a row. */
  g_assert_cmpuint (g_bytes_get_size (payload), ==, at + 9 * 4);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      for (guint j = 0; j < 9; j++)
        {
          gsize size = g_bytes_get_size (payload);
          g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (payload, NULL), size);
          guint32 count = GUINT32_TO_LE (counts[i]);

          memcpy (data + at + 4 * j, &count, 4);
          /* An argument of no bytes would fit: take the room for it away. */
          g_assert_false (try_policy (data, at + 4 * j + 4));
          g_assert_false (j == 3 && try_policy (data, size));
        }
    }
}

static void
test_policy_that_is_too_large (void)
{
  g_autofree char *argument = g_strnfill (FH_FRAME_MAX_PAYLOAD, 'x');
  char *arguments[] = { argument, NULL };
  struct fh_policy policy = example ();
  struct fh_buffer buffer;

  policy.argv = arguments;
  fh_buffer_init (&buffer, LIMIT);
  fh_policy_encode (&policy, &buffer);
  g_assert_true (buffer.failed);
  fh_buffer_clear (&buffer);
}

static void
test_what_can_wait (void)
{
  struct fh_policy policy = { .flags = FH_POLICY_GUEST_CHANNEL | FH_POLICY_COLLECT };

  g_assert_true (fh_policy_can_wait (&policy));
  policy.flags = FH_POLICY_COLLECT;
  g_assert_false (fh_policy_can_wait (&policy));
  policy.flags = FH_POLICY_GUEST_CHANNEL | FH_POLICY_SHARED_WORKSPACE;
  g_assert_false (fh_policy_can_wait (&policy));
  policy.flags = FH_POLICY_GUEST_CHANNEL;
  policy.tier = FH_WIRE_TIER_CONTAINER;
  g_assert_true (fh_policy_can_wait (&policy));
  g_assert_false (fh_policy_can_fork (&policy));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-policy/round-trip", test_round_trip);
  g_test_add_func ("/wire-policy/proofs", test_proofs);
  g_test_add_func ("/wire-policy/least", test_least);
  g_test_add_func ("/wire-policy/exact", test_exact);
  g_test_add_func ("/wire-policy/mutated", test_mutated);
  g_test_add_func ("/wire-policy/from-the-future", test_from_the_future);
  g_test_add_func ("/wire-policy/guards-without-a-switch", test_guards_without_a_switch);
  g_test_add_func ("/wire-policy/limits-without-their-guard", test_limits_without_their_guard);
  g_test_add_func ("/wire-policy/open-files", test_open_files);
  g_test_add_func ("/wire-policy/host-names", test_host_names);
  g_test_add_func ("/wire-policy/environment", test_environment);
  g_test_add_func ("/wire-policy/binds-that-are-not-absolute", test_binds_that_are_not_absolute);
  g_test_add_func ("/wire-policy/bind-that-is-neither-mount-nor-copy",
                   test_bind_that_is_neither_mount_nor_copy);
  g_test_add_func ("/wire-policy/caps", test_caps);
  g_test_add_func ("/wire-policy/counts-that-lie", test_counts_that_lie);
  g_test_add_func ("/wire-policy/policy-that-is-too-large", test_policy_that_is_too_large);
  g_test_add_func ("/wire-policy/what-can-wait", test_what_can_wait);
  return g_test_run ();
}
