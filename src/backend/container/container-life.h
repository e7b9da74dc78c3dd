/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* What the engine says of a container. */
typedef struct
{
  char *id;
  char *name;
  char *image;          /* name, as it was given */
  char *state;          /* the engine's word: "created", "running", "exited", "paused", … */
  char *owner;          /* label, or "" */
  char *options_digest; /* label, or "" */
  gboolean is_ours;
  gboolean is_kept; /* it serves many runs, whether or not it outlives its owner */
  gint64 created;   /* Unix time, s */
  int exit_code;
  gboolean was_out_of_memory; /* OOMKilled: of some process, not necessarily the first one */
  char *error;                /* what kept it from starting, or "" */
} FhContainer;

void fh_container_free (FhContainer *container);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainer, fh_container_free)

/* FH_ENGINE_ERROR_NO_CONTAINER when there is none. */
void fh_container_find_async (FhEngine *engine,
                              const char *name,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
FhContainer *fh_container_find_finish (GAsyncResult *result, GError **error);

/* (element-type FhContainer): ours only, of this user and this machine. */
void fh_container_list_async (FhEngine *engine,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
GPtrArray *fh_container_list_finish (GAsyncResult *result, GError **error);

/* Ends what runs in it at most `grace_s` seconds later, and leaves it there. One that is stopped,
 * or that is gone, is no error. Those that are not ours are refused. */
void fh_container_stop_async (FhEngine *engine,
                              const char *name,
                              guint grace_s,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean fh_container_stop_finish (GAsyncResult *result, GError **error);

/* Stops and starts it; what it installed is still there. It is looked at afterwards: a container
 * that does not run then is an error with the engine's words. */
void fh_container_restart_async (FhEngine *engine,
                                 const char *name,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean fh_container_restart_finish (GAsyncResult *result, GError **error);

/* `kill`, then `rm -f` with its volumes, tried again up to 5 times with growing pauses; looked at
 * afterwards. One that is gone is no error. Its folders here are removed as well. */
void fh_container_remove_async (FhEngine *engine,
                                const char *name,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean fh_container_remove_finish (GAsyncResult *result, GError **error);

/* Removes what a crash has left: containers of ours that are not kept and whose owner (this user,
 * on this machine, a process that is not there any more) is dead. Finishes with their number, or
 * -1. Never touches what belongs to somebody who lives. */
void fh_container_reap_async (FhEngine *engine,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
int fh_container_reap_finish (GAsyncResult *result, GError **error);

/* The same without waiting for it and without a main loop: starts a client that removes the
 * container and outlives this process. For those who are about to die. */
void fh_container_remove_later (FhEngine *engine, const char *name);

/* This process, as it is written on its containers: machine, boot, user, pid and start time, so
 * that a number that was given to somebody else is not taken for it. Owned by the caller. */
char *fh_container_owner (void);
/* TRUE when the owner is of this machine and user, and dead. */
gboolean fh_container_owner_is_dead (const char *owner);
/* TRUE when the owner is of this machine and user, alive or not. */
gboolean fh_container_owner_is_here (const char *owner);

/* "fumehood-" and a UUID. Owned by the caller. */
char *fh_container_new_name (void);

G_END_DECLS
