/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "presets.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"
#include "run-error.h"

#define VERSION  1
#define SUFFIX   ".json"
#define MAX_NAME 64

/* More than all options together can take. */
#define MAX_SIZE ((gsize) 1 << 20)

#define refuse fh_run_error_refuse

static char *
folder_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "fumehood", "presets", NULL);
}

static char *
file_path (const char *name)
{
  g_autofree char *folder = folder_path ();
  g_autofree char *file = g_strconcat (name, SUFFIX, NULL);

  return g_build_filename (folder, file, NULL);
}

static gboolean
is_name (const char *name)
{
  gsize size = strlen (name);

  return size > 0 && size <= MAX_NAME && name[0] != '.' && name[0] != '-' &&
         strspn (name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-") == size;
}

gboolean
fh_preset_check_name (const char *name, GError **error)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return is_name (name) ||
         refuse (error,
                 _ ("“%s” cannot be the name of a preset. Use at most 64 letters, digits, dots, "
                    "dashes and underscores, not beginning with a dot or a dash."),
                 name);
}

/* Whether each member of `some` is in `all` and has the same value. What was written by an earlier
 * version has fewer members. */
static gboolean
is_part_of (JsonObject *some, JsonObject *all)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_object_iter_init (&iter, some);
  while (json_object_iter_next (&iter, &name, &node))
    {
      JsonNode *other = json_object_get_member (all, name);

      if (other == NULL)
        return FALSE;
      if (JSON_NODE_HOLDS_OBJECT (node) && JSON_NODE_HOLDS_OBJECT (other)
              ? !is_part_of (json_node_get_object (node), json_node_get_object (other))
              : !json_node_equal (node, other))
        return FALSE;
    }
  return TRUE;
}

/* A draft takes the default for what it cannot read; so nothing may have changed on the way. */
static FhRunOptions *
read_strictly (JsonObject *object)
{
  g_autoptr (FhRunOptions) options = NULL;
  g_autoptr (JsonObject) again = json_object_new ();

  json_object_remove_member (object, "version");
  options = fh_run_options_from_draft (object);
  fh_run_options_to_draft (options, again);
  if (!is_part_of (object, again) || !fh_run_options_check (options, NULL))
    return NULL;
  return g_steal_pointer (&options);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* All files that can be presets. */
GStrv
fh_preset_list (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = folder_path ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *name = NULL;

      if (!g_str_has_suffix (file, SUFFIX))
        continue;
      name = g_strndup (file, strlen (file) - strlen (SUFFIX));
      if (is_name (name))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
  g_ptr_array_sort (names, compare);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static gboolean
refuse_unknown (const char *name, GError **error)
{
  g_auto (GStrv) list = fh_preset_list ();
  g_autofree char *names = g_strjoinv (", ", list);

  if (*names == '\0')
    return refuse (error, _ ("There is no preset “%s”, nor any other."), name);
  return refuse (error, _ ("There is no preset “%s”. Saved are: %s."), name, names);
}

static char *
read_file (const char *name, gsize *size, GError **error)
{
  g_autofree char *path = file_path (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = NULL;
  g_autoptr (GError) fault = NULL;
  char *text = NULL;

  info = g_file_query_info (file,
                            G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                            G_FILE_QUERY_INFO_NONE,
                            NULL,
                            &fault);
  if (g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    refuse_unknown (name, error);
  else if (info == NULL)
    refuse (error, _ ("The preset “%s” cannot be read: %s"), name, fault->message);
  else if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR ||
           g_file_info_get_size (info) > (goffset) MAX_SIZE)
    refuse (error, _ ("The preset “%s” is not a file of Fumehood."), name);
  else if (!g_file_get_contents (path, &text, size, &fault))
    refuse (error, _ ("The preset “%s” cannot be read: %s"), name, fault->message);
  return text;
}

FhRunOptions *
fh_preset_load (const char *name, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) object = NULL;
  FhRunOptions *options = NULL;
  gsize size;

  g_return_val_if_fail (name != NULL, NULL);

  if (!fh_preset_check_name (name, error))
    return NULL;
  text = read_file (name, &size, error);
  if (text == NULL)
    return NULL;
  object = fh_json_guard_parse (text, size, MAX_SIZE, NULL);
  if (object != NULL && fh_json_check_version (object, VERSION, NULL))
    options = read_strictly (object);
  if (options == NULL)
    refuse (error, _ ("The preset “%s” is damaged, or of a newer version of Fumehood."), name);
  return options;
}

gboolean
fh_preset_save (const char *name, const FhRunOptions *options, GError **error)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *folder = folder_path ();
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) fault = NULL;

  g_return_val_if_fail (name != NULL && options != NULL, FALSE);

  if (!fh_preset_check_name (name, error) || !fh_run_options_check (options, error))
    return FALSE;
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return refuse (error, _ ("The preset could not be saved: %s"), g_strerror (errno));
  json_object_set_int_member (object, "version", VERSION);
  fh_run_options_to_draft (options, object);
  json_node_set_object (node, object);
  text = fh_json_to_text (node, TRUE);
  path = file_path (name);
  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &fault))
    return refuse (error, _ ("The preset could not be saved: %s"), fault->message);
  return TRUE;
}

gboolean
fh_preset_delete (const char *name, FhRunOptions **was, GError **error)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (name != NULL && was != NULL, FALSE);

  *was = NULL;
  if (!fh_preset_check_name (name, error))
    return FALSE;
  *was = fh_preset_load (name, NULL);
  path = file_path (name);
  if (g_unlink (path) == 0)
    return TRUE;
  g_clear_pointer (was, fh_run_options_free);
  return errno == ENOENT ? refuse_unknown (name, error)
                         : refuse (error,
                                   _ ("The preset “%s” cannot be deleted: %s"),
                                   name,
                                   g_strerror (errno));
}
