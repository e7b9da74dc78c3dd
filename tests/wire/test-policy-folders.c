/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folders of a policy: what is no plain path is refused before anything is built. */
#include "payload.h"
#include "wire-policy.h"

static gboolean
is_taken (const struct fh_policy *policy)
{
  struct fh_buffer buffer;
  g_autoptr (GBytes) payload = NULL;
  struct fh_policy *copy;

  fh_buffer_init (&buffer, 1u << 20);
  fh_policy_encode (policy, &buffer);
  payload = payload_take (&buffer, FH_FRAME_POLICY);
  copy = fh_policy_decode (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
  if (copy == NULL)
    return FALSE;
  g_assert_cmpstr (copy->cwd, ==, policy->cwd);
  fh_policy_free (copy);
  return TRUE;
}

static void
test_start_folder (void)
{
  static const char *const good[] = { "", "/workspace/a/.b", "/usr", "/..a" };
  static const char *const bad[] = { "a", "/", "/a/", "//a", "/a/../b", "/.", "/workspace/.." };
  g_autofree char *deep = g_strnfill (2 * (FH_FILE_DEPTH_MAX + 1), 'a');
  struct fh_policy policy = { .flags = FH_POLICY_PROBE };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      policy.cwd = (char *) good[i];
      g_assert_true (is_taken (&policy));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      policy.cwd = (char *) bad[i];
      g_assert_false (is_taken (&policy));
    }
  for (guint i = 0; i <= FH_FILE_DEPTH_MAX; i++)
    deep[2 * i] = '/';
  policy.cwd = deep;
  g_assert_false (is_taken (&policy));
  policy.cwd += 2;
  g_assert_true (is_taken (&policy));
}

static void
test_project (void)
{
  struct fh_proof proofs[] = {
    { (char *) "/home/me/project", 1, 2 },
    { (char *) "/home/me/other", 1, 3 },
  };
  char *argv[] = { (char *) "/bin/true", NULL };
  struct fh_policy policy = {
    .flags = FH_POLICY_PROJECT | FH_POLICY_GUEST_CHANNEL,
    .cwd = (char *) "",
    .argv = argv,
    .proofs = proofs,
    .n_proofs = 1,
  };

  g_assert_true (is_taken (&policy));
  /* It is not there yet when an interpreter is started ahead. */
  g_assert_false (fh_policy_can_wait (&policy));
  g_assert_false (fh_policy_can_fork (&policy));
  for (guint tier = FH_WIRE_TIER_BUBBLEWRAP; tier <= FH_WIRE_TIER_CONTAINER; tier++)
    {
      policy.tier = (uint8_t) tier;
      g_assert_false (is_taken (&policy));
    }
  policy.tier = FH_WIRE_TIER_NAMESPACES;
  policy.kind = FH_POLICY_FORKED;
  g_assert_false (is_taken (&policy));
  policy.kind = FH_POLICY_KEPT;
  g_assert_false (is_taken (&policy));
  policy.kind = FH_POLICY_SINGLE;
  policy.n_proofs = 0;
  g_assert_false (is_taken (&policy));
  policy.n_proofs = 2;
  g_assert_false (is_taken (&policy));
  policy.flags &= ~(uint32_t) FH_POLICY_PROJECT;
  policy.n_proofs = 1;
  g_assert_false (is_taken (&policy));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy-folders/start-folder", test_start_folder);
  g_test_add_func ("/policy-folders/project", test_project);
  return g_test_run ();
}
