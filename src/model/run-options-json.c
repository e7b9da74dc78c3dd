/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "json-member.h"
#include "run-options-private.h"

/* More than any list that passes fh_run_options_check. */
#define MAX_STRINGS 1024

/* "limits" of "limits.wall_ms"; NULL for a member of the top. (transfer full) (nullable) */
static char *
section_name (const FhRunOption *option)
{
  const char *dot = strchr (option->key, '.');

  return dot != NULL ? g_strndup (option->key, (gsize) (dot - option->key)) : NULL;
}

static const char *
member_name (const FhRunOption *option)
{
  const char *dot = strchr (option->key, '.');

  return dot != NULL ? dot + 1 : option->key;
}

static JsonNode *
list_to_node (const FhRunOption *option, GStrv list)
{
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();

  if (list == NULL && option->flags & FH_OPTION_NULLABLE)
    json_node_init_null (node);
  else
    json_node_set_array (node, array);
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    json_array_add_element (array, fh_json_byte_string_to_node (list[i]));
  json_array_unref (array);
  return node;
}

static JsonNode *
guards_to_node (guint64 guards)
{
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      if (guards & 1u << i)
        json_array_add_string_element (array, fh_guard_to_string ((FhGuard) i));
    }
  json_node_take_array (node, array);
  return node;
}

JsonNode *
fh_run_option_to_json (const FhRunOption *option, const FhRunOptions *options)
{
  JsonNode *node = json_node_alloc ();
  guint64 number;

  switch (option->kind)
    {
    case FH_OPTION_TEXT:
    case FH_OPTION_PATH:
      json_node_free (node);
      return fh_json_byte_string_to_node (*fh_run_option_text (option, options));
    case FH_OPTION_WORDS:
    case FH_OPTION_LINES:
      json_node_free (node);
      return list_to_node (option, *fh_run_option_list_of (option, options));
    case FH_OPTION_GUARDS:
      json_node_free (node);
      return guards_to_node (fh_run_option_get_number (option, options));
    case FH_OPTION_SWITCH:
      return json_node_init_boolean (node, fh_run_option_get_number (option, options) != 0);
    case FH_OPTION_WORD:
      return json_node_init_string (node,
                                    option->words[fh_run_option_get_number (option, options)]);
    case FH_OPTION_TIME:
    case FH_OPTION_SIZE:
    case FH_OPTION_COUNT:
    case FH_OPTION_CPUS:
    default:
      number = fh_run_option_get_number (option, options);
      return json_node_init_int (node, (gint64) MIN (number, G_MAXINT64));
    }
}

static JsonObject *
make_section (JsonObject *object, const char *name)
{
  if (name == NULL)
    return object;
  if (!json_object_has_member (object, name))
    json_object_set_object_member (object, name, json_object_new ());
  return json_object_get_object_member (object, name);
}

static void
write_member (const FhRunOption *option, const FhRunOptions *options, JsonObject *object)
{
  g_autofree char *section = section_name (option);

  json_object_set_member (make_section (object, section),
                          member_name (option),
                          fh_run_option_to_json (option, options));
}

void
fh_run_options_to_json (const FhRunOptions *options, JsonObject *object)
{
  guint n;
  const FhRunOption *all = fh_run_option_list (&n);

  g_return_if_fail (options != NULL && object != NULL);

  for (guint i = 0; i < n; i++)
    {
      if (!(all[i].flags & FH_OPTION_NOT_IN_HISTORY) &&
          (options->in_container || all[i].place != FH_OPTION_IN_CONTAINER))
        write_member (&all[i], options, object);
    }
  if (!options->in_container)
    json_object_set_null_member (object, "container");
}

void
fh_run_options_to_draft (const FhRunOptions *options, JsonObject *object)
{
  guint n;
  const FhRunOption *all = fh_run_option_list (&n);

  g_return_if_fail (options != NULL && object != NULL);

  for (guint i = 0; i < n; i++)
    {
      if (!(all[i].flags & FH_OPTION_NOT_IN_DRAFTS))
        write_member (&all[i], options, object);
    }
}

static gboolean
read_number (const FhRunOption *option, JsonObject *object, FhRunOptions *options, GError **error)
{
  guint64 maximum = option->size < sizeof (guint64) ? G_MAXUINT : G_MAXINT64;
  guint64 number;

  if (!fh_json_get_number (object, member_name (option), maximum, &number, error))
    return FALSE;
  fh_run_option_set_number (option, options, number);
  return TRUE;
}

/* A word that cannot be chosen, such as to run without protection, was for one run only: use the
 * default. */
static gboolean
read_word (const FhRunOption *option, JsonObject *object, FhRunOptions *options, GError **error)
{
  guint index;

  if (!fh_json_get_word (object, member_name (option), option->words, &index, error))
    return FALSE;
  if (index <= option->maximum)
    fh_run_option_set_number (option, options, index);
  return TRUE;
}

static gboolean
read_list (const FhRunOption *option, JsonObject *object, FhRunOptions *options, GError **error)
{
  GStrv *list = fh_run_option_list_of (option, options);

  if (fh_json_is_null (object, member_name (option)))
    return TRUE;
  if (!fh_json_get_strings (object, member_name (option), MAX_STRINGS, list, error))
    return FALSE;
  if (**list == NULL && !(option->flags & FH_OPTION_NULLABLE))
    g_clear_pointer (list, g_strfreev);
  return TRUE;
}

