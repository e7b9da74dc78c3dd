/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders that a user chooses, as they are told to the runner. */
#include "policy-builder.h"

static void
assert_start_folder (const char *cwd, const char *expected)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunRequest) request = NULL;
  static char *const nothing[] = { NULL };
  const FhInterpreter interpreter = { .path = (char *) "/bin/sh",
                                      .name = (char *) "any",
                                      .shown = (GStrv) nothing };
  struct fh_policy *policy;

  options->cwd = g_strdup (cwd);
  request = fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("sh"),
                                                     .source = source,
                                                     .options = options },
                                NULL);
  policy = fh_policy_build (&(FhPolicyParts){ .request = request,
                                              .interpreter = &interpreter,
                                              .guest_folder = "/usr",
                                              .tier = FH_TIER_NAMESPACES });
  g_assert_cmpstr (policy->cwd, ==, expected);
  fh_policy_free (policy);
}

static void
test_start_folder (void)
{
  assert_start_folder (NULL, NULL);
  assert_start_folder ("/workspace/", NULL);
  assert_start_folder ("a//b/./", "/workspace/a/b");
  assert_start_folder ("/usr/lib", "/usr/lib");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy-folders/start-folder", test_start_folder);
  return g_test_run ();
}
