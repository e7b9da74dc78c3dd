/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file-json.h"

#include "json-member.h"
#include "json-record.h"

/* A runner reports as many: FH_RESULT_FILES_MAX. */
#define MAX_FILES 2000

static const char *const kinds[] = {
  [FH_RESULT_FILE_REGULAR] = "file",
  [FH_RESULT_FILE_LINK] = "link",
  [FH_RESULT_FILE_SPECIAL] = "special",
  NULL,
};

typedef struct
{
  FhResultFileFacts facts;
  gboolean is_kept;
} Record;

static const FhJsonMember members[] = {
  { FH_JSON_MEMBER (Record, "path", STRING, facts.path) },
  { FH_JSON_MEMBER (Record, "kind", WORD, facts.kind), .words = kinds },
  { FH_JSON_MEMBER (Record, "size", COUNT, facts.size) },
  { FH_JSON_MEMBER (Record, "is_program", BOOL, facts.is_program) },
  { FH_JSON_MEMBER (Record, "is_changed", BOOL, facts.is_changed) },
  { FH_JSON_MEMBER (Record, "is_from_answer", BOOL, facts.is_from_answer),
    .flags = FH_JSON_SPARSE },
  { FH_JSON_MEMBER (Record, "kept", BOOL, is_kept), .flags = FH_JSON_WRITTEN },
  { NULL },
};

static JsonObject *
file_to_json (FhResultFile *file)
{
  const Record record = {
    .facts = *fh_result_file_get_facts (file),
    .is_kept = fh_result_file_get_facts (file)->content != NULL,
  };
  JsonObject *object = json_object_new ();

  fh_json_write_record (object, members, &record);
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
read_file (JsonObject *object, gpointer files, GError **error)
{
  g_autoptr (FhResultFile) file = NULL;
  Record record = { 0 };

  if (fh_json_read_record (object, members, &record, NULL))
    file = fh_result_file_new (&record.facts);
  fh_json_clear_record (members, &record);
  if (file == NULL)
    return fh_json_refuse_member ("files", error);
  fh_result_files_add (files, file);
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
  if (!fh_json_read_list (object, "files", MAX_FILES, read_file, files, error) ||
      !fh_json_get_number (object, "files_left_out", G_MAXUINT, &n_left_out, error) ||
      !fh_json_get_bool (object, "files_incomplete", &is_incomplete, error))
    return NULL;
  fh_result_files_set_left_out (files, (guint) n_left_out, is_incomplete);
  return g_steal_pointer (&files);
}
