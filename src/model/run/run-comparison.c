/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-comparison.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ansi-parser.h"
#include "readable-text.h"

typedef enum
{
  FIGURE_TIME,   /* microseconds */
  FIGURE_CPU,    /* the same */
  FIGURE_MEMORY, /* bytes */
  FIGURE_PROCESSES,
  N_FIGURES,
} Figure;

struct _FhRunComparison
{
  FhRunRequest *requests[2];
  FhRunResult *results[2];
  FhTextDiff *diffs[FH_N_COMPARED]; /* NULL for parts that are no text */
  GArray *pairs[FH_N_COMPARED];
};

static void
add_pair (FhRunComparison *self,
          FhComparedPart part,
          guint what,
          gboolean differs,
          gpointer old_item,
          gpointer new_item)
{
  const FhComparedPair pair = { part, what, differs, { old_item, new_item } };

  g_array_append_val (self->pairs[part], pair);
}

static void
append_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer plain)
{
  g_string_append_len (plain, text, (gssize) size);
}

/* The text without what only a terminal understands: colours, and the two characters by which the
 * parser tells of an erased line. */
static GBytes *
to_plain (GBytes *output)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
  g_autoptr (GString) plain = g_string_new (NULL);
  gsize size;
  const void *bytes = g_bytes_get_data (output, &size);

  if (size > 0)
    fh_ansi_parser_feed (parser, bytes, size, append_cb, plain);
  fh_ansi_parser_finish (parser, append_cb, plain);
  g_string_replace (plain, "\v", "", 0);
  g_string_replace (plain, "\f", "", 0);
  return g_string_free_to_bytes (g_steal_pointer (&plain));
}

/* Compares what people read. Outputs that differ in nothing else are compared as they are, or they
 * would be called the same. */
static FhTextDiff *
compare_output (FhRunComparison *self, FhStream stream)
{
  g_autoptr (GBytes) old_text =
      fh_output_log_dup_bytes (fh_run_result_get_parts (self->results[0])->output, stream);
  g_autoptr (GBytes) new_text =
      fh_output_log_dup_bytes (fh_run_result_get_parts (self->results[1])->output, stream);
  g_autoptr (GBytes) old_plain = to_plain (old_text);
  g_autoptr (GBytes) new_plain = to_plain (new_text);

  if (g_bytes_equal (old_plain, new_plain))
    return fh_text_diff_new (old_text, new_text);
  return fh_text_diff_new (old_plain, new_plain);
}

static void
compare_texts (FhRunComparison *self)
{
  self->diffs[FH_COMPARED_SOURCE] =
      fh_text_diff_new (fh_run_request_get_parts (self->requests[0])->source,
                        fh_run_request_get_parts (self->requests[1])->source);
  self->diffs[FH_COMPARED_OUTPUT] = compare_output (self, FH_STREAM_STDOUT);
  self->diffs[FH_COMPARED_ERRORS] = compare_output (self, FH_STREAM_STDERR);
}

/* Leaves out the figures of an outcome, and its sentences, which follow from the rest. */
static void
compare_endings (FhRunComparison *self)
{
  const FhRunOutcome *a = fh_run_result_get_parts (self->results[0])->outcome;
  const FhRunOutcome *b = fh_run_result_get_parts (self->results[1])->outcome;
  gboolean differs = a->status != b->status || a->cause != b->cause ||
                     a->exit_code != b->exit_code || a->signal != b->signal ||
                     a->error != b->error || a->block != b->block ||
                     a->blocks_left != b->blocks_left || g_strcmp0 (a->step, b->step) != 0 ||
                     g_strcmp0 (a->value, b->value) != 0;

  add_pair (self, FH_COMPARED_ENDING, 0, differs, self->results[0], self->results[1]);
}

static gboolean
bytes_equal (GBytes *a, GBytes *b)
{
  return a == b || (a != NULL && b != NULL && g_bytes_equal (a, b));
}

static gboolean
inputs_equal (FhRunComparison *self, FhComparedInput input)
{
  FhRunRequest *a = self->requests[0];
  FhRunRequest *b = self->requests[1];

  switch (input)
    {
    case FH_COMPARED_LANGUAGE:
      return fh_run_request_get_parts (a)->language == fh_run_request_get_parts (b)->language;
    case FH_COMPARED_ARGUMENTS:
      return g_strv_equal (fh_run_request_get_parts (a)->arguments,
                           fh_run_request_get_parts (b)->arguments);
    case FH_COMPARED_INPUT:
    case FH_N_COMPARED_INPUTS:
    default:
      return bytes_equal (fh_run_request_get_parts (a)->standard_input,
                          fh_run_request_get_parts (b)->standard_input);
    }
}

