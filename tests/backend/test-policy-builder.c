/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "policy-builder.h"
#include "run-error.h"
#include "wire-guest.h"

static FhRunRequest *
new_guarded_request (const char *language, const char *const *arguments, const FhRunGuards *guards)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;
  FhRunRequest *request;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup (language),
          .source = source,
          .arguments = arguments,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .guards = guards,
      },
      &error);
  g_assert_no_error (error);
  return request;
}

static FhRunRequest *
new_request (const char *language, const char *const *arguments)
{
  return new_guarded_request (language, arguments, NULL);
}

static struct fh_policy *
build (FhRunRequest *request, const char *program, const char *const *prefixes, const char *zone)
{
  const FhInterpreter interpreter = {
    .path = (char *) program,
    .name = (char *) "any",
    .shown = (GStrv) prefixes,
  };

  return fh_policy_build (&(FhPolicyParts){
      .request = request,
      .interpreter = &interpreter,
      .guest_folder = "/usr/share/fumehood/guest",
      .time_zone = zone,
      .tier = FH_TIER_NAMESPACES,
  });
}

static const char *
variable (const struct fh_policy *policy, const char *name)
{
  return g_environ_getenv (policy->env, name);
}

static void
assert_words (char **words, const char *expected)
{
  g_autofree char *joined = g_strjoinv ("|", words);

  g_assert_cmpstr (joined, ==, expected);
}

/* Of a run with the default of 512 MiB: threads get 2 MiB for their stacks. */
#define STACKS                                                                                     \
  "\x02\0\0\0\x08"                                                                                 \
  "2"

/* `program`: in a container with other files. */
static void
assert_messages (FhRunRequest *request, const char *program, const void *expected, gsize size)
{
  const FhPolicyParts parts = {
    .request = request,
    .program = program,
    .tier = program != NULL ? FH_TIER_CONTAINER : FH_TIER_NAMESPACES,
    .has_shared_workspace = program != NULL,
  };
  g_autoptr (GBytes) messages = fh_policy_build_messages (&parts, NULL);

  g_assert_cmpmem (g_bytes_get_data (messages, NULL), g_bytes_get_size (messages), expected, size);
}

static void
test_python (void)
{
  const char *const arguments[] = { "one", "", "-x", NULL };
  const char *const prefixes[] = { "/opt/py", NULL };
  /* 27 bytes: the kind, the path and three arguments with a NUL before each. */
  const char message[] = STACKS "\x1b\0\0\0\x01/workspace/main.py\0one\0\0-x";
  g_autoptr (FhRunRequest) request = new_request ("python", arguments);
  struct fh_policy *policy = build (request, "/opt/py/bin/python3", prefixes, "Europe/Berlin");

  assert_words (policy->argv, "/opt/py/bin/python3|-u|/opt/fumehood/bootstrap.py");
  g_assert_cmpuint (policy->flags, ==, FH_POLICY_GUEST_CHANNEL | FH_POLICY_COLLECT);
  assert_messages (request, NULL, message, sizeof message - 1);
  g_assert_cmpuint (policy->n_binds, ==, 5);
  g_assert_cmpstr (policy->binds[0].source, ==, "/opt/py");
  g_assert_cmpstr (policy->binds[0].target, ==, "/opt/py");
  g_assert_cmpstr (policy->binds[1].source, ==, "/usr/share/fumehood/guest/bootstrap.py");
  g_assert_cmpstr (policy->binds[1].target, ==, "/opt/fumehood/bootstrap.py");
  g_assert_cmpstr (policy->binds[2].target, ==, "/opt/fumehood/program.py");
  g_assert_cmpstr (policy->binds[3].target, ==, "/opt/fumehood/ending.py");
  g_assert_cmpstr (policy->binds[4].target, ==, "/opt/fumehood/shown.py");
  g_assert_false (policy->binds[0].is_copy);
  g_assert_true (policy->binds[1].is_copy);
  g_assert_cmpstr (variable (policy, "PATH"), ==, "/opt/py/bin:/usr/local/bin:/usr/bin:/bin");
  g_assert_cmpstr (variable (policy, "TZ"), ==, "Europe/Berlin");
  fh_policy_free (policy);
}

