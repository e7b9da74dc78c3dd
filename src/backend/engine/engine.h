/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "container-options.h"

G_BEGIN_DECLS

/* What is wrong with an engine, or with what was asked of it. The message is a sentence for people,
 * with the engine's own words where it has any. */
#define FH_ENGINE_ERROR (fh_engine_error_quark ())
GQuark fh_engine_error_quark (void);

typedef enum
{
  FH_ENGINE_ERROR_NOT_INSTALLED, /* there is no such program */
  FH_ENGINE_ERROR_NOT_RUNNING,   /* its daemon does not answer */
  FH_ENGINE_ERROR_NOT_ALLOWED,   /* it answers, but not to this user */
  FH_ENGINE_ERROR_NO_IMAGE,      /* the image is not there, or not to be had */
  FH_ENGINE_ERROR_NO_CONTAINER,  /* the container is not there (any more) */
  FH_ENGINE_ERROR_NAME_TAKEN,    /* a container of that name exists */
  FH_ENGINE_ERROR_TIMED_OUT,     /* the client did not end in time and was killed */
  FH_ENGINE_ERROR_FAILED,        /* anything else: its own words */
} FhEngineError;

/* A container engine as it was found on this computer: the client program `docker` or `podman`, and
 * what stands behind it. Immutable. Contexts, DOCKER_HOST, credentials and proxies are the user's
 * own, because the user's own client is what speaks. */
#define FH_TYPE_ENGINE (fh_engine_get_type ())
G_DECLARE_FINAL_TYPE (FhEngine, fh_engine, FH, ENGINE, GObject)

typedef struct
{
  FhEngineKind kind;        /* DOCKER or PODMAN; a `docker` that is podman in truth is PODMAN */
  const char *program;      /* absolute path of the client */
  const char *version;      /* of the engine behind it: "20.10.24" */
  const char *architecture; /* of the engine's machine, as in images: "amd64" */
  const char *storage;      /* "overlay2" */
  const char *endpoint;     /* where it is: "unix:///run/docker.sock", "ssh://…" */
  gboolean is_rootless;     /* user 0 inside is the user here */
  gboolean is_remote;       /* another machine or a virtual one: folders of here are not there */
  gboolean limits_memory;   /* it can, as far as it says; what was granted is looked at inside */
  gboolean limits_processes;
  gboolean limits_cpus;
} FhEngineFacts;

FhEngine *fh_engine_new (const FhEngineFacts *facts); /* copies; for probes and tests */
const FhEngineFacts *fh_engine_get_facts (FhEngine *self);
/* Translated, one line: "Docker 20.10.24, rootless". Owned by the caller. */
char *fh_engine_describe (FhEngine *self);

/* The client of a kind: $FH_DOCKER or $FH_PODMAN, else the one in PATH. NULL when there is none.
 * (transfer full) */
char *fh_engine_program (FhEngineKind kind);

/* Asks one kind, by really speaking with its daemon (at most 10 s). The error says what to do about
 * it: install, start the service, join the group or log in anew, look at DOCKER_HOST. */
void fh_engine_probe_async (FhEngineKind kind,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
FhEngine *fh_engine_probe_finish (GAsyncResult *result, GError **error);

/* The engine to use. A kind that was named is probed; AUTO takes podman when it works rootless,
 * else docker, else podman; but docker first when DOCKER_HOST is set and CONTAINER_HOST is not,
 * because then the user has chosen already. When none works the error tells of both. What was found
 * is remembered for a while (per boot, client program and endpoint) so that a run need not ask
 * again; call fh_engine_forget when something turns out to be otherwise. */
void fh_engine_choose_async (FhEngineKind kind,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
FhEngine *fh_engine_choose_finish (GAsyncResult *result, GError **error);
void fh_engine_forget (FhEngineKind kind);

G_END_DECLS
