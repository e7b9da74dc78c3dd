/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run-request.h"

G_BEGIN_DECLS

/* A versioned object. Bytes that are not valid UTF-8, or hold a NUL, are written as
 * {"base64": "…"} in place of a string. (transfer full) */
JsonNode *fh_run_request_to_json (FhRunRequest *request);

/* Unknown members are ignored, an unknown version is refused. */
FhRunRequest *fh_run_request_from_json (JsonObject *object, GError **error);

G_END_DECLS
