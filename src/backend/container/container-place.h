/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-arguments.h"
#include "container-folders.h"
#include "container-life.h"
#include "engine-image.h"
#include "run-request.h"

G_BEGIN_DECLS

/* Where a run happens: what was asked for, and what was found and made for it. Filled in by
 * fh_container_prepare_async. */
typedef struct
{
  FhContainerOptions *options;
  FhRunLimits limits; /* of the container; a run in a kept one may have less */
  FhRunGuards guards; /* without its lists */
  gsize input_size;

  FhEngine *engine;
  FhImage *image;
  FhContainerFolders *folders;
  char *name; /* of the container */
  char *owner;
  char *runner;
  char *guest_folder;
  char *seccomp_profile;
  gboolean by_copy;

  gboolean is_looking; /* everything but the container is wanted */
  gboolean may_exist;  /* somebody was asked to make the container */
  gboolean is_half;    /* a kept one was begun and is not ready */
  gboolean is_proven;  /* a runner of ours has spoken from there */
  gboolean is_anew;    /* a kept one was not there any more */
} FhContainerPlace;

/* `guards` may be NULL. Nothing is looked up yet. */
FhContainerPlace *fh_container_place_new (const FhContainerOptions *options,
                                          const FhRunLimits *limits,
                                          const FhRunGuards *guards,
                                          gsize input_size);
/* Takes over what was found for `last`, which is not used any more; of a kept container also that
 * it is there. */
void fh_container_place_inherit (FhContainerPlace *self, FhContainerPlace *last);
FhContainerPlace *fh_container_place_ref (FhContainerPlace *self);
void fh_container_place_unref (FhContainerPlace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerPlace, fh_container_place_unref)

/* What the arguments of a client are made from; borrowed from the place. */
FhContainerParts fh_container_place_get_parts (FhContainerPlace *self);

/* The engine's part in each guard, FH_N_LAYERS of them, NULL where it has none; each owned by the
 * caller. */
void fh_container_place_get_layers (FhContainerPlace *self, char **layers);

/* Whether others have put files into the workspace, or will find some. */
gboolean fh_container_place_is_shared (FhContainerPlace *self);

/* The client that starts a runner there: with the container, in one that was created, or in one
 * that goes on. (transfer full) */
GStrv fh_container_place_command (FhContainerPlace *self);

/* A container that is there can be used when its image has lost its name. */
void fh_container_place_set_unknown_image (FhContainerPlace *self);

/* FALSE with a sentence when this engine, or this image, is of another kind of computer than our
 * runner. */
gboolean fh_container_place_check_engine (FhContainerPlace *self, GError **error);
gboolean fh_container_place_check_image (FhContainerPlace *self, GError **error);

/* A container of that name is there already. Somebody else's is never touched, and one of ours is
 * used only for what it was made for. FALSE with FH_ENGINE_ERROR_NAME_TAKEN. */
gboolean
fh_container_place_check_owner (FhContainerPlace *self, const FhContainer *found, GError **error);
gboolean
fh_container_place_check_digest (FhContainerPlace *self, const FhContainer *found, GError **error);

G_END_DECLS
