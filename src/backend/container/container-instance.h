/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-arguments.h"
#include "container-folders.h"
#include "container-ops.h"
#include "container-removals.h"
#include "engine-image.h"
#include "run-request.h"

/* The time that a program has to end when its container is stopped, in s. */
#define FH_CONTAINER_GRACE_S 1

typedef enum
{
  FH_CONTAINER_NONE,     /* nothing was created */
  FH_CONTAINER_CREATING, /* a kept one is being created and must not be reused */
  FH_CONTAINER_CREATED,  /* the engine was asked to create it, or has it */
} FhContainerState;

/* The container of a run: what was asked for, and what was found and created for it. Filled in by
 * fh_container_prepare_async. Belongs to one thread. */
typedef struct
{
  FhContainerOptions *options;
  FhRunLimits limits; /* of the container; a run in a kept one may have less */
  FhRunGuards guards; /* without its lists */
  gsize input_size;

  FhContainerRemovals *removals; /* of its sandbox */
  FhEngine *engine;
  FhImage *image;
  FhContainerFolders *folders;
  char *name; /* of the container */
  char *id;   /* of a kept one; NULL before it is prepared */
  char *owner;
  char *runner;
  char *guest_folder;
  char *seccomp_profile;
  gboolean by_copy;
  gboolean is_restart; /* a kept one is to be restarted */
  gboolean is_ahead;   /* made before its run: nothing is pulled or copied for it */

  FhContainerState state;
  gboolean has_run;       /* a runner has answered from there */
  gboolean was_recreated; /* a kept one was gone */
  gboolean is_released;   /* its sandbox is gone */
} FhContainerInstance;

/* `guards` and `removals` may be NULL. Looks nothing up yet. */
FhContainerInstance *fh_container_instance_new (const FhContainerOptions *options,
                                                const FhRunLimits *limits,
                                                const FhRunGuards *guards,
                                                gsize input_size,
                                                FhContainerRemovals *removals);
/* Makes a copy for a thread, with what is known and without the folders. */
FhContainerInstance *fh_container_instance_copy (FhContainerInstance *self);
/* Moves what a thread has found and made. */
void fh_container_instance_take (FhContainerInstance *self, FhContainerInstance *made);
/* Moves what was found for `last`, which is not used any more; for a kept container also that it
 * exists. */
void fh_container_instance_inherit (FhContainerInstance *self, FhContainerInstance *last);
FhContainerInstance *fh_container_instance_ref (FhContainerInstance *self);
void fh_container_instance_unref (FhContainerInstance *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerInstance, fh_container_instance_unref)

/* The input for the client's arguments; borrowed. */
FhContainerParts fh_container_instance_get_parts (FhContainerInstance *self);

/* The engine's layers of each guard, FH_N_LAYERS of them, NULL for none; each owned by the
 * caller. */
void fh_container_instance_get_layers (FhContainerInstance *self, char **layers);

/* Whether the workspace has other files, or outlives the run. */
gboolean fh_container_instance_is_shared (FhContainerInstance *self);

/* Whether files of the work folder are copied in before and out after a run; and whether the run
 * itself does not keep those that it leaves. */
gboolean fh_container_instance_copies_files (FhContainerInstance *self);
gboolean fh_container_instance_needs_files (FhContainerInstance *self, FhRunRequest *request);

/* Forgets the container of a run, which is to get a new one. Nothing is removed. */
void fh_container_instance_begin_again (FhContainerInstance *self);

/* Removes the container in the background; one with a name of ours needs no look before. */
void fh_container_instance_remove (FhContainerInstance *self);

/* The sandbox is gone: stops or removes a kept container, or leaves it, as its options say; also
 * one that is being prepared. The client that is started continues without us. */
void fh_container_instance_release (FhContainerInstance *self);

/* The client's command line: runs a container, starts a created one, or enters a kept one.
 * (transfer full) */
GStrv fh_container_instance_command (FhContainerInstance *self);