/* Its calls come as its input, and the file that answers them is there. */
static void
test_called (void)
{
  const char *const prefixes[] = { "/opt/py", NULL };
  const char message[] = STACKS "\x01\0\0\0\x09\x13\0\0\0\x01/workspace/main.py";
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);
  g_autoptr (FhRunRequest) request =
      fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                               .source = source,
                                               .is_called = TRUE,
                                               .limits = FH_RUN_LIMITS_DEFAULT },
                          NULL);
  struct fh_policy *policy = build (request, "/opt/py/bin/python3", prefixes, NULL);

  g_assert_true (fh_run_request_get_parts (request)->is_called &&
                 fh_run_request_takes_live_input (request));
  g_assert_true (policy->flags & FH_POLICY_INPUT_STAYS);
  g_assert_false (policy->flags & FH_POLICY_TYPED_INPUT);
  g_assert_cmpstr (policy->binds[policy->n_binds - 1].target, ==, "/opt/fumehood/called.py");
  assert_messages (request, NULL, message, sizeof message - 1);
  fh_policy_free (policy);
}

/* Nothing is said where it would change nothing, or where memory is not limited by reservations. */
static void
test_stacks (void)
{
  static const struct
  {
    guint64 memory_mib;
    const char *expected;
  } rows[] = { { 16, "1" }, { 256, "1" }, { 1024, "4" }, { 2048, "" }, { 0, "" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
      g_autofree char *expected =
          g_strconcat (*rows[i].expected != '\0' ? "\x08" : "", rows[i].expected, NULL);
      g_autoptr (FhRunRequest) request = fh_run_request_new (
          &(FhRunRequestInit){
              .language = fh_language_lookup ("python"),
              .source = source,
              .limits = { .memory_bytes = rows[i].memory_mib << 20 },
          },
          NULL);
      g_autoptr (GBytes) messages = fh_policy_build_messages (
          &(FhPolicyParts){ .request = request, .tier = FH_TIER_LANDLOCK },
          NULL);
      const char *first = g_bytes_get_data (messages, NULL);

      if (*expected != '\0')
        g_assert_cmpmem (first + 4, strlen (expected), expected, strlen (expected));
      else
        g_assert_cmpint (first[4], ==, FH_GUEST_RUN);
    }
}

static void
test_interpreter_guard (void)
{
  const char *const prefixes[] = { NULL };
  const char *const imports[] = { "re", "json", NULL };
  const char message[] = STACKS "\x2f\0\0\0\x02report\0functions\0imports=re,json\0operations=50"
                                "\x13\0\0\0\x01/workspace/main.py";
  const FhRunGuards guards = {
    .report_lines = TRUE,
    .limit_functions = TRUE,
    .imports = imports,
    .max_operations = 50,
  };
  g_autoptr (FhRunRequest) request = new_guarded_request ("python", NULL, &guards);
  struct fh_policy *policy = build (request, "/usr/bin/python3", prefixes, NULL);

  assert_messages (request, NULL, message, sizeof message - 1);
  g_assert_cmpuint (policy->n_binds, ==, 7);
  g_assert_cmpstr (policy->binds[6].target, ==, "/opt/fumehood/restrict.py");
  g_assert_true (policy->binds[6].is_copy);
  fh_policy_free (policy);
}

static void
test_notebook (void)
{
  const char *const prefixes[] = { NULL };
  const char message[] = STACKS "\x01\0\0\0\x0a"
                                "\x13\0\0\0\x01/workspace/main.py";
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunRequest) request = NULL;
  struct fh_policy *policy;

  options->notebook = TRUE;
  request = fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                     .source = source,
                                                     .options = options },
                                NULL);
  policy = build (request, "/usr/bin/python3", prefixes, NULL);
  assert_messages (request, NULL, message, sizeof message - 1);
  g_assert_cmpstr (policy->binds[policy->n_binds - 1].target, ==, "/opt/fumehood/notebook.py");
  fh_policy_free (policy);
}

/* What was typed at a prompt prints its values, and a shell knows nothing of that. */
static void
test_typed (void)
{
  const char message[] = STACKS "\x01\0\0\0\x0b\x13\0\0\0\x01/workspace/main.py";
  const char *const languages[] = { "python", "sh" };

  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
      g_autoptr (FhRunRequest) request =
          fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup (languages[i]),
                                                   .source = source,
                                                   .is_typed = TRUE,
                                                   .limits = FH_RUN_LIMITS_DEFAULT },
                              NULL);

      g_assert_true (fh_run_request_get_parts (request)->is_typed);
      assert_messages (request, NULL, message, i == 0 ? sizeof message - 1 : 0);
    }
}

