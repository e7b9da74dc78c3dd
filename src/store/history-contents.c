/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-contents.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "history-files.h"
#include "json-guard.h"
#include "json-text.h"
#include "run-result.h"

/* SQLite's limit for a row, a thousand million bytes. */
#define MAX_JSON ((gsize) 1000 << 20)

#define SNIPPET_LINES      3
#define SNIPPET_CHARACTERS 200

/* `contents`: of its files, nullable. `blocks`: of an answer, nullable. */
static FhRunResult *
with_parts (FhRunResult *result, FhOutputLog *output, GPtrArray *contents, GPtrArray *blocks)
{
  FhRunResultParts parts = *fh_run_result_get_parts (result);
  g_autoptr (FhResultFiles) files = NULL;

  if (contents != NULL)
    files = fh_history_files_join (parts.files, contents);
  parts.output = output;
  parts.blocks = blocks;
  parts.files = files != NULL ? files : parts.files;
  return fh_run_result_new (&parts);
}

/* The output is stored separately, complete and in order, so that its text is not needed here.
 * Files whose contents are not kept are marked as such. */
static FhRunResult *
without_output (FhRunResult *result, GPtrArray *contents)
{
  g_autoptr (FhOutputLog) empty = fh_output_log_new ();

  return with_parts (result, empty, contents, NULL);
}

void
fh_history_contents_encode (FhRunRequest *request, FhRunResult *result, FhHistoryContents *contents)
{
  g_autoptr (GPtrArray) files = fh_history_files_choose (fh_run_result_get_parts (result)->files);
  g_autoptr (FhRunResult) bare = without_output (result, files);
  g_autoptr (JsonNode) result_node = fh_run_result_to_json (bare, 0);
  char *text;

  if (fh_run_result_get_parts (result)->blocks != NULL)
    fh_block_runs_add_to_json (fh_run_result_get_parts (result)->blocks,
                               json_node_get_object (result_node));
  text = fh_json_to_text (result_node, FALSE);
  contents->request = g_bytes_ref (fh_run_request_get_text (request));
  contents->result = g_bytes_new_take (text, strlen (text));
  contents->output = fh_output_log_serialize (fh_run_result_get_parts (result)->output);
  contents->files = g_steal_pointer (&files);
}

static JsonObject *
parse (GBytes *bytes, GError **error)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  return fh_json_guard_parse (text ? text : "", size, MAX_JSON, error);
}

static FhRunRequest *
decode_request (GBytes *bytes, GError **error)
{
  g_autoptr (JsonObject) object = parse (bytes, error);

  return object ? fh_run_request_from_json (object, error) : NULL;
}

static FhRunResult *
decode_result (const FhHistoryContents *contents, GError **error)
{
  g_autoptr (JsonObject) object = parse (contents->result, error);
  g_autoptr (FhRunResult) bare = object ? fh_run_result_from_json (object, error) : NULL;
  g_autoptr (FhOutputLog) output = NULL;
  g_autoptr (GPtrArray) blocks = NULL;

  if (bare == NULL)
    return NULL;
  blocks = fh_block_runs_from_json (object);
  output = fh_output_log_deserialize (contents->output, error);
  return output ? with_parts (bare, output, contents->files, blocks) : NULL;
}

gboolean
fh_history_contents_decode (const FhHistoryContents *contents,
                            FhRunRequest **request,
                            FhRunResult **result,
                            GError **error)
{
  g_autoptr (FhRunRequest) new_request = NULL;
  g_autoptr (FhRunResult) new_result = NULL;

  if (request && (new_request = decode_request (contents->request, error)) == NULL)
    return FALSE;
  if (result && (new_result = decode_result (contents, error)) == NULL)
    return FALSE;
  if (request)
    *request = g_steal_pointer (&new_request);
  if (result)
    *result = g_steal_pointer (&new_result);
  return TRUE;
}

void
fh_history_contents_clear (FhHistoryContents *contents)
{
  g_clear_pointer (&contents->request, g_bytes_unref);
  g_clear_pointer (&contents->result, g_bytes_unref);
  g_clear_pointer (&contents->output, g_bytes_unref);
  g_clear_pointer (&contents->files, g_ptr_array_unref);
}

static gboolean
is_blank (const char *line, gsize size)
{
  for (gsize i = 0; i < size; i++)
    {
      if (!g_ascii_isspace (line[i]))
        return FALSE;
    }
  return TRUE;
}

char *
fh_history_contents_snippet (const char *source)
{
  g_autoptr (GString) snippet = g_string_new (NULL);
  guint lines = 0;

  /* Only the beginning is searched: a source has up to 8 MiB. */
  for (const char *end = source + strnlen (source, 65536); source < end && lines < SNIPPET_LINES;)
    {
      const char *newline = memchr (source, '\n', (gsize) (end - source));
      const char *stop = newline ? newline : end;

      if (!is_blank (source, (gsize) (stop - source)))
        {
          if (lines++ > 0)
            g_string_append_c (snippet, '\n');
          g_string_append_len (snippet, source, stop - source);
        }
      source = newline ? newline + 1 : end;
    }
  {
    g_autofree char *valid = g_utf8_make_valid (snippet->str, (gssize) snippet->len);

    return g_utf8_substring (valid, 0, MIN (SNIPPET_CHARACTERS, g_utf8_strlen (valid, -1)));
  }
}