static gboolean
read_guards (const FhRunOption *option, JsonObject *object, FhRunOptions *options, GError **error)
{
  g_auto (GStrv) names = NULL;
  guint guards = 0;

  if (!fh_json_get_strings (object, member_name (option), MAX_STRINGS, &names, error))
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      FhGuard guard;

      if (!fh_guard_from_string (names[i], &guard))
        return fh_json_refuse_member (member_name (option), error);
      guards |= 1u << guard;
    }
  fh_run_option_set_number (option, options, guards);
  return TRUE;
}

/* `options` must have the option's default. */
static gboolean
read_member (const FhRunOption *option, JsonObject *object, FhRunOptions *options, GError **error)
{
  const char *name = member_name (option);
  gboolean is_on;

  switch (option->kind)
    {
    case FH_OPTION_TEXT:
    case FH_OPTION_PATH:
      return fh_json_byte_string_from_node (json_object_get_member (object, name),
                                            name,
                                            fh_run_option_text (option, options),
                                            error);
    case FH_OPTION_WORDS:
    case FH_OPTION_LINES:
      return read_list (option, object, options, error);
    case FH_OPTION_GUARDS:
      return read_guards (option, object, options, error);
    case FH_OPTION_SWITCH:
      if (!fh_json_get_bool (object, name, &is_on, error))
        return FALSE;
      fh_run_option_set_number (option, options, is_on ? option->maximum : option->minimum);
      return TRUE;
    case FH_OPTION_WORD:
      return read_word (option, object, options, error);
    case FH_OPTION_TIME:
    case FH_OPTION_SIZE:
    case FH_OPTION_COUNT:
    case FH_OPTION_CPUS:
    default:
      return read_number (option, object, options, error);
    }
}

gboolean
fh_run_option_from_json (const FhRunOption *option,
                         FhRunOptions *options,
                         JsonNode *value,
                         GError **error)
{
  g_autoptr (JsonObject) object = json_object_new ();

  g_return_val_if_fail (option != NULL && options != NULL && value != NULL, FALSE);

  json_object_set_member (object, member_name (option), json_node_copy (value));
  return read_member (option, object, options, error);
}

/* The object that holds the option. FALSE if it is not an object; NULL if it is absent, as in
 * earlier versions, or null, which means no container. */
static gboolean
find_section (JsonObject *object, const FhRunOption *option, JsonObject **section, GError **error)
{
  g_autofree char *name = section_name (option);
  JsonNode *node = name != NULL ? json_object_get_member (object, name) : NULL;

  *section = name == NULL ? object : NULL;
  if (name == NULL || (node == NULL && !g_str_equal (name, "limits")) ||
      (node != NULL && JSON_NODE_HOLDS_NULL (node) && option->place == FH_OPTION_IN_CONTAINER))
    return TRUE;
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return fh_json_refuse_member (name, error);
  *section = json_node_get_object (node);
  return TRUE;
}

FhRunOptions *
fh_run_options_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  guint n;
  const FhRunOption *all = fh_run_option_list (&n);

  g_return_val_if_fail (object != NULL, NULL);

  for (guint i = 0; i < n; i++)
    {
      JsonObject *section;

      if (all[i].flags & FH_OPTION_NOT_IN_HISTORY)
        continue;
      if (!find_section (object, &all[i], &section, error))
        return NULL;
      if (section == NULL)
        continue;
      if (all[i].place == FH_OPTION_IN_CONTAINER)
        options->in_container = TRUE;
      if (!(all[i].flags & FH_OPTION_IN_FORMAT_1) &&
          !json_object_has_member (section, member_name (&all[i])))
        continue;
      if (!read_member (&all[i], section, options, error))
        return NULL;
    }
  return g_steal_pointer (&options);
}

/* Earlier drafts have a container or null. Anything else counts as a container too: the text must
 * not run in the wrong place. */
static gboolean
was_in_container (JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "container");

  return node != NULL && !JSON_NODE_HOLDS_NULL (node);
}

FhRunOptions *
fh_run_options_from_draft (JsonObject *object)
{
  FhRunOptions *options = fh_run_options_new ();
  guint n;
  const FhRunOption *all = fh_run_option_list (&n);

  g_return_val_if_fail (object != NULL, options);

  options->in_container = was_in_container (object);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FhRunOptions) read = fh_run_options_new ();
      JsonObject *section;

      if (all[i].flags & FH_OPTION_NOT_IN_DRAFTS ||
          !find_section (object, &all[i], &section, NULL) || section == NULL ||
          !json_object_has_member (section, member_name (&all[i])) ||
          !read_member (&all[i], section, read, NULL))
        continue;
      if (all[i].offset != G_STRUCT_OFFSET (FhRunOptions, in_container))
        read->in_container = options->in_container;
      if (fh_run_option_check (&all[i], read, NULL))
        fh_run_option_copy (&all[i], options, read);
    }
  return options;
}