static void
test_shell (void)
{
  const char *const arguments[] = { "a b", NULL };
  const char *const prefixes[] = { NULL };
  g_autoptr (FhRunRequest) request = new_request ("bash", arguments);
  struct fh_policy *policy = build (request, "/usr/bin/bash", prefixes, NULL);

  assert_words (policy->argv, "/usr/bin/bash|/workspace/main.sh|a b");
  g_assert_cmpuint (policy->flags, ==, FH_POLICY_COLLECT);
  g_assert_cmpuint (policy->n_binds, ==, 0);
  assert_messages (request, NULL, "", 0);
  fh_policy_free (policy);
}

static void
test_environment (void)
{
  const char *const prefixes[] = { NULL };
  g_autoptr (FhRunRequest) request = new_request ("python", NULL);
  struct fh_policy *policy = NULL;

  g_setenv ("FH_SECRET", "hidden", TRUE);
  policy = build (request, "/usr/bin/python3", prefixes, "../../etc/passwd; rm");
  /* All of it: nothing of ours gets in, and a zone that is no name is left out. */
  assert_words (
      policy->env,
      "PATH=/usr/local/bin:/usr/bin:/bin|HOME=/workspace|LANG=C.UTF-8|TMPDIR=/tmp|"
      "XDG_CACHE_HOME=/tmp/.cache|TERM=dumb|OPENBLAS_NUM_THREADS=1|PYTHONDONTWRITEBYTECODE=1");
  fh_policy_free (policy);
}

static struct fh_policy *
build_with_guards (const FhRunGuards *guards)
{
  const char *const prefixes[] = { NULL };
  g_autoptr (FhRunRequest) request = new_guarded_request ("bash", NULL, guards);

  return build (request, "/usr/bin/bash", prefixes, NULL);
}

static struct fh_policy *
build_with_hosts (const char *const *hosts, guint without)
{
  return build_with_guards (&(FhRunGuards){
      .watch = FH_WATCH_ATTEMPTS,
      .without = without,
      .allow_hosts = hosts,
  });
}

static void
test_no_sockets (void)
{
  struct fh_policy *policy = build_with_guards (&(FhRunGuards){ .no_sockets = TRUE });

  g_assert_true (policy->flags & FH_POLICY_NO_SOCKETS);
  fh_policy_free (policy);
}

static void
test_allowed_hosts (void)
{
  static const char *const names[] = { "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY" };
  const char *const hosts[] = { "example.com", "example.org", NULL };
  struct fh_policy *policy = build_with_hosts (hosts, 0);

  assert_words (policy->allow_hosts, "example.com|example.org");
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (variable (policy, names[i]), ==, "http://127.0.0.1:3128");
  g_assert_cmpstr (variable (policy, "no_proxy"), ==, "localhost,127.0.0.1,::1");
  g_assert_cmpstr (variable (policy, "NO_PROXY"), ==, "localhost,127.0.0.1,::1");
  fh_policy_free (policy);
}

/* An empty list, like none at all, means that nothing may be reached. */
static void
test_no_allowed_hosts (void)
{
  const char *const empty[] = { NULL };
  struct fh_policy *policies[] = {
    build_with_hosts (empty, 0),
    build_with_hosts (NULL, 0),
    build_with_hosts (empty, 1u << FH_GUARD_NETWORK),
  };

  for (size_t i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      if (policies[i]->allow_hosts != NULL)
        g_assert_cmpuint (g_strv_length (policies[i]->allow_hosts), ==, 0);
      g_assert_null (variable (policies[i], "http_proxy"));
      g_assert_null (variable (policies[i], "NO_PROXY"));
      fh_policy_free (policies[i]);
    }
}

static void
test_limits (void)
{
  const char *const prefixes[] = { NULL };
  g_autoptr (FhRunRequest) request = new_request ("python", NULL);
  struct fh_policy *policy = build (request, "/usr/bin/python3", prefixes, NULL);

  g_assert_cmpuint (policy->wall_ms, ==, 30000);
  g_assert_cmpuint (policy->cpu_ms, ==, 0);
  g_assert_cmpuint (policy->memory_bytes, ==, 512 << 20);
  g_assert_cmpuint (policy->disk_bytes, ==, 256 << 20);
  g_assert_cmpuint (policy->output_bytes, ==, 64 << 20);
  g_assert_cmpuint (policy->processes, ==, 128);
  g_assert_cmpuint (policy->open_files, ==, 400);
  fh_policy_free (policy);
}

