/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <sys/types.h>

#include "container-options.h"
#include "engine.h"
#include "run-guards.h"
#include "run-limits.h"

/* Labels of our containers; the reaper and `fumehoodctl container` look for them. */
#define FH_CONTAINER_LABEL       "io.github.fumehood"       /* "1" */
#define FH_CONTAINER_LABEL_OWNER "io.github.fumehood.owner" /* see container-owner.c */
#define FH_CONTAINER_LABEL_KEPT  "io.github.fumehood.kept"  /* empty unless it is kept */

#define FH_CONTAINER_LABEL_OPTIONS                                                                 \
  "io.github.fumehood.options" /* digest of the options it was made with */
#define FH_CONTAINER_LABEL_IMAGE "io.github.fumehood.image" /* as requested */

/* How long a kept one lives: beyond its owner, or as long as that. */
#define FH_CONTAINER_KEPT_LONGER   "1"
#define FH_CONTAINER_KEPT_BY_OWNER "owner"

/* What the arguments are made from. */
typedef struct
{
  const FhEngineFacts *engine;
  const FhContainerOptions *options;
  const FhRunLimits *limits; /* those in force */
  const FhRunGuards *guards;
  const char *image;                /* id or name */
  const char *const *image_volumes; /* the image's own volumes; NULL: none */
  const char *name;                 /* of the container */
  const char *owner;                /* label */
  const char *runner;               /* host path of fumehood-runner */
  const char *guest_folder;         /* host folder with bootstrap.py */
  const char *seccomp_profile;      /* path for the client */
  const char *home;                 /* host folder for FH_CONTAINER_HOME; NULL: none */
  const char *workspace;            /* host folder for /workspace; NULL: a sized tmpfs */
  const char *const *sources;       /* host paths of the volumes; NULL: as in the options */
  gsize input_size;                 /* bytes of standard input that are stored inside */
  uid_t uid;                        /* the user's */
  gid_t gid;
  gboolean by_copy; /* our programs are copied into a volume, not bound */
} FhContainerParts;

/* Pure. New vectors, without the client's own name. */

/* `run --interactive …`: a one-shot container with the runner as its first process. */
GStrv fh_container_arguments_run (const FhContainerParts *parts);
/* `create …` of a one-shot container or, with options->is_kept, of one that waits with
 * FH_KEEP_ARGUMENT. */
GStrv fh_container_arguments_create (const FhContainerParts *parts);
/* `start --attach --interactive …`: a one-shot container that was created. */
GStrv fh_container_arguments_start (const FhContainerParts *parts);
/* `exec --interactive …`: another runner in a kept container. */
GStrv fh_container_arguments_exec (const FhContainerParts *parts);

/* A digest of what two containers must have in common to be interchangeable: image, the engine's
 * limits and options. (transfer full) */
char *fh_container_options_digest (const FhContainerParts *parts);

/* The engine's layers of a guard, comma-separated and in English as in FhGuardState, such as
 * "container, read-only root, sized tmpfs"; NULL for none. */
char *fh_container_layers (const FhContainerParts *parts, FhGuard guard);
