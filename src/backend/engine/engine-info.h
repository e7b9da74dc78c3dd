/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "engine.h"

/* Parses the output of `info --format '{{json .}}'` of either engine; a `docker` that is podman is
 * PODMAN. `program`: absolute path of the client. `endpoint`: of docker, its client's address; NULL
 * when unknown. An error with the engine's own words when the client could not reach its daemon. */
FhEngine *fh_engine_from_info (FhEngineKind asked,
                               const char *program,
                               const char *endpoint,
                               const char *text,
                               GError **error);

/* An architecture in the words of images: "x86_64" is "amd64". Others are returned unchanged. */
const char *fh_engine_architecture (const char *machine);

/* Checks and parses. An array stands for its first element, as in answers of `inspect`. NULL with
 * FH_ENGINE_ERROR_FAILED unless it is an object. (transfer full) */
JsonObject *fh_engine_json_parse (const char *text, GError **error);

/* NULL, FALSE or 0 for members that are missing or of another type. Owned by the object. */
const char *fh_engine_json_text (JsonObject *object, const char *name);
gboolean fh_engine_json_flag (JsonObject *object, const char *name);
gint64 fh_engine_json_number (JsonObject *object, const char *name);
JsonObject *fh_engine_json_object (JsonObject *object, const char *name);
/* The strings of an array; never NULL. (transfer full) */
GStrv fh_engine_json_texts (JsonObject *object, const char *name);
