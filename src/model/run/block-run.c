/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "block-run.h"

#include <glib/gi18n-lib.h>

#include "json-member.h"

#define MEMBER "answer_blocks"
/* No answer has as many. */
#define MAX_BLOCKS 10000

static const char *const ends[] = {
  [FH_BLOCK_END_NOT_RUN] = "not-run",
  [FH_BLOCK_END_DONE] = "done",
  [FH_BLOCK_END_FAILED] = "failed",
  [FH_BLOCK_END_STOPPED] = "stopped",
  [FH_BLOCK_END_SAVED] = "saved",
  [FH_BLOCK_END_REFUSED] = "refused",
  NULL,
};

static const struct
{
  const char *name;
  gsize offset;
} numbers[] = {
  { "own_us", G_STRUCT_OFFSET (FhBlockRun, own_us) },
  { "stdout_offset", G_STRUCT_OFFSET (FhBlockRun, offsets[0]) },
  { "stdout_bytes", G_STRUCT_OFFSET (FhBlockRun, sizes[0]) },
  { "stderr_offset", G_STRUCT_OFFSET (FhBlockRun, offsets[1]) },
  { "stderr_bytes", G_STRUCT_OFFSET (FhBlockRun, sizes[1]) },
};

static const struct
{
  const char *name;
  gsize offset;
} texts[] = {
  { "file_name", G_STRUCT_OFFSET (FhBlockRun, file_name) },
  { "heading", G_STRUCT_OFFSET (FhBlockRun, heading) },
  { "words", G_STRUCT_OFFSET (FhBlockRun, words) },
};

void
fh_block_run_free (FhBlockRun *self)
{
  g_free (self->file_name);
  g_free (self->heading);
  g_free (self->words);
  g_free (self);
}

GPtrArray *
fh_block_runs_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) fh_block_run_free);
}

GPtrArray *
fh_block_runs_copy (GPtrArray *runs)
{
  GPtrArray *copies = fh_block_runs_new ();

  g_return_val_if_fail (runs != NULL, copies);

  for (guint i = 0; i < runs->len; i++)
    {
      FhBlockRun *copy = g_memdup2 (runs->pdata[i], sizeof (FhBlockRun));

      copy->file_name = g_strdup (copy->file_name);
      copy->heading = g_strdup (copy->heading);
      copy->words = g_strdup (copy->words);
      g_ptr_array_add (copies, copy);
    }
  return copies;
}

const FhBlockRun *
fh_block_runs_find (GPtrArray *runs, guint number)
{
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      if (((FhBlockRun *) runs->pdata[i])->number == number)
        return runs->pdata[i];
    }
  return NULL;
}

typedef struct
{
  const FhBlockRun *block;
  FhOutputLog *output;
  guint64 at[2]; /* how much of each stream has gone by */
} Cutting;

static void
cut_piece (const FhOutputPiece *piece, gpointer user_data)
{
  Cutting *cutting = user_data;
  const guint stream = piece->stream - FH_STREAM_STDOUT;
  const guint64 begin = cutting->at[stream] + piece->skipped;
  const guint64 end = begin + piece->size;
  const guint64 from = MAX (begin, cutting->block->offsets[stream]);
  const guint64 to =
      MIN (end,
           cutting->block->offsets[stream] +
               MIN (cutting->block->sizes[stream], G_MAXUINT64 - cutting->block->offsets[stream]));

  cutting->at[stream] = end;
  if (from < to)
    fh_output_log_append (cutting->output,
                          piece->stream,
                          piece->time_us,
                          piece->data + (from - begin),
                          (gsize) (to - from));
}

FhOutputLog *
fh_block_run_dup_output (const FhBlockRun *self, FhOutputLog *answer)
{
  Cutting cutting = { .block = self };

  g_return_val_if_fail (self != NULL && FH_IS_OUTPUT_LOG (answer), NULL);

  cutting.output = fh_output_log_new ();
  fh_output_log_foreach (answer, cut_piece, &cutting);
  fh_output_log_freeze (cutting.output);
  return cutting.output;
}

gboolean
fh_block_runs_are_alike (GPtrArray *a, GPtrArray *b)
{
  if (a == NULL || b == NULL || a->len != b->len)
    return a == b;
  for (guint i = 0; i < a->len; i++)
    {
      const FhBlockRun *first = a->pdata[i];
      const FhBlockRun *second = b->pdata[i];

      if (first->number != second->number)
        return FALSE;
    }
  return TRUE;
}

