/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run-request.h"
#include "run-result.h"

G_BEGIN_DECLS

/* Looks at a Python program without running it: data/guest/look.py does that in a sandbox. */

/* More source is refused. */
#define FH_CODE_LOOK_MAX ((gsize) 1 << 20)

/* The run that looks at `code`, as `options` say but for what is only about running it. NULL with
 * FH_RUN_ERROR. */
FhRunRequest *
fh_code_look_new_request (const char *code, const FhRunOptions *options, GError **error);

/* What that run found, checked member by member; NULL if it did not tell. See tools.json.
 * (transfer full) */
JsonObject *fh_code_look_read (FhRunResult *result);
/* The same as a text. (transfer full) */
char *fh_code_look_text (JsonObject *found);

G_END_DECLS
