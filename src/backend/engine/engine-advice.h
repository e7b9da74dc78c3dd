/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

/* What is wrong with an engine and what to do about it, in sentences, for NOT_INSTALLED,
 * NOT_RUNNING, NOT_ALLOWED and TIMED_OUT; NULL for other codes. `endpoint` is where the engine was
 * looked for, or NULL. Mentions DOCKER_HOST and CONTAINER_HOST if set, and detects a user who
 * joined the group but has not logged in again. (transfer full) */
char *fh_engine_advice (FhEngineKind kind, FhEngineError code, const char *endpoint);

/* The same error with advice for this endpoint; the engine's own words come last. (transfer
 * full) */
GError *fh_engine_advise (const GError *error, FhEngineKind kind, const char *endpoint);

/* The address that the user has set for the client in the environment, or NULL. */
const char *fh_engine_named_endpoint (FhEngineKind kind);

/* "Docker" or "Podman"; not translated. */
const char *fh_engine_kind_name (FhEngineKind kind);
