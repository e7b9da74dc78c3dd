/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-options.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

#define SUMMARY N_ ("Runs FILE in a sandbox, or what stands on standard input when FILE is “-”.")

#define DESCRIPTION                                                                                 \
  N_ ("The output, the error output and the exit status are those of the program, and output\n"     \
      "appears while it is written. ARGUMENTS after “--” are passed to the program. It finds\n" \
      "itself alone in an empty folder, without network, without your files and without your\n"     \
      "environment; “fumehoodctl guards” tells what keeps it there. Without --stdin its\n"      \
      "standard input is empty.\n"                                                                  \
      "\n"                                                                                          \
      "A file or a pipe gets every byte of the output. A terminal gets text, colors and what\n"     \
      "progress bars need; all else that it would obey, such as changes of its title or of the\n"   \
      "clipboard, is left out unless --raw is given. On it each message of Fumehood begins a\n"     \
      "line with the sign ⚗, which no program can print there without --raw.\n"                   \
      "\n"                                                                                          \
      "Fumehood notices what a program tries beyond that, such as opening your files or "           \
      "reaching\n"                                                                                  \
      "the network. --json has all of it under “attempts”; --attempts lists it on standard\n"   \
      "error after the end. Without them a terminal is told how many were stopped, and a file\n"    \
      "or a pipe nothing.\n"                                                                        \
      "\n"                                                                                          \
      "TIME is a number of seconds, or one with a unit: 500ms, 1.5s, 2m, 1h. SIZE is a number\n"    \
      "of MiB, or one with a unit: 512k, 256M, 1.5G. “none” takes a limit away.\n"              \
      "\n"                                                                                          \
      "GUARD is one of network, system-calls, memory, time, disk, output and environment: for\n"    \
      "lessons, one at a time. Files, processes and privileges are given up only together, by\n"    \
      "--without-protection, which holds for one run and is not remembered with it.\n"              \
      "\n"                                                                                          \
      "With --container the program runs in a container of an image, which Docker or Podman\n"      \
      "makes and Fumehood guards from within; an image that is missing is pulled. The word\n"       \
      "after --container is the image when another one is left for FILE. In a container it has\n"   \
      "the files of the image, and what --help-container tells how to give it. What is given\n"     \
      "with --env is kept in the history with the run.\n"                                           \
      "\n"                                                                                          \
      "The first Ctrl+C (SIGINT, or SIGTERM) asks the program to end and kills it one second\n"     \
      "later; the second one kills it at once.\n"                                                   \
      "\n"                                                                                          \
      "Exit status:\n"                                                                              \
      "  that of the program, and\n"                                                                \
      "  124      it took too long\n"                                                               \
      "  125      nothing was run, or Fumehood failed: the reason is on standard error\n"           \
      "  128 + N  it was killed by signal N\n"                                                      \
      "  130      it was stopped by you\n"                                                          \
      "  137      it wanted more memory, output, disk or processes than it may have\n"              \
      "  141      whoever read the output went away\n"                                              \
      "A program can end with any of these numbers by itself: --json tells which it was.\n"         \
      "\n"                                                                                          \
      "Examples:\n"                                                                                 \
      "  fumehoodctl run --timeout 5 --memory 256M answer.py\n"                                     \
      "  fumehoodctl run --language bash - < script\n"                                              \
      "  fumehoodctl run --stdin data.csv --json count.py -- --column 3\n"                          \
      "  fumehoodctl run --attempts --allow-host example.com fetch.py\n"                            \
      "  fumehoodctl run --container python:3-slim answer.py\n"                                     \
      "  fumehoodctl run --container --keep lab --network bridge install.sh")

void
fh_run_options_free (FhRunOptions *options)
{
  if (options == NULL)
    return;
  g_free (options->file);
  g_free (options->standard_input);
  g_free (options->language);
  g_free (options->interpreter);
  g_free (options->save_files);
  g_strfreev (options->arguments);
  fh_guard_options_clear (&options->guards);
  fh_container_choice_clear (&options->container);
  g_free (options);
}

/* The limits as they were typed. */
typedef struct
{
  char *timeout;
  char *cpu_time;
  char *memory;
  char *disk;
  char *output;
  char *processes;
} Texts;

