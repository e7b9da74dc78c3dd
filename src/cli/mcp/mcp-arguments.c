/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-arguments.h"

#include <glib/gi18n-lib.h>
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
                                    _ ("This tool has no argument “%s”."),
                                    (const char *) at->data);
    }
  for (guint i = 0; i < json_array_get_length (required); i++)
    {
      const char *name = json_array_get_string_element (required, i);

      if (!json_object_has_member (arguments, name))
        return fh_run_error_refuse (error, _ ("The argument “%s” is missing."), name);
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
      fh_run_error_refuse (error, "%s", _ ("The code is too long."));
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
  g_autofree char *allowed = fh_run_option_describe (option, options);
  g_autofree char *earlier = NULL;
  double number = 0;

  if (is_absent (arguments, name))
    return TRUE;
  if (!get_number (arguments, name, &number, error))
    return FALSE;
  if (!(number > 0))
    return fh_json_refuse_member (name, error);
  if (ceiling > 0 && number * scale > (double) ceiling)
    {
      earlier = g_steal_pointer (note);
      /* Translators: the name of an argument, then what the user allows, such as "30 s". */
      *note = g_strdup_printf (_ ("%s%s“%s” was lowered to what the user allows: %s."),
                               earlier != NULL ? earlier : "",
                               earlier != NULL ? " " : "",
                               name,
                               allowed);
      return TRUE;
    }
  fh_run_option_set_number (option,
                            options,
                            number * scale < (double) option->minimum ? option->minimum
                            : number * scale > (double) option->maximum
                                ? option->maximum
                                : (guint64) (number * scale));
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
