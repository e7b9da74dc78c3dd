/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "session-command-line.h"

#include <glib/gi18n-lib.h>

#include "option-parsing.h"
#include "run-error.h"

/* Of each stream, the value and the traceback. */
#define SHOW_BYTES 8192

#define SUMMARY                                                                                    \
  N_ ("Runs cells of Python one after the other in a sandbox; what one defines, the next can "     \
      "use.")

#define DESCRIPTION                                                                                           \
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

void
fh_session_command_line_free (FhSessionCommandLine *line)
{
  fh_command_flags_free (line->flags);
  g_free (line->save_files);
  g_free (line);
}

static void
add_entries (FhSessionCommandLine *line, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "save-files",
      0,
      0,
      G_OPTION_ARG_FILENAME,
      &line->save_files,
      N_ ("Save the files that it leaves behind in this folder"),
      N_ ("FOLDER") },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static gboolean
check (const FhSessionCommandLine *line, GError **error)
{
  if (line->options->work_dir != NULL && !line->options->in_container)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("A session on this computer keeps its files itself and cannot "
                                   "have a work folder. Run the session in a container."));
  if (fh_run_options_get_project (line->options) != NULL)
    return fh_run_error_refuse (error, "%s", _ ("--project is for single runs."));
  if (line->save_files == NULL || fh_run_guards_collect_files (&line->options->guards))
    return TRUE;
  return fh_run_error_refuse (
      error,
      "%s",
      _ ("--save-files cannot be used with --no-files or --without-protection."));
}

FhSessionCommandLine *
fh_session_command_line_parse (int argc, char **argv, GError **error)
{
  g_autoptr (FhSessionCommandLine) line = g_new0 (FhSessionCommandLine, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  line->flags = fh_command_flags_new ();
  line->options = line->flags->options;
  line->options->show_bytes = SHOW_BYTES;
  fh_command_flags_add (line->flags, context, TRUE);
  add_entries (line, context);
  g_option_context_set_summary (context, _ (SUMMARY));
  g_option_context_set_description (context, _ (DESCRIPTION));
  if (!fh_option_parse (context, &argc, &argv, error) ||
      !fh_command_flags_finish (line->flags, error) || !check (line, error))
    return NULL;
  if (argc > 1)
    {
      fh_run_error_refuse (error, "%s", _ ("A session takes no file: its cells are sent to it."));
      return NULL;
    }
  return g_steal_pointer (&line);
}
