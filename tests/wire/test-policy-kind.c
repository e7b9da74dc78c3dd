/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies for one run and for many. */
#include <string.h>

#include "payload.h"
#include "wire-policy.h"

#define LIMIT (1u << 20)

static struct fh_policy
example (void)
{
  static char *argv[] = { (char *) "/usr/bin/python3", NULL };

  return (struct fh_policy){
    .flags = FH_POLICY_GUEST_CHANNEL,
    .tier = FH_WIRE_TIER_NAMESPACES,
    .argv = argv,
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
  g_assert_cmpuint (policy->kind, <=, FH_POLICY_KEPT);
  for (gsize i = 0; policy->preload[i] != NULL; i++)
    g_assert_true (i < FH_POLICY_MAX_PRELOAD && fh_policy_is_module (policy->preload[i]));
  g_assert_true (policy->kind == FH_POLICY_FORKED ? fh_policy_can_fork (policy)
                                                  : policy->preload[0] == NULL);
  if (policy->kind == FH_POLICY_KEPT)
    g_assert_true (fh_policy_can_wait (policy) && (policy->wall_ms | policy->cpu_ms) == 0);
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
test_modules (void)
{
  static const char *const good[] = { "os", "os.path", "_x1.Y_2", "a" };
  static const char *const bad[] = { "",    ".",   "os.", ".os",      "os..path", "1a", "a.1",
                                     "a b", "a/b", "a-b", "\xc3\xa4", "a\n",      "a;b" };
  g_autofree char *longest = g_strnfill (FH_POLICY_MAX_MODULE, 'a');
  g_autofree char *too_long = g_strnfill (FH_POLICY_MAX_MODULE + 1, 'a');

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (fh_policy_is_module (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (fh_policy_is_module (bad[i]));
  g_assert_true (fh_policy_is_module (longest));
  g_assert_false (fh_policy_is_module (too_long));
}

static void
test_forked (void)
{
  char *many[FH_POLICY_MAX_PRELOAD + 2] = { NULL };
  char *names[] = { (char *) "json", (char *) "xml.dom", NULL };
  char *hosts[] = { (char *) "example.com", NULL };
  struct fh_bind bind = { .source = (char *) "/tmp/python", .target = (char *) "/tmpython" };
  struct fh_policy policy = example ();
  struct fh_policy *copy;
  g_autoptr (GBytes) payload = NULL;

  policy.kind = FH_POLICY_FORKED;
  policy.allow_hosts = hosts;
  g_assert_false (is_taken (&policy));
  policy.allow_hosts = NULL;
  policy.preload = names;
  payload = encode (&policy);
  copy = fh_policy_decode (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
  g_assert_nonnull (copy);
  g_assert_cmpuint (copy->kind, ==, FH_POLICY_FORKED);
  g_assert_cmpstrv (copy->preload, names);
  fh_policy_free (copy);
  assert_exact (payload, try_policy);
  g_assert_cmpuint (try_mutations (payload, try_policy), >, 0);

  for (guint tier = 0; tier <= FH_WIRE_TIER_CONTAINER; tier++)
    {
      policy.tier = (guint8) tier;
      g_assert_cmpint (is_taken (&policy), ==, tier == FH_WIRE_TIER_NAMESPACES);
    }
  policy.tier = FH_WIRE_TIER_NAMESPACES;
  policy.flags |= FH_POLICY_SEALED_PROGRAM;
  g_assert_false (is_taken (&policy));
  policy.flags = 0;
  g_assert_false (is_taken (&policy));
  policy.flags = FH_POLICY_GUEST_CHANNEL;
  policy.binds = &bind;
  policy.n_binds = 1;
  g_assert_true (is_taken (&policy));
  bind.target = (char *) "/tmp/python";
  g_assert_false (is_taken (&policy));
  policy.n_binds = 0;
  policy.kind = FH_POLICY_KEPT + 1;
  g_assert_false (is_taken (&policy));
  policy.kind = FH_POLICY_SINGLE;
  g_assert_false (is_taken (&policy));
  policy.kind = FH_POLICY_FORKED;
  names[1] = (char *) "xml;dom";
  g_assert_false (is_taken (&policy));
  for (guint i = 0; i < FH_POLICY_MAX_PRELOAD; i++)
    many[i] = (char *) "a";
  policy.preload = many;
  g_assert_true (is_taken (&policy));
  many[FH_POLICY_MAX_PRELOAD] = (char *) "a";
  g_assert_false (is_taken (&policy));
}

static void
test_kept (void)
{
  char *names[] = { (char *) "json", NULL };
  struct fh_policy policy = example ();
  g_autoptr (GBytes) payload = NULL;

  policy.kind = FH_POLICY_KEPT;
  policy.wall_ms = policy.cpu_ms = 0;
  g_assert_true (is_taken (&policy));
  payload = encode (&policy);
  assert_exact (payload, try_policy);
  g_assert_cmpuint (try_mutations (payload, try_policy), >, 0);
  policy.wall_ms = 1;
  g_assert_false (is_taken (&policy));
  policy.wall_ms = 0;
  policy.cpu_ms = 1;
  g_assert_false (is_taken (&policy));
  policy.cpu_ms = 0;
  policy.preload = names;
  g_assert_false (is_taken (&policy));
  policy.preload = NULL;
  policy.flags |= FH_POLICY_SEALED_PROGRAM;
  g_assert_false (is_taken (&policy));
  policy.flags = 0;
  g_assert_false (is_taken (&policy));
}

/* The input of a cell is its message. */
static void
test_input_stays (void)
{
  struct fh_policy policy = example ();
  char *none[] = { NULL };

  policy.flags |= FH_POLICY_INPUT_STAYS;
  policy.preload = none;
  policy.kind = FH_POLICY_SINGLE;
  g_assert_true (is_taken (&policy));
  policy.kind = FH_POLICY_FORKED;
  g_assert_true (is_taken (&policy));
  policy.kind = FH_POLICY_KEPT;
  policy.wall_ms = policy.cpu_ms = 0;
  g_assert_false (is_taken (&policy));
  policy.flags &= ~(uint32_t) FH_POLICY_INPUT_STAYS;
  g_assert_true (is_taken (&policy));
}

/* Input that nobody can type is not waited for. */
static void
test_typed_input (void)
{
  struct fh_policy policy = example ();
  char *none[] = { NULL };

  policy.preload = none;
  policy.kind = FH_POLICY_SINGLE;
  policy.flags |= FH_POLICY_TYPED_INPUT;
  g_assert_false (is_taken (&policy));
  policy.flags |= FH_POLICY_INPUT_STAYS;
  g_assert_true (is_taken (&policy));
}

/* Only in namespaces, and where nothing of the user is in there. */
static void
test_stays (void)
{
  const guint32 others[] = { FH_POLICY_PROBE,
                             FH_POLICY_SHARED_WORKSPACE,
                             FH_POLICY_SEALED_PROGRAM,
                             FH_POLICY_PROJECT };
  struct fh_policy policy = example ();

  policy.flags |= FH_POLICY_STAYS;
  g_assert_true (is_taken (&policy));
  g_assert_false (fh_policy_can_wait (&policy));
  policy.wall_ms = policy.cpu_ms = 1;
  policy.tier = FH_WIRE_TIER_BUBBLEWRAP;
  g_assert_true (is_taken (&policy));
  for (guint tier = FH_WIRE_TIER_PORTAL; tier <= FH_WIRE_TIER_CONTAINER; tier++)
    {
      policy.tier = (guint8) tier;
      g_assert_false (is_taken (&policy));
    }
  policy = example ();
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      policy.flags = FH_POLICY_GUEST_CHANNEL | FH_POLICY_STAYS | others[i];
      g_assert_false (is_taken (&policy));
    }
  policy.flags = FH_POLICY_GUEST_CHANNEL | FH_POLICY_STAYS;
  policy.kind = FH_POLICY_FORKED;
  g_assert_false (is_taken (&policy));
}

static gboolean
try_program (const void *payload, gsize size)
{
  struct fh_program *program = fh_program_decode (payload, size);

  if (program == NULL)
    return FALSE;
  g_assert_cmpint (program->argv[0][0], ==, '/');
  for (gsize i = 0; program->env[i] != NULL; i++)
    g_assert_nonnull (strchr (program->env[i], '='));
  fh_program_free (program);
  return TRUE;
}

static gboolean
program_is_taken (const char *path, const char *variable)
{
  char *argv[] = { (char *) path, (char *) "-u", NULL };
  char *env[] = { (char *) variable, NULL };
  const struct fh_program program = { .has_channel = true, .argv = argv, .env = env };
  g_autoptr (GBytes) payload = NULL;
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, LIMIT);
  fh_program_encode (&program, &buffer);
  payload = payload_take (&buffer, FH_FRAME_PROGRAM);
  if (!try_program (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)))
    return FALSE;
  assert_exact (payload, try_program);
  g_assert_cmpuint (try_mutations (payload, try_program), >, 0);
  return TRUE;
}

static void
test_program (void)
{
  g_assert_true (program_is_taken ("/bin/sh", "A=b"));
  g_assert_false (program_is_taken ("sh", "A=b"));
  g_assert_false (program_is_taken ("", "A=b"));
  g_assert_false (program_is_taken (NULL, "A=b"));
  g_assert_false (program_is_taken ("/bin/sh", "A"));
  g_assert_false (program_is_taken ("/bin/sh", "=b"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy-kind/modules", test_modules);
  g_test_add_func ("/policy-kind/forked", test_forked);
  g_test_add_func ("/policy-kind/kept", test_kept);
  g_test_add_func ("/policy-kind/input-stays", test_input_stays);
  g_test_add_func ("/policy-kind/typed-input", test_typed_input);
  g_test_add_func ("/policy-kind/stays", test_stays);
  g_test_add_func ("/policy-kind/program", test_program);
  return g_test_run ();
}
