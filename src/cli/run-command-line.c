/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-command-line.h"

#include <glib/gi18n-lib.h>

#include "run-error.h"
#include "run-language.h"

/* A model is shown so much of each stream, of the value and of the traceback. */
#define SHOW_BYTES 8192

#define RUN_SUMMARY N_ ("Runs FILE, or a program from standard input if FILE is “-”, in a sandbox.")

#define RUN_DESCRIPTION                                                                                 \
  N_ ("The program runs in an empty folder without network, your files or your environment;\n"          \
      "see “fumehoodctl guards” for what protects you. Its output appears as it is written,\n"      \
      "and its exit status is passed on. Its standard input is that of fumehoodctl if that is a\n"      \
      "pipe or a file, read to its end before the program starts. On a terminal you can type\n"         \
      "while the program waits for input; Ctrl+D ends it. With --json the input is then empty.\n"       \
      "ARGUMENTS after “--” are passed to the program.\n"                                           \
      "\n"                                                                                              \
      "FILE can also be a model's whole answer, which is Markdown: its code blocks are run in\n"        \
      "order, each with the files that those before it have left, until one fails. A block of\n"        \
      "HTML, CSS, JavaScript or data is written to a file, see --policy; a diff changes the\n"          \
      "folder of --project, if there is one. A block gets a name by\n"                                  \
      "its first line, a comment with “filename: a/b.py”, by its fence, such as\n"                  \
      "“python title=a/b.py”, or by a line above it such as “Create `a/b.py`:”. A block that\n" \
      "another one runs or imports is saved before that and not run by itself; there, “# b.py”\n"   \
      "is a name, too. --language says that it is a program. With --json the answer has a\n"            \
      "result, and so has each of its “blocks”.\n"                                                  \
      "An answer is read as it is meant: a fence in a here-document or in a string of Python\n"         \
      "does not end its block, the prompts and the output of a terminal are left out, and so is\n"      \
      "what a model wrote before “</think>” and after a token such as “<|im_end|>”. Quotes\n"   \
      "and spaces of a word processor are read as those of code. “repairs” says what was done,\n"   \
      "and whether an answer may be cut off; with --as-written nothing of it is done.\n"                \
      "A block with a here-document that has no end does not run, as a shell would run a\n"             \
      "part of it and call that a success.\n"                                                           \
      "\n"                                                                                              \
      "A file or a pipe gets every byte of the output. A terminal gets text, colors and what\n"         \
      "progress bars need; other control sequences, such as those that change its title or\n"           \
      "the clipboard, are removed unless you use --raw. Messages from Fumehood begin with ⚗,\n"       \
      "which a program cannot print on a terminal without --raw.\n"                                     \
      "\n"                                                                                              \
      "Fumehood reports what the program tries to do and may not, such as opening your files\n"         \
      "or reaching the network: --attempts lists it on standard error, and --json includes it\n"        \
      "as “attempts”. Otherwise only their number is shown, and only on a terminal.\n"              \
      "\n"                                                                                              \
      "Guards can be switched off for one run, see --help-guards: those of files, processes and\n"      \
      "privileges only together with all others, by --without-protection.\n"                            \
      "--allow-imports alone is no wall: a program can reach all modules through those that are\n"      \
      "allowed, so use --limit-functions as well. Both are advice to harmless programs.\n"              \
      "\n"                                                                                              \
      "With --container the program runs in a container that Docker or Podman makes and that\n"         \
      "Fumehood guards from inside. A missing image is pulled. A word after --container is the\n"       \
      "image if FILE is given too; --image always names the image. See --help-container.\n"             \
      "\n"                                                                                              \
      "Ctrl+C (SIGINT) or SIGTERM asks the program to end and kills it after one second; a\n"           \
      "second one kills it at once.\n"                                                                  \
      "\n"                                                                                              \
      "Values:\n"                                                                                       \
      "  TIME   seconds, or a number with a unit: 500ms, 1.5s, 2m, 1h; or none\n"                       \
      "  SIZE   MiB, or a number with a unit: 512k, 256M, 1.5G; or none. --output-limit and\n"          \
      "         --show-limit count in bytes, not MiB, without a unit\n"                                 \
      "  GUARD  %s\n"                                                                                   \
      "  LANG   %s\n"                                                                                   \
      "  POLICY a language or “all”, “=”, and run, ask or save: javascript=ask\n"               \
      "\n"                                                                                              \
      "Exit status:\n"                                                                                  \
      "  that of the program, or\n"                                                                     \
      "  124      it ran too long\n"                                                                    \
      "  1        you were asked about it, and refused\n"                                               \
      "  125      it was not run, or Fumehood failed: the reason is on standard error\n"                \
      "  128 + N  it was killed by signal N\n"                                                          \
      "  130      you stopped it\n"                                                                     \
      "  137      it exceeded its memory, output, disk, process or operation limit\n"                   \
      "  141      the reader of the output went away\n"                                                 \
      "A program can end with any of these itself; --json shows which it was.\n"                        \
      "\n"                                                                                              \
      "Examples:\n"                                                                                     \
      "  fumehoodctl run --timeout 5 --memory 256M answer.py\n"                                         \
      "  fumehoodctl run --language bash - < script\n"                                                  \
      "  fumehoodctl run --stdin data.csv --json count.py -- --column 3\n"                              \
      "  fumehoodctl run --attempts --allow-host example.com fetch.py\n"                                \
      "  fumehoodctl run --image python:3.12 answer.py\n"                                               \
      "  fumehoodctl run --container --keep lab --network bridge install.sh")

