/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a policy that must agree: the tier, sockets, and what a runner must find. */
#include "wire-policy.h"

#include <glib.h>

static char *example_hosts[] = { (char *) "example.org", NULL };

static gboolean
is_taken (const struct fh_policy *policy)
{
  struct fh_buffer buffer;
  struct fh_policy *copy;

  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
  fh_policy_encode (policy, &buffer);
  g_assert_false (buffer.failed);
  copy = fh_policy_decode (buffer.data + FH_FRAME_HEADER_SIZE, buffer.size - FH_FRAME_HEADER_SIZE);
  fh_buffer_clear (&buffer);
  if (copy == NULL)
    return FALSE;
  fh_policy_free (copy);
  return TRUE;
}

/* The runner in a sub-sandbox must be told which folder it has to find there, and no other runner
 * may believe in one. */
static void
test_sub_sandbox (void)
{
  static struct fh_proof proofs[] = {
    { .path = (char *) "/run/folder", .device = 1, .inode = 2 },
    { .path = (char *) "/run/other", .device = 1, .inode = 3 },
  };
  struct fh_policy policy = { .flags = FH_POLICY_PROBE, .proofs = proofs };

  for (guint8 tier = 0; tier <= FH_WIRE_TIER_CONTAINER; tier++)
    {
      for (policy.n_proofs = 0; policy.n_proofs <= G_N_ELEMENTS (proofs); policy.n_proofs++)
        {
          policy.tier = tier;
          g_assert_cmpint (is_taken (&policy),
                           ==,
                           tier == FH_WIRE_TIER_CONTAINER ||
                               policy.n_proofs == (tier == FH_WIRE_TIER_PORTAL));
        }
    }
}

/* Asking for no sockets and for something that needs them is a mistake. */
static void
test_no_sockets (void)
{
  struct fh_policy policy = { .flags = FH_POLICY_PROBE | FH_POLICY_NO_SOCKETS };

  for (guint8 tier = 0; tier <= FH_WIRE_TIER_CONTAINER; tier++)
    {
      policy.tier = tier;
      /* The tier of the portal needs a proof: see above. */
      g_assert_cmpint (is_taken (&policy),
                       ==,
                       tier != FH_WIRE_TIER_UNPROTECTED && tier != FH_WIRE_TIER_PORTAL);
    }
  policy.allow_hosts = example_hosts;
  g_assert_false (is_taken (&policy));
  policy.allow_hosts = NULL;
  policy.without = 1u << FH_WIRE_GUARD_SYSTEM_CALLS;
  g_assert_true (is_taken (&policy));
  policy.without |= 1u << FH_WIRE_GUARD_NETWORK;
  g_assert_false (is_taken (&policy));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-agreement/sub-sandbox", test_sub_sandbox);
  g_test_add_func ("/wire-agreement/no-sockets", test_no_sockets);
  return g_test_run ();
}