static void
test_frame (void)
{
  const char *const prefixes[] = { NULL };
  g_autoptr (FhRunRequest) small = new_request ("python", NULL);
  struct fh_policy *policy = build (small, "/usr/bin/python3", prefixes, NULL);
  g_autoptr (GBytes) frame = fh_policy_to_frame (policy, NULL);
  g_autoptr (GBytes) none = NULL;
  g_autoptr (GError) error = NULL;
  struct fh_policy *decoded;

  decoded =
      fh_policy_decode ((const guint8 *) g_bytes_get_data (frame, NULL) + FH_FRAME_HEADER_SIZE,
                        g_bytes_get_size (frame) - FH_FRAME_HEADER_SIZE);
  g_assert_nonnull (decoded);
  fh_policy_free (decoded);
  fh_policy_free (policy);

  /* No request is that large; the frame must still not be sent broken. */
  policy = build (small, "/usr/bin/python3", prefixes, NULL);
  free (policy->home);
  policy->home = g_strnfill (2 * FH_FRAME_MAX_PAYLOAD, 'x');
  none = fh_policy_to_frame (policy, &error);
  g_assert_null (none);
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  fh_policy_free (policy);
}

static void
test_probe (void)
{
  struct fh_policy *policy = fh_policy_build_probe (FH_TIER_NAMESPACES, "/data/guest");
  g_autoptr (GBytes) frame = fh_policy_to_frame (policy, NULL);
  struct fh_policy *decoded;

  decoded =
      fh_policy_decode ((const guint8 *) g_bytes_get_data (frame, NULL) + FH_FRAME_HEADER_SIZE,
                        g_bytes_get_size (frame) - FH_FRAME_HEADER_SIZE);
  g_assert_nonnull (decoded);
  g_assert_cmpuint (decoded->flags, ==, FH_POLICY_PROBE);
  g_assert_cmpuint (decoded->memory_bytes, >, 0);
  g_assert_cmpuint (decoded->n_binds, ==, 1);
  g_assert_cmpstr (decoded->binds[0].source, ==, "/data/guest/bootstrap.py");
  g_assert_true (decoded->binds[0].is_copy);
  fh_policy_free (decoded);
  fh_policy_free (policy);
}

static struct fh_policy *
build_with (FhRunGuards guards, FhTier tier)
{
  static char *const no_prefixes[] = { NULL };
  const FhInterpreter interpreter = {
    .path = (char *) "/bin/sh",
    .name = (char *) "any",
    .shown = (GStrv) no_prefixes,
  };
  g_autoptr (FhRunRequest) request = new_guarded_request ("sh", NULL, &guards);

  return fh_policy_build (&(FhPolicyParts){
      .request = request,
      .interpreter = &interpreter,
      .guest_folder = "/usr/share/fumehood/guest",
      .tier = tier,
  });
}

static void
test_tier (void)
{
  struct fh_policy *policy = build_with (FH_RUN_GUARDS_DEFAULT, FH_TIER_LANDLOCK);
  struct fh_policy *probe = fh_policy_build_probe (FH_TIER_BUBBLEWRAP, NULL);

  g_assert_cmpint (policy->tier, ==, FH_WIRE_TIER_LANDLOCK);
  g_assert_cmpint (probe->tier, ==, FH_WIRE_TIER_BUBBLEWRAP);
  fh_policy_free (policy);
  fh_policy_free (probe);
}

/* Only when it is asked for does anything of the user's go in. */
static void
test_users_environment (void)
{
  FhRunGuards guards = FH_RUN_GUARDS_DEFAULT;
  struct fh_policy *guarded;
  struct fh_policy *open;

  g_setenv ("FH_SECRET", "token", TRUE);
  guarded = build_with (guards, FH_TIER_NAMESPACES);
  guards.without = 1u << FH_GUARD_ENVIRONMENT;
  open = build_with (guards, FH_TIER_NAMESPACES);
  g_assert_null (variable (guarded, "FH_SECRET"));
  g_assert_cmpstr (variable (open, "FH_SECRET"), ==, "token");
  g_assert_cmpstr (variable (open, "HOME"), ==, FH_INSIDE_WORKSPACE);
  g_assert_cmpstr (variable (open, "TMPDIR"), ==, "/tmp");
  g_assert_cmpuint (open->without, ==, 1u << FH_WIRE_GUARD_ENVIRONMENT);
  fh_policy_free (guarded);
  fh_policy_free (open);
  g_unsetenv ("FH_SECRET");
}

