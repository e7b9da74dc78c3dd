/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-problems.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "batch-lines.h"
#include "batch-marker.h"
#include "json-guard.h"
#include "json-member.h"
#include "run-error.h"

#define MAX_PROBLEMS 1000000
#define MAX_TESTS    10000
#define MAX_NAME     1024 /* bytes; all names are in memory */

/* A program is the prompt, the completion, the setup and the tests. */
typedef struct
{
  char *prompt;
  char *setup; /* what both the completion and the tests may use */
  char *tests;
  char *entry_point; /* the function that the prompt begins; NULL: it begins none */
} Problem;

struct _FhBatchProblems
{
  GHashTable *table; /* (element-type utf8 Problem) */
};

static void
problem_free (gpointer data)
{
  Problem *problem = data;

  g_free (problem->prompt);
  g_free (problem->setup);
  g_free (problem->tests);
  g_free (problem->entry_point);
  g_free (problem);
}

gboolean
fh_batch_get_name (JsonObject *object, const char *member, char **name, GError **error)
{
  JsonNode *node = json_object_get_member (object, member);
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : 0;

  *name = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (type == G_TYPE_INT64)
    *name = g_strdup_printf ("%" PRId64, json_node_get_int (node));
  else if (type == G_TYPE_STRING)
    {
      const gsize length = strlen (json_node_get_string (node));

      *name = length > 0 && length <= MAX_NAME ? json_node_dup_string (node) : NULL;
    }
  return *name != NULL || fh_json_refuse_member (member, error);
}

/* The test defines a check, which is called. */
static gboolean
read_humaneval (JsonObject *object, Problem *problem, GError **error)
{
  const char *prompt;
  const char *test;
  const char *entry_point;

  if (!fh_json_get_string (object, "prompt", &prompt, error) ||
      !fh_json_get_string (object, "test", &test, error) ||
      !fh_json_get_string (object, "entry_point", &entry_point, error))
    return FALSE;
  problem->prompt = g_strdup (prompt);
  problem->setup = g_strdup ("");
  problem->tests = g_strdup_printf ("%s\ncheck(%s)\n", test, entry_point);
  problem->entry_point = g_strdup (entry_point);
  return TRUE;
}

/* The tests are statements. */
static gboolean
read_mbpp (JsonObject *object, Problem *problem, GError **error)
{
  g_auto (GStrv) tests = NULL;
  g_auto (GStrv) imports = NULL;
  g_autofree char *lines = NULL;
  g_autofree char *first = NULL;
  const char *setup = "";

  if (!fh_json_get_strings (object, "test_list", MAX_TESTS, &tests, error) ||
      (json_object_has_member (object, "test_imports") &&
       !fh_json_get_strings (object, "test_imports", MAX_TESTS, &imports, error)) ||
      (json_object_has_member (object, "test_setup_code") &&
       !fh_json_get_string (object, "test_setup_code", &setup, error)))
    return FALSE;
  lines = g_strjoinv ("\n", tests);
  first = imports != NULL ? g_strjoinv ("\n", imports) : g_strdup ("");
  problem->prompt = g_strdup ("");
  problem->setup = g_strdup_printf ("%s\n%s\n", first, setup);
  problem->tests = g_strdup_printf ("%s\n", lines);
  return TRUE;
}

static gboolean
add (FhBatchProblems *self, JsonObject *object, GError **error)
{
  g_autofree char *task_id = NULL;
  Problem *problem;

  if (!fh_batch_get_name (object, "task_id", &task_id, error))
    return FALSE;
  if (task_id == NULL)
    return fh_json_refuse_member ("task_id", error);
  if (g_hash_table_contains (self->table, task_id))
    return fh_run_error_refuse (error, _ ("There is another problem “%s”."), task_id);
  if (g_hash_table_size (self->table) >= MAX_PROBLEMS)
    return fh_run_error_refuse (error, "%s", _ ("These are too many problems."));
  problem = g_new0 (Problem, 1);
  g_hash_table_insert (self->table, g_steal_pointer (&task_id), problem);
  return json_object_has_member (object, "test_list") ? read_mbpp (object, problem, error)
                                                      : read_humaneval (object, problem, error);
}

FhBatchProblems *
fh_batch_problems_load (const char *path, GError **error)
{
  g_autoptr (FhBatchProblems) self = g_new0 (FhBatchProblems, 1);
  g_autoptr (FhBatchLines) lines = fh_batch_lines_open (path, error);
  g_autoptr (GError) local = NULL;
  const char *line;
  gsize size;

  self->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, problem_free);
  if (lines == NULL)
    return NULL;
  while ((line = fh_batch_lines_next (lines, &size, &local)) != NULL)
    {
      g_autoptr (JsonObject) object = fh_json_guard_parse (line, size, FH_BATCH_MAX_LINE, error);

      if (object == NULL || !add (self, object, error))
        {
          fh_batch_lines_prefix (lines, error);
          return NULL;
        }
    }
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
fh_batch_problems_free (FhBatchProblems *self)
{
  g_hash_table_unref (self->table);
  g_free (self);
}

gboolean
fh_batch_problems_complete (const FhBatchProblems *self,
                            const char *task_id,
                            const char *completion,
                            FhBatchParts *parts)
{
  Problem *problem = g_hash_table_lookup (self->table, task_id);
  g_autofree char *tests = NULL;
  GString *whole;

  if (problem == NULL)
    return FALSE;
  parts->program = g_strconcat (problem->prompt, completion, "\n", problem->setup, NULL);
  whole = g_string_new (parts->program);
  g_string_append (whole, problem->tests);
  parts->marker = fh_batch_marker_append (whole);
  parts->whole = g_string_free (whole, FALSE);
  parts->test = json_object_new ();
  tests = g_strconcat (problem->setup, problem->tests, NULL);
  json_object_set_string_member (parts->test, "do", "test");
  json_object_set_string_member (parts->test, "problem", problem->prompt);
  json_object_set_string_member (parts->test, "tests", tests);
  if (problem->entry_point != NULL)
    json_object_set_string_member (parts->test, "entry", problem->entry_point);
  return TRUE;
}

GList *
fh_batch_problems_list (const FhBatchProblems *self)
{
  return g_hash_table_get_keys (self->table);
}
