/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-summary.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "attempt-kind.h"
#include "output-cut.h"
#include "readable-text.h"
#include "traceback-parser.h"

#define ERROR_MAX 200 /* characters */

#define BLOCKED_MAX 3

typedef struct
{
  const char *start; /* of the line of output */
  gsize size;
} Line;

static Line
next_line (const char **at)
{
  const char *end = strchr (*at, '\n');
  Line line = { *at, end != NULL ? (gsize) (end - *at) : strlen (*at) };

  *at = end != NULL ? end + 1 : *at + line.size;
  return line;
}

/* "ValueError: no", "json.decoder.JSONDecodeError: …", "KeyError": the name of an error begins the
 * line, as Python, JavaScript and Ruby write it. */
static gboolean
names_exception (const Line *line)
{
  gsize size = 0;

  while (size < line->size && (g_ascii_isalnum (line->start[size]) || line->start[size] == '_' ||
                               line->start[size] == '.'))
    size++;
  if (size == 0 || (size < line->size && line->start[size] != ':'))
    return FALSE;
  return g_strstr_len (line->start, (gssize) size, "Error") != NULL ||
         g_strstr_len (line->start, (gssize) size, "Exception") != NULL;
}

/* "main.c:3:5: error: …": a compiler, whose first error is the one to look at. */
static gboolean
is_compiler_error (const Line *line)
{
  return g_strstr_len (line->start, (gssize) MIN (line->size, 1000), " error: ") != NULL;
}

/* `text`: (transfer full). `max`: characters. (transfer full) */
static char *
cut_text (char *text, glong max)
{
  char *cut;

  if (g_utf8_strlen (text, -1) <= max)
    return text;
  g_utf8_offset_to_pointer (text, max)[0] = '\0';
  cut = g_strconcat (text, "…", NULL);
  g_free (text);
  return cut;
}

static char *
dup_readable (const Line *line)
{
  char *readable = fh_readable_text_new (line->start, MIN (line->size, 4 * ERROR_MAX));

  return cut_text (g_strstrip (readable), ERROR_MAX);
}

/* The last frame of a traceback is where it happened, and with a compiler the first error. */
static void
find_error (FhRunSummary *self, const char *text, const char *file_name)
{
  const char *at = text;
  Line found = { NULL };
  gboolean is_compiler = FALSE;
  FhSourcePlace place;

  while (*at != '\0' && !is_compiler)
    {
      Line line = next_line (&at);
      gboolean has_place = fh_traceback_find (line.start, line.size, file_name, &place);

      is_compiler = has_place && is_compiler_error (&line);
      if (has_place && place.cell == 0)
        self->line = place.line;
      if (is_compiler || names_exception (&line))
        found = line;
    }
  if (found.start != NULL)
    self->error = dup_readable (&found);
}

static void
take_error (FhRunSummary *self, FhRunRequest *request, FhRunResult *result)
{
  const FhBlockRun *block =
      fh_block_runs_find (fh_run_result_get_parts (result)->blocks, self->block);
  g_autoptr (FhOutputLog) output = NULL;
  const FhLanguage *language = fh_run_request_get_parts (request)->language;
  g_autofree char *text = NULL;

  /* A program that says that it ran out of memory has failed as well. */
  if (fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_FAILED &&
      fh_run_result_get_parts (result)->outcome->cause != FH_RUN_CAUSE_SAID)
    return;
  /* An answer is recorded with the language of its first block. */
  if (block != NULL && block->language != NULL)
    language = block->language;
  output = block != NULL && block->heading != NULL
               ? fh_block_run_dup_output (block, fh_run_result_get_parts (result)->output)
               : g_object_ref (fh_run_result_get_parts (result)->output);
  text = fh_output_log_dup_text (output, FH_STREAM_STDERR);
  find_error (self, text, language->file_name);
  if (self->error == NULL)
    {
      g_autofree char *last = fh_output_log_dup_error (output, FH_STREAM_STDERR, ERROR_MAX);

      if (*last != '\0')
        self->error = dup_readable (&(Line){ last, strlen (last) });
    }
}

/* Something that a person can change for each kind of attempt; for others there is nothing, or more
 * than one guard stands in the way. */