static void
texts_clear (Texts *texts)
{
  g_free (texts->timeout);
  g_free (texts->cpu_time);
  g_free (texts->memory);
  g_free (texts->disk);
  g_free (texts->output);
  g_free (texts->processes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Texts, texts_clear)

static void
add_limits (GOptionContext *context, Texts *texts)
{
  const GOptionEntry entries[] = {
    { "timeout",
      't',
      0,
      G_OPTION_ARG_STRING,
      &texts->timeout,
      N_ ("End the program after this time (default: 30 s)"),
      N_ ("TIME") },
    { "cpu-time",
      0,
      0,
      G_OPTION_ARG_STRING,
      &texts->cpu_time,
      N_ ("Processor time of it and its children together (default: none)"),
      N_ ("TIME") },
    { "memory",
      'm',
      0,
      G_OPTION_ARG_STRING,
      &texts->memory,
      N_ ("Memory for the program and its children together (default: 512 MiB)"),
      N_ ("SIZE") },
    { "disk-limit",
      0,
      0,
      G_OPTION_ARG_STRING,
      &texts->disk,
      N_ ("What it may have written at one time (default: 256 MiB)"),
      N_ ("SIZE") },
    { "output-limit",
      0,
      0,
      G_OPTION_ARG_STRING,
      &texts->output,
      N_ ("Output and error output, each (default: 64 MiB)"),
      N_ ("SIZE") },
    { "processes",
      0,
      0,
      G_OPTION_ARG_STRING,
      &texts->processes,
      N_ ("Processes and threads at one time (default: 128)"),
      N_ ("N") },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
add_program (GOptionContext *context, FhRunOptions *options, GStrv *files)
{
  const GOptionEntry entries[] = {
    { "language",
      'l',
      0,
      G_OPTION_ARG_STRING,
      &options->language,
      N_ ("python, sh or bash (default: what name and text look like)"),
      N_ ("NAME") },
    { "interpreter",
      'i',
      0,
      G_OPTION_ARG_FILENAME,
      &options->interpreter,
      N_ ("The interpreter to use, such as that of a virtual environment"),
      N_ ("PATH") },
    { "stdin",
      0,
      0,
      G_OPTION_ARG_FILENAME,
      &options->standard_input,
      N_ ("The program’s standard input; “-” passes on our own"),
      N_ ("FILE") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, files, NULL, NULL },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* What becomes of the run when it has ended. */
static void
add_results (GOptionContext *context, FhRunOptions *options)
{
  const GOptionEntry entries[] = {
    { "no-history",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->no_history,
      N_ ("Do not keep this run in the history"),
      NULL },
    { "save-files",
      0,
      0,
      G_OPTION_ARG_FILENAME,
      &options->save_files,
      N_ ("Put the files that it leaves behind into this folder"),
      N_ ("FOLDER") },
    { "json",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->json,
      N_ ("Print one JSON object about the run, and nothing else"),
      NULL },
    { "attempts",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->attempts,
      N_ ("List on standard error what it tried, when it has ended"),
      NULL },
    { "raw",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->raw,
      N_ ("Pass every byte on to a terminal, too"),
      NULL },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static gboolean
parse_processes (const char *text, guint *processes, GError **error)
{
  guint64 number = 0;

  if (g_str_equal (text, "none"))
    {
      *processes = 0;
      return TRUE;
    }
  if (g_ascii_string_to_unsigned (text, 10, 1, 100000, &number, NULL))
    {
      *processes = (guint) number;
      return TRUE;
    }
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               _ ("“%s” is not a number of processes from 1 to 100000."),
               text);
  return FALSE;
}

static gboolean
parse_limits (const Texts *texts, FhRunLimits *limits, GError **error)
{
  *limits = FH_RUN_LIMITS_DEFAULT;
  if (texts->timeout != NULL &&
      !fh_run_limits_parse_duration (texts->timeout, &limits->wall_ms, error))
    g_prefix_error_literal (error, "--timeout: ");
  else if (texts->cpu_time != NULL &&
           !fh_run_limits_parse_duration (texts->cpu_time, &limits->cpu_ms, error))
    g_prefix_error_literal (error, "--cpu-time: ");
  else if (texts->memory != NULL &&
           !fh_run_limits_parse_memory (texts->memory, &limits->memory_bytes, error))
    g_prefix_error_literal (error, "--memory: ");
  else if (texts->disk != NULL &&
           !fh_run_limits_parse_size (texts->disk, &limits->disk_bytes, error))
    g_prefix_error_literal (error, "--disk-limit: ");
  else if (texts->output != NULL &&
           !fh_run_limits_parse_size (texts->output, &limits->output_bytes, error))
    g_prefix_error_literal (error, "--output-limit: ");
  else if (texts->processes != NULL &&
           !parse_processes (texts->processes, &limits->processes, error))
    g_prefix_error_literal (error, "--processes: ");
  else
    return TRUE;
  return FALSE;
}

/* A limit that nobody would keep is a mistake in the command line. */
static gboolean
check_limits_hold (const Texts *texts, guint without, GError **error)
{
  const struct
  {
    const char *text;
    const char *option;
    FhGuard guard;
  } pairs[] = {
    { texts->timeout, "--timeout", FH_GUARD_TIME },
    { texts->cpu_time, "--cpu-time", FH_GUARD_TIME },
    { texts->memory, "--memory", FH_GUARD_MEMORY },
    { texts->disk, "--disk-limit", FH_GUARD_DISK },
    { texts->output, "--output-limit", FH_GUARD_OUTPUT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      if (pairs[i].text == NULL || !(without & 1u << pairs[i].guard))
        continue;
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   /* Translators: "--memory", then "memory" */
                   _ ("%s sets a limit that --without %s takes away. Choose one of them."),
                   pairs[i].option,
                   fh_guard_to_string (pairs[i].guard));
      return FALSE;
    }
  return TRUE;
}

/* Takes what stands after the first "--" off the words, because it is not ours to interpret. */
static GStrv
split_arguments (char **words)
{
  for (guint i = 1; words[i] != NULL; i++)
    {
      if (g_str_equal (words[i], "--"))
        {
          GStrv arguments = g_strdupv (words + i + 1);

          for (guint j = i; words[j] != NULL; j++)
            g_clear_pointer (&words[j], g_free);
          return arguments;
        }
    }
  return g_new0 (char *, 1);
}

static gboolean
refuse (GError **error, const char *text)
{
  g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, text);
  return FALSE;
}

static gboolean
take_files (FhRunOptions *options, GStrv files, GError **error)
{
  if (files == NULL || files[0] == NULL)
    return refuse (error, _ ("Name the file to run, or “-” for standard input."));
  if (files[1] != NULL && options->container.container != NULL)
    return refuse (error,
                   _ ("Only one file can be run. An image stands right after --container, and "
                      "arguments for the program after “--”."));
  if (files[1] != NULL)
    return refuse (error,
                   _ ("Only one file can be run. Put arguments for the program after “--”."));
  options->file = g_strdup (files[0]);
  if (g_str_equal (options->file, "-") && g_strcmp0 (options->standard_input, "-") == 0)
    return refuse (error, _ ("Standard input cannot be both the program and its input."));
  return TRUE;
}

static gboolean
check_save_files (const FhRunOptions *options, GError **error)
{
  if (options->save_files == NULL || fh_run_guards_collect_files (&options->guards.guards))
    return TRUE;
  return refuse (error,
                 _ ("--save-files needs the files that --no-files and runs without protection do "
                    "not keep."));
}

FhRunOptions *
fh_run_options_parse (int argc, char **argv, GError **error)
{
  g_autoptr (FhRunOptions) options = g_new0 (FhRunOptions, 1);
  g_auto (Texts) texts = { 0 };
  g_auto (GStrv) words = g_strdupv (argv);
  g_auto (GStrv) files = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("FILE|- [-- ARGUMENT…]"));

  add_limits (context, &texts);
  fh_guard_options_add (&options->guards, context);
  fh_container_choice_add (&options->container, context);
  add_program (context, options, &files);
  add_results (context, options);
  g_option_context_set_summary (context, _ (SUMMARY));
  g_option_context_set_description (context, _ (DESCRIPTION));
  options->arguments = split_arguments (words);
  fh_container_choice_mark_words (words);
  if (!g_option_context_parse_strv (context, &words, error))
    return NULL;
  fh_container_choice_take_word (&options->container, files, 1);
  if (!parse_limits (&texts, &options->limits, error) ||
      !fh_guard_options_finish (&options->guards, error) ||
      !check_limits_hold (&texts, options->guards.guards.without, error) ||
      !take_files (options, files, error) ||
      !fh_container_choice_finish (&options->container, &options->guards, error) ||
      !check_save_files (options, error))
    return NULL;
  /* It costs every run a millisecond, so only those who will look at it. */
  if (options->attempts)
    options->guards.guards.report_lines = TRUE;
  return g_steal_pointer (&options);
}
