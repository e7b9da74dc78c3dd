/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "engine.h"

G_BEGIN_DECLS

/* What is known before the engine has spoken. */
typedef struct
{
  const char *program;  /* absolute path of the client */
  const char *endpoint; /* of docker: where its client goes to; NULL when it did not say */
  const char *host;     /* name and kernel of this machine, to tell another one from it */
  const char *kernel;
} FhEnginePlace;

/* Makes an engine of what `info --format '{{json .}}'` says, in either engine's way: a `docker`
 * that speaks as podman is PODMAN. An error with the engine's own words when the client could
 * write it without reaching its daemon. */
FhEngine *fh_engine_from_info (FhEngineKind asked,
                               const FhEnginePlace *place,
                               const char *text,
                               GError **error);

/* A machine as images name it: "x86_64" is "amd64". Other names are returned as they are. */
const char *fh_engine_architecture (const char *machine);

/* Checked and parsed. An array stands for its first element, as `inspect` answers. NULL when it is
 * not an object: FH_ENGINE_ERROR_FAILED. (transfer full) */
JsonObject *fh_engine_json_parse (const char *text, GError **error);

/* Members that may be missing or of another type: NULL or FALSE then. Owned by the object. */
const char *fh_engine_json_text (JsonObject *object, const char *name);
gboolean fh_engine_json_flag (JsonObject *object, const char *name);
JsonObject *fh_engine_json_object (JsonObject *object, const char *name);
JsonArray *fh_engine_json_array (JsonObject *object, const char *name);

G_END_DECLS
