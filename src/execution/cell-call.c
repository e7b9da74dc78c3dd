/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cell-call.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-text.h"
#include "run-error.h"

static GBytes *
to_bytes (JsonObject *object, GError **error)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = fh_json_to_text (node, FALSE);
  const gsize size = strlen (text);

  if (size > FH_RUN_MAX_ANSWER)
    {
      fh_run_error_refuse (error, "%s", _ ("The reply is too long."));
      return NULL;
    }
  return g_bytes_new_take (g_steal_pointer (&text), size);
}

static GBytes *
order_to_bytes (FhCell *cell, GError **error)
{
  g_autoptr (JsonObject) object = json_object_new ();

  json_object_set_object_member (object, "order", json_object_ref (cell->order));
  return to_bytes (object, error);
}

gboolean
fh_cell_call_waits (const FhCellCall *self)
{
  return self->number != 0 && self->reply == NULL;
}

void
fh_cell_call_go_on (FhCellCall *self, FhRun *run)
{
  FhCell *cell = g_queue_peek_head (&self->asked);

  if (self->is_asking)
    return;
  if (cell != NULL)
    {
      g_autoptr (GBytes) order = order_to_bytes (cell, NULL);

      self->is_asking = TRUE;
      fh_run_reply (run, self->number, order);
    }
  else if (self->reply != NULL)
    {
      g_autoptr (GBytes) reply = g_steal_pointer (&self->reply);
      const guint number = self->number;

      self->number = 0;
      fh_run_reply (run, number, reply);
    }
}

gboolean
fh_cell_call_reply (FhCellCall *self,
                    FhRun *run,
                    guint number,
                    JsonNode *value,
                    const char *text,
                    GError **error)
{
  g_autoptr (JsonObject) reply = json_object_new ();

  if (!fh_cell_call_waits (self) || number != self->number)
    return fh_run_error_refuse (error, "%s", _ ("No call of this number waits for a reply."));
  if (value != NULL)
    json_object_set_member (reply, "value", json_node_copy (value));
  else
    json_object_set_string_member (reply, "error", text);
  self->reply = to_bytes (reply, error);
  if (self->reply == NULL)
    return FALSE;
  fh_cell_call_go_on (self, run);
  return TRUE;
}

gboolean
fh_cell_call_ask (FhCellCall *self, FhRun *run, FhCell *cell, GError **error)
{
  g_autoptr (GBytes) order = NULL;

  if (cell->kind == FH_CELL_EXECUTE || cell->kind == FH_CELL_RESET)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("The cell that runs waits for the reply to its call. Only its "
                                   "variables can be read and set meanwhile."));
  order = order_to_bytes (cell, error);
  if (order == NULL)
    return FALSE;
  g_queue_push_tail (&self->asked, g_object_ref (cell));
  fh_cell_call_go_on (self, run);
  return TRUE;
}

FhCell *
fh_cell_call_take_answered (FhCellCall *self)
{
  if (!self->is_asking)
    return NULL;
  self->is_asking = FALSE;
  return g_queue_pop_head (&self->asked);
}

GQueue *
fh_cell_call_end (FhCellCall *self)
{
  GQueue *cells = g_queue_copy (&self->asked);

  g_queue_clear (&self->asked);
  g_clear_pointer (&self->reply, g_bytes_unref);
  self->number = 0;
  self->is_asking = FALSE;
  return cells;
}