static const struct
{
  FhAttemptKind kind;
  const char *option; /* its key in the table of options */
  const char *value;  /* nullable */
} controls[] = {
  { FH_ATTEMPT_KIND_LOOK_UP, "guards.allow_hosts", NULL },
  { FH_ATTEMPT_KIND_CONNECT, "guards.without", "network" },
  { FH_ATTEMPT_KIND_CONNECT_NEAR, "guards.without", "network" },
  { FH_ATTEMPT_KIND_SERVE, "guards.without", "network" },
  { FH_ATTEMPT_KIND_INSPECT, "guards.without", "system-calls" },
  { FH_ATTEMPT_KIND_KEYRING, "guards.without", "system-calls" },
  { FH_ATTEMPT_KIND_LIMIT_PROCESSES, "limits.processes", NULL },
  { FH_ATTEMPT_KIND_LIMIT_MEMORY, "limits.memory_bytes", NULL },
  { FH_ATTEMPT_KIND_LIMIT_DISK, "limits.disk_bytes", NULL },
  { FH_ATTEMPT_KIND_LIMIT_OUTPUT, "limits.output_bytes", NULL },
  { FH_ATTEMPT_KIND_LIMIT_TIME, "limits.wall_ms", NULL },
  { FH_ATTEMPT_KIND_IMPORT, "guards.imports", NULL },
  { FH_ATTEMPT_KIND_OPERATIONS, "guards.max_operations", NULL },
};

/* The program chose the name, and people may paste it into a shell. */
static gboolean
is_host_name (const char *name)
{
  return *name != '\0' && *name != '-' &&
         strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789.-") == strlen (name);
}

const FhRunOption *
fh_attempt_find_control (FhAttempt *attempt, char **value)
{
  const FhAttemptFacts *facts;
  FhAttemptKind kind;
  gboolean has_host;

  g_return_val_if_fail (FH_IS_ATTEMPT (attempt) && value != NULL, NULL);

  *value = NULL;
  facts = fh_attempt_get_facts (attempt);
  if (facts->verdict == FH_VERDICT_OBSERVED)
    return NULL;
  kind = fh_attempt_kind (facts);
  has_host = kind == FH_ATTEMPT_KIND_LOOK_UP;
  for (guint i = 0; i < G_N_ELEMENTS (controls); i++)
    {
      if (controls[i].kind != kind || (has_host && !is_host_name (facts->object)))
        continue;
      *value = g_strdup (has_host ? facts->object : controls[i].value);
      return fh_run_option_find (controls[i].option);
    }
  return NULL;
}

/* `titles`: of those that were taken. */
static void
take_attempt (FhRunSummary *self, FhAttempt *attempt, GPtrArray *titles)
{
  g_autofree char *title = fh_attempt_dup_title (attempt);

  if (g_ptr_array_find_with_equal_func (titles, title, g_str_equal, NULL))
    return;
  if (titles->len == BLOCKED_MAX)
    {
      self->n_more++;
      return;
    }
  g_ptr_array_add (titles, g_steal_pointer (&title));
  g_ptr_array_add (self->blocked, g_object_ref (attempt));
}

/* The gravest first, and of equals the one that came first. */
static void
take_attempts (FhRunSummary *self, FhAttemptLog *attempts)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);

  for (guint gravity = 0; gravity < FH_ATTEMPT_N_GRAVITIES; gravity++)
    for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attempts)); i++)
      {
        FhAttempt *attempt = fh_attempt_log_get (attempts, i);
        const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);

        if (fh_attempt_was_blocked (facts) && fh_attempt_gravity (facts) == gravity)
          take_attempt (self, attempt, titles);
      }
}

/* Names what the user opened for this run: nothing of it follows from how it ended. A run without
 * any protection is told as such. */
