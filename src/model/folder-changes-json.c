/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-changes-json.h"

#include "json-member.h"

#define MEMBER "project"

/* Twice as many as a run has files: each can be replaced by a folder that has others. */
#define MAX_CHANGES 4000

static const char *const kinds[] = { "added", "changed", "deleted", NULL };
static const char *const problems[] = {
  "none", "link", "special", "too-large", "not-kept", "version-control", NULL,
};
static const char *const executions[] = { "not", "by-command", "by-itself", "version-control" };

static JsonObject *
change_to_json (FhFolderChange *change)
{
  const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
  JsonObject *object = json_object_new ();

  json_object_set_member (object, "path", fh_json_byte_string_to_node (facts->path));
  json_object_set_string_member (object, "kind", kinds[facts->kind]);
  json_object_set_string_member (object, "problem", problems[facts->problem]);
  json_object_set_int_member (object, "old_size", (gint64) MIN (facts->old_size, G_MAXINT64));
  json_object_set_int_member (object, "new_size", (gint64) MIN (facts->new_size, G_MAXINT64));
  json_object_set_member (object, "old_sha256", fh_json_byte_string_to_node (facts->old_sha256));
  json_object_set_boolean_member (object, "was_program", facts->was_program);
  json_object_set_boolean_member (object, "is_program", facts->is_program);
  json_object_set_string_member (object,
                                 "executes",
                                 executions[fh_folder_change_get_execution (change)]);
  json_object_set_boolean_member (object, "in_all", fh_folder_change_is_in_all (change));
  return object;
}

static JsonArray *
list_to_json (FhFolderChanges *changes)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (changes)); i++)
    json_array_add_object_element (array, change_to_json (fh_folder_changes_get (changes, i)));
  return array;
}

void
fh_folder_changes_add_to_json (FhFolderChanges *changes, JsonObject *object)
{
  const FhFolderPlace *place;
  const char *const *hidden;
  JsonObject *project;
  JsonArray *names;
  guint n_hidden;

  g_return_if_fail (FH_IS_FOLDER_CHANGES (changes));
  g_return_if_fail (object != NULL);

  place = fh_folder_changes_get_place (changes);
  hidden = fh_folder_changes_get_hidden (changes, &n_hidden);
  project = json_object_new ();
  names = json_array_new ();
  for (guint i = 0; hidden[i] != NULL; i++)
    json_array_add_element (names, fh_json_byte_string_to_node (hidden[i]));
  json_object_set_member (project, "folder", fh_json_byte_string_to_node (place->path));
  json_object_set_int_member (project, "device", (gint64) place->device);
  json_object_set_int_member (project, "inode", (gint64) place->inode);
  json_object_set_int_member (project, "born_us", place->born_us);
  json_object_set_array_member (project, "hidden", names);
  json_object_set_int_member (project, "n_hidden", n_hidden);
  json_object_set_int_member (project, "n_cached", fh_folder_changes_get_n_cached (changes));
  json_object_set_int_member (project, "n_left_out", fh_folder_changes_get_n_left_out (changes));
  json_object_set_array_member (project, "changes", list_to_json (changes));
  json_object_set_object_member (object, MEMBER, project);
}

static gboolean
get_bytes (JsonObject *object, const char *name, char **value)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && fh_json_byte_string_from_node (node, name, value, NULL);
}

static FhFolderChange *
change_from_json (JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autofree char *path = NULL;
  g_autofree char *digest = NULL;
  FhFolderChangeFacts facts = { 0 };
  guint problem;
  guint kind;

  if (object == NULL || !get_bytes (object, "path", &path) || path == NULL ||
      !get_bytes (object, "old_sha256", &digest) ||
      !fh_json_get_word (object, "kind", kinds, &kind, NULL) ||
      !fh_json_get_word (object, "problem", problems, &problem, NULL) ||
      !fh_json_get_number (object, "old_size", G_MAXINT64, &facts.old_size, NULL) ||
      !fh_json_get_number (object, "new_size", G_MAXINT64, &facts.new_size, NULL) ||
      !fh_json_get_bool (object, "was_program", &facts.was_program, NULL) ||
      !fh_json_get_bool (object, "is_program", &facts.is_program, NULL))
    return NULL;
  facts.path = path;
  facts.old_sha256 = digest;
  facts.kind = (FhFolderChangeKind) kind;
  facts.problem = (FhFolderChangeProblem) problem;
  return fh_folder_change_new (&facts);
}

static gboolean
add_changes (FhFolderChanges *changes, JsonObject *project)
{
  JsonArray *array = fh_json_get_array (project, "changes", MAX_CHANGES, NULL);

  if (array == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autoptr (FhFolderChange) change = change_from_json (json_array_get_element (array, i));

      if (change == NULL)
        return FALSE;
      fh_folder_changes_add (changes, change);
    }
  return TRUE;
}

static gboolean
add_numbers (FhFolderChanges *changes, JsonObject *project)
{
  g_auto (GStrv) hidden = NULL;
  guint64 n_hidden;
  guint64 n_cached;
  guint64 n_left_out;

  if (!fh_json_get_strings (project, "hidden", FH_FOLDER_HIDDEN_MAX, &hidden, NULL) ||
      !fh_json_get_number (project, "n_hidden", G_MAXUINT, &n_hidden, NULL) ||
      !fh_json_get_number (project, "n_cached", G_MAXUINT, &n_cached, NULL) ||
      !fh_json_get_number (project, "n_left_out", G_MAXUINT, &n_left_out, NULL))
    return FALSE;
  fh_folder_changes_set_hidden (changes, hidden, (guint) n_hidden);
  fh_folder_changes_set_left_out (changes, (guint) n_cached, (guint) n_left_out);
  return TRUE;
}

static FhFolderChanges *
from_json (JsonObject *project)
{
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autofree char *path = NULL;
  FhFolderPlace place = { 0 };
  gint64 device;
  gint64 inode;

  if (!get_bytes (project, "folder", &path) || path == NULL || path[0] != '/' ||
      !fh_json_get_int (project, "device", &device, NULL) ||
      !fh_json_get_int (project, "inode", &inode, NULL) ||
      !fh_json_get_int (project, "born_us", &place.born_us, NULL))
    return NULL;
  place.path = path;
  place.device = (guint64) device;
  place.inode = (guint64) inode;
  changes = fh_folder_changes_new (&place);
  return add_numbers (changes, project) && add_changes (changes, project)
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
