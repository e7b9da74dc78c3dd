/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

/* What the engine says of a container. */
typedef struct
{
  char *id;
  char *name;
  char *image; /* name, as it was given */
  char *state; /* as the engine reports it: "created", "running", "exited", "paused", … */
  char *owner; /* label, or "" */
  char *options_digest; /* label, or "" */
  gboolean is_ours;
  gboolean is_kept; /* it serves many runs */
  gint64 created;   /* Unix time, s */
  int exit_code;
  gboolean was_out_of_memory; /* OOMKilled: some process was, not necessarily the first one */
  char *error;                /* what kept it from starting, or "" */
} FhContainer;

void fh_container_free (FhContainer *container);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainer, fh_container_free)

/* All block, in any thread. */

/* FH_ENGINE_ERROR_NO_CONTAINER when there is none. */
FhContainer *
fh_container_find (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error);

/* (element-type FhContainer): ours only, of this user and this machine. */
GPtrArray *fh_container_list (FhEngine *engine, GCancellable *cancellable, GError **error);

/* Stops it, killing what runs in it after `grace_s` seconds. Not an error if it is stopped already
 * or does not exist. Refuses containers that are not ours. */
gboolean fh_container_stop (FhEngine *engine,
                            const char *name,
                            guint grace_s,
                            GCancellable *cancellable,
                            GError **error);

/* Stops and starts it, with everything installed in it. If it does not run afterwards, the error
 * has the engine's message. */
gboolean fh_container_restart (FhEngine *engine,
                               const char *name,
                               GCancellable *cancellable,
                               GError **error);

/* Kills and removes it with its volumes, up to 5 times with growing pauses, until it is gone. Not
 * an error if it does not exist. Its folders on this computer are removed as well. */
gboolean
fh_container_remove (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error);

/* Removes what a crash has left: our containers that are not kept and whose owner, a process of
 * this user on this machine, has ended. Returns their number, or -1. */
int fh_container_reap (FhEngine *engine, GCancellable *cancellable, GError **error);

/* For a process that is about to exit: starts a client that removes a container of ours and
 * outlives this process. Does not wait. */
void fh_container_remove_later (FhEngine *engine, const char *name);

/* Identifies this process on the labels of its containers: machine, boot, user, pid and start time,
 * because pids are reused. (transfer full) */
char *fh_container_owner (void);
/* TRUE when the owner was a process of this user on this machine and has ended. */
gboolean fh_container_owner_is_dead (const char *owner);
/* TRUE when the owner is or was a process of this user on this machine. */
gboolean fh_container_owner_is_here (const char *owner);

/* "fumehood-" and a UUID. Owned by the caller. */
char *fh_container_new_name (void);
