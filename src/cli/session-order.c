/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "session-order.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-member.h"
#include "json-text.h"
#include "run-error.h"
#include "run-request.h"

/* A day: longer than any cell. */
#define MAX_SECONDS 86400.0

#define CONTEXT "context"

/* In the order of FhSessionOrderKind; set_context is another word for FH_SESSION_SET. */
static const char *const words[] = {
  "execute", "set_variable", "get_variable", "list_variables", "declare_function",
  "reset",   "reply",        "interrupt",    "close",          "set_context",
  NULL,
};

/* What the interpreter calls these. */
static const char *const verbs[] = { "execute", "set", "get", "list", "declare" };

void
fh_session_order_free (FhSessionOrder *order)
{
  g_clear_pointer (&order->id, json_node_unref);
  g_clear_pointer (&order->cell, json_object_unref);
  g_clear_pointer (&order->reply, json_object_unref);
  g_free (order->source);
  g_free (order);
}

static gboolean
is_identifier (const char *name)
{
  if (!g_unichar_isalpha (g_utf8_get_char (name)) && *name != '_')
    return FALSE;
  for (const char *at = name; *at != '\0'; at = g_utf8_next_char (at))
    {
      if (!g_unichar_isalnum (g_utf8_get_char (at)) && *at != '_')
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_name (JsonObject *message, FhSessionOrder *order, const char *standard, GError **error)
{
  const char *name = standard;

  if ((standard == NULL || json_object_has_member (message, "name")) &&
      !fh_json_get_string (message, "name", &name, error))
    return FALSE;
  if (!is_identifier (name))
    return fh_run_error_refuse (error, _ ("“%s” is not the name of a variable."), name);
  json_object_set_string_member (order->cell, "name", name);
  return TRUE;
}

/* An optional text. */
static gboolean
take_text (JsonObject *message, FhSessionOrder *order, const char *member, GError **error)
{
  const char *text;

  if (!json_object_has_member (message, member) || fh_json_is_null (message, member))
    return TRUE;
  if (!fh_json_get_string (message, member, &text, error))
    return FALSE;
  json_object_set_string_member (order->cell, member, text);
  return TRUE;
}

static gboolean
take_number (JsonObject *message, FhSessionOrder *order, const char *member, GError **error)
{
  guint64 number;

  if (!json_object_has_member (message, member))
    return TRUE;
  if (!fh_json_get_number (message, member, 1 << 22, &number, error))
    return FALSE;
  json_object_set_int_member (order->cell, member, (gint64) number);
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
    return fh_run_error_refuse (error, "%s", _ ("“timeout” must be a number of seconds."));
  order->wall_ms = (guint64) (seconds * 1000);
  return TRUE;
}

/* Which of them are told while the cell runs. */
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

static gboolean
take_execute (JsonObject *message, FhSessionOrder *order, GError **error)
{
  const char *code;

  if (!fh_json_get_string (message, "code", &code, error) || !take_events (message, order, error))
    return FALSE;
  if (strlen (code) > FH_RUN_REQUEST_MAX_SOURCE)
    return fh_run_error_refuse (error, "%s", _ ("The code is too long."));
  json_object_set_string_member (order->cell, "code", code);
  order->source = g_strdup (code);
  return TRUE;
}

static gboolean
take_set (JsonObject *message, FhSessionOrder *order, const char *standard, GError **error)
{
  JsonNode *value = json_object_get_member (message, "value");

  order->is_kept = standard != NULL;
  if (value == NULL)
    return fh_json_refuse_member ("value", error);
  if (standard != NULL && json_node_get_value_type (value) != G_TYPE_STRING)
    return fh_json_refuse_member ("value", error);
  json_object_set_member (order->cell, "value", json_node_copy (value));
  return take_name (message, order, standard, error);
}

/* FINAL and FINAL_VAR need no reply. */
static gboolean
take_declare (JsonObject *message, FhSessionOrder *order, GError **error)
{
  const char *name;

  order->is_kept = TRUE;
  if (!take_name (message, order, NULL, error) ||
      !take_text (message, order, "parameters", error) ||
      !take_text (message, order, "doc", error) || !take_text (message, order, "source", error))
    return FALSE;
  name = json_object_get_string_member (order->cell, "name");
  json_object_set_boolean_member (order->cell,
                                  "is_final",
                                  g_str_equal (name, "FINAL") || g_str_equal (name, "FINAL_VAR"));
  return TRUE;
}

static gboolean
take_reply (JsonObject *message, FhSessionOrder *order, GError **error)
{
  const char *text;
  guint64 call;

  if (!fh_json_get_number (message, "call", G_MAXUINT, &call, error))
    return FALSE;
  order->call = (guint) call;
  order->reply = json_object_new ();
  if (json_object_has_member (message, "error"))
    {
      if (!fh_json_get_string (message, "error", &text, error))
        return FALSE;
      json_object_set_string_member (order->reply, "error", text);
      return TRUE;
    }
  if (!json_object_has_member (message, "value"))
    return fh_json_refuse_member ("value", error);
  json_object_set_member (order->reply, "value", json_object_dup_member (message, "value"));
  return TRUE;
}

static gboolean
take_list (JsonObject *message, FhSessionOrder *order, GError **error)
{
  gboolean all = FALSE;

  if (json_object_has_member (message, "all") && !fh_json_get_bool (message, "all", &all, error))
    return FALSE;
  json_object_set_boolean_member (order->cell, "all", all);
  return TRUE;
}

static gboolean
take (JsonObject *message, FhSessionOrder *order, gboolean is_context, GError **error)
{
  switch (order->kind)
    {
    case FH_SESSION_EXECUTE:
      return take_execute (message, order, error);
    case FH_SESSION_SET:
      return take_set (message, order, is_context ? CONTEXT : NULL, error);
    case FH_SESSION_GET:
      return take_name (message, order, NULL, error) &&
             take_number (message, order, "offset", error) &&
             take_number (message, order, "limit", error);
    case FH_SESSION_LIST:
      return take_list (message, order, error);
    case FH_SESSION_DECLARE:
      return take_declare (message, order, error);
    case FH_SESSION_REPLY:
      return take_reply (message, order, error);
    case FH_SESSION_RESET:
    case FH_SESSION_INTERRUPT:
    case FH_SESSION_CLOSE:
    default:
      return TRUE;
    }
}

FhSessionOrder *
fh_session_order_new (JsonObject *message, GError **error)
{
  g_autoptr (FhSessionOrder) order = g_new0 (FhSessionOrder, 1);
  gboolean is_context;
  guint word;

  g_return_val_if_fail (message != NULL, NULL);

  if (!fh_json_get_word (message, "type", words, &word, error))
    return NULL;
  if (json_object_has_member (message, "id"))
    order->id = json_object_dup_member (message, "id");
  is_context = word > FH_SESSION_CLOSE;
  order->kind = is_context ? FH_SESSION_SET : (FhSessionOrderKind) word;
  if (order->kind <= FH_SESSION_DECLARE)
    {
      order->cell = json_object_new ();
      json_object_set_string_member (order->cell, "do", verbs[order->kind]);
    }
  if (!take (message, order, is_context, error) || !take_timeout (message, order, error))
    return NULL;
  if (order->cell != NULL && order->source == NULL)
    order->source = g_strdup_printf ("# %s", words[word]);
  return g_steal_pointer (&order);
}
