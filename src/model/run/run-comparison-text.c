/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison in words. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "readable-text.h"
#include "run-comparison.h"

static const char *const parts[] = {
  [FH_COMPARED_ENDING] = N_ ("Result"),       [FH_COMPARED_SOURCE] = N_ ("Source"),
  [FH_COMPARED_OPTIONS] = N_ ("Options"),     [FH_COMPARED_OUTPUT] = N_ ("Output"),
  [FH_COMPARED_ERRORS] = N_ ("Error Output"), [FH_COMPARED_ATTEMPTS] = N_ ("Attempts"),
  [FH_COMPARED_GUARDS] = N_ ("Guards"),       [FH_COMPARED_FILES] = N_ ("Files"),
  [FH_COMPARED_FIGURES] = N_ ("Figures"),
};

static const char *const figures[] = {
  [FH_FIGURE_TIME] = N_ ("Time"),
  [FH_FIGURE_CPU] = N_ ("CPU Time"),
  [FH_FIGURE_MEMORY] = N_ ("Memory"),
  [FH_FIGURE_PROCESSES] = N_ ("Processes"),
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

  g_string_append (text, fh_result_file_get_name (file));
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
format_figure (FhFigure figure, guint64 value)
{
  if (value == 0)
    return g_strdup (_ ("not known"));
  if (figure == FH_FIGURE_MEMORY)
    return g_format_size_full (value, G_FORMAT_SIZE_IEC_UNITS);
  if (figure == FH_FIGURE_PROCESSES)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, value);
  return g_strdup_printf (_ ("%.3f s"), (double) value / 1e6);
}

/* The new figure comes with its ratio to the old one. */
static char *
describe_figure (const FhComparedPair *pair, guint side)
{
  FhFigure figure = (FhFigure) pair->what;
  guint64 values[2] = { fh_figure_get (FH_RUN_RESULT (pair->items[0]), figure),
                        fh_figure_get (FH_RUN_RESULT (pair->items[1]), figure) };
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
      return g_strdup_printf (_ ("%s: %s"),
                              fh_guard_state_get_title (FH_GUARD_STATE (item)),
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
