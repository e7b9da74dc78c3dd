/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cell-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

G_DEFINE_FINAL_TYPE (FhCell, fh_cell, G_TYPE_OBJECT)

static const struct
{
  const char *verb; /* what the interpreter calls it */
  const char *source;
} kinds[] = {
  [FH_CELL_EXECUTE] = { "execute", NULL },
  [FH_CELL_SET] = { "set", "# set_variable" },
  [FH_CELL_GET] = { "get", "# get_variable" },
  [FH_CELL_LIST] = { "list", "# list_variables" },
  [FH_CELL_DECLARE] = { "declare", "# declare_function" },
  [FH_CELL_RESET] = { "reset", "# reset" },
  [FH_CELL_END] = { "end", "# close" },
};

/* As long as a program has that is stopped. */
#define END_MS 1000

static void
fh_cell_finalize (GObject *object)
{
  FhCell *self = FH_CELL (object);

  json_object_unref (self->order);
  g_free (self->source);

  G_OBJECT_CLASS (fh_cell_parent_class)->finalize (object);
}

static void
fh_cell_class_init (FhCellClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_cell_finalize;
}

static void
fh_cell_init (FhCell *self)
{
  self->order = json_object_new ();
}

static FhCell *
new_cell (FhCellKind kind)
{
  FhCell *self = g_object_new (FH_TYPE_CELL, NULL);

  self->kind = kind;
  self->source = g_strdup (kinds[kind].source);
  json_object_set_string_member (self->order, "do", kinds[kind].verb);
  return self;
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

/* NULL if it is not the name of a variable. */
static FhCell *
new_named_cell (FhCellKind kind, const char *name, GError **error)
{
  FhCell *self;

  g_return_val_if_fail (name != NULL, NULL);

  if (!is_identifier (name))
    {
      fh_run_error_refuse (error, _ ("“%s” is not the name of a variable."), name);
      return NULL;
    }
  self = new_cell (kind);
  json_object_set_string_member (self->order, "name", name);
  return self;
}

FhCell *
fh_cell_new_execute (const char *code, GError **error)
{
  FhCell *self;

  g_return_val_if_fail (code != NULL, NULL);

  if (strlen (code) > FH_RUN_REQUEST_MAX_SOURCE)
    {
      fh_run_error_refuse (error, "%s", _ ("The code is too long."));
      return NULL;
    }
  self = new_cell (FH_CELL_EXECUTE);
  json_object_set_string_member (self->order, "code", code);
  self->source = g_strdup (code);
  return self;
}

FhCell *
fh_cell_new_set (const char *name, JsonNode *value, gboolean is_kept, GError **error)
{
  FhCell *self = new_named_cell (FH_CELL_SET, name, error);

  g_return_val_if_fail (value != NULL, NULL);

  if (self == NULL)
    return NULL;
  self->is_kept = is_kept;
  json_object_set_member (self->order, "value", json_node_copy (value));
  return self;
}

FhCell *
fh_cell_new_get (const char *name, guint offset, guint limit, GError **error)
{
  FhCell *self = new_named_cell (FH_CELL_GET, name, error);

  if (self == NULL)
    return NULL;
  json_object_set_int_member (self->order, "offset", offset);
  json_object_set_int_member (self->order, "limit", limit);
  return self;
}

FhCell *
fh_cell_new_list (gboolean all)
{
  FhCell *self = new_cell (FH_CELL_LIST);

  json_object_set_boolean_member (self->order, "all", all);
  return self;
}

static void
set_text (FhCell *self, const char *member, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (self->order, member, text);
}

FhCell *
fh_cell_new_declare (const char *name,
                     const char *parameters,
                     const char *doc,
                     const char *source,
                     GError **error)
{
  FhCell *self = new_named_cell (FH_CELL_DECLARE, name, error);

  if (self == NULL)
    return NULL;
  self->is_kept = TRUE;
  set_text (self, "parameters", parameters);
  set_text (self, "doc", doc);
  set_text (self, "source", source);
  json_object_set_boolean_member (
      self->order,
      "is_final",
      parameters == NULL && source == NULL &&
          (g_str_equal (name, "FINAL") || g_str_equal (name, "FINAL_VAR")));
  return self;
}

void
fh_cell_set_tagged (FhCell *self)
{
  g_return_if_fail (FH_IS_CELL (self));

  json_object_set_boolean_member (self->order, "is_tagged", TRUE);
}

void
fh_cell_set_assigned_told (FhCell *self)
{
  g_return_if_fail (FH_IS_CELL (self));

  json_object_set_boolean_member (self->order, "is_assigned_told", TRUE);
}

void
fh_cell_set_ends (FhCell *self)
{
  g_return_if_fail (FH_IS_CELL (self));

  json_object_set_boolean_member (self->order, "ends", TRUE);
}

FhCell *
fh_cell_new_end (void)
{
  FhCell *self = new_cell (FH_CELL_END);

  fh_cell_set_wall_ms (self, END_MS);
  return self;
}

FhCell *
fh_cell_new_reset (void)
{
  return new_cell (FH_CELL_RESET);
}

FhCellKind
fh_cell_get_kind (FhCell *self)
{
  g_return_val_if_fail (FH_IS_CELL (self), FH_CELL_EXECUTE);

  return self->kind;
}

const char *
fh_cell_get_source (FhCell *self)
{
  g_return_val_if_fail (FH_IS_CELL (self), NULL);

  return self->source;
}

void
fh_cell_set_wall_ms (FhCell *self, guint64 wall_ms)
{
  g_return_if_fail (FH_IS_CELL (self));

  self->wall_ms = wall_ms;
}

void
fh_cell_set_line (FhCell *self, guint line)
{
  g_return_if_fail (FH_IS_CELL (self));

  self->line = line;
}

guint
fh_cell_get_line (FhCell *self)
{
  g_return_val_if_fail (FH_IS_CELL (self), 0);

  return self->line;
}