#define SESSION_SUMMARY                                                                            \
  N_ ("Runs cells of Python one after the other in a sandbox; what one defines, the next can "     \
      "use.")

#define SESSION_DESCRIPTION                                                                                   \
  N_ ("Each line of standard input is a JSON object, and each line of standard output is one.\n"              \
      "“id” may be anything; the answer has it too. “type” is one of\n"                               \
      "  execute           runs “code”; “timeout” in seconds (default: --timeout);\n"                 \
      "                    “events” lists what is told meanwhile: “output”, “attempt”\n"          \
      "                    with “assigned” a cell that ends by setting a variable has its value\n"        \
      "  set_variable      sets “name” to “value”, which is JSON\n"                                   \
      "  set_context       the same for a text; a new interpreter gets it as well. Without\n"                 \
      "                    “name” it is called “context”\n"                                           \
      "  get_variable      tells “name”, from the character “offset” on, “limit” of them\n"       \
      "  list_variables    tells all variables; with “all”, functions and modules too\n"                  \
      "  declare_function  declares “name” with “parameters”, as in Python, and “doc”; or\n"      \
      "                    “source” has its code. Calls are told as “call”; with “ends” a cell\n" \
      "                    ends with the reply. FINAL and FINAL_VAR without “parameters” set\n"           \
      "                    “final” and need no reply\n"                                                   \
      "  reply             the “value” of the call of number “call”, or its “error”\n"            \
      "  interrupt         raises KeyboardInterrupt in the cell; the second time it is killed\n"              \
      "  reset             begins anew; declared functions and contexts stay\n"                               \
      "  close             ends the session after what was asked for before, like the end of\n"               \
      "                    standard input. Functions of atexit get a second; what they print is\n"            \
      "                    a “result” without an “id”\n"                                              \
      "While a call waits for its reply, variables are read and set at once; execute and reset\n"             \
      "are refused. With “tagged”, a value that is set, or arguments and replies of a function,\n"        \
      "have tags for the types of Python that JSON does not know, such as\n"                                  \
      "{\"$\": \"tuple\", \"of\": [1, 2]}. Results tell such a value as “value_tagged”.\n"                \
      "\n"                                                                                                    \
      "Answers are “result”, “variable”, “variables”, “done” or “error”; a line\n"        \
      "that cannot be understood is answered by “error”, and the session goes on. All of\n"               \
      "them are described by session.schema.json, which is installed with Fumehood.\n"                        \
      "\n"                                                                                                    \
      "A cell that runs too long is interrupted, and the session goes on; if it does not end\n"               \
      "within two seconds, the interpreter is killed. Waiting for a reply does not count.\n"                  \
      "What a cell left behind goes on after its end. If it takes more CPU time than a cell\n"                \
      "may, by default that of one processor during --timeout, the interpreter is killed.\n"                  \
      "Limits of memory, processes and disk are those of the session. What a cell prints after\n"             \
      "its end is told with the next one. Output, values and tracebacks are cut to --show-limit\n"            \
      "(default: 8192 bytes), the beginning and the end. If the value of a cell, or what it\n"                \
      "hands to display (), can draw itself, or matplotlib has figures, they are saved as files\n"            \
      "that “shown” names. With --container the interpreter runs in a container that is made\n"           \
      "for it.\n"                                                                                             \
      "\n"                                                                                                    \
      "Exit status:\n"                                                                                        \
      "  0    the session was closed\n"                                                                       \
      "  125  the options cannot be used\n"                                                                   \
      "  141  the reader of the answers went away, or took none after the end of the input\n"                 \
      "\n"                                                                                                    \
      "Examples:\n"                                                                                           \
      "  echo '{\"type\": \"execute\", \"id\": 1, \"code\": \"6 * 7\"}' | fumehoodctl session")

