/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "apply-backup.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "descriptor.h"
#include "folder-exchange.h"
#include "hostile-folder.h"
#include "json-guard.h"
#include "json-member.h"
#include "json-record.h"
#include "json-text.h"
#include "path-error.h"
#include "project-copy.h"
#include "result-file.h"

#define LIST      "list.json"
#define VERSION   1
#define MAX_LIST  ((gsize) 16 << 20)
#define MAX_FILES 4000
#define MAX_MADE  100000
/* Backups that are being written or removed. They are not used, and the next save removes those
 * that a killed process has left. */
#define HIDDEN             "."
#define REMOVAL_TIMEOUT_MS 10000

/* Returns the path of a file of a backup; without a file that of the backup, and without a name
 * that of the folder with all of them. */
static char *
path_of (const char *name, const char *file)
{
  return g_build_filename (g_get_user_state_dir (), "fumehood", "undo", name, file, NULL);
}

static void
free_file (FhBackupFile *file)
{
  g_free (file->path);
  g_clear_pointer (&file->old_content, g_bytes_unref);
  g_free (file->new_sha256);
  g_free (file->temporary);
  g_free (file);
}

FhFolderBackup *
fh_apply_backup_new (const FhFolderPlace *place)
{
  FhFolderBackup *backup = g_new0 (FhFolderBackup, 1);

  backup->applied_us = g_get_real_time ();
  backup->folder = g_strdup (place->path);
  backup->place = *place;
  backup->place.path = backup->folder;
  backup->files = g_ptr_array_new_with_free_func ((GDestroyNotify) free_file);
  backup->made = g_ptr_array_new_with_free_func (g_free);
  return backup;
}

void
fh_apply_backup_free (FhFolderBackup *backup)
{
  g_free (backup->name);
  g_free (backup->folder);
  g_ptr_array_unref (backup->files);
  g_ptr_array_unref (backup->made);
  g_free (backup);
}

void
fh_apply_backup_add (FhFolderBackup *backup,
                     const FhFolderEdit *edit,
                     const FhTreeFile *old,
                     const char *new_sha256)
{
  FhBackupFile *file = g_new0 (FhBackupFile, 1);

  file->path = g_strdup (edit->path);
  file->temporary = g_strdup (edit->temporary);
  file->new_sha256 = g_strdup (new_sha256);
  file->existed = old->exists;
  if (old->exists)
    {
      file->old_content = g_bytes_ref (old->content);
      file->old_mode = old->mode;
      file->old_changed_ns =
          (gint64) old->changed.tv_sec * G_GINT64_CONSTANT (1000000000) + old->changed.tv_nsec;
    }
  g_ptr_array_add (backup->files, file);
}

/* The list as JSON */

static const FhJsonMember file_members[] = {
  { FH_JSON_MEMBER (FhBackupFile, "path", STRING, path) },
  { FH_JSON_MEMBER (FhBackupFile, "new_sha256", STRING, new_sha256), .flags = FH_JSON_NULLABLE },
  { FH_JSON_MEMBER (FhBackupFile, "existed", BOOL, existed) },
  { FH_JSON_MEMBER (FhBackupFile, "mode", COUNT, old_mode), .maximum = 0777 },
  { FH_JSON_MEMBER (FhBackupFile, "changed_ns", INT, old_changed_ns) },
  { FH_JSON_MEMBER (FhBackupFile, "temporary", STRING, temporary), .flags = FH_JSON_SPARSE },
  { NULL },
};

static const FhJsonMember members[] = {
  { FH_JSON_MEMBER (FhFolderBackup, "folder", STRING, folder) },
  { FH_JSON_MEMBER (FhFolderBackup, "device", INT, place.device) },
  { FH_JSON_MEMBER (FhFolderBackup, "inode", INT, place.inode) },
  { FH_JSON_MEMBER (FhFolderBackup, "born_us", INT, place.born_us) },
  { FH_JSON_MEMBER (FhFolderBackup, "applied_us", INT, applied_us), .flags = FH_JSON_NEW },
  { NULL },
};

/* All but the contents of its files. */
static char *
list_to_text (const FhFolderBackup *backup)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  JsonArray *files = json_array_new ();
  JsonArray *made = json_array_new ();

  for (guint i = 0; i < backup->files->len; i++)
    {
      JsonObject *file = json_object_new ();

      fh_json_write_record (file, file_members, backup->files->pdata[i]);
      json_array_add_object_element (files, file);
    }
  for (guint i = 0; i < backup->made->len; i++)
    json_array_add_element (made, fh_json_byte_string_to_node (backup->made->pdata[i]));
  json_object_set_int_member (object, "version", VERSION);
  fh_json_write_record (object, members, backup);
  json_object_set_array_member (object, "files", files);
  json_object_set_array_member (object, "made", made);
  return fh_json_to_text (node, FALSE);
}

