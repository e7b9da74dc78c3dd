/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "container-options.h"
#include "engine.h"
#include "folder-exchange.h"
#include "result-file.h"

G_BEGIN_DECLS

/* The folders of this computer that stand behind a container: what is bound, or what is copied in
 * and out where nothing can be bound.
 *
 *   $XDG_CACHE_HOME/fumehood/containers/NAME/workspace   of a kept one without a work folder
 *   $XDG_CACHE_HOME/fumehood/containers/NAME/home        of a kept one
 *
 * Each is made with mode 0700 and belongs to the user. With a `bind_dir` there is no home: what is
 * here is not where the engine is. */
#define FH_TYPE_CONTAINER_FOLDERS (fh_container_folders_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerFolders, fh_container_folders, FH, CONTAINER_FOLDERS, GObject)

/* Whether our programs and the user's files have to be copied, because the engine does not have
 * them where they are here, or because a program that is the system's own user 0 could do nothing
 * with what belongs to the user, nor he with what it has made. A `bind_dir` is bound all the
 * same. */
gboolean
fh_container_folders_must_copy (const FhContainerOptions *options, const FhEngineFacts *engine);

/* Decides and makes: a work folder that is missing is made, its parents as well. NULL with a
 * sentence when one cannot be made, is not a folder, or holds more than work (work-folder.h).
 * `by_copy`: nothing of here is to be bound. Blocks for as long as making a folder takes. */
FhContainerFolders *fh_container_folders_new (const FhContainerOptions *options,
                                              const char *container_name,
                                              gboolean by_copy,
                                              GError **error);

const char *fh_container_folders_get_workspace (FhContainerFolders *self); /* to bind; nullable */
const char *fh_container_folders_get_home (FhContainerFolders *self);      /* to bind; nullable */

/* What goes in with the next run where nothing is bound: the files of the work folder, see
 * folder-exchange.h. No work folder, an empty array. (element-type FhContainerFile) */
void fh_container_folders_read_async (FhContainerFolders *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
GPtrArray *
fh_container_folders_read_finish (FhContainerFolders *self, GAsyncResult *result, GError **error);

/* What came out of a run where nothing is bound goes into the work folder. Finishes with how many
 * files were written; with an error, that many were written all the same. No work folder, or one
 * that is bound: nothing to do. */
void fh_container_folders_write_async (FhContainerFolders *self,
                                       FhResultFiles *files,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
guint
fh_container_folders_write_finish (FhContainerFolders *self, GAsyncResult *result, GError **error);

/* Whether there are folders of a container of this name: there was one, and nobody has removed it
 * as one should. */
gboolean fh_container_folders_exist (const char *container_name);

/* Removes the folders of a container that is gone; never a work folder. Blocks, at most some
 * seconds however much a program has left in them; FALSE when something is left of them. */
gboolean fh_container_folders_remove (const char *container_name);

G_END_DECLS
