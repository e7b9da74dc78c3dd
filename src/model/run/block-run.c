/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "block-run.h"

#include <glib/gi18n-lib.h>

#include "json-record.h"

#define BLOCKS "answer_blocks"
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

typedef struct
{
  FhBlockRun run;
  const char *language; /* its id; nullable */
} Record;

#define MEMBER(name, kind, member) FH_JSON_MEMBER (Record, name, kind, member)

static const FhJsonMember members[] = {
  { MEMBER ("number", COUNT, run.number), .maximum = MAX_BLOCKS },
  { MEMBER ("n_blocks", COUNT, run.n_blocks), .maximum = MAX_BLOCKS },
  { MEMBER ("end", WORD, run.end), .words = ends },
  { MEMBER ("language", TEXT, language), .flags = FH_JSON_SPARSE },
  { MEMBER ("file_name", STRING, run.file_name), .flags = FH_JSON_SPARSE },
  { MEMBER ("heading", STRING, run.heading), .flags = FH_JSON_SPARSE },
  { MEMBER ("words", STRING, run.words), .flags = FH_JSON_SPARSE },
  { MEMBER ("own_us", COUNT, run.own_us), .flags = FH_JSON_NEW },
  { MEMBER ("stdout_offset", COUNT, run.offsets[0]), .flags = FH_JSON_NEW },
  { MEMBER ("stdout_bytes", COUNT, run.sizes[0]), .flags = FH_JSON_NEW },
  { MEMBER ("stderr_offset", COUNT, run.offsets[1]), .flags = FH_JSON_NEW },
  { MEMBER ("stderr_bytes", COUNT, run.sizes[1]), .flags = FH_JSON_NEW },
  { MEMBER ("stdout_left_out", COUNT, run.left_out[0]), .flags = FH_JSON_NEW },
  { MEMBER ("stderr_left_out", COUNT, run.left_out[1]), .flags = FH_JSON_NEW },
  { NULL },
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

guint64
fh_block_runs_count_bytes (GPtrArray *runs, FhStream stream)
{
  guint64 n = 0;

  g_return_val_if_fail (runs != NULL, 0);

  for (guint i = 0; i < runs->len; i++)
    {
      const FhBlockRun *run = runs->pdata[i];

      n += run->sizes[stream - FH_STREAM_STDOUT] + run->left_out[stream - FH_STREAM_STDOUT];
    }
  return n;
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
      Record record = { .run = *(const FhBlockRun *) runs->pdata[i] };
      JsonObject *block = json_object_new ();

      record.language = record.run.language != NULL ? record.run.language->id : NULL;
      fh_json_write_record (block, members, &record);
      json_array_add_object_element (array, block);
    }
  json_object_set_array_member (object, BLOCKS, array);
}

static gboolean
read_block (JsonObject *object, gpointer runs, GError **error)
{
  Record record = { 0 };

  if (!fh_json_read_record (object, members, &record, error) || record.run.number == 0)
    {
      fh_json_clear_record (members, &record);
      return FALSE;
    }
  if (record.language != NULL)
    record.run.language = fh_language_lookup (record.language);
  g_ptr_array_add (runs, g_memdup2 (&record.run, sizeof record.run));
  return TRUE;
}

GPtrArray *
fh_block_runs_from_json (JsonObject *object)
{
  g_autoptr (GPtrArray) runs = fh_block_runs_new ();

  g_return_val_if_fail (object != NULL, NULL);

  return json_object_has_member (object, BLOCKS) &&
                 fh_json_read_list (object, BLOCKS, MAX_BLOCKS, read_block, runs, NULL) &&
                 runs->len > 0
             ? g_steal_pointer (&runs)
             : NULL;
}
