/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-changes-json.h"

#include "json-member.h"
#include "json-record.h"

#define MEMBER "project"

/* Twice as many as a run has files: each can be replaced by a folder that has others. */
#define MAX_CHANGES 4000

static const char *const kinds[] = { "added", "changed", "deleted", NULL };
static const char *const problems[] = {
  "none", "link", "special", "too-large", "not-kept", "version-control", NULL,
};
static const char *const executions[] = { "not", "by-command", "by-itself", "version-control" };

typedef struct
{
  FhFolderChangeFacts facts;
  FhExecution execution; /* only written, as is the next */
  gboolean is_in_all;
} Change;

static const FhJsonMember change_members[] = {
  { FH_JSON_MEMBER (Change, "path", STRING, facts.path) },
  { FH_JSON_MEMBER (Change, "kind", WORD, facts.kind), .words = kinds },
  { FH_JSON_MEMBER (Change, "problem", WORD, facts.problem), .words = problems },
  { FH_JSON_MEMBER (Change, "old_size", COUNT, facts.old_size) },
  { FH_JSON_MEMBER (Change, "new_size", COUNT, facts.new_size) },
  { FH_JSON_MEMBER (Change, "old_sha256", STRING, facts.old_sha256), .flags = FH_JSON_NULLABLE },
  { FH_JSON_MEMBER (Change, "was_program", BOOL, facts.was_program) },
  { FH_JSON_MEMBER (Change, "is_program", BOOL, facts.is_program) },
  { FH_JSON_MEMBER (Change, "executes", WORD, execution),
    .words = executions,
    .flags = FH_JSON_WRITTEN },
  { FH_JSON_MEMBER (Change, "in_all", BOOL, is_in_all), .flags = FH_JSON_WRITTEN },
  { NULL },
};

/* `hidden` is allocated when it is read. */
typedef struct
{
  FhFolderPlace place;
  GStrv hidden;
  guint n_hidden;
  guint n_cached;
  guint n_left_out;
} Project;

static const FhJsonMember project_members[] = {
  { FH_JSON_MEMBER (Project, "folder", STRING, place.path) },
  { FH_JSON_MEMBER (Project, "device", INT, place.device) },
  { FH_JSON_MEMBER (Project, "inode", INT, place.inode) },
  { FH_JSON_MEMBER (Project, "born_us", INT, place.born_us) },
  { FH_JSON_MEMBER (Project, "hidden", STRINGS, hidden), .maximum = FH_FOLDER_HIDDEN_MAX },
  { FH_JSON_MEMBER (Project, "n_hidden", COUNT, n_hidden) },
  { FH_JSON_MEMBER (Project, "n_cached", COUNT, n_cached) },
  { FH_JSON_MEMBER (Project, "n_left_out", COUNT, n_left_out) },
  { NULL },
};

static JsonObject *
change_to_json (FhFolderChange *change)
{
  const Change record = {
    .facts = *fh_folder_change_get_facts (change),
    .execution = fh_folder_change_get_execution (change),
    .is_in_all = fh_folder_change_is_in_all (change),
  };
  JsonObject *object = json_object_new ();

  fh_json_write_record (object, change_members, &record);
  return object;
}

void
fh_folder_changes_add_to_json (FhFolderChanges *changes, JsonObject *object)
{
  Project record = { .n_hidden = 0 };
  JsonObject *project;
  JsonArray *array;

  g_return_if_fail (FH_IS_FOLDER_CHANGES (changes));
  g_return_if_fail (object != NULL);

  record.place = *fh_folder_changes_get_place (changes);
  record.hidden = (GStrv) fh_folder_changes_get_hidden (changes, &record.n_hidden);
  record.n_cached = fh_folder_changes_get_n_cached (changes);
  record.n_left_out = fh_folder_changes_get_n_left_out (changes);
  project = json_object_new ();
  fh_json_write_record (project, project_members, &record);
  array = json_array_new ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (changes)); i++)
    json_array_add_object_element (array, change_to_json (fh_folder_changes_get (changes, i)));
  json_object_set_array_member (project, "changes", array);
  json_object_set_object_member (object, MEMBER, project);
}

static gboolean
read_change (JsonObject *object, gpointer changes, GError **error)
{
  g_autoptr (FhFolderChange) change = NULL;
  Change record = { 0 };

  if (fh_json_read_record (object, change_members, &record, error))
    change = fh_folder_change_new (&record.facts);
  fh_json_clear_record (change_members, &record);
  if (change != NULL)
    fh_folder_changes_add (changes, change);
  return change != NULL;
}

static FhFolderChanges *
from_json (JsonObject *project)
{
  g_autoptr (FhFolderChanges) changes = NULL;
  Project record = { .n_hidden = 0 };

  if (fh_json_read_record (project, project_members, &record, NULL) && record.place.path[0] == '/')
    {
      changes = fh_folder_changes_new (&record.place);
      fh_folder_changes_set_hidden (changes, record.hidden, record.n_hidden);
      fh_folder_changes_set_left_out (changes, record.n_cached, record.n_left_out);
    }
  fh_json_clear_record (project_members, &record);
  return changes != NULL &&
                 fh_json_read_list (project, "changes", MAX_CHANGES, read_change, changes, NULL)
             ? g_steal_pointer (&changes)
             : NULL;
}

gboolean
fh_folder_changes_from_json (JsonObject *object, FhFolderChanges **changes, GError **error)
{
  JsonNode *node;

  g_return_val_if_fail (object != NULL && changes != NULL, FALSE);

  *changes = NULL;
  node = json_object_get_member (object, MEMBER);
  if (node == NULL)
    return TRUE;
  if (JSON_NODE_HOLDS_OBJECT (node))
    *changes = from_json (json_node_get_object (node));
  return *changes != NULL || fh_json_refuse_member (MEMBER, error);
}
