/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request or a result that is accepted is the same after another round through JSON. */
#include "fuzz-target.h"
#include "json-guard.h"
#include "json-text.h"
#include "run-request.h"
#include "run-result.h"

#include <string.h>

#define MAX_SIZE ((gsize) 1 << 20)

static JsonObject *
reread (JsonNode *node)
{
  g_autofree char *text = fh_json_to_text (node, FALSE);
  g_autoptr (GError) error = NULL;
  JsonObject *object = fh_json_guard_parse (text, strlen (text), G_MAXSIZE, &error);

  g_assert_no_error (error);
  return object;
}

static void
try_request (JsonObject *object)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = fh_run_request_from_json (object, &error);
  g_autoptr (FhRunRequest) second = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonObject) again = NULL;

  g_assert ((request == NULL) == (error != NULL));
  if (request == NULL)
    return;
  node = fh_run_request_to_json (request);
  again = reread (node);
  second = fh_run_request_from_json (again, &error);
  g_assert_no_error (error);
  g_assert (g_bytes_equal (fh_run_request_get_parts (request)->source,
                           fh_run_request_get_parts (second)->source));
  g_assert (fh_run_limits_equal (&fh_run_request_get_parts (request)->limits,
                                 &fh_run_request_get_parts (second)->limits));
  g_assert_cmpstr (fh_run_request_get_parts (request)->title,
                   ==,
                   fh_run_request_get_parts (second)->title);
  g_assert (fh_run_request_get_parts (request)->guards->tier != FH_TIER_UNPROTECTED);
  g_assert (fh_run_request_get_parts (request)->guards->without ==
            fh_run_request_get_parts (second)->guards->without);
}

static void
compare_files (FhResultFiles *files, FhResultFiles *second)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (files));

  g_assert (n == g_list_model_get_n_items (G_LIST_MODEL (second)));
  for (guint i = 0; i < n; i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));
      const FhResultFileFacts *again = fh_result_file_get_facts (fh_result_files_get (second, i));

      g_assert (fh_result_path_is_safe (facts->path));
      g_assert_cmpstr (facts->path, ==, again->path);
      g_assert (facts->size == again->size && facts->kind == again->kind);
    }
  g_assert (fh_result_files_get_facts (files)->n_left_out ==
            fh_result_files_get_facts (second)->n_left_out);
}

static void
compare_changes (FhFolderChanges *changes, FhFolderChanges *second)
{
  g_assert ((changes == NULL) == (second == NULL));
  for (guint i = 0; changes != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (changes)); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (changes, i);
      const char *path = fh_folder_change_get_facts (change)->path;
      FhFolderChange *again = fh_folder_changes_find (second, path);

      g_assert (again != NULL && fh_result_path_is_safe (path));
      g_assert (fh_folder_change_is_in_all (change) == fh_folder_change_is_in_all (again));
      g_assert_cmpstr (fh_folder_change_get_remark (change),
                       ==,
                       fh_folder_change_get_remark (again));
    }
}

static void
try_result (JsonObject *object)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunResult) result = fh_run_result_from_json (object, &error);
  g_autoptr (FhRunResult) second = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonObject) again = NULL;

  g_assert ((result == NULL) == (error != NULL));
  if (result == NULL)
    return;
  node = fh_run_result_to_json (result, 0);
  again = reread (node);
  second = fh_run_result_from_json (again, &error);
  g_assert_no_error (error);
  g_assert (fh_run_result_get_parts (result)->outcome->status ==
            fh_run_result_get_parts (second)->outcome->status);
  g_assert_cmpstr (fh_run_result_get_parts (result)->sentence,
                   ==,
                   fh_run_result_get_parts (second)->sentence);
  g_assert (fh_run_result_get_parts (result)->guards->len ==
            fh_run_result_get_parts (second)->guards->len);
  g_assert (g_list_model_get_n_items (G_LIST_MODEL (fh_run_result_get_parts (result)->attempts)) ==
            g_list_model_get_n_items (G_LIST_MODEL (fh_run_result_get_parts (second)->attempts)));
  g_assert (fh_attempt_log_get_n_stopped (fh_run_result_get_parts (result)->attempts) ==
            fh_attempt_log_get_n_stopped (fh_run_result_get_parts (second)->attempts));
  compare_files (fh_run_result_get_parts (result)->files, fh_run_result_get_parts (second)->files);
  compare_changes (fh_run_result_get_parts (result)->changes,
                   fh_run_result_get_parts (second)->changes);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (JsonObject) object = NULL;

  object = fh_json_guard_parse ((const char *) data, size, MAX_SIZE, NULL);
  if (object == NULL)
    return 0;
  try_request (object);
  try_result (object);
  return 0;
}
