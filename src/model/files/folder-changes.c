/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-changes.h"

#include <string.h>

#include "json-member.h"
#include "json-record.h"
#include "object-list.h"

struct _FhFolderChanges
{
  GObject parent_instance;
  FhFolderChangesFacts facts; /* the path and the names are owned */
  GPtrArray *items;
};

FH_DEFINE_OBJECT_LIST (FhFolderChanges, fh_folder_changes, FhFolderChange, FH_TYPE_FOLDER_CHANGE)

static void
fh_folder_changes_finalize (GObject *object)
{
  FhFolderChanges *self = FH_FOLDER_CHANGES (object);

  g_free ((char *) self->facts.place.path);
  g_strfreev (self->facts.hidden);
  g_ptr_array_unref (self->items);
  G_OBJECT_CLASS (fh_folder_changes_parent_class)->finalize (object);
}

static void
fh_folder_changes_class_init (FhFolderChangesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_folder_changes_finalize;
}

static void
fh_folder_changes_init (FhFolderChanges *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->facts.hidden = g_new0 (char *, 1);
}

FhFolderChanges *
fh_folder_changes_new (const FhFolderPlace *place)
{
  FhFolderChanges *self;

  g_return_val_if_fail (place != NULL && place->path != NULL, NULL);

  self = g_object_new (FH_TYPE_FOLDER_CHANGES, NULL);
  self->facts.place = *place;
  self->facts.place.path = g_strdup (place->path);
  return self;
}

const FhFolderChangesFacts *
fh_folder_changes_get_facts (FhFolderChanges *self)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), NULL);

  return &self->facts;
}

/* The first that is not before `path`. */
static guint
find_place (FhFolderChanges *self, const char *path)
{
  guint low = 0;
  guint high = self->items->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      FhFolderChange *change = self->items->pdata[middle];

      if (strcmp (fh_folder_change_get_facts (change)->path, path) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

FhFolderChange *
fh_folder_changes_find (FhFolderChanges *self, const char *path)
{
  FhFolderChange *change;

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  change = fh_folder_changes_get (self, find_place (self, path));
  return change != NULL && g_str_equal (fh_folder_change_get_facts (change)->path, path) ? change
                                                                                         : NULL;
}

void
fh_folder_changes_add (FhFolderChanges *self, FhFolderChange *change)
{
  const char *path;
  guint position;

  g_return_if_fail (FH_IS_FOLDER_CHANGES (self));
  g_return_if_fail (FH_IS_FOLDER_CHANGE (change));

  path = fh_folder_change_get_facts (change)->path;
  if (fh_folder_changes_find (self, path) != NULL)
    return;
  position = find_place (self, path);
  g_ptr_array_insert (self->items, (int) position, g_object_ref (change));
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
}

void
fh_folder_changes_set_hidden (FhFolderChanges *self, GStrv names, guint n_hidden)
{
  g_return_if_fail (FH_IS_FOLDER_CHANGES (self));
  g_return_if_fail (names != NULL && g_strv_length (names) <= FH_FOLDER_HIDDEN_MAX);

  g_strfreev (self->facts.hidden);
  self->facts.hidden = g_strdupv (names);
  self->facts.n_hidden = n_hidden;
}

void
fh_folder_changes_set_left_out (FhFolderChanges *self, guint n_cached, guint n_left_out)
{
  g_return_if_fail (FH_IS_FOLDER_CHANGES (self));

  self->facts.n_cached = n_cached;
  self->facts.n_left_out = n_left_out;
}

static GHashTable *
index_contents (FhResultFiles *files)
{
  GHashTable *contents = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));

      if (facts->kind == FH_RESULT_FILE_REGULAR && facts->content != NULL)
        g_hash_table_insert (contents, (gpointer) facts->path, facts->content);
    }
  return contents;
}

static FhFolderChange *
with_content (FhFolderChange *change, GHashTable *contents)
{
  FhFolderChangeFacts facts = *fh_folder_change_get_facts (change);

  if (facts.kind == FH_FOLDER_CHANGE_DELETED ||
      (facts.problem != FH_FOLDER_CHANGE_FINE && facts.problem != FH_FOLDER_CHANGE_NOT_KEPT))
    return g_object_ref (change);
  facts.content = g_hash_table_lookup (contents, facts.path);
  if (facts.content != NULL && g_bytes_get_size (facts.content) != facts.new_size)
    facts.content = NULL;
  facts.problem = facts.content != NULL ? FH_FOLDER_CHANGE_FINE : FH_FOLDER_CHANGE_NOT_KEPT;
  return fh_folder_change_new (&facts);
}

FhFolderChanges *
fh_folder_changes_with_files (FhFolderChanges *self, FhResultFiles *files)
{
  g_autoptr (GHashTable) contents = NULL;
  FhFolderChanges *joined;

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), NULL);
  g_return_val_if_fail (FH_IS_RESULT_FILES (files), NULL);

  contents = index_contents (files);
  joined = fh_folder_changes_new (&self->facts.place);
  for (guint i = 0; i < self->items->len; i++)
    g_ptr_array_add (joined->items, with_content (self->items->pdata[i], contents));
  fh_folder_changes_set_hidden (joined, self->facts.hidden, self->facts.n_hidden);
  fh_folder_changes_set_left_out (joined, self->facts.n_cached, self->facts.n_left_out);
  return joined;
}

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
  gboolean is_in_all; /* only written */
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
  { FH_JSON_MEMBER (Change, "executes", WORD, facts.execution),
    .words = executions,
    .flags = FH_JSON_WRITTEN },
  { FH_JSON_MEMBER (Change, "in_all", BOOL, is_in_all), .flags = FH_JSON_WRITTEN },
  { NULL },
};

static const FhJsonMember project_members[] = {
  { FH_JSON_MEMBER (FhFolderChangesFacts, "folder", STRING, place.path) },
  { FH_JSON_MEMBER (FhFolderChangesFacts, "device", INT, place.device) },
  { FH_JSON_MEMBER (FhFolderChangesFacts, "inode", INT, place.inode) },
  { FH_JSON_MEMBER (FhFolderChangesFacts, "born_us", INT, place.born_us) },
  { FH_JSON_MEMBER (FhFolderChangesFacts, "hidden", STRINGS, hidden),
    .maximum = FH_FOLDER_HIDDEN_MAX },
  { FH_JSON_MEMBER (FhFolderChangesFacts, "n_hidden", COUNT, n_hidden) },
  { FH_JSON_MEMBER (FhFolderChangesFacts, "n_cached", COUNT, n_cached) },
  { FH_JSON_MEMBER (FhFolderChangesFacts, "n_left_out", COUNT, n_left_out) },
  { NULL },
};

static JsonObject *
change_to_json (FhFolderChange *change)
{
  const Change record = {
    .facts = *fh_folder_change_get_facts (change),
    .is_in_all = fh_folder_change_is_in_all (change),
  };
  JsonObject *object = json_object_new ();

  fh_json_write_record (object, change_members, &record);
  return object;
}

void
fh_folder_changes_add_to_json (FhFolderChanges *changes, JsonObject *object)
{
  JsonObject *project;
  JsonArray *array;

  g_return_if_fail (FH_IS_FOLDER_CHANGES (changes));
  g_return_if_fail (object != NULL);

  project = json_object_new ();
  fh_json_write_record (project, project_members, &changes->facts);
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
  FhFolderChangesFacts record = { .n_hidden = 0 };

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