static gboolean
read_file (JsonObject *object, gpointer list, GError **error)
{
  FhBackupFile *file = g_new0 (FhBackupFile, 1);

  g_ptr_array_add (list, file);
  return fh_json_read_record (object, file_members, file, error) &&
         fh_result_path_is_safe (file->path) &&
         (file->temporary == NULL ||
          (strchr (file->temporary, '/') == NULL &&
           g_str_has_prefix (file->temporary, FH_EXCHANGE_TEMPORARY_PREFIX)));
}

static FhFolderBackup *
from_json (const char *name, JsonObject *object)
{
  g_autoptr (FhFolderBackup) backup = fh_apply_backup_new (&(FhFolderPlace){ 0 });
  g_auto (GStrv) made = NULL;

  backup->name = g_strdup (name);
  backup->applied_us = 0;
  if (!fh_json_check_version (object, VERSION, NULL) ||
      !fh_json_read_record (object, members, backup, NULL) || backup->folder[0] != '/' ||
      !fh_json_read_list (object, "files", MAX_FILES, read_file, backup->files, NULL) ||
      !fh_json_get_strings (object, "made", MAX_MADE, &made, NULL))
    return NULL;
  backup->place.path = backup->folder;
  for (guint i = 0; made[i] != NULL; i++)
    {
      if (!fh_result_path_is_safe (made[i]))
        return NULL;
      g_ptr_array_add (backup->made, g_strdup (made[i]));
    }
  return g_steal_pointer (&backup);
}

/* Files */

