/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-resources.h"

#include <inttypes.h>
#include <string.h>

#include "json-member.h"
#include "json-text.h"
#include "mcp-result.h"

#define PAGE 50
/* Pages go no further. */
#define MAX_OFFSET 1000000
/* At most so much of a source is read by a model. */
#define MAX_SOURCE ((gsize) 256 << 10)

struct _FhMcpResources
{
  FhMcpHost *host;
  guint pending; /* calls that are not answered yet */
};

typedef struct
{
  FhMcpResources *resources;
  FhRpcCall *call;
  guint offset; /* of a list */
  char *uri;    /* of a run */
} Question;

FhMcpResources *
fh_mcp_resources_new (FhMcpHost *host)
{
  FhMcpResources *self = g_new0 (FhMcpResources, 1);

  self->host = host;
  return self;
}

void
fh_mcp_resources_free (FhMcpResources *self)
{
  g_assert (fh_mcp_resources_are_done (self));

  g_free (self);
}

gboolean
fh_mcp_resources_are_done (FhMcpResources *self)
{
  return self->pending == 0;
}

gboolean
fh_mcp_resources_are_there (FhMcpResources *self)
{
  return fh_mcp_host_get_history (self->host) != NULL;
}

static Question *
question_new (FhMcpResources *self, FhRpcCall *call)
{
  Question *question = g_new0 (Question, 1);

  question->resources = self;
  question->call = call;
  self->pending++;
  return question;
}

/* Takes the result. NULL: it could not be answered. */
static void
answer (Question *question, JsonObject *result, FhRpcCode code, const char *problem)
{
  JsonObject *data = NULL;

  if (result != NULL)
    fh_rpc_call_answer (question->call, result);
  else
    {
      if (question->uri != NULL)
        {
          data = json_object_new ();
          json_object_set_string_member (data, "uri", question->uri);
        }
      fh_rpc_call_refuse (question->call, code, problem, data);
    }
  question->resources->pending--;
  g_free (question->uri);
  g_free (question);
}

static JsonObject *
describe_entry (FhHistoryEntry *entry)
{
  const FhLanguage *language = fh_history_entry_get_language (entry);
  g_autofree char *when = g_date_time_format_iso8601 (fh_history_entry_get_started_at (entry));
  g_autofree char *uri =
      g_strdup_printf (FH_MCP_RUN_URI "%" PRId64, fh_history_entry_get_id (entry));
  g_autofree char *name = g_strdup_printf ("run-%" PRId64, fh_history_entry_get_id (entry));
  g_autofree char *description =
      g_strdup_printf ("%s, %s, %s",
                       language != NULL ? language->name : "?",
                       when,
                       fh_run_status_title (fh_history_entry_get_status (entry)));
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "uri", uri);
  json_object_set_string_member (object, "name", name);
  json_object_set_string_member (object, "title", fh_history_entry_get_title (entry));
  json_object_set_string_member (object, "description", description);
  return object;
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list_finish (FH_HISTORY (source), result, &error);
  g_autofree char *cursor = NULL;
  JsonArray *resources;
  JsonObject *page;

  if (entries == NULL)
    {
      answer (question, NULL, FH_RPC_FAILED, error->message);
      return;
    }
  resources = json_array_new ();
  page = json_object_new ();
  for (guint i = 0; i < MIN (entries->len, PAGE); i++)
    json_array_add_object_element (resources, describe_entry (g_ptr_array_index (entries, i)));
  json_object_set_array_member (page, "resources", resources);
  cursor = g_strdup_printf ("%u", question->offset + PAGE);
  if (entries->len > PAGE && question->offset + PAGE <= MAX_OFFSET)
    json_object_set_string_member (page, "nextCursor", cursor);
  answer (question, page, 0, NULL);
}

/* A new run moves the pages, so that some is seen twice, but none is left out. */
void
fh_mcp_resources_list (FhMcpResources *self, FhRpcCall *call)
{
  JsonObject *params = fh_rpc_call_get_params (call);
  const char *cursor = fh_json_get_text (params, "cursor");
  guint64 offset = 0;
  Question *question;

  if (params != NULL && json_object_has_member (params, "cursor") &&
      (cursor == NULL || !g_ascii_string_to_unsigned (cursor, 10, 0, MAX_OFFSET, &offset, NULL)))
    {
      fh_rpc_call_refuse (call, FH_RPC_BAD_PARAMS, "There is no such page.", NULL);
      return;
    }
  question = question_new (self, call);
  question->offset = (guint) offset;
  fh_history_list_async (fh_mcp_host_get_history (self->host),
                         NULL,
                         question->offset,
                         PAGE + 1,
                         NULL,
                         listed_cb,
                         question);
}