#define MCP_SUMMARY                                                                                \
  N_ ("Lets assistants run code in sandboxes: a server of the Model Context Protocol on standard " \
      "input and output.")

#define MCP_DESCRIPTION                                                                              \
  N_ ("An assistant starts this command and gets these tools:\n"                                     \
      "  execute_python_code    runs a Python program\n"                                             \
      "  execute_shell_command  runs a shell script\n"                                               \
      "  execute_code_blocks    runs several programs, which hand files on, until one fails\n"       \
      "  session_execute        runs a cell of Python in a session, as in a notebook\n"              \
      "  list_variables         lists the variables of a session\n"                                  \
      "  inspect_code           tells what Python code would reach, without running it\n"            \
      "\n"                                                                                           \
      "Each run is in a sandbox of its own, as with “fumehoodctl run”; the options above\n"      \
      "hold for all of them. A call may ask for less time or memory, never for more, and\n"          \
      "cannot change guards. Eight calls are done at a time, others wait. A run is added to the\n"   \
      "history when it ends, and a session when the connection ends; the assistant can read the\n"   \
      "history too. Neither happens with --no-history. Output is cut to --show-limit (default:\n"    \
      "8192 bytes), the beginning and the end. All runs end with standard input.\n"                  \
      "\n"                                                                                           \
      "With --ask a person sees the code of each call in Fumehood’s window, which is opened for\n" \
      "it, and runs or refuses it. Without an answer within ten minutes, or without a window,\n"     \
      "nothing is run. Calls that run no code of the assistant’s are not asked about.\n"           \
      "\n"                                                                                           \
      "A program that fails is a normal result with its exit code. A result is an error only if\n"   \
      "nothing could be run. The protocol’s version is 2025-06-18.\n"                              \
      "\n"                                                                                           \
      "Exit status:\n"                                                                               \
      "  0    the client went away\n"                                                                \
      "  125  the options cannot be used\n"                                                          \
      "  141  the reader of the answers went away, or took none after the end of the input\n"        \
      "\n"                                                                                           \
      "Examples:\n"                                                                                  \
      "  fumehoodctl mcp --timeout 60 --memory 1G\n"                                                 \
      "  fumehoodctl mcp --container --image python:3.12")

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

/* Takes the arguments of the program, after the first "--", from the words. */
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

/* Finishes what all commands have that run code as they are told. */
static gboolean
finish (FhRunCommandLine *line, GError **error)
{
  if (!fh_command_flags_finish (line->flags, error))
    return FALSE;
  line->options = line->flags->options;
  line->container = fh_command_flags_get_container (line->flags);
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
  g_autofree char *languages = fh_option_dup_languages ();
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
  return g_strdup_printf (_ (RUN_DESCRIPTION), guards->str, languages);
}

