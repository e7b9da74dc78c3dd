/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-arguments.h"

#include <string.h>

#include "json-member.h"
#include "run-error.h"
#include "run-request.h"

gboolean
fh_mcp_arguments_check (JsonObject *arguments, JsonObject *schema, GError **error)
{
  JsonObject *properties = json_object_get_object_member (schema, "properties");
  JsonArray *required = json_object_get_array_member (schema, "required");
  g_autoptr (GList) names = json_object_get_members (arguments);

  for (GList *at = names; at != NULL; at = at->next)
    {
      if (!json_object_has_member (properties, at->data))
        return fh_run_error_refuse (error,
                                    "This tool has no argument “%s”.",
                                    (const char *) at->data);
    }
  for (guint i = 0; i < json_array_get_length (required); i++)
    {
      const char *name = json_array_get_string_element (required, i);

      if (!json_object_has_member (arguments, name))
        return fh_run_error_refuse (error, "The argument “%s” is missing.", name);
    }
  return TRUE;
}

const char *
fh_mcp_arguments_get_code (JsonObject *arguments, const char *name, GError **error)
{
  const char *code;

  if (!fh_json_get_string (arguments, name, &code, error))
    return NULL;
  if (strlen (code) > FH_RUN_REQUEST_MAX_SOURCE)
    {
      fh_run_error_refuse (error, "%s", "The code is too long.");
      return NULL;
    }
  return code;
}

static gboolean
is_absent (JsonObject *arguments, const char *name)
{
  return !json_object_has_member (arguments, name) || fh_json_is_null (arguments, name);
}

gboolean
fh_mcp_arguments_get_switch (JsonObject *arguments,
                             const char *name,
                             gboolean *is_on,
                             GError **error)
{
  *is_on = FALSE;
  return is_absent (arguments, name) || fh_json_get_bool (arguments, name, is_on, error);
}

/* Numbers with a fraction, and without one. */
static gboolean
get_number (JsonObject *arguments, const char *name, double *number, GError **error)
{
  JsonNode *node = json_object_get_member (arguments, name);
  const GType type = json_node_get_value_type (node);

  if (!JSON_NODE_HOLDS_VALUE (node) || (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE))
    return fh_json_refuse_member (name, error);
  *number = json_node_get_double (node);
  return TRUE;
}

static void
add_note (char **note, const char *name, const char *what, const char *value)
{
  g_autofree char *earlier = g_steal_pointer (note);

  *note = g_strdup_printf ("%s%s“%s” was %s: %s.",
                           earlier != NULL ? earlier : "",
                           earlier != NULL ? " " : "",
                           name,
                           what,
                           value);
}

/* `scale`: what the option counts in one unit of the argument. */
static gboolean
lower (JsonObject *arguments,
       const char *name,
       const char *key,
       double scale,
       FhRunOptions *options,
       char **note,
       GError **error)
{
  const FhRunOption *option = fh_run_option_find (key);
  const guint64 ceiling = fh_run_option_get_number (option, options);
  const double minimum = (double) option->minimum;
  const double maximum = (double) (ceiling > 0 ? ceiling : option->maximum);
  g_autofree char *used = NULL;
  double number = 0;

  if (is_absent (arguments, name))
    return TRUE;
  if (!get_number (arguments, name, &number, error))
    return FALSE;
  if (!(number > 0))
    return fh_json_refuse_member (name, error);
  if (number * scale <= maximum)
    fh_run_option_set_number (option, options, (guint64) CLAMP (number * scale, minimum, maximum));
  else if (ceiling == 0)
    fh_run_option_set_number (option, options, option->maximum);
  used = fh_run_option_describe (option, options);
  if (number * scale > maximum)
    add_note (note,
              name,
              ceiling > 0 ? "lowered to what the user allows" : "lowered to the most that there is",
              used);
  else if (number * scale < minimum)
    add_note (note, name, "raised to the least that there is", used);
  return TRUE;
}

gboolean
fh_mcp_arguments_limit (JsonObject *arguments, FhRunOptions *options, char **note, GError **error)
{
  *note = NULL;
  if (lower (arguments, "timeout", "limits.wall_ms", 1000, options, note, error) &&
      lower (arguments, "maximum_memory_bytes", "limits.memory_bytes", 1, options, note, error))
    return TRUE;
  g_clear_pointer (note, g_free);
  return FALSE;
}
