/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-request.h"
#include "run-result.h"

G_BEGIN_DECLS

/* The folders of this computer that stand behind a container: what is bound, or what is copied in
 * and out where nothing can be bound.
 *
 *   $XDG_CACHE_HOME/fumehood/containers/NAME/workspace   of a kept one without a work folder
 *   $XDG_CACHE_HOME/fumehood/containers/NAME/home        of a kept one
 *
 * Each is made with mode 0700 and belongs to the user. */
#define FH_TYPE_CONTAINER_FOLDERS (fh_container_folders_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerFolders, fh_container_folders, FH, CONTAINER_FOLDERS, GObject)

/* Decides and makes: a work folder that is missing is made, its parents as well. NULL with a
 * sentence when one cannot be made or is not a folder. `by_copy`: nothing is to be bound. */
FhContainerFolders *fh_container_folders_new (const FhContainerOptions *options,
                                              const char *container_name,
                                              gboolean by_copy,
                                              GError **error);

const char *fh_container_folders_get_workspace (FhContainerFolders *self); /* to bind; nullable */
const char *fh_container_folders_get_home (FhContainerFolders *self);      /* to bind; nullable */

/* What goes in with the next run where nothing is bound: regular files below the work folder, read
 * without following a link, within the limits of a workspace (256 files, 64 MiB); more is an error
 * that says so. (element-type FhContainerFile) */
typedef struct
{
  char *path; /* relative */
  GBytes *content;
} FhContainerFile;

void fh_container_folders_read_async (FhContainerFolders *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
GPtrArray *
fh_container_folders_read_finish (FhContainerFolders *self, GAsyncResult *result, GError **error);

/* What came out of a run where nothing is bound goes into the work folder: each file beside and
 * then over the old one, nothing followed out of it, nothing that is incomplete. Returns how many
 * were written. No work folder, nothing to do. */
guint fh_container_folders_write (FhContainerFolders *self, FhResultFiles *files, GError **error);

/* Removes the folders of a container that is gone; never a work folder. Blocking. */
void fh_container_folders_remove (const char *container_name);

G_END_DECLS
