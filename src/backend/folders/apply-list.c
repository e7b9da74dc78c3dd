/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "apply-list.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "folder-exchange.h"
#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"
#include "result-file.h"

#define VERSION   1
#define MAX_LIST  ((gsize) 16 << 20)
#define MAX_FILES 4000
#define MAX_MADE  100000

static JsonObject *
file_to_json (const FhBackupFile *file)
{
  JsonObject *object = json_object_new ();

  json_object_set_member (object, "path", fh_json_byte_string_to_node (file->path));
  json_object_set_member (object, "new_sha256", fh_json_byte_string_to_node (file->new_sha256));
  json_object_set_boolean_member (object, "existed", file->existed);
  json_object_set_int_member (object, "mode", file->old_mode);
  json_object_set_int_member (object, "changed_ns", file->old_changed_ns);
  if (file->temporary != NULL)
    json_object_set_string_member (object, "temporary", file->temporary);
  return object;
}

char *
fh_apply_list_to_text (const FhApplyBackup *backup)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  JsonArray *files = json_array_new ();
  JsonArray *made = json_array_new ();

  for (guint i = 0; i < backup->files->len; i++)
    json_array_add_object_element (files, file_to_json (backup->files->pdata[i]));
  for (guint i = 0; i < backup->made->len; i++)
    json_array_add_element (made, fh_json_byte_string_to_node (backup->made->pdata[i]));
  json_object_set_int_member (object, "version", VERSION);
  json_object_set_member (object, "folder", fh_json_byte_string_to_node (backup->folder));
  json_object_set_int_member (object, "device", (gint64) backup->place.device);
  json_object_set_int_member (object, "inode", (gint64) backup->place.inode);
  json_object_set_int_member (object, "born_us", backup->place.born_us);
  json_object_set_int_member (object, "applied_us", backup->applied_us);
  json_object_set_array_member (object, "files", files);
  json_object_set_array_member (object, "made", made);
  return fh_json_to_text (node, FALSE);
}

static gboolean
get_bytes (JsonObject *object, const char *name, char **value)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && fh_json_byte_string_from_node (node, name, value, NULL);
}

static gboolean
get_temporary (JsonObject *object, char **name)
{
  return !json_object_has_member (object, "temporary") ||
         (get_bytes (object, "temporary", name) && *name != NULL && strchr (*name, '/') == NULL &&
          g_str_has_prefix (*name, FH_EXCHANGE_TEMPORARY_PREFIX));
}

static gboolean
read_file (FhApplyBackup *backup, JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  FhBackupFile *file = g_new0 (FhBackupFile, 1);
  guint64 mode;

  g_ptr_array_add (backup->files, file);
  if (object == NULL || !get_bytes (object, "path", &file->path) || file->path == NULL ||
      !fh_result_path_is_safe (file->path) ||
      !get_bytes (object, "new_sha256", &file->new_sha256) ||
      !fh_json_get_bool (object, "existed", &file->existed, NULL) ||
      !fh_json_get_number (object, "mode", 0777, &mode, NULL) ||
      !fh_json_get_int (object, "changed_ns", &file->old_changed_ns, NULL) ||
      !get_temporary (object, &file->temporary))
    return FALSE;
  file->old_mode = (guint) mode;
  return TRUE;
}

static gboolean
read_lists (FhApplyBackup *backup, JsonObject *object)
{
  JsonArray *files = fh_json_get_array (object, "files", MAX_FILES, NULL);
  g_auto (GStrv) made = NULL;

  if (files == NULL || !fh_json_get_strings (object, "made", MAX_MADE, &made, NULL))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (files); i++)
    {
      if (!read_file (backup, json_array_get_element (files, i)))
        return FALSE;
    }
  for (guint i = 0; made[i] != NULL; i++)
    {
      if (!fh_result_path_is_safe (made[i]))
        return FALSE;
      g_ptr_array_add (backup->made, g_strdup (made[i]));
    }
  return TRUE;
}

static FhApplyBackup *
from_json (const char *name, JsonObject *object)
{
  g_autoptr (FhApplyBackup) backup = NULL;
  g_autofree char *path = NULL;
  FhFolderPlace place = { 0 };
  gint64 device;
  gint64 inode;

  if (!fh_json_check_version (object, VERSION, NULL) || !get_bytes (object, "folder", &path) ||
      path == NULL || path[0] != '/' || !fh_json_get_int (object, "device", &device, NULL) ||
      !fh_json_get_int (object, "inode", &inode, NULL) ||
      !fh_json_get_int (object, "born_us", &place.born_us, NULL))
    return NULL;
  place.path = path;
  place.device = (guint64) device;
  place.inode = (guint64) inode;
  backup = fh_apply_backup_new (&place);
  backup->name = g_strdup (name);
  if (!fh_json_get_int (object, "applied_us", &backup->applied_us, NULL))
    backup->applied_us = 0;
  return read_lists (backup, object) ? g_steal_pointer (&backup) : NULL;
}

FhApplyBackup *
fh_apply_list_parse (const char *name, const char *text, gsize size)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, size, MAX_LIST, NULL);

  return object != NULL ? from_json (name, object) : NULL;
}
