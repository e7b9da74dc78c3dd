/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "notebook-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cell-splitter.h"
#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"
#include "run-error.h"
#include "run-language.h"

#define PROSE "[markdown]"

#define METADATA                                                                                   \
  "{\"kernelspec\":{\"display_name\":\"Python 3\",\"language\":\"python\",\"name\":\"python3\"},"  \
  "\"language_info\":{\"name\":\"python\"}}"

gboolean
fh_notebook_file_is_name (const char *name)
{
  return name != NULL && g_str_has_suffix (name, ".ipynb");
}

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  return object != NULL ? fh_json_get_object (object, name, NULL) : NULL;
}

/* The text of a cell is one string, or a list of its lines. */
static char *
dup_source (JsonObject *cell)
{
  const char *name = json_object_has_member (cell, "source") ? "source" : "input";
  JsonArray *lines = fh_json_get_array (cell, name, G_MAXUINT, NULL);
  const char *whole = fh_json_get_text (cell, name);
  GString *text = g_string_new (whole);

  for (guint i = 0; lines != NULL && i < json_array_get_length (lines); i++)
    {
      const char *line = fh_json_node_text (json_array_get_element (lines, i));

      g_string_append (text, line != NULL ? line : "");
    }
  while (text->len > 0 && strchr ("\n\r", text->str[text->len - 1]) != NULL)
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

static void
append_cell (GString *text, JsonObject *cell)
{
  g_autofree char *source = dup_source (cell);
  const gboolean is_code = g_strcmp0 (fh_json_get_text (cell, "cell_type"), "code") == 0;
  g_auto (GStrv) lines = is_code ? NULL : g_strsplit (source, "\n", -1);

  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, is_code ? "# %%\n" : "# %% " PROSE "\n");
  if (is_code && *source != '\0')
    g_string_append_printf (text, "%s\n", source);
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    g_string_append_printf (text, *lines[i] != '\0' ? "# %s\n" : "#%s\n", lines[i]);
}

/* Whether the cell has more than its source: outputs, settings, pictures in prose, or a kind of its
 * own. */
static gboolean
has_more (JsonObject *cell)
{
  JsonArray *outputs = fh_json_get_array (cell, "outputs", G_MAXUINT, NULL);
  JsonObject *metadata = get_object (cell, "metadata");
  const char *type = fh_json_get_text (cell, "cell_type");

  return (outputs != NULL && json_array_get_length (outputs) > 0) ||
         (metadata != NULL && json_object_get_size (metadata) > 0) ||
         json_object_has_member (cell, "attachments") ||
         (g_strcmp0 (type, "code") != 0 && g_strcmp0 (type, "markdown") != 0);
}

/* Format 3 has sheets, of which there is one. */
static JsonArray *
find_cells (JsonObject *notebook)
{
  JsonArray *sheets = fh_json_get_array (notebook, "worksheets", G_MAXUINT, NULL);
  JsonNode *first = sheets != NULL && json_array_get_length (sheets) > 0
                        ? json_array_get_element (sheets, 0)
                        : NULL;

  if (first != NULL && JSON_NODE_HOLDS_OBJECT (first))
    return fh_json_get_array (json_node_get_object (first), "cells", G_MAXUINT, NULL);
  return fh_json_get_array (notebook, "cells", G_MAXUINT, NULL);
}

static gboolean
check_language (JsonObject *notebook, GError **error)
{
  JsonObject *metadata = get_object (notebook, "metadata");
  const char *language = fh_json_get_text (get_object (metadata, "language_info"), "name");
  g_autofree char *lower = NULL;

  if (language == NULL)
    language = fh_json_get_text (get_object (metadata, "kernelspec"), "language");
  lower = g_ascii_strdown (language != NULL ? language : "python", -1);
  return g_str_has_prefix (lower, "python") || g_str_equal (lower, "ipython") ||
         fh_run_error_refuse (
             error,
             _ ("This is a notebook of %.40s. Only those of Python can be opened."),
             language);
}

