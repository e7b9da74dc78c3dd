/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draft.h"

#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"

#define VERSION 1

/* Much larger than any source and standard input that can be typed. */
#define MAX_SIZE ((gsize) 256 << 20)

FhDraft *
fh_draft_new (void)
{
  FhDraft *draft = g_new0 (FhDraft, 1);

  draft->id = g_uuid_string_random ();
  draft->text = g_strdup ("");
  draft->language = fh_language_list ();
  draft->arguments = g_strdup ("");
  draft->standard_input = g_strdup ("");
  draft->options = fh_run_options_new ();
  return draft;
}

FhDraft *
fh_draft_copy (const FhDraft *draft)
{
  FhDraft *copy;

  g_return_val_if_fail (draft != NULL, NULL);

  copy = g_new (FhDraft, 1);
  *copy = *draft;
  copy->id = g_strdup (draft->id);
  copy->title = g_strdup (draft->title);
  copy->path = g_strdup (draft->path);
  copy->file_version = g_strdup (draft->file_version);
  copy->text = g_strdup (draft->text);
  copy->arguments = g_strdup (draft->arguments);
  copy->standard_input = g_strdup (draft->standard_input);
  copy->options = fh_run_options_copy (draft->options);
  copy->typed = draft->typed != NULL ? g_hash_table_ref (draft->typed) : NULL;
  copy->choices = draft->choices != NULL ? g_hash_table_ref (draft->choices) : NULL;
  copy->files = draft->files != NULL ? g_ptr_array_ref (draft->files) : NULL;
  return copy;
}

void
fh_draft_free (FhDraft *draft)
{
  g_return_if_fail (draft != NULL);

  g_free (draft->id);
  g_free (draft->title);
  g_free (draft->path);
  g_free (draft->file_version);
  g_free (draft->text);
  g_free (draft->arguments);
  g_free (draft->standard_input);
  fh_run_options_free (draft->options);
  g_clear_pointer (&draft->typed, g_hash_table_unref);
  g_clear_pointer (&draft->choices, g_hash_table_unref);
  g_clear_pointer (&draft->files, g_ptr_array_unref);
  g_free (draft);
}

static void
set_string (JsonObject *object, const char *name, const char *value)
{
  json_object_set_member (object, name, fh_json_byte_string_to_node (value));
}

static void
write_texts (JsonObject *object, const char *name, GHashTable *table)
{
  JsonObject *texts = json_object_new ();
  GHashTableIter iter;
  gpointer key;
  gpointer text;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &text))
    set_string (texts, key, text);
  json_object_set_object_member (object, name, texts);
}

char *
fh_draft_to_json (const FhDraft *draft, gsize *size)
{
  JsonObject *object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  char *json;

  json_object_unref (object);
  json_object_set_int_member (object, "version", VERSION);
  json_object_set_int_member (object, "position", draft->position);
  set_string (object, "title", draft->title);
  set_string (object, "path", draft->path);
  json_object_set_boolean_member (object, "modified", draft->modified);
  json_object_set_boolean_member (object, "repaired", draft->repaired);
  if (draft->file_version != NULL)
    set_string (object, "file_version", draft->file_version);
  set_string (object, "text", draft->text ? draft->text : "");
  set_string (object, "language", draft->language ? draft->language->id : NULL);
  set_string (object, "arguments", draft->arguments);
  set_string (object, "standard_input", draft->standard_input);
  fh_run_options_to_draft (draft->options, object);
  if (draft->typed != NULL)
    write_texts (object, "typed", draft->typed);
  if (draft->choices != NULL)
    write_texts (object, "choices", draft->choices);
  if (draft->files != NULL)
    json_object_set_member (object, "files", fh_run_files_to_json (draft->files));
  if (draft->run > 0)
    json_object_set_int_member (object, "run", draft->run);
  json_object_set_int_member (object, "cursor", draft->cursor);
  json_object_set_boolean_member (object, "session", draft->session);
  json = fh_json_to_text (node, FALSE);
  *size = strlen (json);
  return json;
}

static char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  char *value = NULL;

  if (node != NULL && !fh_json_byte_string_from_node (node, name, &value, NULL))
    return NULL;
  return value;
}

static guint
get_number (JsonObject *object, const char *name)
{
  guint64 value = 0;

  fh_json_get_number (object, name, G_MAXUINT, &value, NULL);
  return (guint) value;
}

/* (transfer full) (nullable) */
static GHashTable *
get_texts (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GList) keys = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  keys = json_object_get_members (json_node_get_object (node));
  for (GList *at = keys; at != NULL; at = at->next)
    {
      char *text = get_string (json_node_get_object (node), at->data);

      if (text != NULL)
        g_hash_table_insert (texts, g_strdup (at->data), text);
    }
  return g_steal_pointer (&texts);
}

static const FhLanguage *
get_language (JsonObject *object)
{
  const char *id;
  const FhLanguage *language = NULL;

  if (fh_json_get_string (object, "language", &id, NULL))
    language = fh_language_lookup (id);
  return language ? language : fh_language_list ();
}

static void
replace_string (char **place, char *value)
{
  if (value == NULL)
    return;
  g_free (*place);
  *place = value;
}

static gboolean
check_version (JsonObject *object, GError **error)
{
  gint64 version;

  if (!fh_json_get_int (object, "version", &version, NULL) || version <= VERSION)
    return fh_json_check_version (object, VERSION, error);
  g_set_error_literal (error,
                       G_IO_ERROR,
                       G_IO_ERROR_NOT_SUPPORTED,
                       "it was written by a newer version");
  return FALSE;
}

FhDraft *
fh_draft_from_json (const char *id, const char *json, gsize size, GError **error)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (json, size, MAX_SIZE, error);
  g_autoptr (FhDraft) draft = NULL;
  char *text;

  if (object == NULL || !check_version (object, error) ||
      !fh_json_byte_string_from_node (json_object_get_member (object, "text"),
                                      "text",
                                      &text,
                                      error))
    return NULL;
  draft = fh_draft_new ();
  replace_string (&draft->id, g_strdup (id));
  replace_string (&draft->text, text);
  draft->position = get_number (object, "position");
  draft->title = get_string (object, "title");
  draft->path = get_string (object, "path");
  fh_json_get_bool (object, "modified", &draft->modified, NULL);
  fh_json_get_bool (object, "repaired", &draft->repaired, NULL);
  draft->file_version = get_string (object, "file_version");
  draft->language = get_language (object);
  replace_string (&draft->arguments, get_string (object, "arguments"));
  replace_string (&draft->standard_input, get_string (object, "standard_input"));
  fh_run_options_free (draft->options);
  draft->options = fh_run_options_from_draft (object);
  draft->typed = get_texts (object, "typed");
  draft->choices = get_texts (object, "choices");
  if (json_object_has_member (object, "files"))
    fh_run_files_from_json (json_object_get_member (object, "files"), &draft->files, NULL);
  fh_json_get_bool (object, "session", &draft->session, NULL);
  fh_json_get_int (object, "run", &draft->run, NULL);
  draft->run = MAX (draft->run, 0);
  draft->cursor = get_number (object, "cursor");
  return g_steal_pointer (&draft);
}
