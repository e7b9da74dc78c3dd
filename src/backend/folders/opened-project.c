/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "opened-project.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "project-copy.h"
#include "readable-text.h"
#include "work-folder.h"

void
fh_opened_project_clear (FhOpenedProject *project)
{
  g_clear_pointer (&project->lock, fh_run_lock_free);
  g_clear_pointer (&project->folder, fh_opened_path_unref);
  fh_clear_fd (&project->fd);
}

static gboolean
fail_folder (GError **error, const char *path, const char *reason)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_FOLDER,
               /* Translators: the path of a folder, then a reason, a sentence. */
               _ ("Nothing was written to “%s”. %s"),
               name,
               reason);
  return FALSE;
}

gboolean
fh_opened_project_fail (GError **error, FhFolderError kind, const char *path, const char *reason)
{
  g_autofree char *name = fh_readable_text_new (path, strlen (path));

  g_set_error (error,
               FH_FOLDER_ERROR,
               (int) kind,
               /* Translators: the name of a file, then a reason. */
               _ ("Nothing was written, because of “%s”: %s."),
               name,
               reason);
  return FALSE;
}

gboolean
fh_opened_project_is_same (const FhFolderPlace *a, const FhFolderPlace *b)
{
  if (a->inode != b->inode)
    return FALSE;
  return a->born_us != 0 && b->born_us != 0 ? a->born_us == b->born_us : a->device == b->device;
}

static gboolean
check_folder (FhOpenedProject *project, const FhFolderPlace *place, GError **error)
{
  const FhFolderPlace now = fh_folder_place_of (project->folder);
  g_autoptr (GError) reason = NULL;

  if (!S_ISDIR (project->folder->mode) || !fh_opened_project_is_same (place, &now))
    return fail_folder (error,
                        place->path,
                        _ ("It is no longer the folder of that run: it was moved, replaced or "
                           "restored."));
  if (!fh_work_folder_check (project->folder, &reason))
    return fail_folder (error, place->path, reason->message);
  project->lock = fh_run_lock_new (&reason);
  if (project->lock == NULL || !fh_run_lock_take_folder (project->lock, project->folder, &reason))
    return fail_folder (error, place->path, reason->message);
  project->fd = fh_opened_path_read_folder (project->folder);
  return project->fd >= 0 || fail_folder (error, place->path, g_strerror (errno));
}

gboolean
fh_opened_project_open (FhOpenedProject *project, const FhFolderPlace *place, GError **error)
{
  g_autoptr (GError) reason = NULL;

  project->folder = fh_opened_path_new (place->path, NULL, &reason);
  return project->folder != NULL ? check_folder (project, place, error)
                                 : fail_folder (error, place->path, reason->message);
}

gboolean
fh_opened_project_open_to_look (FhOpenedProject *project, const FhFolderPlace *place)
{
  FhFolderPlace now;

  project->folder = fh_opened_path_new (place->path, NULL, NULL);
  if (project->folder == NULL)
    return FALSE;
  now = fh_folder_place_of (project->folder);
  if (fh_opened_project_is_same (place, &now))
    project->fd = fh_opened_path_read_folder (project->folder);
  return project->fd >= 0;
}

gboolean
fh_opened_project_read (const FhOpenedProject *project,
                        const char *path,
                        guint64 room,
                        FhTreeFile *file)
{
  const char *name;
  fh_autofd int parent = fh_tree_open_parent (project->fd, path, NULL, &name);

  *file = (FhTreeFile){ 0 };
  return parent >= 0 ? fh_tree_read (parent, name, room, file) : errno == ENOENT;
}
