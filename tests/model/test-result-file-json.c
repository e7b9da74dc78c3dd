/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file.h"

#include <string.h>

#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"

static void
add (FhResultFiles *files, const FhResultFileFacts *facts)
{
  g_autoptr (FhResultFile) file = fh_result_file_new (facts);

  g_assert_nonnull (file);
  fh_result_files_add (files, file);
}

static char *
to_text (FhResultFiles *files)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  fh_result_files_add_to_json (files, object);
  return fh_json_to_text (node, FALSE);
}

static FhResultFiles *
from_text (const char *text, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (JsonObject) object =
      fh_json_guard_parse (text, strlen (text), (gsize) 64 << 20, &local);

  g_assert_no_error (local);
  return fh_result_files_from_json (object, error);
}

static void
test_members (void)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GBytes) content = g_bytes_new_static ("hi", 2);
  g_autofree char *text = NULL;

  add (files,
       &(FhResultFileFacts){
           .path = "a\n/\xff",
           .size = 2,
           .is_program = TRUE,
           .is_changed = TRUE,
           .content = content,
       });
  add (files, &(FhResultFileFacts){ .path = "l", .kind = FH_RESULT_FILE_LINK });
  fh_result_files_set_left_out (files, 3, TRUE);
  text = to_text (files);
  g_assert_cmpstr (text,
                   ==,
                   "{\"files\":[{\"path\":{\"base64\":\"YQov/w==\"},\"kind\":\"file\",\"size\":2,"
                   "\"is_program\":true,\"is_changed\":true,\"kept\":true},"
                   "{\"path\":\"l\",\"kind\":\"link\",\"size\":0,"
                   "\"is_program\":false,\"is_changed\":false,\"kept\":false}],"
                   "\"files_left_out\":3,\"files_incomplete\":true}");
}

static void
test_round_trip (void)
{
  static const FhResultFileFacts facts[] = {
    { .path = "plain.txt", .size = 5 },
    { .path = "a/b/c \"quoted\" \\ \t", .size = G_MAXINT64, .is_program = TRUE },
    { .path = "\x01\xfe\xff", .kind = FH_RESULT_FILE_SPECIAL, .is_changed = TRUE },
    { .path = "link", .kind = FH_RESULT_FILE_LINK },
  };
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (FhResultFiles) copy = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    add (files, &facts[i]);
  fh_result_files_set_left_out (files, G_MAXUINT, FALSE);
  text = to_text (files);
  copy = from_text (text, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (copy)), ==, G_N_ELEMENTS (facts));
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      const FhResultFileFacts *got = fh_result_file_get_facts (fh_result_files_get (copy, i));

      g_assert_cmpstr (got->path, ==, facts[i].path);
      g_assert_cmpint (got->kind, ==, facts[i].kind);
      g_assert_cmpuint (got->size, ==, facts[i].size);
      g_assert_cmpint (got->is_program, ==, facts[i].is_program);
      g_assert_cmpint (got->is_changed, ==, facts[i].is_changed);
      g_assert_null (got->content);
    }
  g_assert_cmpuint (fh_result_files_get_facts (copy)->n_left_out, ==, G_MAXUINT);
  g_assert_false (fh_result_files_get_facts (copy)->is_incomplete);
}

static void
test_earlier_versions (void)
{
  g_autoptr (FhResultFiles) files = from_text ("{}", NULL);

  g_assert_nonnull (files);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 0);
}

#define REST  ",\"files_left_out\":0,\"files_incomplete\":false}"
#define FACTS "\"kind\":\"file\",\"size\":1,\"is_program\":false,\"is_changed\":false}]" REST

static void
test_nonsense (void)
{
  static const char *const bad[] = {
    "{\"files\":{}" REST,
    "{\"files\":[1]" REST,
    "{\"files\":[{}]" REST,
    "{\"files\":[]}",
    "{\"files\":[],\"files_left_out\":-1,\"files_incomplete\":false}",
    "{\"files\":[],\"files_left_out\":4294967296,\"files_incomplete\":false}",
    "{\"files\":[],\"files_left_out\":0,\"files_incomplete\":0}",
    "{\"files\":[{\"path\":null," FACTS,
    "{\"files\":[{\"path\":\"/etc/passwd\"," FACTS,
    "{\"files\":[{\"path\":\"a/../../b\"," FACTS,
    "{\"files\":[{\"path\":\"\"," FACTS,
    "{\"files\":[{\"path\":{\"base64\":\"YQBi\"}," FACTS,
    "{\"files\":[{\"path\":\"a\",\"kind\":\"folder\",\"size\":1,\"is_program\":false,"
    "\"is_changed\":false}]" REST,
    "{\"files\":[{\"path\":\"a\",\"kind\":\"file\",\"size\":-1,\"is_program\":false,"
    "\"is_changed\":false}]" REST,
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", bad[i]);
      g_assert_null (from_text (bad[i], &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
    }
}

static void
test_too_many (void)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autofree char *text = NULL;
  g_autoptr (FhResultFiles) copy = NULL;

  for (guint i = 0; i < 2000; i++)
    add (files, &(FhResultFileFacts){ .path = "a" });
  text = to_text (files);
  copy = from_text (text, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (copy)), ==, 2000);
  add (files, &(FhResultFileFacts){ .path = "a" });
  g_free (text);
  text = to_text (files);
  g_assert_null (from_text (text, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-file-json/members", test_members);
  g_test_add_func ("/result-file-json/round-trip", test_round_trip);
  g_test_add_func ("/result-file-json/earlier-versions", test_earlier_versions);
  g_test_add_func ("/result-file-json/nonsense", test_nonsense);
  g_test_add_func ("/result-file-json/too-many", test_too_many);
  return g_test_run ();
}
