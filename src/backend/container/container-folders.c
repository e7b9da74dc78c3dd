/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-folders.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile-folder.h"
#include "work-folder.h"

#define REMOVAL_TIMEOUT_MS 10000

/* Immutable once it is made, so that threads may use it. */
struct _FhContainerFolders
{
  GObject parent_instance;
  char *exchanged; /* work folder whose files travel; NULL: none do */
  char *workspace; /* to bind; nullable */
  char *home;      /* to bind; nullable */
};

G_DEFINE_FINAL_TYPE (FhContainerFolders, fh_container_folders, G_TYPE_OBJECT)

static void
fh_container_folders_finalize (GObject *object)
{
  FhContainerFolders *self = FH_CONTAINER_FOLDERS (object);

  g_free (self->exchanged);
  g_free (self->workspace);
  g_free (self->home);
  G_OBJECT_CLASS (fh_container_folders_parent_class)->finalize (object);
}

static void
fh_container_folders_class_init (FhContainerFoldersClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_container_folders_finalize;
}

static void
fh_container_folders_init (FhContainerFolders *self)
{
}

static char *
containers_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fumehood", "containers", NULL);
}

/* One plain name of a folder. */
static gboolean
is_plain_name (const char *name)
{
  return name[0] != '\0' && strchr (name, '/') == NULL && !g_str_equal (name, ".") &&
         !g_str_equal (name, "..");
}

/* The user's own folder `name` in `parent`, made where it is missing; whatever a program has made
 * of its permissions, it is the user's alone again. -1 with errno. */
static int
open_own_folder (int parent, const char *name)
{
  struct stat info;
  int fd;

  if (mkdirat (parent, name, 0700) != 0 && errno != EEXIST)
    return -1;
  fd = fh_hostile_folder_open (parent, name);
  if (fd < 0)
    return -1;
  if (fstat (fd, &info) == 0 && info.st_uid == geteuid () && fchmod (fd, 0700) == 0)
    return fd;
  close (fd);
  errno = EPERM;
  return -1;
}

/* Opens the folder of one container, or makes it. -1 with errno. */
static int
open_container (const char *container_name)
{
  g_autofree char *folder = containers_folder ();
  int parent = -1;
  int fd;
  int code;

  if (g_mkdir_with_parents (folder, 0700) == 0)
    parent = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (parent < 0)
    return -1;
  fd = open_own_folder (parent, container_name);
  code = errno;
  close (parent);
  errno = code;
  return fd;
}

/* Makes the folder `name` of a container and returns its path. */
static char *
make_own (const char *container_name, const char *name, GError **error)
{
  g_autofree char *folder = containers_folder ();
  g_autofree char *path = g_build_filename (folder, container_name, name, NULL);
  g_autofree char *shown = NULL;
  int container = open_container (container_name);
  int fd = container >= 0 ? open_own_folder (container, name) : -1;
  int code = errno;

  if (container >= 0)
    close (container);
  if (fd >= 0)
    {
      close (fd);
      return g_steal_pointer (&path);
    }
  shown = g_filename_display_name (path);
  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               /* Translators: the path of a folder, then the system's reason. */
               _ ("The folder “%s” for the files of the container cannot be used: %s."),
               shown,
               g_strerror (code));
  return NULL;
}

/* FALSE with the error. */
static gboolean
decide_workspace (FhContainerFolders *self,
                  const FhContainerOptions *options,
                  const char *container_name,
                  gboolean by_copy,
                  GError **error)
{
  g_autofree char *work_dir = NULL;

  if (options->work_dir != NULL)
    {
      work_dir = fh_work_folder_make (options->work_dir, error);
      if (work_dir == NULL)
        return FALSE;
    }
  if (options->bind_dir != NULL)
    {
      self->workspace = g_canonicalize_filename (options->bind_dir, "/");
      return fh_work_folder_check_path (options->bind_dir, error);
    }
  if (by_copy)
    {
      self->exchanged = g_steal_pointer (&work_dir);
      return TRUE;
    }
  if (work_dir == NULL && options->is_kept)
    work_dir = make_own (container_name, "workspace", error);
  self->workspace = g_steal_pointer (&work_dir);
  return self->workspace != NULL || !options->is_kept;
}