static char *
content_path (const char *name, guint position)
{
  g_autofree char *file = g_strdup_printf ("%u", position);

  return path_of (name, file);
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

static gboolean
write_contents (const FhFolderBackup *backup, const char *name, GError **error)
{
  for (guint i = 0; i < backup->files->len; i++)
    {
      const FhBackupFile *file = backup->files->pdata[i];
      g_autofree char *path = content_path (name, i);
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

/* Names once began with a date, which is a number as well: those of now are larger. */
static guint64
number_of (const char *name)
{
  return g_ascii_strtoull (name, NULL, 10);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const char *one = *(const char *const *) a;
  const char *other = *(const char *const *) b;

  if (number_of (one) != number_of (other))
    return number_of (one) < number_of (other) ? 1 : -1;
  return strcmp (other, one);
}

/* Without a list a backup is none. */
static gboolean
is_complete (const char *name)
{
  g_autofree char *list = path_of (name, LIST);

  return !g_str_has_prefix (name, HIDDEN) && g_file_test (list, G_FILE_TEST_IS_REGULAR);
}

/* Names of backups, the newest first, or of what is none. */
static GPtrArray *
list_names (gboolean are_complete)
{
  g_autofree char *base = path_of (NULL, NULL);
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (is_complete (name) == are_complete)
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* -1 with errno. */
static int
open_base (void)
{
  g_autofree char *base = path_of (NULL, NULL);

  return g_mkdir_with_parents (base, 0700) == 0 ? open (base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                                                : -1;
}

/* It is hidden first, so that one of which a part is gone is never used. */
void
fh_apply_backup_remove (const char *name)
{
  g_autofree char *hidden = g_strconcat (HIDDEN, name, NULL);
  fh_autofd int base = open_base ();

  if (base >= 0)
    fh_hostile_folder_remove (base,
                              renameat (base, name, base, hidden) == 0 ? hidden : name,
                              REMOVAL_TIMEOUT_MS);
}

static guint64
size_of (const char *name)
{
  g_autofree char *folder = path_of (name, NULL);
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

/* The newest backup always stays. The caller has the lock, so an incomplete one is left over from a
 * process that was killed. */
static void
prune (int base)
{
  g_autoptr (GPtrArray) names = list_names (TRUE);
  g_autoptr (GPtrArray) rests = list_names (FALSE);
  guint64 size = 0;

  for (guint i = 0; i < names->len; i++)
    {
      size += size_of (names->pdata[i]);
      if (i >= FH_APPLY_BACKUPS_MAX || (i > 0 && size > FH_APPLY_BACKUPS_MAX_BYTES))
        fh_apply_backup_remove (names->pdata[i]);
    }
  for (guint i = 0; i < rests->len; i++)
    fh_hostile_folder_remove (base, rests->pdata[i], REMOVAL_TIMEOUT_MS);
}

static char *
choose_name (void)
{
  g_autoptr (GPtrArray) names = list_names (TRUE);
  const guint64 last = names->len > 0 ? number_of (names->pdata[0]) : 0;

  return g_strdup_printf ("%" G_GUINT64_FORMAT "-%08x", last + 1, g_random_int ());
}

static gboolean
write_list (const FhFolderBackup *backup, const char *name, GError **error)
{
  g_autofree char *list = path_of (name, LIST);
  g_autofree char *text = list_to_text (backup);

  return write_file (list, text, strlen (text), error);
}

/* Under a hidden name, and renamed when it is complete; `base` is the open folder of all. */
static gboolean
write_new (FhFolderBackup *backup, int base, GError **error)
{
  g_autofree char *name = choose_name ();
  g_autofree char *hidden = g_strconcat (HIDDEN, name, NULL);

  if (mkdirat (base, hidden, 0700) != 0)
    return fh_errno_error (error, errno, NULL);
  if (write_contents (backup, hidden, error) && write_list (backup, hidden, error))
    {
      if (renameat (base, hidden, base, name) == 0 && fsync (base) == 0)
        {
          backup->name = g_steal_pointer (&name);
          return TRUE;
        }
      fh_errno_error (error, errno, NULL);
    }
  fh_hostile_folder_remove (base, hidden, REMOVAL_TIMEOUT_MS);
  return FALSE;
}

/* The folder of all is locked until it is closed. */
gboolean
fh_apply_backup_save (FhFolderBackup *backup, GError **error)
{
  fh_autofd int base = -1;

  if (backup->name != NULL)
    return write_list (backup, backup->name, error);
  base = open_base ();
  if (base < 0)
    return fh_errno_error (error, errno, NULL);
  while (flock (base, LOCK_EX) != 0 && errno == EINTR)
    ;
  if (!write_new (backup, base, error))
    return FALSE;
  prune (base);
  return TRUE;
}

void
fh_apply_backup_settle (FhFolderBackup *backup, GPtrArray *made)
{
  for (guint i = 0; i < backup->files->len; i++)
    g_clear_pointer (&((FhBackupFile *) backup->files->pdata[i])->temporary, g_free);
  if (made != NULL)
    {
      g_ptr_array_unref (backup->made);
      backup->made = g_ptr_array_ref (made);
    }
  fh_apply_backup_save (backup, NULL);
}

/* Reading */

/* Without the contents of the files. NULL if it is damaged. */
static FhFolderBackup *
read_list (const char *name)
{
  g_autofree char *list = path_of (name, LIST);
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) object = NULL;
  gsize size;

  if (g_file_get_contents (list, &text, &size, NULL))
    object = fh_json_guard_parse (text, size, MAX_LIST, NULL);
  return object != NULL ? from_json (name, object) : NULL;
}

static gboolean
read_contents (FhFolderBackup *backup)
{
  for (guint i = 0; i < backup->files->len; i++)
    {
      FhBackupFile *file = backup->files->pdata[i];
      g_autofree char *path = content_path (backup->name, i);
      char *data;
      gsize size;

      if (!file->existed)
        continue;
      if (!g_file_get_contents (path, &data, &size, NULL))
        return FALSE;
      file->old_content = g_bytes_new_take (data, size);
    }
  return TRUE;
}

GPtrArray *
fh_folder_list_backups (void)
{
  g_autoptr (GPtrArray) names = list_names (TRUE);
  GPtrArray *backups = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_apply_backup_free);

  for (guint i = 0; i < names->len; i++)
    {
      FhFolderBackup *backup = read_list (names->pdata[i]);

      if (backup != NULL)
        g_ptr_array_add (backups, backup);
    }
  return backups;
}

FhFolderBackup *
fh_apply_backup_load (const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = list_names (TRUE);
  g_autoptr (FhFolderBackup) backup = NULL;
  g_autofree char *folder = NULL;

  if (name != NULL ? !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL)
                   : names->len == 0)
    {
      g_set_error_literal (error,
                           FH_FOLDER_ERROR,
                           FH_FOLDER_ERROR_NOTHING,
                           name != NULL
                               ? _ ("There are no applied changes of that name.")
                               : _ ("There are no applied changes that could be taken back."));
      return NULL;
    }
  if (name == NULL)
    name = names->pdata[0];
  backup = read_list (name);
  if (backup != NULL && read_contents (backup))
    return g_steal_pointer (&backup);
  folder = path_of (name, NULL);
  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_FAILED,
               /* Translators: the path of a folder. */
               _ ("The backup “%s” is damaged and cannot be used. “fumehoodctl undo --list” shows "
                  "what else can be taken back."),
               folder);
  return NULL;
}

static gboolean
may_have_left (const FhFolderBackup *backup)
{
  for (guint i = 0; i < backup->files->len; i++)
    {
      if (((FhBackupFile *) backup->files->pdata[i])->temporary != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
sweep (FhFolderBackup *backup, int root)
{
  for (guint i = 0; i < backup->files->len; i++)
    {
      const FhBackupFile *file = backup->files->pdata[i];
      g_autofree char *old = fh_tree_digest (file->old_content);

      if (file->temporary != NULL)
        fh_folder_edit_sweep (root, file->path, file->temporary, old, file->new_sha256);
    }
  fh_folder_unmake (root, backup->made);
  fh_apply_backup_settle (backup, NULL);
}

void
fh_apply_backup_sweep (const FhFolderPlace *place, int root)
{
  g_autoptr (GPtrArray) backups = fh_folder_list_backups ();

  for (guint i = 0; i < backups->len; i++)
    {
      FhFolderBackup *backup = backups->pdata[i];

      if (fh_folder_place_is_same (&backup->place, place) && may_have_left (backup) &&
          read_contents (backup))
        sweep (backup, root);
    }
}
