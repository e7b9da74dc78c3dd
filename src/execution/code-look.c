/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "code-look.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "look-reason.h"
#include "look-resources.h"
#include "readable-text.h"
#include "run-error.h"

#define MAX_ANSWER ((gsize) 1 << 20)
/* One block has at most so many rows; look.py tells fewer. */
#define MAX_ROWS 1000
/* In bytes: look.py cuts names at 80 characters. */
#define MAX_NAME 400
/* Far more than a slow machine needs: look.py limits its own use of the processor. */
#define WALL_MS 120000

static void
finding_free (FhLookFinding *finding)
{
  g_free (finding->name);
  g_free (finding);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhLookFinding, finding_free)

void
fh_code_look_free (FhCodeLook *look)
{
  g_ptr_array_unref (look->findings);
  g_free (look);
}

/* Both files are one program. */
static GBytes *
new_program (void)
{
  static const char *const names[] = { "look_shell.py", "look.py" };
  g_autoptr (GByteArray) program = g_byte_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strconcat ("/io/github/fumehood/session/", names[i], NULL);
      g_autoptr (GBytes) part = g_resource_lookup_data (fh_look_get_resource (),
                                                        path,
                                                        G_RESOURCE_LOOKUP_FLAGS_NONE,
                                                        NULL);

      g_byte_array_append (program, g_bytes_get_data (part, NULL), (guint) g_bytes_get_size (part));
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&program));
}

/* NULL if it is too much. */
static GBytes *
new_input (GPtrArray *blocks)
{
  g_autoptr (GByteArray) input = g_byte_array_new ();

  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];
      const gsize size = strlen (block->code);
      g_autofree char *header =
          g_strdup_printf ("%s %" G_GSIZE_FORMAT "\n",
                           block->language != NULL ? block->language->id : "other",
                           size);

      if (size > FH_CODE_LOOK_MAX || input->len + size > FH_CODE_LOOK_MAX)
        return NULL;
      g_byte_array_append (input, (const guint8 *) header, (guint) strlen (header));
      g_byte_array_append (input, (const guint8 *) block->code, (guint) size);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&input));
}

/* Options about code that is run, and about what it needs. */
static const char *const left_out[] = {
  "guards.report_lines",   "guards.limit_functions", "guards.imports",
  "guards.max_operations", "guards.allow_hosts",     "guards.without",
};

FhRunRequest *
fh_code_look_new_request (GPtrArray *blocks, const FhRunOptions *options, GError **error)
{
  g_autoptr (GBytes) source = new_program ();
  g_autoptr (GBytes) input = NULL;
  g_autoptr (FhRunOptions) own = fh_run_options_copy (options);
  g_autoptr (FhRunOptions) defaults = fh_run_options_new ();

  g_return_val_if_fail (blocks != NULL && blocks->len > 0, NULL);

  input = blocks->len <= FH_CODE_LOOK_MAX_BLOCKS ? new_input (blocks) : NULL;
  if (input == NULL)
    {
      fh_run_error_refuse (error, "%s", _ ("The code is too long."));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
    fh_run_option_copy (fh_run_option_find (left_out[i]), own, defaults);
  own->guards.watch = FH_WATCH_OFF;
  own->guards.no_files = TRUE;
  if (own->guards.tier == FH_TIER_UNPROTECTED)
    own->guards.tier = FH_TIER_AUTO;
  if (own->limits.wall_ms == 0 || own->limits.wall_ms > WALL_MS)
    own->limits.wall_ms = WALL_MS;
  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .standard_input = input,
                                                  .options = own },
                             error);
}

static gboolean
read_reaches (JsonObject *row, FhLookFinding *finding)
{
  g_auto (GStrv) words = NULL;

  if (finding->kind != FH_LOOK_IMPORT)
    return TRUE;
  if (!fh_json_get_strings (row, "reaches", FH_LOOK_N_REACHES, &words, NULL))
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    {
      guint reach = 0;

      while (reach < FH_LOOK_N_REACHES && !g_str_equal (fh_look_reach_words[reach], words[i]))
        reach++;
      if (reach == FH_LOOK_N_REACHES)
        return FALSE;
      finding->reaches |= 1u << reach;
    }
  return TRUE;
}

