/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-ops.h"

/* A room in which fake-containers.py is the client of an engine. */
typedef struct
{
  FhEngine *engine;
  GAsyncResult *result;
} LifeRoom;

/* Adds a test for either engine, as PREFIX/ENGINE/NAME. */
void life_room_add (const char *prefix, const char *name, void (*test) (LifeRoom *, gconstpointer));

/* Makes a container of ours with this owner, or of this process; what comes after the owner in the
 * labels and after the labels is JSON. */
void life_room_put (const char *name,
                    const char *state,
                    const char *owner,
                    const char *more_labels,
                    const char *more);
void life_room_put_ours (const char *name, const char *state, const char *more);
/* One without a label of ours. */
void life_room_put_foreign (const char *name);
gboolean life_room_has (const char *name);

/* A callback for one asynchronous call at a time, with the room as its data. */
void life_room_keep_cb (GObject *source, GAsyncResult *result, gpointer user_data);
/* Owned by the caller. */
GAsyncResult *life_room_wait (LifeRoom *room);

/* The owner of this process with one part changed: 0 machine, 1 host, 2 user, 3 boot, 4 processes,
 * 5 pid, 6 start. Owned by the caller. */
char *life_room_owner_with (guint part, const char *value);
