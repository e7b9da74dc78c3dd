/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "session-order.h"

#include "json-member.h"
#include "run-error.h"

/* A day: longer than any cell. */
#define MAX_SECONDS 86400.0

enum
{
  EXECUTE,
  SET_VARIABLE,
  SET_CONTEXT,
  GET_VARIABLE,
  LIST_VARIABLES,
  DECLARE_FUNCTION,
  RESET,
  REPLY,
  INTERRUPT,
  CLOSE,
};

static const char *const words[] = {
  [EXECUTE] = "execute",
  [SET_VARIABLE] = "set_variable",
  [SET_CONTEXT] = "set_context",
  [GET_VARIABLE] = "get_variable",
  [LIST_VARIABLES] = "list_variables",
  [DECLARE_FUNCTION] = "declare_function",
  [RESET] = "reset",
  [REPLY] = "reply",
  [INTERRUPT] = "interrupt",
  [CLOSE] = "close",
  NULL,
};

FhSessionOrder *
fh_session_order_new_end (void)
{
  FhSessionOrder *order = g_new0 (FhSessionOrder, 1);

  order->cell = fh_cell_new_end ();
  return order;
}

void
fh_session_order_free (FhSessionOrder *order)
{
  g_clear_pointer (&order->id, json_node_unref);
  g_clear_pointer (&order->value, json_node_unref);
  g_clear_object (&order->cell);
  g_free (order->error);
  g_free (order);
}

/* An optional text; `text` stays as it is if there is none. */
static gboolean
take_text (JsonObject *message, const char *member, const char **text, GError **error)
{
  if (!json_object_has_member (message, member) || fh_json_is_null (message, member))
    return TRUE;
  return fh_json_get_string (message, member, text, error);
}

/* An optional one; FALSE if there is none. */
static gboolean
take_bool (JsonObject *message, const char *member, gboolean *value, GError **error)
{
  *value = FALSE;
  return !json_object_has_member (message, member) ||
         fh_json_get_bool (message, member, value, error);
}

static gboolean
take_number (JsonObject *message, const char *member, guint *number, GError **error)
{
  guint64 value;

  if (!json_object_has_member (message, member))
    return TRUE;
  if (!fh_json_get_number (message, member, 1 << 22, &value, error))
    return FALSE;
  *number = (guint) value;
  return TRUE;
}

static gboolean
take_timeout (JsonObject *message, FhSessionOrder *order, GError **error)
{
  JsonNode *node = json_object_get_member (message, "timeout");
  double seconds;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  seconds = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : 0;
  if (!(seconds >= 0.001 && seconds <= MAX_SECONDS))
    return fh_run_error_refuse (error, "%s", "“timeout” must be a number of seconds.");
  if (order->cell != NULL)
    fh_cell_set_wall_ms (order->cell, (guint64) (seconds * 1000));
  return TRUE;
}

/* Reads which events are told while the cell runs. */
static gboolean
take_events (JsonObject *message, FhSessionOrder *order, GError **error)
{
  g_auto (GStrv) events = NULL;

  if (!json_object_has_member (message, "events"))
    return TRUE;
  if (!fh_json_get_strings (message, "events", 2, &events, error))
    return FALSE;
  order->wants_output = g_strv_contains ((const char *const *) events, "output");
  order->wants_attempts = g_strv_contains ((const char *const *) events, "attempt");
  return TRUE;
}

static FhCell *
new_execute (JsonObject *message, FhSessionOrder *order, GError **error)
{
  gboolean is_assigned_told;
  const char *code;
  FhCell *cell;

  if (!fh_json_get_string (message, "code", &code, error) ||
      !take_bool (message, "assigned", &is_assigned_told, error) ||
      !take_events (message, order, error))
    return NULL;
  cell = fh_cell_new_execute (code, error);
  if (cell != NULL && is_assigned_told)
    fh_cell_set_assigned_told (cell);
  return cell;
}

