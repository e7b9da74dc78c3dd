/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cell.h"

typedef enum
{
  FH_SESSION_CELL,
  /* These do not wait for those before: */
  FH_SESSION_REPLY,
  FH_SESSION_INTERRUPT,
  FH_SESSION_CLOSE,
} FhSessionOrderKind;

/* One message to `fumehoodctl session`, checked. */
typedef struct
{
  FhSessionOrderKind kind;
  JsonNode *id; /* as it came; nullable */
  FhCell *cell; /* of FH_SESSION_CELL */
  gboolean wants_output;
  gboolean wants_attempts;
  guint call;      /* of a reply: */
  JsonNode *value; /* NULL if it is an error */
  char *error;
} FhSessionOrder;

/* NULL with FH_RUN_ERROR_INVALID, a sentence. */
FhSessionOrder *fh_session_order_new (JsonObject *message, GError **error);
/* The end of the session, which no message asks for by itself. */
FhSessionOrder *fh_session_order_new_end (void);
void fh_session_order_free (FhSessionOrder *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhSessionOrder, fh_session_order_free)
