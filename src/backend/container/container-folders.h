/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "container-options.h"
#include "engine.h"
#include "folder-exchange.h"
#include "opened-path.h"
#include "result-file.h"
#include "run-lock.h"

struct fh_policy;

/* The folders of this computer that belong to a container: bound, or copied in and out where
 * nothing can be bound. All stay open from the check on (opened-path.h).
 *
 * $XDG_CACHE_HOME/fumehood/containers/NAME/workspace   of a kept one without a work folder
 * $XDG_CACHE_HOME/fumehood/containers/NAME/home        of a kept one
 *
 * Each is private to the user. With a `bind_dir` there is no home, because the engine is elsewhere.
 * Immutable except for the lock, so that threads may use it. */
typedef struct
{
  FhOpenedPath *exchanged; /* work folder that is copied; NULL: none */
  char *workspace;         /* to bind; nullable */
  FhOpenedPath *opened;    /* must be the one that is mounted; NULL: not of this computer */
  FhOpenedPath *home;      /* to bind; nullable */
  GPtrArray *volumes;      /* (element-type FhOpenedPath), nullable: only the engine has it */
  char **sources;          /* of the volumes, to bind */
  char **places;           /* of the volumes, inside */
  FhRunLock *lock;         /* NULL: nothing is locked */
  char *kernel;            /* sent with the inode numbers; NULL: they mean nothing there */
} FhContainerFolders;

void fh_container_folders_free (FhContainerFolders *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerFolders, fh_container_folders_free)

/* Whether our programs and the user's files must be copied: because the engine is elsewhere, or
 * because a program running as real root could not use the user's files, nor the user its files. A
 * `bind_dir` is bound in any case. */
gboolean
fh_container_folders_must_copy (const FhContainerOptions *options, const FhEngineFacts *engine);

/* Decides, creates and opens the folders. NULL with a sentence when the work folder cannot be
 * created, is not a folder or contains more than work (work-folder.h), or when something cannot be
 * shown to a container: because of where links lead, of what it contains, or because the socket of
 * an engine is among it. `by_copy`: bind only what the options name.
 * `container_name`: NULL creates nothing and only checks; otherwise a kept container and the work
 * folder are locked for this run (run-lock.h), and it is an error if another run has them.
 * Blocks. */
FhContainerFolders *fh_container_folders_new (const FhContainerOptions *options,
                                              const FhEngineFacts *engine,
                                              const char *container_name,
                                              gboolean by_copy,
                                              GError **error);

/* Adds the inode numbers that the runner must find in the container, as proof that the engine has
 * mounted what was opened here. */
void fh_container_folders_add_proofs (FhContainerFolders *self, struct fh_policy *policy);

/* Releases the kept container and the work folder for other runs. Idempotent. */
void fh_container_folders_unlock (FhContainerFolders *self);

/* Reads the files of the work folder to be copied in, see folder-exchange.h; an empty array without
 * one. (element-type FhRunFile) Blocks, in any thread. */
GPtrArray *
fh_container_folders_read (FhContainerFolders *self, GCancellable *cancellable, GError **error);

/* Copies the files of a run to the work folder. Returns the number of files written, even with an
 * error. Does nothing without a work folder, or if it is bound. Blocks, in any thread. */
guint fh_container_folders_write (FhContainerFolders *self, FhResultFiles *files, GError **error);
