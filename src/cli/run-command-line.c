/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-command-line.h"

#include <glib/gi18n-lib.h>

#include "option-parsing.h"
#include "run-error.h"
#include "run-language.h"

#define SUMMARY N_ ("Runs FILE, or a program from standard input if FILE is “-”, in a sandbox.")

#define DESCRIPTION                                                                                  \
  N_ ("The program runs in an empty folder without network, your files or your environment;\n"       \
      "see “fumehoodctl guards” for what protects you. Its output appears as it is written,\n"   \
      "and its exit status is passed on. Its standard input is that of fumehoodctl if that is a\n"   \
      "pipe or a file, read to its end before the program starts. On a terminal you can type\n"      \
      "while the program waits for input; Ctrl+D ends it. With --json the input is then empty.\n"    \
      "ARGUMENTS after “--” are passed to the program.\n"                                        \
      "\n"                                                                                           \
      "FILE can also be a model's whole answer, which is Markdown: its code blocks are run in\n"     \
      "order, each with the files that those before it have left, until one fails. A block of\n"     \
      "HTML, CSS, JavaScript or data is written to a file, see --policy. A block whose first\n"      \
      "line is a comment with “filename: a/b.py” gets that name. --language says that it is a\n" \
      "program. With --json the answer has a result, and so has each of its “blocks”.\n"         \
      "\n"                                                                                           \
      "A file or a pipe gets every byte of the output. A terminal gets text, colors and what\n"      \
      "progress bars need; other control sequences, such as those that change its title or\n"        \
      "the clipboard, are removed unless you use --raw. Messages from Fumehood begin with ⚗,\n"    \
      "which a program cannot print on a terminal without --raw.\n"                                  \
      "\n"                                                                                           \
      "Fumehood reports what the program tries to do and may not, such as opening your files\n"      \
      "or reaching the network: --attempts lists it on standard error, and --json includes it\n"     \
      "as “attempts”. Otherwise only their number is shown, and only on a terminal.\n"           \
      "\n"                                                                                           \
      "Guards can be switched off for one run, see --help-guards: those of files, processes and\n"   \
      "privileges only together with all others, by --without-protection.\n"                         \
      "--allow-imports alone is no wall: a program can reach all modules through those that are\n"   \
      "allowed, so use --limit-functions as well. Both are advice to harmless programs.\n"           \
      "\n"                                                                                           \
      "With --container the program runs in a container that Docker or Podman makes and that\n"      \
      "Fumehood guards from inside. A missing image is pulled. A word after --container is the\n"    \
      "image if FILE is given too; --image always names the image. See --help-container.\n"          \
      "\n"                                                                                           \
      "Ctrl+C (SIGINT) or SIGTERM asks the program to end and kills it after one second; a\n"        \
      "second one kills it at once.\n"                                                               \
      "\n"                                                                                           \
      "Values:\n"                                                                                    \
      "  TIME   seconds, or a number with a unit: 500ms, 1.5s, 2m, 1h; or none\n"                    \
      "  SIZE   MiB, or a number with a unit: 512k, 256M, 1.5G; or none. --output-limit and\n"       \
      "         --show-limit count in bytes, not MiB, without a unit\n"                              \
      "  GUARD  %s\n"                                                                                \
      "  LANG   %s\n"                                                                                \
      "  POLICY a language or “all”, “=”, and run, ask or save: javascript=ask\n"            \
      "\n"                                                                                           \
      "Exit status:\n"                                                                               \
      "  that of the program, or\n"                                                                  \
      "  124      it ran too long\n"                                                                 \
      "  1        you were asked about it, and refused\n"                                            \
      "  125      it was not run, or Fumehood failed: the reason is on standard error\n"             \
      "  128 + N  it was killed by signal N\n"                                                       \
      "  130      you stopped it\n"                                                                  \
      "  137      it exceeded its memory, output, disk, process or operation limit\n"                \
      "  141      the reader of the output went away\n"                                              \
      "A program can end with any of these itself; --json shows which it was.\n"                     \
      "\n"                                                                                           \
      "Examples:\n"                                                                                  \
      "  fumehoodctl run --timeout 5 --memory 256M answer.py\n"                                      \
      "  fumehoodctl run --language bash - < script\n"                                               \
      "  fumehoodctl run --stdin data.csv --json count.py -- --column 3\n"                           \
      "  fumehoodctl run --attempts --allow-host example.com fetch.py\n"                             \
      "  fumehoodctl run --image python:3.12 answer.py\n"                                            \
      "  fumehoodctl run --container --keep lab --network bridge install.sh")

void
fh_run_command_line_free (FhRunCommandLine *line)
{
  g_free (line->file);
  g_free (line->standard_input);
  g_free (line->language);
  g_free (line->save_files);
  g_strfreev (line->policies);
  g_strfreev (line->arguments);
  fh_command_flags_free (line->flags);
  g_free (line);
}

