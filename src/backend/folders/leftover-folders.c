/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "leftover-folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile-folder.h"

#define REMOVAL_TIMEOUT_MS 10000

/* As run-folder.c of the runner calls the folder that it makes for a program. */
#define RUN_FOLDER_PREFIX "fumehood-run-"

/* One that was made, but not yet locked, is young. */
#define AGE_OF_LEFTOVERS_S 60

static void
remove_leftover (int parent, const char *name, gboolean is_final)
{
  struct stat info;
  int fd;

  if (fstatat (parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || info.st_uid != geteuid ())
    return;
  fd = fh_hostile_folder_open (parent, name);
  if (fd < 0)
    return;
  if (fstat (fd, &info) == 0 && info.st_uid == geteuid () &&
      (is_final || info.st_mtime + AGE_OF_LEFTOVERS_S < g_get_real_time () / G_USEC_PER_SEC) &&
      flock (fd, LOCK_EX | LOCK_NB) == 0)
    fh_hostile_folder_remove (parent, name, REMOVAL_TIMEOUT_MS);
  close (fd);
}

void
fh_leftover_folders_remove (const char *path, const char *prefix)
{
  g_autofree char *new_prefix = g_strconcat (FH_LEFTOVER_NEW, prefix, NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const int parent = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char *name;

  while (parent >= 0 && folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      const gboolean is_final = g_str_has_prefix (name, prefix);

      if (is_final || g_str_has_prefix (name, new_prefix))
        remove_leftover (parent, name, is_final);
    }
  if (parent >= 0)
    close (parent);
}

/* In the places where run-folder.c may make one. Also of other runners that were killed; not those
 * of runners that live. */
static void
sweep_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "fumehood", NULL);
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".cache", "fumehood", NULL);
  g_autofree char *runtime = g_build_filename (g_get_user_runtime_dir (), "fumehood", NULL);
  const char *const places[] = { cache, home, runtime, g_get_tmp_dir () };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    fh_leftover_folders_remove (places[i], RUN_FOLDER_PREFIX);
  g_task_return_boolean (task, TRUE);
}

void
fh_leftover_folders_sweep_async (gpointer source, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, callback, NULL);

  g_task_run_in_thread (task, sweep_in_thread);
}