/* Whether the option has an effect in either run. */
static gboolean
is_in_force (const FhRunOption *option, const FhRunOptions *a, const FhRunOptions *b)
{
  if (option->place == FH_OPTION_HERE)
    return !a->in_container || !b->in_container;
  if (option->place == FH_OPTION_IN_CONTAINER)
    return a->in_container || b->in_container;
  return TRUE;
}

static void
compare_options (FhRunComparison *self)
{
  const FhRunOptions *a = fh_run_request_get_parts (self->requests[0])->options;
  const FhRunOptions *b = fh_run_request_get_parts (self->requests[1])->options;
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  for (guint i = 0; i < FH_N_COMPARED_INPUTS; i++)
    {
      if (!inputs_equal (self, (FhComparedInput) i))
        add_pair (self, FH_COMPARED_OPTIONS, n + i, TRUE, self->requests[0], self->requests[1]);
    }
  for (guint i = 0; i < n; i++)
    {
      gboolean is_kept =
          !(rows[i].flags & FH_OPTION_NOT_IN_HISTORY) || g_str_equal (rows[i].key, "in_container");

      if (is_kept && is_in_force (&rows[i], a, b) && !fh_run_option_equal (&rows[i], a, b))
        add_pair (self, FH_COMPARED_OPTIONS, i, TRUE, self->requests[0], self->requests[1]);
    }
}

/* The first of the log that stands for this one. */
static FhAttempt *
find_attempt (FhAttemptLog *log, FhAttempt *attempt)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (log));

  for (guint i = 0; i < n; i++)
    {
      if (fh_attempt_is_same (fh_attempt_log_get (log, i), attempt))
        return fh_attempt_log_get (log, i);
    }
  return NULL;
}

/* How often something was tried is shown, and does not count: it depends on the time. */
static void
compare_attempts (FhRunComparison *self)
{
  FhAttemptLog *a = fh_run_result_get_parts (self->results[0])->attempts;
  FhAttemptLog *b = fh_run_result_get_parts (self->results[1])->attempts;
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (a));
  guint n_new = g_list_model_get_n_items (G_LIST_MODEL (b));

  for (guint i = 0; i < n_old; i++)
    {
      FhAttempt *attempt = fh_attempt_log_get (a, i);
      FhAttempt *other = find_attempt (b, attempt);

      add_pair (self, FH_COMPARED_ATTEMPTS, 0, other == NULL, attempt, other);
    }
  for (guint i = 0; i < n_new; i++)
    {
      FhAttempt *attempt = fh_attempt_log_get (b, i);

      if (find_attempt (a, attempt) == NULL)
        add_pair (self, FH_COMPARED_ATTEMPTS, 0, TRUE, NULL, attempt);
    }
}

static gboolean
guards_equal (FhGuardState *a, FhGuardState *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return fh_guard_state_get_facts (a)->level == fh_guard_state_get_facts (b)->level &&
         g_strcmp0 (fh_guard_state_get_facts (a)->reason, fh_guard_state_get_facts (b)->reason) ==
             0 &&
         g_str_equal (fh_guard_state_get_facts (a)->layers, fh_guard_state_get_facts (b)->layers);
}

static void
compare_guards (FhRunComparison *self)
{
  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      FhGuardState *a =
          fh_guard_states_find (fh_run_result_get_parts (self->results[0])->guards, (FhGuard) i);
      FhGuardState *b =
          fh_guard_states_find (fh_run_result_get_parts (self->results[1])->guards, (FhGuard) i);

      if (a != NULL || b != NULL)
        add_pair (self, FH_COMPARED_GUARDS, i, !guards_equal (a, b), a, b);
    }
}

/* Path → file; borrowed. Of two with one path the last. */
static GHashTable *
index_files (FhResultFiles *files)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (files));

  for (guint i = 0; i < n; i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);

      g_hash_table_insert (index, (gpointer) fh_result_file_get_facts (file)->path, file);
    }
  return index;
}

/* Files whose content was not kept are told apart by their size. */
static gboolean
files_equal (FhResultFile *file, FhResultFile *other)
{
  const FhResultFileFacts *a = fh_result_file_get_facts (file);
  const FhResultFileFacts *b = fh_result_file_get_facts (other);

  return a->kind == b->kind && a->size == b->size && a->is_program == b->is_program &&
         (a->content == NULL || b->content == NULL || g_bytes_equal (a->content, b->content));
}

