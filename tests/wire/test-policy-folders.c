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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy-folders/start-folder", test_start_folder);
  return g_test_run ();
}