char *
fh_notebook_file_read (const char *json, gsize size, gboolean *is_reduced, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonObject) notebook =
      fh_json_guard_parse (json, size, FH_RUN_REQUEST_MAX_SOURCE, error);
  JsonArray *cells;

  g_return_val_if_fail (is_reduced != NULL, NULL);

  *is_reduced = FALSE;
  if (notebook == NULL)
    {
      g_prefix_error (error, "%s ", _ ("This is not a notebook."));
      return NULL;
    }
  cells = find_cells (notebook);
  if (cells == NULL)
    {
      fh_run_error_refuse (error, "%s", _ ("This is not a notebook: it has no cells."));
      return NULL;
    }
  if (!check_language (notebook, error))
    return NULL;
  for (guint i = 0; i < json_array_get_length (cells); i++)
    {
      JsonNode *node = json_array_get_element (cells, i);

      if (!JSON_NODE_HOLDS_OBJECT (node))
        {
          *is_reduced = TRUE;
          continue;
        }
      append_cell (text, json_node_get_object (node));
      *is_reduced |= has_more (json_node_get_object (node));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* As Jupyter writes it: a list of lines, each with its end. */
static JsonArray *
new_source (const char *text, gsize size, gboolean is_prose)
{
  JsonArray *source = json_array_new ();

  while (size > 0 && strchr (" \t\r\n", text[size - 1]) != NULL)
    size--;
  while (size > 0)
    {
      const char *end = memchr (text, '\n', size);
      gsize length = end != NULL ? (gsize) (end - text) + 1 : size;
      gsize skip = 0;
      g_autofree char *line = NULL;

      if (is_prose && *text == '#')
        skip = length > 1 && text[1] == ' ' ? 2 : 1;
      line = g_strndup (text + skip, length - skip);
      json_array_add_string_element (source, line);
      text += length;
      size -= length;
    }
  return source;
}

static JsonObject *
new_cell (const char *text, const FhCellPlace *place)
{
  const char *begin = text + place->start;
  const char *end = text + place->end;
  JsonObject *cell = json_object_new ();
  gboolean is_prose = FALSE;

  if (*begin == '#' && strncmp (begin + 1 + strspn (begin + 1, " \t"), "%%", 2) == 0)
    {
      const char *next = memchr (begin, '\n', (gsize) (end - begin));

      is_prose = g_strstr_len (begin, (next != NULL ? next : end) - begin, PROSE) != NULL;
      begin = next != NULL ? next + 1 : end;
    }
  json_object_set_string_member (cell, "cell_type", is_prose ? "markdown" : "code");
  json_object_set_object_member (cell, "metadata", json_object_new ());
  if (!is_prose)
    {
      json_object_set_null_member (cell, "execution_count");
      json_object_set_array_member (cell, "outputs", json_array_new ());
    }
  json_object_set_array_member (cell,
                                "source",
                                new_source (begin, (gsize) (end - begin), is_prose));
  return cell;
}

char *
fh_notebook_file_write (const char *text)
{
  g_autoptr (JsonObject) notebook = json_object_new ();
  g_autoptr (GArray) places = fh_cell_splitter_split (text);
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), notebook);
  g_autofree char *json = NULL;
  JsonArray *cells = json_array_new ();

  for (guint i = 0; i < places->len; i++)
    json_array_add_object_element (cells, new_cell (text, &g_array_index (places, FhCellPlace, i)));
  json_object_set_array_member (notebook, "cells", cells);
  json_object_set_member (notebook, "metadata", json_from_string (METADATA, NULL));
  json_object_set_int_member (notebook, "nbformat", 4);
  json_object_set_int_member (notebook, "nbformat_minor", 4);
  json = fh_json_to_text (root, TRUE);
  return g_strconcat (json, "\n", NULL);
}