static void
compare_files (FhRunComparison *self)
{
  FhResultFiles *a = fh_run_result_get_parts (self->results[0])->files;
  FhResultFiles *b = fh_run_result_get_parts (self->results[1])->files;
  g_autoptr (GHashTable) in_a = index_files (a);
  g_autoptr (GHashTable) in_b = index_files (b);
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (a));
  guint n_new = g_list_model_get_n_items (G_LIST_MODEL (b));

  for (guint i = 0; i < n_old; i++)
    {
      FhResultFile *file = fh_result_files_get (a, i);
      FhResultFile *other = g_hash_table_lookup (in_b, fh_result_file_get_facts (file)->path);

      add_pair (self,
                FH_COMPARED_FILES,
                0,
                other == NULL || !files_equal (file, other),
                file,
                other);
    }
  for (guint i = 0; i < n_new; i++)
    {
      FhResultFile *file = fh_result_files_get (b, i);

      if (!g_hash_table_contains (in_a, fh_result_file_get_facts (file)->path))
        add_pair (self, FH_COMPARED_FILES, 0, TRUE, NULL, file);
    }
}

/* 0: not known. */
static guint64
get_figure (FhRunResult *result, Figure figure)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  const guint64 figures[] = {
    [FIGURE_TIME] = outcome->wall_us,
    [FIGURE_CPU] = outcome->cpu_user_us + outcome->cpu_system_us,
    [FIGURE_MEMORY] = outcome->memory_peak,
    [FIGURE_PROCESSES] = outcome->processes_peak,
  };

  g_return_val_if_fail (figure < N_FIGURES, 0);

  return figures[figure];
}

static void
compare_figures (FhRunComparison *self)
{
  for (guint i = 0; i < N_FIGURES; i++)
    {
      if (get_figure (self->results[0], (Figure) i) > 0 ||
          get_figure (self->results[1], (Figure) i) > 0)
        add_pair (self, FH_COMPARED_FIGURES, i, FALSE, self->results[0], self->results[1]);
    }
}

void
fh_run_comparison_free (FhRunComparison *self)
{
  for (guint part = 0; part < FH_N_COMPARED; part++)
    {
      g_clear_pointer (&self->diffs[part], fh_text_diff_unref);
      g_array_unref (self->pairs[part]);
    }
  for (guint side = 0; side < 2; side++)
    {
      g_clear_object (&self->requests[side]);
      g_clear_object (&self->results[side]);
    }
  g_free (self);
}

FhRunComparison *
fh_run_comparison_new (FhRunRequest *old_request,
                       FhRunResult *old_result,
                       FhRunRequest *new_request,
                       FhRunResult *new_result)
{
  FhRunComparison *self;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (old_request) && FH_IS_RUN_REQUEST (new_request), NULL);
  g_return_val_if_fail (FH_IS_RUN_RESULT (old_result) && FH_IS_RUN_RESULT (new_result), NULL);

  self = g_new0 (FhRunComparison, 1);
  for (guint part = 0; part < FH_N_COMPARED; part++)
    self->pairs[part] = g_array_new (FALSE, FALSE, sizeof (FhComparedPair));
  self->requests[0] = g_object_ref (old_request);
  self->requests[1] = g_object_ref (new_request);
  self->results[0] = g_object_ref (old_result);
  self->results[1] = g_object_ref (new_result);
  compare_texts (self);
  compare_endings (self);
  compare_options (self);
  compare_attempts (self);
  compare_guards (self);
  compare_files (self);
  compare_figures (self);
  return self;
}

gboolean
fh_run_comparison_differs (FhRunComparison *self, FhComparedPart part)
{
  g_return_val_if_fail (self != NULL && part < FH_N_COMPARED, FALSE);

  if (self->diffs[part] != NULL)
    return !fh_text_diff_is_same (self->diffs[part]);
  for (guint i = 0; i < self->pairs[part]->len; i++)
    {
      if (g_array_index (self->pairs[part], FhComparedPair, i).differs)
        return TRUE;
    }
  return FALSE;
}

gboolean
fh_run_comparison_is_same (FhRunComparison *self)
{
  for (guint part = 0; part < FH_N_COMPARED; part++)
    {
      if (fh_run_comparison_differs (self, (FhComparedPart) part))
        return FALSE;
    }
  return TRUE;
}

