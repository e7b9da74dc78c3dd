/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drafts.h"

G_BEGIN_DECLS

/* A draft as the text of its file. Bytes that are not valid UTF-8 survive. */
char *fh_draft_to_json (const FhDraft *draft, gsize *size);

/* NULL with FH_RUN_ERROR when the text is damaged or of a newer version. A setting that makes no
 * sense becomes the default: it must not cost the user the text. */
FhDraft *fh_draft_from_json (const char *id, const char *json, gsize size, GError **error);

G_END_DECLS
