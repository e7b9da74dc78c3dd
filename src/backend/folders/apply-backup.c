/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "apply-backup.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "folder-apply.h"
#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"

#define LIST      "list.json"
#define VERSION   1
#define MAX_LIST  ((gsize) 16 << 20)
#define MAX_FILES 4000
#define MAX_MADE  100000

static char *
base_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "fumehood", "undo", NULL);
}

static char *
path_of (const char *name)
{
  g_autofree char *base = base_folder ();

  return g_build_filename (base, name, NULL);
}

static void
free_file (gpointer data)
{
  FhBackupFile *file = data;

  g_free (file->path);
  g_clear_pointer (&file->old_content, g_bytes_unref);
  g_free (file->new_sha256);
  g_free (file);
}

FhApplyBackup *
fh_apply_backup_new (const FhFolderPlace *place)
{
  FhApplyBackup *backup = g_new0 (FhApplyBackup, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *moment = g_date_time_format (now, "%Y%m%d-%H%M%S");

  /* The names are in the order of time. */
  backup->name =
      g_strdup_printf ("%s-%06d-%08x", moment, g_date_time_get_microsecond (now), g_random_int ());
  backup->folder = g_strdup (place->path);
  backup->place = *place;
  backup->place.path = backup->folder;
  backup->files = g_ptr_array_new_with_free_func (free_file);
  backup->made = g_ptr_array_new_with_free_func (g_free);
  return backup;
}

void
fh_apply_backup_free (FhApplyBackup *backup)
{
  g_free (backup->name);
  g_free (backup->folder);
  g_ptr_array_unref (backup->files);
  g_ptr_array_unref (backup->made);
  g_free (backup);
}

void
fh_apply_backup_add (FhApplyBackup *backup,
                     const char *path,
                     const FhTreeFile *old,
                     const char *new_sha256)
{
  FhBackupFile *file = g_new0 (FhBackupFile, 1);

  file->path = g_strdup (path);
  file->new_sha256 = g_strdup (new_sha256);
  if (old->exists)
    {
      file->old_content = g_bytes_ref (old->content);
      file->old_mode = old->mode;
      file->old_changed_ns =
          (gint64) old->changed.tv_sec * G_GINT64_CONSTANT (1000000000) + old->changed.tv_nsec;
    }
  g_ptr_array_add (backup->files, file);
}

/* Files */

static char *
content_path (const char *folder, guint position)
{
  g_autofree char *name = g_strdup_printf ("%u", position);

  return g_build_filename (folder, name, NULL);
}

static gboolean
write_file (const char *path, const void *data, gsize size, GError **error)
{
  return g_file_set_contents_full (path,
                                   data != NULL ? data : "",
                                   (gssize) size,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   0600,
                                   error);
}

static JsonObject *
file_to_json (const FhBackupFile *file)
{
  JsonObject *object = json_object_new ();

  json_object_set_member (object, "path", fh_json_byte_string_to_node (file->path));
  json_object_set_member (object, "new_sha256", fh_json_byte_string_to_node (file->new_sha256));
  json_object_set_boolean_member (object, "existed", file->old_content != NULL);
  json_object_set_int_member (object, "mode", file->old_mode);
  json_object_set_int_member (object, "changed_ns", file->old_changed_ns);
  return object;
}

static char *
to_text (const FhApplyBackup *backup)
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
  json_object_set_array_member (object, "files", files);
  json_object_set_array_member (object, "made", made);
  return fh_json_to_text (node, FALSE);
}

static gboolean
write_contents (const FhApplyBackup *backup, const char *folder, GError **error)
{
  for (guint i = 0; i < backup->files->len; i++)
    {
      const FhBackupFile *file = backup->files->pdata[i];
      g_autofree char *path = content_path (folder, i);
      const void *data;
      gsize size;

      if (file->old_content == NULL)
        continue;
      data = g_bytes_get_data (file->old_content, &size);
      if (!write_file (path, data, size, error))
        return FALSE;
    }
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) b, *(const char *const *) a);
}

