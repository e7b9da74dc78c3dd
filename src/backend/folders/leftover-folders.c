/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "leftover-folders.h"

#include <fcntl.h>

#include "descriptor.h"
#include "hostile-folder.h"

void
fh_leftover_folders_remove (const char *path, const char *prefix)
{
  fh_autofd int parent = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (parent >= 0)
    fh_hostile_folder_remove_leftovers (parent, prefix);
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
    fh_leftover_folders_remove (places[i], FH_RUN_FOLDER_PREFIX);
  g_task_return_boolean (task, TRUE);
}

void
fh_leftover_folders_sweep_async (gpointer source, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, callback, NULL);

  g_task_run_in_thread (task, sweep_in_thread);
}
