/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* What is wrong with an engine and what to do about it, in sentences, for NOT_INSTALLED,
 * NOT_RUNNING, NOT_ALLOWED and TIMED_OUT; NULL for the other codes. `endpoint` is where the engine
 * was looked for; NULL when that is not known. It tells of DOCKER_HOST and CONTAINER_HOST when they
 * lead elsewhere, and knows a user who has joined the group but not logged in anew. Owned by the
 * caller. */
char *fh_engine_advice (FhEngineKind kind, FhEngineError code, const char *endpoint);

/* The same error, with what to do about it said for this endpoint; the engine's own words stay at
 * the end. (transfer full) */
GError *fh_engine_advise (const GError *error, FhEngineKind kind, const char *endpoint);

/* "Docker" or "Podman"; never translated. */
const char *fh_engine_kind_name (FhEngineKind kind);

G_END_DECLS