FhTextDiff *
fh_run_comparison_get_diff (FhRunComparison *self, FhComparedPart part)
{
  g_return_val_if_fail (self != NULL && part < FH_N_COMPARED, NULL);

  return self->diffs[part];
}

GArray *
fh_run_comparison_get_pairs (FhRunComparison *self, FhComparedPart part)
{
  g_return_val_if_fail (self != NULL && part < FH_N_COMPARED, NULL);

  return self->pairs[part];
}

static const char *const parts[] = {
  [FH_COMPARED_ENDING] = N_ ("Result"),       [FH_COMPARED_SOURCE] = N_ ("Source"),
  [FH_COMPARED_OPTIONS] = N_ ("Options"),     [FH_COMPARED_OUTPUT] = N_ ("Output"),
  [FH_COMPARED_ERRORS] = N_ ("Error Output"), [FH_COMPARED_ATTEMPTS] = N_ ("Attempts"),
  [FH_COMPARED_GUARDS] = N_ ("Guards"),       [FH_COMPARED_FILES] = N_ ("Files"),
  [FH_COMPARED_FIGURES] = N_ ("Figures"),
};

static const char *const figures[] = {
  [FIGURE_TIME] = N_ ("Time"),
  [FIGURE_CPU] = N_ ("CPU Time"),
  [FIGURE_MEMORY] = N_ ("Memory"),
  [FIGURE_PROCESSES] = N_ ("Processes"),
};

const char *
fh_compared_part_title (FhComparedPart part)
{
  g_return_val_if_fail (part < FH_N_COMPARED, NULL);

  return _ (parts[part]);
}

static char *
describe_ending (FhRunResult *result)
{
  const char *value = fh_run_result_get_parts (result)->outcome->value;
  g_autofree char *safe = value != NULL ? fh_readable_text_new (value, strlen (value)) : NULL;

  if (safe == NULL)
    return g_strdup (fh_run_result_get_parts (result)->sentence);
  return g_strconcat (fh_run_result_get_parts (result)->sentence, " ", safe, NULL);
}

static char *
describe_arguments (FhRunRequest *request)
{
  g_autofree char *all = g_strjoinv (" ", (GStrv) fh_run_request_get_parts (request)->arguments);

  return *all != '\0' ? fh_readable_text_new (all, strlen (all)) : g_strdup (_ ("none"));
}

static char *
describe_input (FhRunRequest *request, FhComparedInput input)
{
  g_autofree char *value = NULL;
  GBytes *bytes;

  switch (input)
    {
    case FH_COMPARED_LANGUAGE:
      /* Translators: what a program is given, and its value */
      return g_strdup_printf (_ ("Language: %s"),
                              fh_run_request_get_parts (request)->language->name);
    case FH_COMPARED_ARGUMENTS:
      value = describe_arguments (request);
      return g_strdup_printf (_ ("Arguments: %s"), value);
    case FH_COMPARED_INPUT:
    case FH_N_COMPARED_INPUTS:
    default:
      bytes = fh_run_request_get_parts (request)->standard_input;
      value = g_format_size_full (bytes != NULL ? g_bytes_get_size (bytes) : 0,
                                  G_FORMAT_SIZE_IEC_UNITS);
      return g_strdup_printf (_ ("Standard input: %s"), value);
    }
}

/* Lists the names of variables without their values, which may be secret. */
static char *
describe_variables (const FhRunOptions *options)
{
  const char *const *list = options->container.environment;
  GString *names = g_string_new (NULL);

  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    {
      g_string_append (names, i > 0 ? " " : "");
      g_string_append_len (names, list[i], (gssize) strcspn (list[i], "="));
    }
  return g_string_free (names, FALSE);
}

static char *
describe_option (FhRunRequest *request, guint row)
{
  const FhRunOptions *options = fh_run_request_get_parts (request)->options;
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);
  g_autofree char *value = NULL;
  g_autofree char *safe = NULL;

  if (row >= n)
    return describe_input (request, (FhComparedInput) (row - n));
  value = g_str_equal (rows[row].key, "container.environment")
              ? describe_variables (options)
              : fh_run_option_describe (&rows[row], options);
  /* Translators: what an option has if it is empty, such as the guards that are switched off */
  safe = *value != '\0' ? fh_readable_text_new (value, strlen (value)) : g_strdup (_ ("none"));
  if (rows[row].title != NULL)
    return g_strdup_printf (_ ("%s: %s"), _ (rows[row].title), safe);
  return g_strdup_printf (_ ("%s: %s"),
                          rows[row].flag != NULL ? rows[row].flag : rows[row].key,
                          safe);
}