static char *
dup_opened (FhRunRequest *request, FhRunResult *result)
{
  const FhRunGuards *guards = fh_run_request_get_parts (request)->guards;
  const FhContainerOptions *container = fh_run_request_get_parts (request)->container;

  if (!fh_run_outcome_has_run (fh_run_result_get_parts (result)->outcome) ||
      guards->tier == FH_TIER_UNPROTECTED)
    return NULL;
  if (container != NULL && container->network != NULL)
    /* Translators: the name of a network of Docker or Podman, such as “bridge” */
    return g_strdup_printf (_ ("The network was open: “%s”."), container->network);
  if (guards->without != 0)
    {
      g_autofree char *names = fh_guards_dup_titles (guards->without);

      /* Translators: a list of guards: “Network, Memory” */
      return g_strdup_printf (_ ("Guards that were switched off: %s."), names);
    }
  if (guards->allow_hosts != NULL && guards->allow_hosts[0] != NULL)
    {
      g_autofree char *hosts = g_strjoinv (", ", (GStrv) guards->allow_hosts);

      /* Translators: a list of names of hosts */
      return g_strdup_printf (_ ("The network was open to: %s."), hosts);
    }
  return NULL;
}

FhRunSummary *
fh_run_summary_new (FhRunRequest *request, FhRunResult *result)
{
  FhRunSummary *self = g_new0 (FhRunSummary, 1);
  FhResultFiles *files = fh_run_result_get_parts (result)->files;

  self->blocked = g_ptr_array_new_with_free_func (g_object_unref);
  self->opened = dup_opened (request, result);
  self->block = fh_run_result_get_parts (result)->outcome->block;
  take_error (self, request, result);
  take_attempts (self, fh_run_result_get_parts (result)->attempts);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));

      if (facts->content != NULL && !facts->is_from_answer)
        self->n_files++;
    }
  return self;
}

void
fh_run_summary_free (FhRunSummary *self)
{
  g_free (self->error);
  g_free (self->opened);
  g_ptr_array_unref (self->blocked);
  g_free (self);
}

char *
fh_run_summary_dup_error_sentence (const FhRunSummary *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->error == NULL)
    return NULL;
  if (self->line == 0)
    /* Translators: what a program said about its failure */
    return g_strdup_printf (_ ("It said: “%s”."), self->error);
  if (self->block > 0)
    /* Translators: a line of a block of an answer, and what a program said about its failure */
    return g_strdup_printf (_ ("In line %u of block %u it said: “%s”."),
                            self->line,
                            self->block,
                            self->error);
  /* Translators: a line of its source, and what a program said about its failure */
  return g_strdup_printf (_ ("In line %u it said: “%s”."), self->line, self->error);
}

char *
fh_run_summary_dup_blocked (const FhRunSummary *self, gboolean is_whole)
{
  g_autoptr (GString) titles = g_string_new (NULL);

  g_return_val_if_fail (self != NULL, NULL);

  if (self->blocked->len == 0)
    return NULL;
  for (guint i = 0; i < self->blocked->len; i++)
    {
      FhAttempt *attempt = self->blocked->pdata[i];
      g_autofree char *title =
          is_whole ? fh_attempt_dup_title (attempt) : fh_attempt_dup_short_title (attempt);

      g_string_append_printf (titles, "%s%s", i > 0 ? ", " : "", title);
    }
  if (self->n_more == 0)
    /* Translators: what a program tried, such as “Open ~/.ssh/id_rsa” */
    return g_strdup_printf (_ ("Blocked: %s."), titles->str);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "Blocked: %s, and %u more attempt.",
                                       "Blocked: %s, and %u more attempts.",
                                       self->n_more),
                          titles->str,
                          self->n_more);
}

const char *
fh_attempts_why_unseen (const FhRunGuards *wanted, GPtrArray *guards)
{
  FhGuardState *calls = fh_guard_states_find (guards, FH_GUARD_SYSTEM_CALLS);

  g_return_val_if_fail (wanted != NULL, NULL);

  if (wanted->tier == FH_TIER_UNPROTECTED)
    return _ ("This run had no protection, so nothing was recorded.");
  if (wanted->watch == FH_WATCH_OFF)
    return _ ("The guards were active, but attempts were not recorded.");
  /* Most attempts are reported by the system call guard. */
  return calls != NULL && fh_guard_state_get_facts (calls)->level != FH_GUARD_LEVEL_ACTIVE
             ? _ ("The system call guard was off or could not report attempts.")
             : NULL;
}