void
fh_mcp_resources_list_templates (FhMcpResources *self, FhRpcCall *call)
{
  JsonObject *result = json_object_new ();
  JsonObject *template = json_object_new ();
  JsonArray *templates = json_array_new ();

  json_object_set_string_member (template, "uriTemplate", FH_MCP_RUN_URI "{id}");
  json_object_set_string_member (template, "name", "run");
  json_object_set_string_member (template, "title", "Past run");
  json_object_set_string_member (template,
                                 "description",
                                 "A run of the history: its source, how it ended, what it printed, "
                                 "what it tried, and the files that it left; as JSON and as text.");
  json_array_add_object_element (templates, template);
  json_object_set_array_member (result, "resourceTemplates", templates);
  fh_rpc_call_answer (call, result);
}

static void
add_content (JsonArray *contents, const char *uri, const char *type, const char *text)
{
  JsonObject *content = json_object_new ();

  json_object_set_string_member (content, "uri", uri);
  json_object_set_string_member (content, "mimeType", type);
  json_object_set_string_member (content, "text", text);
  json_array_add_object_element (contents, content);
}

/* The beginning of the source, in whole characters. (transfer full) */
static char *
dup_source (FhRunRequest *request, gboolean *is_cut)
{
  char *source = fh_run_request_dup_source_text (request);

  *is_cut = strlen (source) > MAX_SOURCE;
  if (*is_cut)
    *g_utf8_find_prev_char (source, source + MAX_SOURCE + 1) = '\0';
  return source;
}

static JsonObject *
describe_run (Question *question, FhHistoryEntry *entry, FhRunRequest *request, FhRunResult *result)
{
  const FhRunOptions *options = fh_mcp_host_get_options (question->resources->host);
  const gint64 id = fh_history_entry_get_id (entry);
  JsonObject *described = fh_mcp_result_describe_run (result, options->show_bytes, id);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = NULL;
  gboolean is_cut;
  g_autofree char *source = dup_source (request, &is_cut);
  g_autofree char *about = fh_mcp_result_text (described);
  g_autofree char *chosen = fh_run_options_describe (fh_run_request_get_parts (request)->options);
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;
  JsonArray *contents = json_array_new ();
  JsonObject *answer_object = json_object_new ();

  json_object_set_int_member (object, "id", id);
  json_object_set_string_member (object, "title", fh_history_entry_get_title (entry));
  json_object_set_string_member (object,
                                 "language",
                                 fh_run_request_get_parts (request)->language->id);
  json_object_set_string_member (object, "source", source);
  json_object_set_boolean_member (object, "source_truncated", is_cut);
  json_object_set_string_member (object, "options", chosen);
  json_object_set_object_member (object, "run", described);
  node = json_node_init_object (json_node_alloc (), object);
  json = fh_json_to_text (node, TRUE);
  text = g_strdup_printf ("%s\n%s\n%s", about, "Source:", source);
  add_content (contents, question->uri, "application/json", json);
  add_content (contents, question->uri, "text/plain", text);
  json_object_set_array_member (answer_object, "contents", contents);
  return answer_object;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) run_result = NULL;
  g_autoptr (GError) error = NULL;

  if (fh_history_load_finish (FH_HISTORY (source), result, &entry, &request, &run_result, &error))
    answer (question, describe_run (question, entry, request, run_result), 0, NULL);
  else
    answer (question, NULL, FH_RPC_NO_RESOURCE, error->message);
}

void
fh_mcp_resources_read (FhMcpResources *self, FhRpcCall *call)
{
  const char *uri = fh_json_get_text (fh_rpc_call_get_params (call), "uri");
  Question *question;
  guint64 id;

  if (uri == NULL)
    {
      fh_rpc_call_refuse (call, FH_RPC_BAD_PARAMS, "“uri” must be a string.", NULL);
      return;
    }
  question = question_new (self, call);
  question->uri = g_strndup (uri, 200);
  if (g_str_has_prefix (uri, FH_MCP_RUN_URI) &&
      g_ascii_string_to_unsigned (uri + strlen (FH_MCP_RUN_URI), 10, 1, G_MAXINT64, &id, NULL))
    fh_history_load_async (fh_mcp_host_get_history (self->host),
                           (gint64) id,
                           NULL,
                           loaded_cb,
                           question);
  else
    answer (question, NULL, FH_RPC_NO_RESOURCE, "There is no such resource.");
}
