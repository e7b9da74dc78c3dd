/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "result-file-json.h"

#include <glib/gi18n-lib.h>

#include "json-bytes.h"
#include "json-guard.h"
#include "run-error.h"

/* As many as a runner tells of: FH_RESULT_FILES_MAX. */
#define MAX_FILES 2000

static const char *const kinds[] = {
  [FH_RESULT_FILE_REGULAR] = "file",
  [FH_RESULT_FILE_LINK] = "link",
  [FH_RESULT_FILE_SPECIAL] = "special",
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

static gboolean
refuse (GError **error)
{
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               /* Translators: the name of a member of a JSON object */
               _ ("The member “%s” is missing or makes no sense."),
               "files");
  return FALSE;
}

static gboolean
kind_from_string (const char *text, FhResultFileKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (g_str_equal (kinds[i], text))
        {
          *kind = (FhResultFileKind) i;
          return TRUE;
        }
    }
  return FALSE;
}

static FhResultFile *
file_from_json (JsonNode *node, GError **error)
{
  g_autofree char *path = NULL;
  FhResultFileFacts facts = { 0 };
  FhResultFile *file;
  JsonObject *object;
  const char *kind;
  gint64 size;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      refuse (error);
      return NULL;
    }
  object = json_node_get_object (node);
  if (!json_object_has_member (object, "path") ||
      !fh_json_byte_string_from_node (json_object_get_member (object, "path"),
                                      "path",
                                      &path,
                                      NULL) ||
      path == NULL || !fh_json_get_string (object, "kind", &kind, NULL) ||
      !kind_from_string (kind, &facts.kind) || !fh_json_get_int (object, "size", &size, NULL) ||
      size < 0 || !fh_json_get_bool (object, "is_program", &facts.is_program, NULL) ||
      !fh_json_get_bool (object, "is_changed", &facts.is_changed, NULL))
    {
      refuse (error);
      return NULL;
    }
  facts.path = path;
  facts.size = (guint64) size;
  file = fh_result_file_new (&facts);
  if (file == NULL)
    refuse (error);
  return file;
}

static gboolean
add_files (FhResultFiles *files, JsonNode *node, GError **error)
{
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return refuse (error);
  array = json_node_get_array (node);
  if (json_array_get_length (array) > MAX_FILES)
    return refuse (error);
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
  gint64 n_left_out;
  gboolean is_incomplete;

  g_return_val_if_fail (object != NULL, NULL);

  if (!json_object_has_member (object, "files"))
    return g_steal_pointer (&files);
  if (!add_files (files, json_object_get_member (object, "files"), error) ||
      !fh_json_get_int (object, "files_left_out", &n_left_out, error) ||
      !fh_json_get_bool (object, "files_incomplete", &is_incomplete, error))
    return NULL;
  if (n_left_out < 0 || n_left_out > G_MAXUINT)
    {
      refuse (error);
      return NULL;
    }
  fh_result_files_set_left_out (files, (guint) n_left_out, is_incomplete);
  return g_steal_pointer (&files);
}