static FhCell *
new_set (JsonObject *message, gboolean is_context, GError **error)
{
  JsonNode *value = json_object_get_member (message, "value");
  const char *name = FH_CELL_CONTEXT;
  gboolean is_tagged = FALSE;
  FhCell *cell;

  if (value == NULL || (is_context && json_node_get_value_type (value) != G_TYPE_STRING))
    {
      fh_json_refuse_member ("value", error);
      return NULL;
    }
  if ((!is_context || json_object_has_member (message, "name")) &&
      !fh_json_get_string (message, "name", &name, error))
    return NULL;
  if (!take_bool (message, "tagged", &is_tagged, error))
    return NULL;
  cell = fh_cell_new_set (name, value, is_context, error);
  if (cell != NULL && is_tagged)
    fh_cell_set_tagged (cell);
  return cell;
}

static FhCell *
new_get (JsonObject *message, GError **error)
{
  guint offset = 0, limit = FH_CELL_VALUE_MAX;
  const char *name;

  if (!fh_json_get_string (message, "name", &name, error) ||
      !take_number (message, "offset", &offset, error) ||
      !take_number (message, "limit", &limit, error))
    return NULL;
  return fh_cell_new_get (name, offset, limit, error);
}

static FhCell *
new_list (JsonObject *message, GError **error)
{
  gboolean all;

  if (!take_bool (message, "all", &all, error))
    return NULL;
  return fh_cell_new_list (all);
}

static FhCell *
new_declare (JsonObject *message, GError **error)
{
  const char *name, *parameters = NULL, *doc = NULL, *source = NULL;
  gboolean is_tagged, ends;
  FhCell *cell;

  if (!fh_json_get_string (message, "name", &name, error) ||
      !take_text (message, "parameters", &parameters, error) ||
      !take_text (message, "doc", &doc, error) || !take_text (message, "source", &source, error) ||
      !take_bool (message, "tagged", &is_tagged, error) ||
      !take_bool (message, "ends", &ends, error))
    return NULL;
  cell = fh_cell_new_declare (name, parameters, doc, source, error);
  if (cell != NULL && is_tagged)
    fh_cell_set_tagged (cell);
  if (cell != NULL && ends)
    fh_cell_set_ends (cell);
  return cell;
}

static gboolean
take_reply (JsonObject *message, FhSessionOrder *order, GError **error)
{
  const char *text;
  guint64 call;

  if (!fh_json_get_number (message, "call", G_MAXUINT, &call, error))
    return FALSE;
  order->call = (guint) call;
  if (json_object_has_member (message, "error"))
    {
      if (!fh_json_get_string (message, "error", &text, error))
        return FALSE;
      order->error = g_strdup (text);
      return TRUE;
    }
  if (!json_object_has_member (message, "value"))
    return fh_json_refuse_member ("value", error);
  order->value = json_object_dup_member (message, "value");
  return TRUE;
}

static FhCell *
new_cell (JsonObject *message, FhSessionOrder *order, guint word, GError **error)
{
  switch (word)
    {
    case EXECUTE:
      return new_execute (message, order, error);
    case SET_VARIABLE:
    case SET_CONTEXT:
      return new_set (message, word == SET_CONTEXT, error);
    case GET_VARIABLE:
      return new_get (message, error);
    case LIST_VARIABLES:
      return new_list (message, error);
    case DECLARE_FUNCTION:
      return new_declare (message, error);
    case RESET:
    default:
      return fh_cell_new_reset ();
    }
}

static gboolean
take (JsonObject *message, FhSessionOrder *order, guint word, GError **error)
{
  switch (word)
    {
    case REPLY:
      order->kind = FH_SESSION_REPLY;
      return take_reply (message, order, error);
    case INTERRUPT:
      order->kind = FH_SESSION_INTERRUPT;
      return TRUE;
    case CLOSE:
      order->kind = FH_SESSION_CLOSE;
      return TRUE;
    default:
      order->kind = FH_SESSION_CELL;
      order->cell = new_cell (message, order, word, error);
      return order->cell != NULL;
    }
}

FhSessionOrder *
fh_session_order_new (JsonObject *message, GError **error)
{
  g_autoptr (FhSessionOrder) order = g_new0 (FhSessionOrder, 1);
  guint word;

  g_return_val_if_fail (message != NULL, NULL);

  if (!fh_json_get_word (message, "type", words, &word, error))
    return NULL;
  if (json_object_has_member (message, "id"))
    order->id = json_object_dup_member (message, "id");
  if (!take (message, order, word, error) || !take_timeout (message, order, error))
    return NULL;
  return g_steal_pointer (&order);
}