static void
test_time_zone (void)
{
  g_assert_true (fh_time_zone_is_plain ("Europe/Berlin"));
  g_assert_true (fh_time_zone_is_plain ("America/Argentina/Buenos_Aires"));
  g_assert_true (fh_time_zone_is_plain ("UTC"));
  g_assert_true (fh_time_zone_is_plain ("Etc/GMT+3"));
  g_assert_false (fh_time_zone_is_plain (""));
  g_assert_false (fh_time_zone_is_plain ("/etc/passwd"));
  g_assert_false (fh_time_zone_is_plain ("../x"));
  g_assert_false (fh_time_zone_is_plain ("a b"));
  g_assert_false (fh_time_zone_is_plain ("CET-1CEST,M3.5.0,M10.5.0/3"));
}

static struct fh_policy *
build_contained (FhRunRequest *request,
                 const FhContainerOptions *options,
                 const char *const *image,
                 const char *program)
{
  const FhInterpreter interpreter = { .path = (char *) "python3" };

  return fh_policy_build (&(FhPolicyParts){
      .request = request,
      .interpreter = &interpreter,
      .guest_folder = "/usr/share/fumehood/guest",
      .tier = FH_TIER_CONTAINER,
      .container = options,
      .image_environment = image,
      .program = program,
      .has_shared_workspace = options->is_kept,
  });
}

static void
test_container (void)
{
  static const char *const image[] = {
    "PATH=/usr/local/bin:/bin",
    "HOME=/root",
    "HTTP_PROXY=http://user:secret@proxy",
    "no_proxy=inside",
    "PYTHON_VERSION=3",
    "odd",
    "EMPTY=",
    "ALL_Proxy=http://",
    NULL,
  };
  g_autoptr (FhRunRequest) request = new_request ("python", NULL);
  struct fh_policy *policy =
      build_contained (request, &(FhContainerOptions){ 0 }, image, "main.py");

  assert_words (policy->argv, "python3|-u|/opt/fumehood/guest/bootstrap.py");
  g_assert_cmpuint (policy->flags, ==, FH_POLICY_GUEST_CHANNEL | FH_POLICY_COLLECT);
  g_assert_cmpuint (policy->tier, ==, FH_WIRE_TIER_CONTAINER);
  g_assert_cmpuint (policy->n_binds, ==, 0);
  g_assert_cmpstr (variable (policy, "PATH"), ==, "/usr/local/bin:/bin");
  g_assert_cmpstr (variable (policy, "HOME"), ==, "/workspace");
  g_assert_cmpstr (variable (policy, "TMPDIR"), ==, "/tmp");
  g_assert_cmpstr (variable (policy, "PYTHON_VERSION"), ==, "3");
  g_assert_cmpstr (variable (policy, "EMPTY"), ==, "");
  g_assert_null (variable (policy, "HTTP_PROXY"));
  g_assert_null (variable (policy, "no_proxy"));
  g_assert_null (variable (policy, "ALL_Proxy"));
  fh_policy_free (policy);
}

static void
test_kept_container (void)
{
  static const char *const wishes[] = { "MARK=a=b", "LANG=de_DE.UTF-8", NULL };
  static const char *const image[] = { "EMPTY=", NULL };
  const FhContainerOptions options = { .is_kept = TRUE, .environment = wishes };
  const char message[] = "\x25\0\0\0\x03/workspace/fumehood-01234567-main.py";
  g_autoptr (FhRunRequest) request = new_request ("python", NULL);
  struct fh_policy *policy =
      build_contained (request, &options, image, "fumehood-01234567-main.py");

  g_assert_true (policy->flags & FH_POLICY_SHARED_WORKSPACE);
  g_assert_true (policy->flags & FH_POLICY_SEALED_PROGRAM);
  assert_messages (request, "fumehood-01234567-main.py", message, sizeof message - 1);
  g_assert_cmpstr (variable (policy, "HOME"), ==, "/home/fumehood");
  /* What an image without a PATH has, behind what pip installs for a user. */
  g_assert_cmpstr (variable (policy, "PATH"),
                   ==,
                   "/home/fumehood/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
                   "/sbin:/bin");
  g_assert_cmpstr (variable (policy, "MARK"), ==, "a=b");
  g_assert_cmpstr (variable (policy, "LANG"), ==, "de_DE.UTF-8");
  g_assert_null (variable (policy, "XDG_CACHE_HOME"));
  fh_policy_free (policy);
}