static char *
describe_attempt (FhAttempt *attempt)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);
  g_autofree char *title = fh_attempt_dup_title (attempt);
  /* Translators: "Open ~/.ssh/id_rsa: hidden, 3×" */
  g_autofree char *text =
      g_strdup_printf (_ ("%s: %s, %u×"), title, fh_attempt_verdict_title (facts), facts->count);

  /* The verdict tells it if no guard saw it. */
  if (!facts->is_reported || facts->verdict == FH_VERDICT_OBSERVED)
    return g_steal_pointer (&text);
  /* Translators: %s is something that was tried */
  return g_strdup_printf (_ ("%s (reported by the program)"), text);
}

static char *
describe_file (FhResultFile *file, FhResultFile *other)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);
  g_autofree char *size = g_format_size_full (facts->size, G_FORMAT_SIZE_IEC_UNITS);
  GString *text = g_string_new (NULL);

  g_string_append (text, fh_result_file_get_facts (file)->name);
  if (facts->kind == FH_RESULT_FILE_LINK)
    g_string_append_printf (text, ", %s", _ ("link"));
  else if (facts->kind == FH_RESULT_FILE_SPECIAL)
    g_string_append_printf (text, ", %s", _ ("special file"));
  else
    g_string_append_printf (text, ", %s", size);
  if (facts->is_program)
    g_string_append_printf (text, ", %s", _ ("program"));
  if (other != NULL && facts->content != NULL &&
      fh_result_file_get_facts (other)->content != NULL &&
      !g_bytes_equal (facts->content, fh_result_file_get_facts (other)->content))
    g_string_append_printf (text, ", %s", _ ("other content"));
  return g_string_free (text, FALSE);
}

static char *
format_figure (Figure figure, guint64 value)
{
  if (value == 0)
    return g_strdup (_ ("not known"));
  if (figure == FIGURE_MEMORY)
    return g_format_size_full (value, G_FORMAT_SIZE_IEC_UNITS);
  if (figure == FIGURE_PROCESSES)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, value);
  return g_strdup_printf (_ ("%.3f s"), (double) value / 1e6);
}

/* The new figure comes with its ratio to the old one. */
static char *
describe_figure (const FhComparedPair *pair, guint side)
{
  Figure figure = (Figure) pair->what;
  guint64 values[2] = { get_figure (FH_RUN_RESULT (pair->items[0]), figure),
                        get_figure (FH_RUN_RESULT (pair->items[1]), figure) };
  g_autofree char *value = format_figure (figure, values[side]);

  if (side == 0 || values[0] == 0 || values[1] == 0)
    return g_strdup_printf (_ ("%s: %s"), _ (figures[figure]), value);
  /* Translators: a figure of a run, and how many times that of another run it is */
  return g_strdup_printf (_ ("%s: %s (%.2f times)"),
                          _ (figures[figure]),
                          value,
                          (double) values[1] / (double) values[0]);
}

char *
fh_compared_pair_dup_text (const FhComparedPair *pair, guint side)
{
  GObject *item = pair->items[side];

  if (item == NULL)
    return NULL;
  switch (pair->part)
    {
    case FH_COMPARED_ENDING:
      return describe_ending (FH_RUN_RESULT (item));
    case FH_COMPARED_OPTIONS:
      return describe_option (FH_RUN_REQUEST (item), pair->what);
    case FH_COMPARED_ATTEMPTS:
      return describe_attempt (FH_ATTEMPT (item));
    case FH_COMPARED_GUARDS:
      return g_strdup_printf (
          _ ("%s: %s"),
          fh_guard_title (fh_guard_state_get_facts (FH_GUARD_STATE (item))->guard),
          fh_guard_state_get_facts (FH_GUARD_STATE (item))->sentence);
    case FH_COMPARED_FILES:
      return describe_file (FH_RESULT_FILE (item),
                            side == 1 && pair->items[0] != NULL ? FH_RESULT_FILE (pair->items[0])
                                                                : NULL);
    case FH_COMPARED_FIGURES:
      return describe_figure (pair, side);
    case FH_COMPARED_SOURCE:
    case FH_COMPARED_OUTPUT:
    case FH_COMPARED_ERRORS:
    case FH_N_COMPARED:
    default:
      return NULL;
    }
}
