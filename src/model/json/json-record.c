/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-record.h"

#include <string.h>

#include "json-member.h"

static gint64
get_number (const FhJsonMember *member, gconstpointer place)
{
  if (member->kind == FH_JSON_INT)
    return member->size == sizeof (int) ? *(const int *) place : *(const gint64 *) place;
  if (member->size == sizeof (guint))
    return *(const guint *) place;
  return (gint64) MIN (*(const guint64 *) place, G_MAXINT64);
}

static gboolean
is_pointer (const FhJsonMember *member)
{
  return member->kind <= FH_JSON_BYTES;
}

static gboolean
is_none (const FhJsonMember *member, gconstpointer place)
{
  return is_pointer (member) ? *(const gconstpointer *) place == NULL
                             : get_number (member, place) <= member->none;
}

static JsonNode *
init_strings (JsonNode *node, const char *const *strings)
{
  g_autoptr (JsonArray) array = json_array_new ();

  for (guint i = 0; strings != NULL && strings[i] != NULL; i++)
    json_array_add_element (array, fh_json_byte_string_to_node (strings[i]));
  return json_node_init_array (node, array);
}

static gboolean
is_null (const FhJsonMember *member, gconstpointer place)
{
  return member->flags & (FH_JSON_NULLABLE | FH_JSON_SPARSE) && is_none (member, place);
}

JsonNode *
fh_json_member_to_node (const FhJsonMember *member, gconstpointer structure)
{
  gconstpointer place = (const char *) structure + member->offset;
  JsonNode *node = json_node_alloc ();

  if (is_null (member, place))
    return json_node_init_null (node);
  switch (member->kind)
    {
    case FH_JSON_TEXT:
      return json_node_init_string (node, *(const char *const *) place);
    case FH_JSON_STRING:
      json_node_free (node);
      return fh_json_byte_string_to_node (*(const char *const *) place);
    case FH_JSON_STRINGS:
      return init_strings (node, *(const char *const *const *) place);
    case FH_JSON_BYTES:
      json_node_free (node);
      return fh_json_bytes_to_node (*(GBytes *const *) place);
    case FH_JSON_BOOL:
      return json_node_init_boolean (node, *(const gboolean *) place);
    case FH_JSON_WORD:
      return json_node_init_string (node, member->words[*(const guint *) place]);
    case FH_JSON_DOUBLE:
      return json_node_init_double (node, *(const double *) place);
    case FH_JSON_COUNT:
    case FH_JSON_INT:
    default:
      return json_node_init_int (node, get_number (member, place));
    }
}

void
fh_json_write_record (JsonObject *object, const FhJsonMember *members, gconstpointer structure)
{
  gboolean is_written = TRUE;

  g_return_if_fail (object != NULL && members != NULL && structure != NULL);

  for (const FhJsonMember *member = members; member->name != NULL; member++)
    {
      if (!(member->flags & FH_JSON_WITH_LAST))
        is_written = !(member->flags & FH_JSON_SPARSE) ||
                     !is_null (member, (const char *) structure + member->offset);
      if (is_written)
        json_object_set_member (object, member->name, fh_json_member_to_node (member, structure));
    }
}

static gboolean
read_count (const FhJsonMember *member, JsonObject *object, gpointer place, GError **error)
{
  const gboolean is_small = member->size == sizeof (guint);
  guint64 maximum = member->kind == FH_JSON_INT ? G_MAXINT : is_small ? G_MAXUINT : G_MAXINT64;
  guint64 number;

  if (member->maximum != 0)
    maximum = member->maximum;
  if (!fh_json_get_number (object, member->name, maximum, &number, error))
    return FALSE;
  if (is_small)
    *(guint *) place = (guint) number;
  else
    *(guint64 *) place = number;
  return TRUE;
}

static gboolean
read_pointer (const FhJsonMember *member, JsonObject *object, gpointer place, GError **error)
{
  const char *name = member->name;
  JsonNode *node = json_object_get_member (object, name);
  gboolean ok;

  if (member->kind == FH_JSON_TEXT)
    return fh_json_get_string (object, name, place, error);
  if (member->kind == FH_JSON_STRINGS)
    return fh_json_get_strings (object, name, (guint) member->maximum, place, error);
  ok = member->kind == FH_JSON_BYTES ? fh_json_bytes_from_node (node, name, place, error)
                                     : fh_json_byte_string_from_node (node, name, place, error);
  return ok && (!is_none (member, place) || fh_json_refuse_member (name, error));
}

gboolean
fh_json_read_member (const FhJsonMember *member,
                     JsonObject *object,
                     gpointer structure,
                     GError **error)
{
  gpointer place = (char *) structure + member->offset;
  guint *word = place;

  if (member->flags & FH_JSON_NULLABLE && fh_json_is_null (object, member->name))
    {
      if (is_pointer (member))
        *(gpointer *) place = NULL;
      else
        *(int *) place = member->none;
      return TRUE;
    }
  if (is_pointer (member))
    return read_pointer (member, object, place, error);
  if (member->kind == FH_JSON_BOOL)
    return fh_json_get_bool (object, member->name, place, error);
  if (member->kind == FH_JSON_WORD)
    return fh_json_get_word (object, member->name, member->words, word, error) &&
           (*member->words[*word] != '\0' || fh_json_refuse_member (member->name, error));
  if (member->kind == FH_JSON_INT && member->size == sizeof (gint64))
    return fh_json_get_int (object, member->name, place, error);
  return read_count (member, object, place, error);
}

gboolean
fh_json_read_record (JsonObject *object,
                     const FhJsonMember *members,
                     gpointer structure,
                     GError **error)
{
  gboolean is_read = TRUE;

  g_return_val_if_fail (object != NULL && members != NULL && structure != NULL, FALSE);

  for (const FhJsonMember *member = members; member->name != NULL; member++)
    {
      if (!(member->flags & FH_JSON_WITH_LAST))
        is_read = !(member->flags & (FH_JSON_NEW | FH_JSON_SPARSE)) ||
                  json_object_has_member (object, member->name);
      if (is_read && !(member->flags & FH_JSON_WRITTEN) &&
          !fh_json_read_member (member, object, structure, error))
        return FALSE;
    }
  return TRUE;
}

void
fh_json_clear_record (const FhJsonMember *members, gpointer structure)
{
  for (const FhJsonMember *member = members; member->name != NULL; member++)
    {
      gpointer *place = (gpointer) ((char *) structure + member->offset);

      if (member->kind == FH_JSON_STRING)
        g_clear_pointer (place, g_free);
      else if (member->kind == FH_JSON_STRINGS)
        g_clear_pointer ((GStrv *) place, g_strfreev);
      else if (member->kind == FH_JSON_BYTES)
        g_clear_pointer ((GBytes **) place, g_bytes_unref);
    }
}

gboolean
fh_json_read_list (JsonObject *object,
                   const char *name,
                   guint max_length,
                   FhJsonReadElement read,
                   gpointer list,
                   GError **error)
{
  JsonArray *array = fh_json_get_array (object, name, max_length, error);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_OBJECT (element))
        return fh_json_refuse_member (name, error);
      if (!read (json_node_get_object (element), list, error))
        return FALSE;
    }
  return array != NULL;
}
