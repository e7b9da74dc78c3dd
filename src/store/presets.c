/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "presets.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"
#include "run-error.h"

#define GROUP    "Options"
#define SUFFIX   ".ini"
#define MAX_NAME 64

/* More than all options together can take. */
#define MAX_SIZE ((gsize) 1 << 20)

/* The files that earlier versions wrote. */
#define OLD_SUFFIX  ".json"
#define OLD_VERSION 1

#define refuse fh_run_error_refuse

static char *
folder_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "fumehood", "presets", NULL);
}

static char *
file_path (const char *name, const char *suffix)
{
  g_autofree char *folder = folder_path ();
  g_autofree char *file = g_strconcat (name, suffix, NULL);

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

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GStrv
fh_preset_list (void)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *folder = folder_path ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char **list = NULL;
  const char *file;
  guint n;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      const char *dot = strrchr (file, '.');
      g_autofree char *name = NULL;

      if (dot == NULL || (!g_str_equal (dot, SUFFIX) && !g_str_equal (dot, OLD_SUFFIX)))
        continue;
      name = g_strndup (file, (gsize) (dot - file));
      if (is_name (name))
        g_hash_table_add (names, g_steal_pointer (&name));
    }
  list = (char **) g_hash_table_get_keys_as_array (names, &n);
  qsort (list, n, sizeof *list, compare);
  return g_strdupv (list);
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

/* NULL without an error if there is no such file. */
static char *
read_file (const char *name, const char *suffix, gsize *size, GError **error)
{
  g_autofree char *path = file_path (name, suffix);
  g_autoptr (GError) fault = NULL;
  char *text = NULL;

  if (!g_file_get_contents (path, &text, size, &fault) &&
      !g_error_matches (fault, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    refuse (error, _ ("The preset “%s” cannot be read: %s"), name, fault->message);
  return text;
}

/* FALSE if there is no such option, or the value cannot be used. */
static gboolean
set (FhRunOptions *options, const char *key, JsonNode *value)
{
  const FhRunOption *row = fh_run_option_find (key);

  return row != NULL && !(row->flags & FH_OPTION_NOT_IN_DRAFTS) && value != NULL &&
         fh_run_option_from_json (row, options, value, NULL);
}

static gboolean
parse (FhRunOptions *options, const char *text, gsize size)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) keys = NULL;
  gboolean is_good;

  if (g_key_file_load_from_data (file, text, size, G_KEY_FILE_NONE, NULL))
    keys = g_key_file_get_keys (file, GROUP, NULL, NULL);
  is_good = keys != NULL;
  for (guint i = 0; is_good && keys[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_value (file, GROUP, keys[i], NULL);
      g_autoptr (JsonNode) node = fh_json_guard_parse_any (value, strlen (value), MAX_SIZE, NULL);

      is_good = set (options, keys[i], node);
    }
  return is_good;
}

/* Sets the members of `object`, whose keys begin with `section`, and those of its objects. */
static gboolean
set_members (FhRunOptions *options, const char *section, JsonObject *object)
{
  g_autoptr (GList) names = json_object_get_members (object);
  gboolean is_good = TRUE;

  for (GList *at = names; is_good && at != NULL; at = at->next)
    {
      g_autofree char *key = g_strconcat (section, at->data, NULL);
      g_autofree char *start = g_strconcat (key, ".", NULL);
      JsonNode *node = json_object_get_member (object, at->data);

      if (JSON_NODE_HOLDS_OBJECT (node) && fh_run_option_find (key) == NULL)
        is_good = set_members (options, start, json_node_get_object (node));
      else
        is_good = set (options, key, node);
    }
  return is_good;
}

/* Reads what earlier versions wrote. */
static gboolean
parse_old (FhRunOptions *options, const char *text, gsize size)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, size, MAX_SIZE, NULL);

  if (object == NULL || !fh_json_check_version (object, OLD_VERSION, NULL))
    return FALSE;
  json_object_remove_member (object, "version");
  return set_members (options, "", object);
}

FhRunOptions *
fh_preset_load (const char *name, GError **error)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *text = NULL;
  g_autofree char *old = NULL;
  g_autoptr (GError) fault = NULL;
  gsize size;

  g_return_val_if_fail (name != NULL, NULL);

  if (!fh_preset_check_name (name, error))
    return NULL;
  text = read_file (name, SUFFIX, &size, &fault);
  if (text == NULL && fault == NULL)
    old = read_file (name, OLD_SUFFIX, &size, &fault);
  if (fault != NULL)
    g_propagate_error (error, g_steal_pointer (&fault));
  else if (text == NULL && old == NULL)
    refuse_unknown (name, error);
  else if (!(old == NULL ? parse : parse_old) (options, old == NULL ? text : old, size) ||
           !fh_run_options_check (options, NULL))
    refuse (error, _ ("The preset “%s” is damaged, or of a newer version of Fumehood."), name);
  else
    {
      /* This removes the old file. If it fails, that is read again the next time. */
      if (old != NULL)
        fh_preset_save (name, options, NULL);
      return g_steal_pointer (&options);
    }
  return NULL;
}

gboolean
fh_preset_save (const char *name, const FhRunOptions *options, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *folder = folder_path ();
  g_autofree char *path = NULL;
  g_autofree char *old = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) fault = NULL;
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  g_return_val_if_fail (name != NULL && options != NULL, FALSE);

  if (!fh_preset_check_name (name, error) || !fh_run_options_check (options, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (JsonNode) node = fh_run_option_to_json (&rows[i], options);
      g_autofree char *value = fh_json_to_text (node, FALSE);

      if (!(rows[i].flags & FH_OPTION_NOT_IN_DRAFTS))
        g_key_file_set_value (file, GROUP, rows[i].key, value);
    }
  text = g_key_file_to_data (file, NULL, NULL);
  path = file_path (name, SUFFIX);
  old = file_path (name, OLD_SUFFIX);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return refuse (error, _ ("The preset could not be saved: %s"), g_strerror (errno));
  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &fault))
    return refuse (error, _ ("The preset could not be saved: %s"), fault->message);
  g_unlink (old);
  return TRUE;
}

gboolean
fh_preset_delete (const char *name, FhRunOptions **was, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *old = NULL;

  g_return_val_if_fail (name != NULL && was != NULL, FALSE);

  *was = NULL;
  if (!fh_preset_check_name (name, error))
    return FALSE;
  *was = fh_preset_load (name, NULL);
  path = file_path (name, SUFFIX);
  old = file_path (name, OLD_SUFFIX);
  if (g_unlink (path) == 0 || (errno == ENOENT && g_unlink (old) == 0))
    return TRUE;
  g_clear_pointer (was, fh_run_options_free);
  return errno == ENOENT ? refuse_unknown (name, error)
                         : refuse (error,
                                   _ ("The preset “%s” cannot be deleted: %s"),
                                   name,
                                   g_strerror (errno));
}