char *
fh_block_runs_dup_text (GPtrArray *runs)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  const FhBlockRun *first;

  if (runs == NULL || runs->len == 0)
    return NULL;
  first = runs->pdata[0];
  for (guint i = 0; i < runs->len; i++)
    {
      const FhLanguage *language = ((FhBlockRun *) runs->pdata[i])->language;

      if (language == NULL || g_ptr_array_find (named, language, NULL))
        continue;
      g_string_append_printf (names, "%s%s", named->len == 0 ? ": " : ", ", language->name);
      g_ptr_array_add (named, (gpointer) language);
    }
  if (runs->len == 1 && first->n_blocks > 1)
    /* Translators: the number of a block, how many its answer has, and ": Python" */
    return g_strdup_printf (_ ("Block %u of %u%s"), first->number, first->n_blocks, names->str);
  if (runs->len < first->n_blocks)
    /* Translators: the numbers of two blocks, how many their answer has, and ": Python, Bash" */
    return g_strdup_printf (_ ("Blocks %u to %u of %u%s"),
                            first->number,
                            first->number + runs->len - 1,
                            first->n_blocks,
                            names->str);
  /* Translators: how many blocks an answer has, and ": Python, Bash" */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u block%s", "%u blocks%s", runs->len),
                          runs->len,
                          names->str);
}

void
fh_block_runs_add_to_json (GPtrArray *runs, JsonObject *object)
{
  JsonArray *array = json_array_new ();

  g_return_if_fail (runs != NULL && object != NULL);

  for (guint i = 0; i < runs->len; i++)
    {
      const FhBlockRun *run = runs->pdata[i];
      JsonObject *block = json_object_new ();

      json_object_set_int_member (block, "number", run->number);
      json_object_set_int_member (block, "n_blocks", run->n_blocks);
      json_object_set_string_member (block, "end", ends[run->end]);
      if (run->language != NULL)
        json_object_set_string_member (block, "language", run->language->id);
      for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
        {
          const char *text = G_STRUCT_MEMBER (char *, run, texts[j].offset);

          if (text != NULL)
            json_object_set_string_member (block, texts[j].name, text);
        }
      for (guint j = 0; j < G_N_ELEMENTS (numbers); j++)
        json_object_set_int_member (
            block,
            numbers[j].name,
            (gint64) MIN (G_STRUCT_MEMBER (guint64, run, numbers[j].offset), G_MAXINT64));
      json_array_add_object_element (array, block);
    }
  json_object_set_array_member (object, MEMBER, array);
}

static FhBlockRun *
block_from_json (JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  FhBlockRun *run;
  const char *language;
  guint64 number, n_blocks;
  guint end;

  if (object == NULL || !fh_json_get_number (object, "number", MAX_BLOCKS, &number, NULL) ||
      !fh_json_get_number (object, "n_blocks", MAX_BLOCKS, &n_blocks, NULL) || number == 0 ||
      !fh_json_get_word (object, "end", ends, &end, NULL))
    return NULL;
  run = g_new0 (FhBlockRun, 1);
  run->number = (guint) number;
  run->n_blocks = (guint) n_blocks;
  run->end = (FhBlockEnd) end;
  language = fh_json_get_text (object, "language");
  run->language = language != NULL ? fh_language_lookup (language) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, run, texts[i].offset) =
        g_strdup (fh_json_get_text (object, texts[i].name));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    fh_json_get_number (object,
                        numbers[i].name,
                        G_MAXINT64,
                        &G_STRUCT_MEMBER (guint64, run, numbers[i].offset),
                        NULL);
  return run;
}

GPtrArray *
fh_block_runs_from_json (JsonObject *object)
{
  g_autoptr (GPtrArray) runs = fh_block_runs_new ();
  JsonArray *array = NULL;

  g_return_val_if_fail (object != NULL, NULL);

  if (json_object_has_member (object, MEMBER))
    array = fh_json_get_array (object, MEMBER, MAX_BLOCKS, NULL);
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      FhBlockRun *run = block_from_json (json_array_get_element (array, i));

      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
    }
  return runs->len > 0 ? g_steal_pointer (&runs) : NULL;
}
