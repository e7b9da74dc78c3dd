/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

/* A room in which fake-engine.py is `docker` and `podman`. */

void engine_room_begin (void);
void engine_room_end (void);

/* What each does from now on, see fake-engine.py; NULL: it is not installed. */
void engine_room_set (const char *docker, const char *podman);

/* How often a client was called since the last question. */
guint engine_room_count_calls (void);

/* Runs the main loop until it is done. */
FhEngine *engine_room_probe (FhEngineKind kind, GError **error);
FhEngine *engine_room_choose (FhEngineKind kind, GError **error);

/* The path of a file in this room. */
const char *engine_room_path (const char *name);

/* The path of a client of this room. */
const char *engine_room_program (FhEngineKind kind);

/* No child of this process is left, reaped or not. */
void engine_room_assert_no_child (void);

/* The process that a client has noted in "begun" is gone; a zombie is as good. Removes the note. */
void engine_room_assert_gone (void);
void engine_room_kill_noted (void);

/* A thread that cancels once a client has noted something in "begun"; to be joined. */
GThread *engine_room_cancel (GCancellable *cancellable);
