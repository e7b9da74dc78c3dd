/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "engine-facts.h"

/* What is wrong with an engine or a request to it. The message is a sentence for people, with the
 * engine's own message if there is one. */
#define FH_ENGINE_ERROR (fh_engine_error_quark ())
GQuark fh_engine_error_quark (void);

typedef enum
{
  FH_ENGINE_ERROR_NOT_INSTALLED, /* there is no such program */
  FH_ENGINE_ERROR_NOT_RUNNING,   /* its daemon does not answer */
  FH_ENGINE_ERROR_NOT_ALLOWED,   /* it answers, but not to this user */
  FH_ENGINE_ERROR_NO_IMAGE,      /* the image is missing or cannot be pulled */
  FH_ENGINE_ERROR_NO_CONTAINER,  /* the container is not there (any more) */
  FH_ENGINE_ERROR_NAME_TAKEN,    /* a container of that name exists */
  FH_ENGINE_ERROR_TIMED_OUT,     /* the client did not end in time and was killed */
  FH_ENGINE_ERROR_FAILED,        /* anything else: its own words */
} FhEngineError;

/* Whether no engine can be used, whatever is asked of it. FALSE for NULL. */
gboolean fh_engine_error_is_of_all (const GError *error);

/* A container engine: the client program `docker` or `podman`, and the service behind it.
 * Immutable. Contexts, DOCKER_HOST, credentials and proxies are the user's, because the user's own
 * client is used. */
#define FH_TYPE_ENGINE (fh_engine_get_type ())
G_DECLARE_FINAL_TYPE (FhEngine, fh_engine, FH, ENGINE, GObject)

FhEngine *fh_engine_new (const FhEngineFacts *facts); /* copies; for probes and tests */
const FhEngineFacts *fh_engine_get_facts (FhEngine *self);
/* Translated, one line: "Docker 20.10.24, rootless". Owned by the caller. */
char *fh_engine_describe (FhEngine *self);

/* The client of a kind: $FH_DOCKER or $FH_PODMAN, else the one in PATH. NULL when there is none.
 * (transfer full) */
char *fh_engine_program (FhEngineKind kind);

/* Probes one kind, or all with AUTO, side by side by a request to its daemon (at most 10 s). Both
 * arrays have FH_N_ENGINE_KINDS places, by kind, and get an engine or an error for each that was
 * asked; else NULL. An error says what to do: install it, start the service, join the group or log
 * in again, check DOCKER_HOST. Blocks. */
#define FH_N_ENGINE_KINDS (FH_ENGINE_PODMAN + 1)
void fh_engine_probe (FhEngineKind kind, FhEngine **engines, GError **errors);

/* Chooses the engine. A named kind is probed; AUTO takes podman if it works rootless, else docker,
 * else podman; but docker first if DOCKER_HOST is set and CONTAINER_HOST is not, because then the
 * user has chosen. If none works, the error is about both. The answer is cached for a while (per
 * boot, client program and endpoint); call fh_engine_forget if it turns out to be wrong. */
void fh_engine_choose_async (FhEngineKind kind,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
FhEngine *fh_engine_choose_finish (GAsyncResult *result, GError **error);
/* Blocks, in any thread. */
FhEngine *fh_engine_choose (FhEngineKind kind, GCancellable *cancellable, GError **error);
void fh_engine_forget (FhEngineKind kind);
