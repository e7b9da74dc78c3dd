/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-tools.h"

#include <string.h>

#include "json-member.h"
#include "mcp-arguments.h"
#include "mcp-look.h"
#include "mcp-steps.h"
#include "run-error.h"

#define MAX_BLOCKS 50

/* The session of calls that name none. */
#define MAIN_SESSION "main"
#define MAX_NAME     64

struct _FhMcpTools
{
  FhMcpHost *host;
  FhMcpSessions *sessions;
  JsonNode *description; /* of all */
  GPtrArray *offered;    /* (element-type JsonObject), borrowed from it */
};

typedef FhMcpWork *(*NewWorkFunc) (FhMcpTools *self, JsonObject *arguments, GError **error);

static FhMcpWork *
new_programs (FhMcpTools *self,
              JsonObject *arguments,
              GPtrArray *blocks,
              gboolean is_list,
              GError **error)
{
  g_autoptr (FhRunOptions) options = fh_run_options_copy (fh_mcp_host_get_options (self->host));
  g_autofree char *note = NULL;

  if (!fh_mcp_arguments_limit (arguments, options, &note, error))
    return NULL;
  return fh_mcp_steps_new_programs (self->host, blocks, options, note, is_list);
}

static FhMcpWork *
new_run (FhMcpTools *self,
         JsonObject *arguments,
         const char *language,
         const char *name,
         GError **error)
{
  g_autoptr (GPtrArray) blocks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  const char *code = fh_mcp_arguments_get_code (arguments, name, error);

  if (code == NULL)
    return NULL;
  g_ptr_array_add (blocks, fh_answer_block_new (fh_language_lookup (language), code));
  return new_programs (self, arguments, blocks, FALSE, error);
}

static FhMcpWork *
execute_python_code (FhMcpTools *self, JsonObject *arguments, GError **error)
{
  return new_run (self, arguments, "python", "code", error);
}

/* The languages of an image are not known here. */
static FhMcpWork *
execute_shell_command (FhMcpTools *self, JsonObject *arguments, GError **error)
{
  const FhRunOptions *options = fh_mcp_host_get_options (self->host);
  g_autofree char *bash = options->in_container ? NULL : g_find_program_in_path ("bash");

  return new_run (self, arguments, bash != NULL ? "bash" : "sh", "command", error);
}

static FhAnswerBlock *
new_block (FhMcpTools *self, JsonNode *node, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autofree char *lower = NULL;
  const FhLanguage *language;
  const char *word;
  const char *code;

  if (object == NULL)
    {
      fh_json_refuse_member ("blocks", error);
      return NULL;
    }
  if (!fh_json_get_string (object, "language", &word, error))
    return NULL;
  code = fh_mcp_arguments_get_code (object, "code", error);
  if (code == NULL)
    return NULL;
  lower = g_ascii_strdown (word, -1);
  language = fh_language_lookup (lower);
  if (language == NULL)
    fh_run_error_refuse (error, "“%.40s” is not a language that can be run.", word);
  else if (fh_mcp_host_is_python_only (self->host) && !g_str_equal (language->id, "python"))
    fh_run_error_refuse (error,
                         "%s",
                         "Only Python can be run here, because the user guards its "
                         "interpreter.");
  else
    return fh_answer_block_new (language, code);
  return NULL;
}

static FhMcpWork *
execute_code_blocks (FhMcpTools *self, JsonObject *arguments, GError **error)
{
  g_autoptr (GPtrArray) blocks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  JsonArray *array = fh_json_get_array (arguments, "blocks", MAX_BLOCKS, error);

  if (array == NULL)
    return NULL;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      FhAnswerBlock *block = new_block (self, json_array_get_element (array, i), error);

      if (block == NULL)
        return NULL;
      g_ptr_array_add (blocks, block);
    }
  if (blocks->len == 0)
    {
      fh_run_error_refuse (error, "%s", "There are no code blocks.");
      return NULL;
    }
  return new_programs (self, arguments, blocks, TRUE, error);
}

/* NULL with an error if it cannot be one. */
static const char *
get_session (JsonObject *arguments, GError **error)
{
  const char *name = MAIN_SESSION;
  gsize length;

  if (json_object_has_member (arguments, "session") &&
      !fh_json_get_string (arguments, "session", &name, error))
    return NULL;
  length = strlen (name);
  if (length > 0 && length <= MAX_NAME &&
      strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-") == length)
    return name;
  fh_json_refuse_member ("session", error);
  return NULL;
}

static FhMcpWork *
session_execute (FhMcpTools *self, JsonObject *arguments, GError **error)
{
  g_autoptr (FhRunOptions) options = fh_run_options_copy (fh_mcp_host_get_options (self->host));
  g_autoptr (FhCell) cell = NULL;
  g_autofree char *note = NULL;
  const char *name = get_session (arguments, error);
  const char *code = name != NULL ? fh_mcp_arguments_get_code (arguments, "code", error) : NULL;
  gboolean with_reset;

  if (code == NULL || !fh_mcp_arguments_get_switch (arguments, "reset", &with_reset, error) ||
      !fh_mcp_arguments_limit (arguments, options, &note, error))
    return NULL;
  cell = fh_cell_new_execute (code, error);
  if (cell == NULL)
    return NULL;
  fh_cell_set_wall_ms (cell, options->limits.wall_ms);
  return fh_mcp_steps_new_cell (self->host, self->sessions, name, cell, options, with_reset, note);
}

static FhMcpWork *
list_variables (FhMcpTools *self, JsonObject *arguments, GError **error)
{
  g_autoptr (FhCell) cell = NULL;
  const char *name = get_session (arguments, error);
  gboolean with_all;

  if (name == NULL || !fh_mcp_arguments_get_switch (arguments, "all", &with_all, error))
    return NULL;
  cell = fh_cell_new_list (with_all);
  return fh_mcp_steps_new_cell (self->host,
                                self->sessions,
                                name,
                                cell,
                                fh_mcp_host_get_options (self->host),
                                FALSE,
                                NULL);
}

static FhMcpWork *
inspect_code (FhMcpTools *self, JsonObject *arguments, GError **error)
{
  const char *code = fh_mcp_arguments_get_code (arguments, "code", error);
  g_autoptr (GPtrArray) blocks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);

  if (code == NULL)
    return NULL;
  g_ptr_array_add (blocks, fh_answer_block_new (fh_language_lookup ("python"), code));
  return fh_mcp_look_new (self->host, blocks, error);
}