/* NULL if it is not such a row. (transfer full) */
static FhLookFinding *
read_row (JsonNode *node, const FhCodeLook *look)
{
  JsonObject *row = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (FhLookFinding) finding = g_new0 (FhLookFinding, 1);
  const FhLookReason *reason;
  const char *id;
  const char *name;
  guint64 line;
  guint kind;

  if (row == NULL || !fh_json_get_word (row, "kind", fh_look_kind_words, &kind, NULL) ||
      !fh_json_get_string (row, "reason", &id, NULL) ||
      !fh_json_get_string (row, "name", &name, NULL) || strlen (name) > MAX_NAME ||
      !fh_json_get_number (row, "line", G_MAXINT32, &line, NULL))
    return NULL;
  finding->kind = (FhLookKind) kind;
  reason = fh_look_reason_find (finding->kind, id);
  if (reason == NULL || !read_reaches (row, finding))
    return NULL;
  finding->reason = reason->id;
  finding->sentence = _ (reason->sentence);
  finding->name = fh_readable_text_new (name, strlen (name));
  /* Parsers count some lines that others do not. */
  finding->line = look->line - 1 + (guint) CLAMP (line, 1, look->n_lines);
  return g_steal_pointer (&finding);
}

static int
compare_findings (gconstpointer a, gconstpointer b)
{
  const FhLookFinding *one = *(const FhLookFinding *const *) a;
  const FhLookFinding *other = *(const FhLookFinding *const *) b;

  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  return one->line < other->line ? -1 : one->line > other->line;
}

static guint
count_lines (const char *code)
{
  guint n = 0;

  for (const char *at = code; *at != '\0'; at++)
    n += *at == '\n' || at[1] == '\0';
  return MAX (n, 1);
}

/* NULL if the report does not say it as it should. (transfer full) */
static FhCodeLook *
read_block (JsonNode *node, const FhAnswerBlock *block)
{
  static const char *const depths[] = { "parsed", "text", "failed", NULL };
  JsonObject *from = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (FhCodeLook) look = g_new0 (FhCodeLook, 1);
  JsonArray *rows;
  guint64 n_left_out;
  guint depth;

  look->language = block->language;
  look->line = MAX (block->line, 1);
  look->n_lines = count_lines (block->code);
  look->findings = g_ptr_array_new_with_free_func ((GDestroyNotify) finding_free);
  if (from == NULL || !fh_json_get_word (from, "depth", depths, &depth, NULL) ||
      !fh_json_get_number (from, "left_out", G_MAXINT32, &n_left_out, NULL))
    return NULL;
  look->depth = (FhLookDepth) depth;
  look->n_left_out = (guint) n_left_out;
  rows = fh_json_get_array (from, "rows", MAX_ROWS, NULL);
  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      FhLookFinding *finding = read_row (json_array_get_element (rows, i), look);

      if (finding == NULL)
        return NULL;
      g_ptr_array_add (look->findings, finding);
    }
  g_ptr_array_sort (look->findings, compare_findings);
  return rows != NULL ? g_steal_pointer (&look) : NULL;
}

GPtrArray *
fh_code_look_parse (const char *text, GPtrArray *blocks)
{
  g_autoptr (JsonObject) from = fh_json_guard_parse (text, strlen (text), MAX_ANSWER, NULL);
  g_autoptr (GPtrArray) looks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_code_look_free);
  JsonArray *told =
      from != NULL ? fh_json_get_array (from, "blocks", FH_CODE_LOOK_MAX_BLOCKS, NULL) : NULL;

  if (told == NULL || json_array_get_length (told) != blocks->len)
    return NULL;
  for (guint i = 0; i < blocks->len; i++)
    {
      FhCodeLook *look = read_block (json_array_get_element (told, i), blocks->pdata[i]);

      if (look == NULL)
        return NULL;
      g_ptr_array_add (looks, look);
    }
  return g_steal_pointer (&looks);
}

GPtrArray *
fh_code_look_read (FhRunResult *result, GPtrArray *blocks, GError **error)
{
  g_autofree char *text =
      fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);
  GPtrArray *looks = NULL;

  if (fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_OK)
    {
      fh_run_error_refuse (error, "%s", fh_run_result_get_parts (result)->sentence);
      return NULL;
    }
  looks = fh_code_look_parse (text, blocks);
  if (looks == NULL)
    fh_run_error_refuse (error, "%s", _ ("The look at the code gave no usable report."));
  return looks;
}
