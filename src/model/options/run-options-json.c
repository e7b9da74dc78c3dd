/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "json-member.h"
#include "json-record.h"
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

/* How the option is kept. A set of guards is a list of their words, which is made here. */
static FhJsonMember
member_of (const FhRunOption *option)
{
  static const FhJsonKind kinds[] = {
    [FH_OPTION_TIME] = FH_JSON_COUNT,     [FH_OPTION_SIZE] = FH_JSON_COUNT,
    [FH_OPTION_COUNT] = FH_JSON_COUNT,    [FH_OPTION_CPUS] = FH_JSON_COUNT,
    [FH_OPTION_SWITCH] = FH_JSON_BOOL,    [FH_OPTION_WORD] = FH_JSON_WORD,
    [FH_OPTION_TEXT] = FH_JSON_STRING,    [FH_OPTION_PATH] = FH_JSON_STRING,
    [FH_OPTION_WORDS] = FH_JSON_STRINGS,  [FH_OPTION_LINES] = FH_JSON_STRINGS,
    [FH_OPTION_GUARDS] = FH_JSON_STRINGS,
  };
  const char *dot = strchr (option->key, '.');

  return (FhJsonMember){
    .name = dot != NULL ? dot + 1 : option->key,
    .kind = kinds[option->kind],
    .offset = option->offset,
    .size = option->size,
    .flags =
        fh_run_option_is_text (option) || option->flags & FH_OPTION_NULLABLE ? FH_JSON_NULLABLE : 0,
    .words = option->words,
    .maximum = kinds[option->kind] == FH_JSON_STRINGS ? MAX_STRINGS : 0,
  };
}

GStrv
fh_run_option_guard_words (guint64 guards)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      if (guards & 1u << i)
        g_strv_builder_add (words, fh_guard_to_string ((FhGuard) i));
    }
  return g_strv_builder_end (words);
}

JsonNode *
fh_run_option_to_json (const FhRunOption *option, const FhRunOptions *options)
{
  FhJsonMember member = member_of (option);
  g_auto (GStrv) guards = NULL;

  if (option->kind != FH_OPTION_GUARDS)
    return fh_json_member_to_node (&member, options);
  member.offset = 0;
  guards = fh_run_option_guard_words (fh_run_option_get_number (option, options));
  return fh_json_member_to_node (&member, &guards);
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
                          member_of (option).name,
                          fh_run_option_to_json (option, options));
}

void
fh_run_options_to_json (const FhRunOptions *options, JsonObject *object)
{
  g_return_if_fail (options != NULL && object != NULL);

  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      if (!(option->flags & FH_OPTION_NOT_IN_HISTORY) &&
          (options->in_container || option->place != FH_OPTION_IN_CONTAINER))
        write_member (option, options, object);
    }
  if (!options->in_container)
    json_object_set_null_member (object, "container");
}

void
fh_run_options_to_draft (const FhRunOptions *options, JsonObject *object)
{
  g_return_if_fail (options != NULL && object != NULL);

  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      if (!(option->flags & FH_OPTION_NOT_IN_DRAFTS))
        write_member (option, options, object);
    }
}

static gboolean
read_guards (const FhRunOption *option, JsonObject *object, FhRunOptions *options, GError **error)
{
  FhJsonMember member = member_of (option);
  g_auto (GStrv) words = NULL;
  guint guards = 0;

  member.offset = 0;
  if (!fh_json_read_member (&member, object, &words, error))
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    {
      FhGuard guard;

      if (!fh_guard_from_string (words[i], &guard))
        return fh_json_refuse_member (member.name, error);
      guards |= 1u << guard;
    }
  fh_run_option_set_number (option, options, guards);
  return TRUE;
}

/* `options` must have the option's default. */
static gboolean
read_member (const FhRunOption *option, JsonObject *object, FhRunOptions *options, GError **error)
{
  const FhJsonMember member = member_of (option);
  const guint64 word =
      option->kind == FH_OPTION_WORD ? fh_run_option_get_number (option, options) : 0;

  if (option->kind == FH_OPTION_GUARDS)
    return read_guards (option, object, options, error);
  if (fh_run_option_is_list (option) && fh_json_is_null (object, member.name))
    return TRUE;
  if (!fh_json_read_member (&member, object, options, error))
    return FALSE;
  if (option->kind == FH_OPTION_SWITCH && fh_run_option_get_number (option, options) != 0)
    fh_run_option_set_number (option, options, option->maximum);
  /* A word that cannot be chosen, such as to run without protection, was for one run only: the
   * default stays. */
  if (option->kind == FH_OPTION_WORD &&
      fh_run_option_get_number (option, options) > option->maximum)
    fh_run_option_set_number (option, options, word);
  if (fh_run_option_is_list (option) && !(option->flags & FH_OPTION_NULLABLE) &&
      **fh_run_option_list_of (option, options) == NULL)
    g_clear_pointer (fh_run_option_list_of (option, options), g_strfreev);
  return TRUE;
}

gboolean
fh_run_option_from_json (const FhRunOption *option,
                         FhRunOptions *options,
                         JsonNode *value,
                         GError **error)
{
  g_autoptr (JsonObject) object = json_object_new ();

  g_return_val_if_fail (option != NULL && options != NULL && value != NULL, FALSE);

  json_object_set_member (object, member_of (option).name, json_node_copy (value));
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

  g_return_val_if_fail (object != NULL, NULL);

  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      JsonObject *section;

      if (option->flags & FH_OPTION_NOT_IN_HISTORY)
        continue;
      if (!find_section (object, option, &section, error))
        return NULL;
      if (section == NULL)
        continue;
      if (option->place == FH_OPTION_IN_CONTAINER)
        options->in_container = TRUE;
      if (!(option->flags & FH_OPTION_IN_FORMAT_1) &&
          !json_object_has_member (section, member_of (option).name))
        continue;
      if (!read_member (option, section, options, error))
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

  g_return_val_if_fail (object != NULL, options);

  options->in_container = was_in_container (object);
  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      g_autoptr (FhRunOptions) read = fh_run_options_new ();
      JsonObject *section;

      if (option->flags & FH_OPTION_NOT_IN_DRAFTS ||
          !find_section (object, option, &section, NULL) || section == NULL ||
          !json_object_has_member (section, member_of (option).name) ||
          !read_member (option, section, read, NULL))
        continue;
      if (option->offset != G_STRUCT_OFFSET (FhRunOptions, in_container))
        read->in_container = options->in_container;
      if (fh_run_option_check (option, read, NULL))
        fh_run_option_copy (option, options, read);
    }
  return options;
}
