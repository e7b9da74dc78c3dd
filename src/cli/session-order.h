/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  FH_SESSION_EXECUTE,
  FH_SESSION_SET,
  FH_SESSION_GET,
  FH_SESSION_LIST,
  FH_SESSION_DECLARE,
  FH_SESSION_RESET,
  /* These do not wait for those before: */
  FH_SESSION_REPLY,
  FH_SESSION_INTERRUPT,
  FH_SESSION_CLOSE,
} FhSessionOrderKind;

/* One message to `fumehoodctl session`, checked. */
typedef struct
{
  FhSessionOrderKind kind;
  JsonNode *id;     /* as it came; nullable */
  JsonObject *cell; /* what the interpreter is to do; NULL: nothing */
  gboolean is_kept; /* a new interpreter is to do it too */
  char *source;     /* for people, if there is a cell */
  guint64 wall_ms;  /* 0: that of the session */
  gboolean wants_output;
  gboolean wants_attempts;
  guint call; /* of a reply: */
  JsonObject *reply;
} FhSessionOrder;

/* A cell to execute has no name yet. NULL with FH_RUN_ERROR_INVALID, a sentence. */
FhSessionOrder *fh_session_order_new (JsonObject *message, GError **error);
void fh_session_order_free (FhSessionOrder *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhSessionOrder, fh_session_order_free)

G_END_DECLS
