/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-table.h"

#include <glib/gi18n-lib.h>

#include "json-output.h"
#include "message.h"
#include "terminal-text.h"

#define N_COLUMNS 5

struct _FhContainerTable
{
  JsonArray *objects;
  GPtrArray *rows; /* (element-type GStrv): N_COLUMNS texts each, fit for a terminal */
};

static void
add_row (FhContainerTable *self,
         const char *name,
         const char *state,
         const char *kept,
         const char *image,
         const char *created)
{
  const char *const texts[N_COLUMNS] = { name, state, kept, created, image };
  GStrv row = g_new0 (char *, N_COLUMNS + 1);

  for (guint i = 0; i < N_COLUMNS; i++)
    row[i] = fh_terminal_line (texts[i] != NULL ? texts[i] : "");
  g_ptr_array_add (self->rows, row);
}

FhContainerTable *
fh_container_table_new (void)
{
  FhContainerTable *self = g_new0 (FhContainerTable, 1);

  self->objects = json_array_new ();
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  add_row (self, _ ("NAME"), _ ("STATE"), _ ("KEPT"), _ ("IMAGE"), _ ("CREATED"));
  return self;
}

void
fh_container_table_free (FhContainerTable *self)
{
  json_array_unref (self->objects);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

static void
add_container (FhContainerTable *self, FhEngine *engine, const FhContainer *container)
{
  const char *kind = fh_engine_kind_to_string (fh_engine_get_facts (engine)->kind);
  g_autoptr (GDateTime) created = g_date_time_new_from_unix_local (container->created);
  g_autofree char *moment =
      created != NULL ? g_date_time_format (created, "%Y-%m-%d %H:%M:%S") : NULL;
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "name", container->name);
  json_object_set_string_member (object, "id", container->id);
  json_object_set_string_member (object, "engine", kind);
  json_object_set_string_member (object, "image", container->image);
  json_object_set_string_member (object, "state", container->state);
  json_object_set_boolean_member (object, "kept", container->is_kept);
  json_object_set_int_member (object, "created", container->created);
  json_array_add_object_element (self->objects, object);
  add_row (self,
           container->name,
           container->state,
           container->is_kept ? _ ("yes") : _ ("no"),
           container->image,
           moment);
}

void
fh_container_table_add (FhContainerTable *self, FhEngine *engine, GPtrArray *containers)
{
  for (guint i = 0; i < containers->len; i++)
    add_container (self, engine, g_ptr_array_index (containers, i));
}

static gboolean
print_table (FhContainerTable *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  glong widths[N_COLUMNS] = { 0 };

  for (guint i = 0; i < self->rows->len; i++)
    {
      char **row = g_ptr_array_index (self->rows, i);

      for (guint j = 0; j < N_COLUMNS; j++)
        widths[j] = MAX (widths[j], g_utf8_strlen (row[j], -1));
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      char **row = g_ptr_array_index (self->rows, i);

      for (guint j = 0; j + 1 < N_COLUMNS; j++)
        fh_terminal_append_cell (text, row[j], widths[j] + 2);
      g_string_append_printf (text, "%s\n", row[N_COLUMNS - 1]);
    }
  return fh_print (text->str);
}

gboolean
fh_container_table_print (FhContainerTable *self, gboolean as_json)
{
  g_autoptr (JsonObject) object = NULL;

  if (as_json)
    {
      object = json_object_new ();
      json_object_set_array_member (object, "containers", json_array_ref (self->objects));
      return fh_print_json (object, TRUE);
    }
  if (self->rows->len > 1)
    return print_table (self);
  fh_message (_ ("There are no containers of Fumehood."));
  return TRUE;
}
