/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "missing-package.h"

#include <string.h>

static FhRunResult *
failed (FhRunStatus status, const char *err, const char *backend, const char *reason)
{
  const FhRunOutcome outcome = { .status = status, .exit_code = 1, .signal = -1 };
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (FhOutputLog) output = fh_output_log_new ();

  fh_output_log_append (output, FH_STREAM_STDERR, 0, err, strlen (err));
  g_ptr_array_add (
      guards,
      fh_guard_state_new (FH_GUARD_NETWORK, FH_GUARD_LEVEL_DEGRADED, "network namespace", reason));
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .guards = guards,
      .started_at = now,
      .backend = backend,
  });
}

static void
assert_found (const char *err, const char *package)
{
  g_autoptr (FhRunResult) result = failed (FH_RUN_STATUS_FAILED, err, "native", NULL);
  g_autofree char *found = fh_missing_package_find (result);
  g_autofree char *escaped = g_strescape (err, NULL);

  g_test_message ("%s", escaped);
  g_assert_cmpstr (found, ==, package);
}

#define TRACEBACK "Traceback (most recent call last):\n"
#define MISSING   "ModuleNotFoundError: No module named "

static void
test_find (void)
{
  g_autofree char *filler = g_strnfill (20000, 'x');
  g_autofree char *behind = g_strconcat (TRACEBACK MISSING "'numpy'\n", filler, NULL);
  g_autofree char *before = g_strconcat (filler, TRACEBACK MISSING "'numpy'\n", NULL);

  assert_found (TRACEBACK MISSING "'numpy'\n", "numpy");
  assert_found (TRACEBACK MISSING "'sklearn.svm'\n", "scikit-learn");
  assert_found (TRACEBACK MISSING "'a'\n" TRACEBACK MISSING "'b'\n", "b");
  assert_found ("ERROR: No matching distribution found for left_pad-1>=2\n", "left_pad-1");
  assert_found (before, "numpy");
  assert_found (behind, NULL);
  assert_found ("", NULL);
  assert_found ("it printed ModuleNotFoundError\n", NULL);
}

/* A script that goes on after pip ends well, and one that caught its exception needs no package. */
static void
test_goes_on (void)
{
  g_autoptr (FhRunResult) caught =
      failed (FH_RUN_STATUS_OK, TRACEBACK MISSING "'numpy'\n", "native", NULL);
  g_autoptr (FhRunResult) pip = failed (FH_RUN_STATUS_OK,
                                        "ERROR: No matching distribution found for numpy\n",
                                        "native",
                                        NULL);
  g_autofree char *package = fh_missing_package_find (pip);

  g_assert_null (fh_missing_package_find (caught));
  g_assert_cmpstr (package, ==, "numpy");
}

/* The program chooses the name: nothing that could pass for words of ours is repeated. */
static void
test_hostile_names (void)
{
  g_autofree char *endless = g_strnfill (65, 'x');
  g_autofree char *text = g_strconcat (TRACEBACK MISSING "'", endless, "'\n", NULL);

  assert_found (text, NULL);
  assert_found (TRACEBACK MISSING "' run this: curl'\n", NULL);
  assert_found (TRACEBACK MISSING "'\xff\xfe'\n", NULL);
  assert_found (TRACEBACK MISSING "'a; curl evil'\n", "a");
  assert_found (TRACEBACK MISSING "''\n", NULL);
}

static void
assert_advice (FhRunStatus status, const char *backend, const char *reason, const char *part)
{
  g_autoptr (FhRunResult) result = failed (status, TRACEBACK MISSING "'yaml'\n", backend, reason);
  g_autofree char *advice = fh_run_result_dup_advice (result);

  if (part == NULL)
    {
      g_assert_null (advice);
      return;
    }
  g_assert_nonnull (strstr (advice, part));
  g_assert_nonnull (strstr (advice, "pip install pyyaml"));
}

static void
test_advice (void)
{
  assert_advice (FH_RUN_STATUS_FAILED, "native", NULL, "choose an interpreter");
  assert_advice (FH_RUN_STATUS_FAILED, "native", "no-dns-sink", "or a container");
  assert_advice (FH_RUN_STATUS_FAILED, "container", NULL, "the container has no network");
  assert_advice (FH_RUN_STATUS_FAILED, "native", "allowed-hosts", NULL);
  assert_advice (FH_RUN_STATUS_FAILED, "container", "network-allowed", NULL);
  assert_advice (FH_RUN_STATUS_OK, "native", NULL, NULL);
}

static void
test_managed (void)
{
  static const char said[] = "error: externally-managed-environment\n\n× This environment is …\n";
  g_autofree char *behind = g_strconcat ("WARNING: x\n", said, NULL);
  g_autoptr (FhRunResult) first = failed (FH_RUN_STATUS_FAILED, said, "native", NULL);
  g_autoptr (FhRunResult) later = failed (FH_RUN_STATUS_FAILED, behind, "native", NULL);
  g_autoptr (FhRunResult) good = failed (FH_RUN_STATUS_OK, said, "native", NULL);
  g_autofree char *advice = fh_missing_package_advice (first);
  g_autofree char *same = fh_missing_package_advice (later);
  g_autofree char *after = fh_missing_package_advice (good);

  g_assert_true (g_str_has_prefix (advice, "pip does not install"));
  g_assert_cmpstr (same, ==, advice);
  /* A script that goes on after pip ends well. */
  g_assert_cmpstr (after, ==, advice);
}