gboolean
fh_container_folders_must_copy (const FhContainerOptions *options, const FhEngineFacts *engine)
{
  g_return_val_if_fail (options != NULL, FALSE);
  g_return_val_if_fail (engine != NULL, FALSE);

  if (options->files != FH_CONTAINER_FILES_AUTO)
    return options->files == FH_CONTAINER_FILES_COPY;
  return engine->is_remote || options->bind_dir != NULL ||
         (options->is_root && !engine->is_rootless && geteuid () != 0);
}

FhContainerFolders *
fh_container_folders_new (const FhContainerOptions *options,
                          const char *container_name,
                          gboolean by_copy,
                          GError **error)
{
  g_autoptr (FhContainerFolders) self = NULL;

  g_return_val_if_fail (options != NULL, NULL);
  g_return_val_if_fail (container_name != NULL && is_plain_name (container_name), NULL);

  self = g_object_new (FH_TYPE_CONTAINER_FOLDERS, NULL);
  if (!decide_workspace (self, options, container_name, by_copy, error))
    return NULL;
  if (options->is_kept && !by_copy && options->bind_dir == NULL)
    {
      self->home = make_own (container_name, "home", error);
      if (self->home == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

const char *
fh_container_folders_get_workspace (FhContainerFolders *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_FOLDERS (self), NULL);

  return self->workspace;
}

const char *
fh_container_folders_get_home (FhContainerFolders *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_FOLDERS (self), NULL);

  return self->home;
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FhContainerFolders *self = FH_CONTAINER_FOLDERS (source);
  GError *error = NULL;
  GPtrArray *files = fh_exchange_read (self->exchanged, cancellable, &error);

  if (files != NULL)
    g_task_return_pointer (task, files, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
fh_container_folders_read_async (FhContainerFolders *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FH_IS_CONTAINER_FOLDERS (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_container_folders_read_async);
  if (self->exchanged == NULL)
    g_task_return_pointer (task,
                           g_ptr_array_new_with_free_func ((GDestroyNotify) fh_container_file_free),
                           (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_run_in_thread (task, read_in_thread);
}

GPtrArray *
fh_container_folders_read_finish (FhContainerFolders *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* What was written counts even when there is an error. */
typedef struct
{
  FhResultFiles *files;
  guint n_written;
} Writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  g_object_unref (writing->files);
  g_free (writing);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FhContainerFolders *self = FH_CONTAINER_FOLDERS (source);
  Writing *writing = data;
  GError *error = NULL;

  writing->n_written = fh_exchange_write (self->exchanged, writing->files, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
fh_container_folders_write_async (FhContainerFolders *self,
                                  FhResultFiles *files,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Writing *writing;

  g_return_if_fail (FH_IS_CONTAINER_FOLDERS (self));
  g_return_if_fail (FH_IS_RESULT_FILES (files));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_container_folders_write_async);
  writing = g_new0 (Writing, 1);
  writing->files = g_object_ref (files);
  g_task_set_task_data (task, writing, writing_free);
  if (self->exchanged == NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_run_in_thread (task, write_in_thread);
}

guint
fh_container_folders_write_finish (FhContainerFolders *self, GAsyncResult *result, GError **error)
{
  Writing *writing;

  g_return_val_if_fail (g_task_is_valid (result, self), 0);

  writing = g_task_get_task_data (G_TASK (result));
  g_task_propagate_boolean (G_TASK (result), error);
  return writing->n_written;
}

gboolean
fh_container_folders_exist (const char *container_name)
{
  g_autofree char *folder = containers_folder ();
  g_autofree char *path = g_build_filename (folder, container_name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

gboolean
fh_container_folders_remove (const char *container_name)
{
  g_autofree char *folder = containers_folder ();
  gboolean ok;
  int fd;

  g_return_val_if_fail (container_name != NULL && is_plain_name (container_name), FALSE);

  fd = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return errno == ENOENT;
  ok = fh_hostile_folder_remove (fd, container_name, REMOVAL_TIMEOUT_MS);
  close (fd);
  return ok;
}