static const struct
{
  const char *name;
  NewWorkFunc new_work;
  gboolean for_other_languages;
} works[] = {
  { "execute_python_code", execute_python_code, FALSE },
  { "execute_shell_command", execute_shell_command, TRUE },
  { "execute_code_blocks", execute_code_blocks, FALSE },
  { "session_execute", session_execute, FALSE },
  { "list_variables", list_variables, FALSE },
  { "inspect_code", inspect_code, FALSE },
};

static gboolean
is_offered (FhMcpTools *self, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      if (g_str_equal (works[i].name, name))
        return !works[i].for_other_languages || !fh_mcp_host_is_python_only (self->host);
    }
  return FALSE;
}

FhMcpTools *
fh_mcp_tools_new (FhMcpHost *host, FhMcpSessions *sessions)
{
  FhMcpTools *self = g_new0 (FhMcpTools, 1);
  g_autoptr (GBytes) bytes = g_resources_lookup_data ("/io/github/fumehood/mcp/tools.json",
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE,
                                                      NULL);
  JsonArray *all;

  self->host = host;
  self->sessions = sessions;
  self->description = json_from_string (g_bytes_get_data (bytes, NULL), NULL);
  self->offered = g_ptr_array_new ();
  all = json_object_get_array_member (json_node_get_object (self->description), "tools");
  for (guint i = 0; i < json_array_get_length (all); i++)
    {
      JsonObject *tool = json_array_get_object_element (all, i);

      if (is_offered (self, json_object_get_string_member (tool, "name")))
        g_ptr_array_add (self->offered, tool);
    }
  return self;
}

void
fh_mcp_tools_free (FhMcpTools *self)
{
  g_ptr_array_unref (self->offered);
  json_node_unref (self->description);
  g_free (self);
}

/* Changes the hints as the options of the command ask: a folder of the user's can be damaged, and
 * with a network the world can be reached. */
static void
set_hints (FhMcpTools *self, JsonObject *tool)
{
  const FhRunOptions *options = fh_mcp_host_get_options (self->host);
  const FhRunGuards *guards = &options->guards;
  JsonObject *hints = json_object_get_object_member (tool, "annotations");
  const gboolean is_free = guards->tier == FH_TIER_UNPROTECTED;
  const gboolean has_network = !fh_run_guards_have (guards, FH_GUARD_NETWORK) ||
                               (guards->allow_hosts != NULL && guards->allow_hosts[0] != NULL) ||
                               (options->in_container && options->container.network != NULL);

  if (json_object_get_boolean_member (hints, "readOnlyHint"))
    return;
  json_object_set_boolean_member (
      hints,
      "destructiveHint",
      is_free || has_network || fh_mcp_host_keeps_files (self->host) ||
          (options->in_container && options->container.volumes != NULL));
  json_object_set_boolean_member (hints, "openWorldHint", is_free || has_network);
}

/* json_node_copy would not copy what is in it. */
static JsonNode *
copy_object (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = json_to_string (node, FALSE);

  return json_from_string (text, NULL);
}

JsonArray *
fh_mcp_tools_list (FhMcpTools *self)
{
  JsonObject *description = json_node_get_object (self->description);
  JsonObject *results = json_object_get_object_member (description, "results");
  JsonArray *list = json_array_new ();

  for (guint i = 0; i < self->offered->len; i++)
    {
      g_autoptr (JsonNode) copy = copy_object (g_ptr_array_index (self->offered, i));
      JsonObject *tool = json_node_get_object (copy);
      const char *name = json_object_get_string_member (tool, "outputSchema");
      g_autoptr (JsonNode) schema = copy_object (json_object_get_object_member (results, name));

      set_hints (self, tool);
      json_object_set_member (json_node_get_object (schema),
                              "$defs",
                              json_object_dup_member (description, "$defs"));
      json_object_set_member (tool, "outputSchema", json_node_copy (schema));
      json_array_add_object_element (list, json_object_ref (tool));
    }
  return list;
}

static JsonObject *
find (FhMcpTools *self, const char *name)
{
  for (guint i = 0; i < self->offered->len; i++)
    {
      JsonObject *tool = g_ptr_array_index (self->offered, i);

      if (g_str_equal (json_object_get_string_member (tool, "name"), name))
        return tool;
    }
  return NULL;
}

const char *
fh_mcp_tools_get_title (FhMcpTools *self, const char *name)
{
  JsonObject *tool = find (self, name);

  return tool != NULL ? json_object_get_string_member (tool, "title") : NULL;
}

FhMcpWork *
fh_mcp_tools_new_work (FhMcpTools *self, const char *name, JsonObject *arguments, GError **error)
{
  JsonObject *schema = json_object_get_object_member (find (self, name), "inputSchema");

  if (!fh_mcp_arguments_check (arguments, schema, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      if (g_str_equal (works[i].name, name))
        return works[i].new_work (self, arguments, error);
    }
  g_assert_not_reached ();
}