/* As these programs say it, in the versions of Debian 12 and their own. */
static void
test_installers (void)
{
  static const struct
  {
    const char *said;
    const char *installer;
  } expected[] = {
    { "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\nnpm error errno EAI_AGAIN\n",
      "npm" },
    { "npm ERR! code ENOTFOUND\nnpm ERR! syscall getaddrinfo\n", "npm" },
    { "W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Temporary failure "
      "resolving 'deb.debian.org'\n",
      "apt" },
    { "error: failed to get `serde` as a dependency of package `x v0.1.0 (/workspace)`\n\nCaused "
      "by:\n"
      "  download of config.json failed\n",
      "cargo" },
    { "go: x@v0.0.0: Get \"https://proxy.golang.org/x/@v/v0.0.0.mod\": dial tcp: lookup "
      "proxy.golang.org: i/o timeout\n",
      "go" },
    { "ERROR:  Could not find a valid gem 'rack' (>= 0), here is why:\n", "gem" },
    { "npm error code ENOENT\n", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (FhRunResult) result =
          failed (FH_RUN_STATUS_FAILED, expected[i].said, "native", NULL);
      g_autoptr (FhRunResult) online =
          failed (FH_RUN_STATUS_FAILED, expected[i].said, "container", "network-allowed");
      g_autofree char *advice = fh_missing_package_advice (result);
      g_autofree char *words = g_strdup_printf ("“%s” found no network", expected[i].installer);

      g_assert_null (fh_missing_package_advice (online));
      if (expected[i].installer == NULL)
        g_assert_null (advice);
      else
        g_assert_true (g_str_has_prefix (advice, words));
    }
}

/* The other advice that follows from what Python wrote last. */
static void
test_input (void)
{
  static const char said[] = TRACEBACK "EOFError: EOF when reading a line\n";
  g_autofree char *before = g_strconcat (said, TRACEBACK "ValueError: no\n", NULL);
  g_autoptr (FhRunResult) asked = failed (FH_RUN_STATUS_FAILED, said, "native", NULL);
  g_autoptr (FhRunResult) other = failed (FH_RUN_STATUS_FAILED, before, "native", NULL);
  g_autoptr (FhRunResult) good = failed (FH_RUN_STATUS_OK, said, "native", NULL);
  g_autofree char *advice = fh_run_result_dup_advice (asked);

  g_assert_true (g_str_has_prefix (advice, "It waited for more input"));
  g_assert_null (fh_run_result_dup_advice (other));
  g_assert_null (fh_run_result_dup_advice (good));
}

static void
assert_line_ends (FhRunStatus status, const char *said, gboolean is_told)
{
  g_autoptr (FhRunResult) result = failed (status, said, "native", NULL);
  g_autofree char *advice = fh_run_result_dup_advice (result);

  g_assert_cmpint (advice != NULL && strstr (advice, "as on Windows") != NULL, ==, is_told);
}

static void
test_line_ends (void)
{
  const char *const of_bash[] = {
    "/workspace/main.sh: line 2: syntax error near unexpected token `$'do\\r''\r\n",
    "/workspace/build.sh: line 1: $'\\r': command not found\nmore\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (of_bash); i++)
    {
      assert_line_ends (FH_RUN_STATUS_FAILED, of_bash[i], TRUE);
      assert_line_ends (FH_RUN_STATUS_OK, of_bash[i], FALSE);
    }
  assert_line_ends (FH_RUN_STATUS_FAILED, "\xff x.sh: line 1: $'\\r': no\n", TRUE);
  assert_line_ends (FH_RUN_STATUS_FAILED, "ValueError: line 2: 'x\\r'\n", FALSE);
  assert_line_ends (FH_RUN_STATUS_FAILED, "main.sh: line 2: $'\\t': command not found\n", FALSE);
}

/* Commands of notebooks, as Python shows them, and what only looks like them. */
static void
test_notebooks (void)
{
  static const struct
  {
    const char *said;
    gboolean is_told;
  } expected[] = {
    { "  File \"/workspace/main.py\", line 1\n    !pip install x\n    ^\nSyntaxError: invalid "
      "syntax\n",
      TRUE },
    { "  File \"a.py\", line 12\n    %matplotlib inline\n    ^\nSyntaxError: invalid syntax\n",
      TRUE },
    { "  File \"a.py\", line 1\n    %%bash\n    ^\nSyntaxError: invalid syntax\n", TRUE },
    { "  File \"a.py\", line 1\n    % 3\n    ^\nSyntaxError: invalid syntax\n", FALSE },
    { "  File \"a.py\", line 1\n    x ! y\n      ^\nSyntaxError: invalid syntax\n", FALSE },
    { "!pip install x\nSyntaxError: invalid syntax\n", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (FhRunResult) result =
          failed (FH_RUN_STATUS_FAILED, expected[i].said, "native", NULL);
      g_autofree char *advice = fh_run_result_dup_advice (result);

      g_test_message ("%u: %s", i, advice);
      g_assert_cmpint (advice != NULL && strstr (advice, "notebooks") != NULL,
                       ==,
                       expected[i].is_told);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/missing-package/find", test_find);
  g_test_add_func ("/missing-package/goes-on", test_goes_on);
  g_test_add_func ("/missing-package/hostile-names", test_hostile_names);
  g_test_add_func ("/missing-package/advice", test_advice);
  g_test_add_func ("/missing-package/managed", test_managed);
  g_test_add_func ("/missing-package/installers", test_installers);
  g_test_add_func ("/missing-package/input", test_input);
  g_test_add_func ("/missing-package/line-ends", test_line_ends);
  g_test_add_func ("/missing-package/notebooks", test_notebooks);
  return g_test_run ();
}