static struct fh_policy *
build_shared (const char *language, const char *program, gboolean stays)
{
  static const char *const shares[] = { "bash", "python", NULL };
  static const char *const shown[] = { "/opt/py", NULL };
  const FhInterpreter interpreter = { .path = (char *) program };
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhRunRequest) request =
      fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup (language),
                                               .source = source,
                                               .limits = FH_RUN_LIMITS_DEFAULT,
                                               .shares = shares,
                                               .stays = stays },
                          NULL);

  return fh_policy_build (&(FhPolicyParts){ .request = request,
                                            .interpreter = &interpreter,
                                            .guest_folder = "/usr/share/fumehood/guest",
                                            .tier = FH_TIER_NAMESPACES,
                                            .is_shared = TRUE,
                                            .shown = shown,
                                            .has_python = TRUE });
}

/* One sandbox suits programs in all languages that share it, and another one does not. */
static void
test_shared (void)
{
  static const char *const nothing[] = { NULL };
  g_autoptr (FhRunRequest) alone = new_request ("bash", NULL);
  struct fh_policy *policies[] = {
    build_shared ("bash", "/bin/bash", TRUE),
    build_shared ("python", "/opt/py/bin/python3", FALSE),
    build (alone, "/bin/bash", nothing, NULL),
  };
  g_autoptr (GBytes) first = fh_policy_to_shared_frame (policies[0], NULL);
  g_autoptr (GBytes) second = fh_policy_to_shared_frame (policies[1], NULL);
  g_autoptr (GBytes) other = fh_policy_to_shared_frame (policies[2], NULL);
  g_autoptr (GBytes) frame = fh_policy_to_program_frame (policies[1], TRUE, NULL);
  struct fh_program *program =
      fh_program_decode ((const guint8 *) g_bytes_get_data (frame, NULL) + FH_FRAME_HEADER_SIZE,
                         g_bytes_get_size (frame) - FH_FRAME_HEADER_SIZE);

  g_assert_true (g_bytes_equal (first, second));
  g_assert_false (g_bytes_equal (first, other));
  g_assert_true (policies[0]->flags & FH_POLICY_STAYS && policies[0]->flags & FH_POLICY_TELL_GONE);
  g_assert_false (policies[1]->flags & FH_POLICY_STAYS);
  g_assert_nonnull (program);
  g_assert_true (program->has_channel && program->stays);
  assert_words (program->argv, "/opt/py/bin/python3|-u|/opt/fumehood/bootstrap.py");
  fh_program_free (program);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    fh_policy_free (policies[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy-builder/python", test_python);
  g_test_add_func ("/policy-builder/interpreter-guard", test_interpreter_guard);
  g_test_add_func ("/policy-builder/notebook", test_notebook);
  g_test_add_func ("/policy-builder/stacks", test_stacks);
  g_test_add_func ("/policy-builder/called", test_called);
  g_test_add_func ("/policy-builder/typed", test_typed);
  g_test_add_func ("/policy-builder/shell", test_shell);
  g_test_add_func ("/policy-builder/environment", test_environment);
  g_test_add_func ("/policy-builder/allowed-hosts", test_allowed_hosts);
  g_test_add_func ("/policy-builder/no-sockets", test_no_sockets);
  g_test_add_func ("/policy-builder/no-allowed-hosts", test_no_allowed_hosts);
  g_test_add_func ("/policy-builder/limits", test_limits);
  g_test_add_func ("/policy-builder/frame", test_frame);
  g_test_add_func ("/policy-builder/probe", test_probe);
  g_test_add_func ("/policy-builder/tier", test_tier);
  g_test_add_func ("/policy-builder/users-environment", test_users_environment);
  g_test_add_func ("/policy-builder/time-zone", test_time_zone);
  g_test_add_func ("/policy-builder/container", test_container);
  g_test_add_func ("/policy-builder/kept-container", test_kept_container);
  g_test_add_func ("/policy-builder/shared", test_shared);
  return g_test_run ();
}