/* Names of backups, the newest first. */
static GPtrArray *
list_names (void)
{
  g_autofree char *base = base_folder ();
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

void
fh_apply_backup_remove (const char *name)
{
  g_autofree char *folder = path_of (name);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static guint64
size_of (const char *name)
{
  g_autofree char *folder = path_of (name);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint64 size = 0;
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      GStatBuf info;

      if (g_lstat (path, &info) == 0)
        size += (guint64) info.st_size;
    }
  return size;
}

/* The newest always stays. */
static void
prune (void)
{
  g_autoptr (GPtrArray) names = list_names ();
  guint64 size = 0;

  for (guint i = 0; i < names->len; i++)
    {
      size += size_of (names->pdata[i]);
      if (i >= FH_APPLY_BACKUPS_MAX || (i > 0 && size > FH_APPLY_BACKUPS_MAX_BYTES))
        fh_apply_backup_remove (names->pdata[i]);
    }
}

/* The list comes last: without it a backup is none. */
gboolean
fh_apply_backup_save (FhApplyBackup *backup, GError **error)
{
  g_autofree char *folder = path_of (backup->name);
  g_autofree char *list = g_build_filename (folder, LIST, NULL);
  g_autofree char *text = to_text (backup);
  const gboolean is_new = !g_file_test (folder, G_FILE_TEST_EXISTS);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      int code = errno;

      g_set_error_literal (error,
                           G_FILE_ERROR,
                           (int) g_file_error_from_errno (code),
                           g_strerror (code));
      return FALSE;
    }
  if ((is_new && !write_contents (backup, folder, error)) ||
      !write_file (list, text, strlen (text), error))
    {
      if (is_new)
        fh_apply_backup_remove (backup->name);
      return FALSE;
    }
  if (is_new)
    prune ();
  return TRUE;
}

/* Reading */

static gboolean
get_bytes (JsonObject *object, const char *name, char **value)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && fh_json_byte_string_from_node (node, name, value, NULL);
}

static gboolean
read_content (const char *folder, guint position, FhBackupFile *file)
{
  g_autofree char *path = content_path (folder, position);
  char *data;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    return FALSE;
  file->old_content = g_bytes_new_take (data, size);
  return TRUE;
}

static gboolean
read_file (FhApplyBackup *backup, const char *folder, JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  FhBackupFile *file = g_new0 (FhBackupFile, 1);
  gboolean existed;
  guint64 mode;

  g_ptr_array_add (backup->files, file);
  if (object == NULL || !get_bytes (object, "path", &file->path) || file->path == NULL ||
      !fh_result_path_is_safe (file->path) ||
      !get_bytes (object, "new_sha256", &file->new_sha256) ||
      !fh_json_get_bool (object, "existed", &existed, NULL) ||
      !fh_json_get_number (object, "mode", 0777, &mode, NULL) ||
      !fh_json_get_int (object, "changed_ns", &file->old_changed_ns, NULL))
    return FALSE;
  file->old_mode = (guint) mode;
  return !existed || read_content (folder, backup->files->len - 1, file);
}

static gboolean
read_lists (FhApplyBackup *backup, const char *folder, JsonObject *object)
{
  JsonArray *files = fh_json_get_array (object, "files", MAX_FILES, NULL);
  g_auto (GStrv) made = NULL;

  if (files == NULL || !fh_json_get_strings (object, "made", MAX_MADE, &made, NULL))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (files); i++)
    {
      if (!read_file (backup, folder, json_array_get_element (files, i)))
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
read_backup (const char *name, JsonObject *object)
{
  g_autoptr (FhApplyBackup) backup = NULL;
  g_autofree char *folder = path_of (name);
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
  g_free (backup->name);
  backup->name = g_strdup (name);
  return read_lists (backup, folder, object) ? g_steal_pointer (&backup) : NULL;
}

FhApplyBackup *
fh_apply_backup_load (const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = list_names ();
  g_autoptr (JsonObject) object = NULL;
  g_autofree char *list = NULL;
  g_autofree char *text = NULL;
  FhApplyBackup *backup = NULL;
  gsize size;

  if (name != NULL ? !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL)
                   : names->len == 0)
    {
      g_set_error_literal (error,
                           FH_FOLDER_ERROR,
                           FH_FOLDER_ERROR_NOTHING,
                           _ ("There are no applied changes that could be taken back."));
      return NULL;
    }
  if (name == NULL)
    name = names->pdata[0];
  {
    g_autofree char *folder = path_of (name);

    list = g_build_filename (folder, LIST, NULL);
  }
  if (g_file_get_contents (list, &text, &size, NULL))
    object = fh_json_guard_parse (text, size, MAX_LIST, NULL);
  if (object != NULL)
    backup = read_backup (name, object);
  if (backup == NULL)
    g_set_error (error,
                 FH_FOLDER_ERROR,
                 FH_FOLDER_ERROR_FAILED,
                 /* Translators: the path of a file. */
                 _ ("The backup “%s” cannot be read."),
                 list);
  return backup;
}
