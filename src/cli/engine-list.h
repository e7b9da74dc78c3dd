/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "engine.h"

/* An engine that works, or the reason why this kind does not. */
typedef struct
{
  FhEngineKind kind;
  FhEngine *engine; /* NULL: `error` */
  GError *error;
} FhFoundEngine;

/* Probes one kind, or both with FH_ENGINE_AUTO. Blocks. (element-type FhFoundEngine) */
GPtrArray *fh_engine_list_probe (FhEngineKind kind);

/* The one to use for that kind, or NULL with a sentence. Blocks. (transfer full) */
FhEngine *fh_engine_list_choose (FhEngineKind kind, GError **error);

/* Sets the member “engine”: docker, podman or null. */
void fh_engine_list_set_engine (JsonObject *object, FhEngine *engine);

/* An engine as JSON: kind, version, program, endpoint, architecture, storage, rootless,
 * remote, limits (an array of memory, processes and cpus). (transfer full) */
JsonObject *fh_engine_list_to_json (FhEngine *engine);
