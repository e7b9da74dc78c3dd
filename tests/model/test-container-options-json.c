/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice of a container as a text of the history, and as a part of a request. */
#include <string.h>

#include "container-options-json.h"
#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"
#include "run-request-json.h"

static const char *const volumes[] = { "/a\xff:/data:rw", "/b:/b", NULL };
static const char *const hosts[] = { "db:192.0.2.7", NULL };
static const char *const environment[] = { "A=ümlaut \xfe", "B=", NULL };

static const FhContainerOptions everything = {
  .engine = FH_ENGINE_PODMAN,
  .image = "plain:latest",
  .no_pull = TRUE,
  .name = "box",
  .is_kept = TRUE,
  .after = FH_CONTAINER_LEAVE,
  .work_dir = "/srv/\xff",
  .bind_dir = "/other",
  .files = FH_CONTAINER_FILES_BIND,
  .network = "bridge",
  .milli_cpus = 1500,
  .gpus = "all",
  .volumes = volumes,
  .hosts = hosts,
  .environment = environment,
  .is_writable = TRUE,
  .is_root = TRUE,
};

static char *
to_text (const FhContainerOptions *options)
{
  g_autoptr (JsonNode) node = fh_container_options_to_json (options);

  return fh_json_to_text (node, FALSE);
}

static void
test_round_trip (void)
{
  const FhContainerOptions nothing = { 0 };
  const FhContainerOptions *all[] = { &everything, &nothing };

  g_assert_true (fh_container_options_check (&everything, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autofree char *text = to_text (all[i]);
      g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1 << 20, NULL);
      g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
      g_autoptr (FhContainerOptions) copy = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *again = NULL;

      g_assert_true (fh_container_options_from_json (node, &copy, &error));
      g_assert_no_error (error);
      again = to_text (copy);
      g_assert_cmpstr (text, ==, again);
      g_assert_cmpstr (copy->work_dir, ==, all[i]->work_dir);
      g_assert_cmpint (copy->after, ==, all[i]->after);
      g_assert_cmpuint (copy->milli_cpus, ==, all[i]->milli_cpus);
    }
}

/* NULL on success. */
static char *
read_text (const char *text)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1 << 20, NULL);
  g_autoptr (FhContainerOptions) options = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (object);
  if (fh_container_options_from_json (json_object_get_member (object, "c"), &options, &error))
    return NULL;
  g_assert_null (options);
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  return g_strdup (error->message);
}

static void
test_hostile (void)
{
  static const char *const good[] = { "{}",
                                      "{\"c\": null}",
                                      "{\"c\": {}}",
                                      "{\"c\": {\"future\": [1], \"volumes\": null}}",
                                      NULL };
  static const char *const bad[] = {
    "{\"c\": []}",
    "{\"c\": \"python\"}",
    "{\"c\": true}",
    "{\"c\": {\"engine\": \"lxc\"}}",
    "{\"c\": {\"engine\": 1}}",
    "{\"c\": {\"after\": \"explode\"}}",
    "{\"c\": {\"files\": {}}}",
    "{\"c\": {\"image\": 3}}",
    "{\"c\": {\"image\": {\"base64\": \"YQBi\"}}}",
    "{\"c\": {\"no_pull\": \"yes\"}}",
    "{\"c\": {\"kept\": 1}}",
    "{\"c\": {\"milli_cpus\": -1}}",
    "{\"c\": {\"milli_cpus\": 4294967297}}",
    "{\"c\": {\"milli_cpus\": \"1\"}}",
    "{\"c\": {\"volumes\": \"/:/\"}}",
    "{\"c\": {\"volumes\": [null]}}",
    "{\"c\": {\"volumes\": [[\"a\"]]}}",
    "{\"c\": {\"environment\": {\"A\": \"b\"}}}",
    NULL,
  };

  for (guint i = 0; good[i] != NULL; i++)
    {
      g_autofree char *problem = read_text (good[i]);

      g_assert_cmpstr (problem, ==, NULL);
    }
  for (guint i = 0; bad[i] != NULL; i++)
    {
      g_autofree char *problem = read_text (bad[i]);

      g_test_message ("%s", bad[i]);
      g_assert_nonnull (problem);
    }
}

static FhRunRequest *
make_request (const FhContainerOptions *options,
              const FhRunGuards *guards,
              const char *interpreter,
              GError **error)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  FhRunRequestInit init = {
    .language = fh_language_lookup ("python"),
    .source = source,
    .interpreter = interpreter,
    .limits = FH_RUN_LIMITS_DEFAULT,
    .guards = guards,
    .container = options,
  };

  return fh_run_request_new (&init, error);
}

/* A run of the history is run again where it was. */
static void
test_request (void)
{
  g_autoptr (FhRunRequest) request = make_request (&everything, NULL, "pypy3", NULL);
  g_autoptr (JsonNode) node = fh_run_request_to_json (request);
  g_autoptr (FhRunRequest) copy = fh_run_request_from_json (json_node_get_object (node), NULL);
  g_autofree char *text = to_text (&everything);
  g_autofree char *again = to_text (fh_run_request_get_container (copy));

  g_assert_cmpstr (again, ==, text);
  g_assert_cmpstr (fh_run_request_get_interpreter (copy), ==, "pypy3");
  json_object_remove_member (json_node_get_object (node), "container");
  json_object_remove_member (json_node_get_object (node), "interpreter");
  g_clear_object (&copy);
  copy = fh_run_request_from_json (json_node_get_object (node), NULL);
  g_assert_null (fh_run_request_get_container (copy));
}

static void
assert_request_refused (const FhContainerOptions *options, FhRunGuards guards, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (make_request (options, &guards, NULL, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” is not in “%s”", part, error->message);
}

static void
test_guards (void)
{
  const FhContainerOptions plain = { 0 };
  const FhContainerOptions bad = { .image = "--privileged" };
  const char *const allowed[] = { "example.com", NULL };
  const FhRunGuards others = { .watch = FH_WATCH_FILES,
                               .without = 1u << FH_GUARD_MEMORY | 1u << FH_GUARD_SYSTEM_CALLS,
                               .report_lines = TRUE };
  g_autoptr (FhRunRequest) request = make_request (&plain, &others, NULL, NULL);

  g_assert_nonnull (request);
  assert_request_refused (&bad, FH_RUN_GUARDS_DEFAULT, "not the name of an image");
  assert_request_refused (&plain, (FhRunGuards){ .tier = FH_TIER_LANDLOCK }, "a tier, not both");
  assert_request_refused (&plain, (FhRunGuards){ .tier = FH_TIER_UNPROTECTED }, "is a protection");
  assert_request_refused (&plain, (FhRunGuards){ .tier = FH_TIER_CONTAINER }, "by its image");
  assert_request_refused (NULL, (FhRunGuards){ .tier = FH_TIER_CONTAINER }, "by its image");
  assert_request_refused (&plain, (FhRunGuards){ .allow_hosts = allowed }, "one by one");
  assert_request_refused (&plain, (FhRunGuards){ .without = 1u << FH_GUARD_NETWORK }, "network");
  assert_request_refused (&plain,
                          (FhRunGuards){ .without = 1u << FH_GUARD_ENVIRONMENT },
                          "single variables");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-options-json/round-trip", test_round_trip);
  g_test_add_func ("/container-options-json/hostile", test_hostile);
  g_test_add_func ("/container-options-json/request", test_request);
  g_test_add_func ("/container-options-json/guards", test_guards);
  return g_test_run ();
}
