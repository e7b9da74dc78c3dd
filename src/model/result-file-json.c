/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file-json.h"

#include "json-member.h"

/* A runner reports as many: FH_RESULT_FILES_MAX. */
#define MAX_FILES 2000

static const char *const kinds[] = {
  [FH_RESULT_FILE_REGULAR] = "file",
  [FH_RESULT_FILE_LINK] = "link",
  [FH_RESULT_FILE_SPECIAL] = "special",
  NULL,
};

static JsonObject *
file_to_json (FhResultFile *file)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);
  JsonObject *object = json_object_new ();

  json_object_set_member (object, "path", fh_json_byte_string_to_node (facts->path));
  json_object_set_string_member (object, "kind", kinds[facts->kind]);
  json_object_set_int_member (object, "size", (gint64) MIN (facts->size, G_MAXINT64));
  json_object_set_boolean_member (object, "is_program", facts->is_program);
  json_object_set_boolean_member (object, "is_changed", facts->is_changed);
  json_object_set_boolean_member (object, "kept", facts->content != NULL);
  return object;
}

void
fh_result_files_add_to_json (FhResultFiles *files, JsonObject *object)
{
  JsonArray *array;

  g_return_if_fail (FH_IS_RESULT_FILES (files));
  g_return_if_fail (object != NULL);

  array = json_array_new ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    json_array_add_object_element (array, file_to_json (fh_result_files_get (files, i)));
  json_object_set_array_member (object, "files", array);
  json_object_set_int_member (object, "files_left_out", fh_result_files_get_n_left_out (files));
  json_object_set_boolean_member (object,
                                  "files_incomplete",
                                  fh_result_files_is_incomplete (files));
}

static FhResultFile *
file_from_json (JsonNode *node, GError **error)
{
  g_autofree char *path = NULL;
  FhResultFileFacts facts = { 0 };
  FhResultFile *file = NULL;
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *path_node = object != NULL ? json_object_get_member (object, "path") : NULL;
  guint kind;

  if (path_node != NULL && fh_json_byte_string_from_node (path_node, "path", &path, NULL) &&
      path != NULL && fh_json_get_word (object, "kind", kinds, &kind, NULL) &&
      fh_json_get_number (object, "size", G_MAXINT64, &facts.size, NULL) &&
      fh_json_get_bool (object, "is_program", &facts.is_program, NULL) &&
      fh_json_get_bool (object, "is_changed", &facts.is_changed, NULL))
    {
      facts.path = path;
      facts.kind = (FhResultFileKind) kind;
      file = fh_result_file_new (&facts);
    }
  if (file == NULL)
    fh_json_refuse_member ("files", error);
  return file;
}

static gboolean
add_files (FhResultFiles *files, JsonObject *object, GError **error)
{
  JsonArray *array = fh_json_get_array (object, "files", MAX_FILES, error);

  if (array == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autoptr (FhResultFile) file = file_from_json (json_array_get_element (array, i), error);

      if (file == NULL)
        return FALSE;
      fh_result_files_add (files, file);
    }
  return TRUE;
}

FhResultFiles *
fh_result_files_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  guint64 n_left_out;
  gboolean is_incomplete;

  g_return_val_if_fail (object != NULL, NULL);

  if (!json_object_has_member (object, "files"))
    return g_steal_pointer (&files);
  if (!add_files (files, object, error) ||
      !fh_json_get_number (object, "files_left_out", G_MAXUINT, &n_left_out, error) ||
      !fh_json_get_bool (object, "files_incomplete", &is_incomplete, error))
    return NULL;
  fh_result_files_set_left_out (files, (guint) n_left_out, is_incomplete);
  return g_steal_pointer (&files);
}
