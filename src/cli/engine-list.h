/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "engine.h"

G_BEGIN_DECLS

/* One kind of engine as it was found: the engine, or what is wrong with it. */
typedef struct
{
  FhEngineKind kind;
  FhEngine *engine; /* NULL: `error` */
  GError *error;
} FhFoundEngine;

/* Asks for one kind, or for both with FH_ENGINE_AUTO. Blocking. (element-type FhFoundEngine) */
GPtrArray *fh_engine_list_probe (FhEngineKind kind);

/* The one to use for that kind, or NULL with a sentence. Blocking. (transfer full) */
FhEngine *fh_engine_list_choose (FhEngineKind kind, GError **error);

/* What of it goes into JSON: kind, version, program, endpoint, architecture, storage, rootless,
 * remote, limits (an array of memory, processes and cpus). (transfer full) */
JsonObject *fh_engine_list_to_json (FhEngine *engine);

/* Prints `object` as one JSON object with a newline; FALSE as fh_print. */
gboolean fh_engine_list_print_json (JsonObject *object);

G_END_DECLS
