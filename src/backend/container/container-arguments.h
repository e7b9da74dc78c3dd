/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <sys/types.h>

#include "container-options.h"
#include "engine.h"
#include "run-guards.h"
#include "run-limits.h"

G_BEGIN_DECLS

/* Labels of every container that is ours; the reaper and `fumehoodctl container` go by them. */
#define FH_CONTAINER_LABEL       "io.github.fumehood"       /* "1" */
#define FH_CONTAINER_LABEL_OWNER "io.github.fumehood.owner" /* see container-owner.c */
#define FH_CONTAINER_LABEL_KEPT  "io.github.fumehood.kept"  /* of one for many runs only */

#define FH_CONTAINER_LABEL_OPTIONS                                                                 \
  "io.github.fumehood.options"                              /* digest of what it was made with */
#define FH_CONTAINER_LABEL_IMAGE "io.github.fumehood.image" /* as it was asked for */

/* How long one is kept: beyond its owner, or as long as that one lives. */
#define FH_CONTAINER_KEPT_LONGER   "1"
#define FH_CONTAINER_KEPT_BY_OWNER "owner"

/* What a container gets beyond the limits of the run, because the runner lives under them too: it
 * and the sandbox's first process; in a kept one also its own first process. An engine enters one
 * that is kept with a program of several threads, for which there must be room. */
#define FH_CONTAINER_RESERVED_MEMORY         ((guint64) 16 << 20)
#define FH_CONTAINER_RESERVED_PROCESSES      2
#define FH_CONTAINER_RESERVED_PROCESSES_KEPT 3
#define FH_CONTAINER_MIN_PROCESSES_KEPT      16

/* All that the arguments are made from. */
typedef struct
{
  const FhEngineFacts *engine;
  const FhContainerOptions *options;
  const FhRunLimits *limits; /* those in force */
  const FhRunGuards *guards;
  const char *image;                /* id or name: what is run */
  const char *const *image_volumes; /* paths that the image declares as such; NULL: none */
  const char *name;                 /* of the container */
  const char *owner;                /* label */
  const char *runner;               /* host path of fumehood-runner */
  const char *guest_folder;         /* host folder with bootstrap.py */
  const char *seccomp_profile;      /* path that the client reads */
  const char *home;                 /* host folder that is FH_CONTAINER_HOME; NULL: none */
  const char *workspace;            /* host folder that is /workspace; NULL: a sized tmpfs */
  gsize input_size;                 /* bytes of standard input that are kept inside */
  uid_t uid;                        /* the user's */
  gid_t gid;
  gboolean by_copy; /* our programs are not bound: there is a volume for them */
} FhContainerParts;

/* Pure: they read nothing and start nothing. Fresh vectors without the client's own name. */

/* `run --interactive …`: a one-shot container whose first process is the runner. */
GStrv fh_container_arguments_run (const FhContainerParts *parts);
/* `create …` of a one-shot or, with options->is_kept, of one that waits with FH_KEEP_ARGUMENT. */
GStrv fh_container_arguments_create (const FhContainerParts *parts);
/* `start --attach --interactive …`: a one-shot one that was created. */
GStrv fh_container_arguments_start (const FhContainerParts *parts);
/* `exec --interactive …`: a further runner in a kept one. */
GStrv fh_container_arguments_exec (const FhContainerParts *parts);

/* What two containers must have in common for one to be taken for the other: a digest over image,
 * limits that the engine keeps, and options. Owned by the caller. */
char *fh_container_options_digest (const FhContainerParts *parts);

/* What the engine is asked for: bytes, swap included, and processes; 0: no limit. */
guint64 fh_container_memory (const FhContainerParts *parts);
guint fh_container_processes (const FhContainerParts *parts);

/* The engine's part in each guard, comma-separated and in English as FhGuardState has layers, such
 * as "container, read-only root, sized tmpfs"; NULL for a guard the engine has no part in. */
char *fh_container_layers (const FhContainerParts *parts, FhGuard guard);

G_END_DECLS