/* About what is asked and decided before the run. */
static void
add_policy_entries (GOptionContext *context, FhRunCommandLine *line)
{
  const GOptionEntry entries[] = {
    { "policy",
      0,
      0,
      G_OPTION_ARG_STRING_ARRAY,
      &line->policies,
      N_ ("Which blocks of an answer are run, asked about, or only saved"),
      N_ ("POLICY") },
    { "ask",
      0,
      0,
      G_OPTION_ARG_NONE,
      &line->ask,
      N_ ("Show the code on the terminal and ask before it is run"),
      NULL },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
add_entries (GOptionContext *context, FhRunCommandLine *line, GStrv *files)
{
  const GOptionEntry entries[] = {
    { "language",
      'l',
      0,
      G_OPTION_ARG_STRING,
      &line->language,
      N_ ("Language of the program (default: by its name and text)"),
      N_ ("LANG") },
    { "stdin",
      0,
      0,
      G_OPTION_ARG_FILENAME,
      &line->standard_input,
      N_ ("Standard input of the program; “-”: that of fumehoodctl"),
      N_ ("FILE") },
    { "save-files",
      0,
      0,
      G_OPTION_ARG_FILENAME,
      &line->save_files,
      N_ ("Save the files that it leaves behind in this folder"),
      N_ ("FOLDER") },
    { "json",
      0,
      0,
      G_OPTION_ARG_NONE,
      &line->json,
      N_ ("Print one JSON object about the run and nothing else"),
      NULL },
    { "attempts",
      0,
      0,
      G_OPTION_ARG_NONE,
      &line->attempts,
      N_ ("List on standard error what it tried, after it has ended"),
      NULL },
    { "raw",
      0,
      0,
      G_OPTION_ARG_NONE,
      &line->raw,
      N_ ("Pass every byte on to a terminal, too"),
      NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, files, NULL, NULL },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Removes the arguments of the program, after the first "--", from the words. */
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
take_file (FhRunCommandLine *line, GStrv files, GError **error)
{
  guint n = files != NULL ? g_strv_length (files) : 0;

  line->file = n > 0 ? g_strdup (files[0]) : fh_command_flags_take_word (line->flags);
  if (line->file == NULL)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("Name the file to run, or “-” for standard input."));
  if (n > 1)
    return fh_run_error_refuse (
        error,
        "%s",
        _ ("Only one file can be run. Use --image for an image, and put arguments of "
           "the program after “--”."));
  if (g_str_equal (line->file, "-") && g_strcmp0 (line->standard_input, "-") == 0)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("Standard input cannot be both the program and its input."));
  return TRUE;
}

/* With --raw a program could type on the terminal, and answer for the person. */
static gboolean
check_asking (const FhRunCommandLine *line, GError **error)
{
  const char *const *policies = (const char *const *) line->policies;
  gboolean asks = line->ask;

  for (guint i = 0; policies != NULL && policies[i] != NULL; i++)
    asks |= g_str_has_suffix (policies[i], "=ask");
  if (!asks || !line->raw)
    return TRUE;
  return fh_run_error_refuse (error, "%s", _ ("You cannot be asked with --raw."));
}

static gboolean
check_report (const FhRunCommandLine *line, GError **error)
{
  if (line->options->show_bytes > 0 && !line->json)
    return fh_run_error_refuse (error, "%s", _ ("--show-limit is for JSON only: add --json."));
  if (line->save_files == NULL || fh_run_guards_collect_files (&line->options->guards))
    return TRUE;
  return fh_run_error_refuse (
      error,
      "%s",
      _ ("--save-files cannot be used with --no-files or --without-protection."));
}

static char *
describe (void)
{
  g_autofree char *languages = fh_language_dup_ids (", ");
  g_autoptr (GString) guards = g_string_new (NULL);
  guint n;
  const FhRunOption *options = fh_run_option_list (&n);

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      if (FH_RUN_GUARDS_SWITCHES & 1u << i)
        g_string_append_printf (guards,
                                "%s%s",
                                guards->len > 0 ? ", " : "",
                                fh_guard_to_string ((FhGuard) i));
    }
  for (guint i = 0; i < n; i++)
    {
      if (options[i].without != NULL)
        g_string_append_printf (guards, ", %s", options[i].without);
    }
  return g_strdup_printf (_ (DESCRIPTION), guards->str, languages);
}

FhRunCommandLine *
fh_run_command_line_parse (int argc, char **argv, GError **error)
{
  g_autoptr (FhRunCommandLine) line = g_new0 (FhRunCommandLine, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("FILE|- [-- ARGUMENT…]"));
  g_auto (GStrv) words = g_strdupv (argv);
  g_auto (GStrv) files = NULL;
  g_autofree char *description = describe ();

  line->flags = fh_command_flags_new ();
  line->options = line->flags->options;
  fh_command_flags_add (line->flags, context, TRUE);
  add_policy_entries (context, line);
  add_entries (context, line, &files);
  g_option_context_set_summary (context, _ (SUMMARY));
  g_option_context_set_description (context, description);
  line->arguments = split_arguments (words);
  if (!fh_option_parse_strv (context, &words, error) || !take_file (line, files, error) ||
      !fh_command_flags_finish (line->flags, error) || !check_report (line, error) ||
      !check_asking (line, error))
    return NULL;
  line->container = fh_command_flags_get_container (line->flags);
  /* Not by default, because it costs a millisecond. */
  if (line->attempts)
    line->options->guards.report_lines = TRUE;
  return g_steal_pointer (&line);
}
