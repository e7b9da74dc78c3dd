/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells/variable.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "json-member.h"
#include "readable-text.h"

/* Characters that are shown. */
#define MAX_NAME 200
#define MAX_TEXT 600

#define MAX_DIMENSIONS 20

G_DEFINE_FINAL_TYPE (FhVariable, fh_variable, G_TYPE_OBJECT)

static void
fh_variable_finalize (GObject *object)
{
  FhVariable *self = FH_VARIABLE (object);

  g_free (self->name);
  g_free (self->type);
  g_free (self->size);
  g_free (self->text);
  G_OBJECT_CLASS (fh_variable_parent_class)->finalize (object);
}

static void
fh_variable_class_init (FhVariableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_variable_finalize;
}

static void
fh_variable_init (FhVariable *self)
{
}

/* One line of about `most` characters; NULL if there is no such text. */
static char *
dup_text (JsonObject *row, const char *member, glong most)
{
  const char *text;
  const char *end;
  g_autofree char *line = NULL;

  if (!fh_json_get_string (row, member, &text, NULL))
    return NULL;
  end = text;
  for (glong n = 0; *end != '\0' && n < most; n++)
    end = g_utf8_next_char (end);
  line = fh_readable_text_new (text, (gsize) (end - text));
  return g_strconcat (line, *end != '\0' ? "…" : "", NULL);
}

static char *
format_size (JsonObject *row)
{
  GString *text = g_string_new (NULL);
  JsonNode *node = json_object_get_member (row, "size");
  JsonArray *sizes =
      node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; sizes != NULL && i < MIN (json_array_get_length (sizes), MAX_DIMENSIONS); i++)
    {
      JsonNode *size = json_array_get_element (sizes, i);

      if (JSON_NODE_HOLDS_VALUE (size) && json_node_get_value_type (size) == G_TYPE_INT64)
        g_string_append_printf (text,
                                "%s%" PRId64,
                                text->len > 0 ? " × " : "",
                                json_node_get_int (size));
    }
  return g_string_free (text, FALSE);
}

static FhVariableState
read_state (JsonObject *row)
{
  const char *state = "";

  fh_json_get_string (row, "state", &state, NULL);
  if (g_str_equal (state, "new"))
    return FH_VARIABLE_NEW;
  return g_str_equal (state, "changed") ? FH_VARIABLE_CHANGED : FH_VARIABLE_SAME;
}

FhVariable *
fh_variable_new (JsonNode *row)
{
  g_autoptr (FhVariable) self = g_object_new (FH_TYPE_VARIABLE, NULL);
  JsonObject *object;

  g_return_val_if_fail (row != NULL, NULL);

  if (!JSON_NODE_HOLDS_OBJECT (row))
    return NULL;
  object = json_node_get_object (row);
  self->name = dup_text (object, "name", MAX_NAME);
  self->type = dup_text (object, "type", MAX_NAME);
  self->text = dup_text (object, "repr", MAX_TEXT);
  self->size = format_size (object);
  self->state = read_state (object);
  if (self->name == NULL || self->type == NULL || self->text == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

const char *
fh_variable_get_state_title (FhVariable *self)
{
  g_return_val_if_fail (FH_IS_VARIABLE (self), NULL);

  if (self->state == FH_VARIABLE_NEW)
    /* Translators: of a variable, since the last cell */
    return C_ ("variable", "new");
  /* Translators: of a variable, since the last cell */
  return self->state == FH_VARIABLE_CHANGED ? C_ ("variable", "changed") : "";
}