FhRunCommandLine *
fh_run_command_line_parse (char **argv, GError **error)
{
  g_autoptr (FhRunCommandLine) line = g_new0 (FhRunCommandLine, 1);
  g_autofree char *description = describe ();
  const FhOptionHelp help = { N_ ("FILE|- [-- ARGUMENT…]"), RUN_SUMMARY, description };
  g_auto (GStrv) words = g_strdupv (argv);
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { FH_TEXTS ("policy", 0, &line->policies),
      N_ ("Which blocks of an answer are run, asked about, or only saved"),
      N_ ("POLICY") },
    { FH_SWITCH ("as-written", 0, &line->as_written),
      N_ ("Run the blocks of an answer as they stand there") },
    { FH_SWITCH ("ask", 0, &line->ask),
      N_ ("Show the code on the terminal and ask before it is run") },
    { FH_TEXT ("language", 'l', &line->language),
      N_ ("Language of the program (default: by its name and text)"),
      N_ ("LANG") },
    { FH_FILE ("stdin", 0, &line->standard_input),
      N_ ("Standard input of the program; “-”: that of fumehoodctl"),
      N_ ("FILE") },
    { FH_FILE ("save-files", 0, &line->save_files),
      N_ ("Save the files that it leaves behind in this folder"),
      N_ ("FOLDER") },
    { FH_SWITCH ("json", 0, &line->json),
      N_ ("Print one JSON object about the run and nothing else") },
    { FH_SWITCH ("attempts", 0, &line->attempts),
      N_ ("List on standard error what it tried, after it has ended") },
    { FH_SWITCH ("raw", 0, &line->raw), N_ ("Pass every byte on to a terminal, too") },
    { FH_FILES (G_OPTION_REMAINING, 0, &files) },
    { NULL },
  };

  line->flags = fh_command_flags_new ();
  line->arguments = split_arguments (words);
  if (!fh_command_flags_parse (line->flags, TRUE, &help, entries, words, error) ||
      !take_file (line, files, error) || !finish (line, error))
    return NULL;
  if (line->options->show_bytes > 0 && !line->json)
    {
      fh_run_error_refuse (error, "%s", _ ("--show-limit is for JSON only: add --json."));
      return NULL;
    }
  if (!check_asking (line, error))
    return NULL;
  /* Lines are reported only on request, because that costs a millisecond. */
  if (line->attempts)
    line->options->guards.report_lines = TRUE;
  return g_steal_pointer (&line);
}

FhRunCommandLine *
fh_run_command_line_parse_session (char **argv, GError **error)
{
  const FhOptionHelp help = { NULL, SESSION_SUMMARY, SESSION_DESCRIPTION };
  g_autoptr (FhRunCommandLine) line = g_new0 (FhRunCommandLine, 1);
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { FH_FILE ("save-files", 0, &line->save_files),
      N_ ("Save the files that it leaves behind in this folder"),
      N_ ("FOLDER") },
    { FH_FILES (G_OPTION_REMAINING, 0, &files) },
    { NULL },
  };
  const char *problem = NULL;

  line->flags = fh_command_flags_new ();
  line->flags->options->show_bytes = SHOW_BYTES;
  if (!fh_command_flags_parse (line->flags, TRUE, &help, entries, argv, error) ||
      !finish (line, error))
    return NULL;
  if (line->options->work_dir != NULL && line->container == NULL)
    problem = _ ("A session on this computer keeps its files itself and cannot "
                 "have a work folder. Run the session in a container.");
  else if (fh_run_options_get_project (line->options) != NULL)
    problem = _ ("--project is for single runs.");
  else if (files != NULL)
    problem = _ ("A session takes no file: its cells are sent to it.");
  if (problem == NULL)
    return g_steal_pointer (&line);
  fh_run_error_refuse (error, "%s", problem);
  return NULL;
}

FhRunCommandLine *
fh_run_command_line_parse_mcp (char **argv, GError **error)
{
  const FhOptionHelp help = { NULL, MCP_SUMMARY, MCP_DESCRIPTION };
  g_autoptr (FhRunCommandLine) line = g_new0 (FhRunCommandLine, 1);
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { FH_SWITCH ("as-written", 0, &line->as_written),
      N_ ("Run the blocks of an answer as they stand there") },
    { FH_SWITCH ("ask", 0, &line->ask),
      N_ ("Ask a person, in the window, before anything is run") },
    { FH_FILES (G_OPTION_REMAINING, 0, &files) },
    { NULL },
  };

  line->flags = fh_command_flags_new ();
  line->flags->options->show_bytes = SHOW_BYTES;
  if (!fh_command_flags_parse (line->flags, TRUE, &help, entries, argv, error) ||
      !finish (line, error))
    return NULL;
  if (files == NULL)
    return g_steal_pointer (&line);
  fh_run_error_refuse (error, "%s", _ ("This command takes no file: an assistant sends code."));
  return NULL;
}
