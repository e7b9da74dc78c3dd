/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"
#include "opened-path.h"

/* Checks that a folder or file gives a container no access to a container engine. A program that
 * reaches an engine's socket can create a container with access to everything, and a read-only
 * mount does not prevent connecting (unix (7)). So it must be no engine's socket, contain none, and
 * be no place where an engine of the user's creates its socket. Searches a folder breadth first;
 * one that is too large to be searched is refused. FALSE with FH_RUN_ERROR_INVALID. Blocks for up
 * to half a minute. */
gboolean fh_engine_sockets_check (FhOpenedPath *shown, const FhEngineFacts *facts, GError **error);
