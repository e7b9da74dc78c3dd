/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-command-line.h"

#include <glib/gi18n-lib.h>

#include "option-parsing.h"
#include "run-error.h"

/* Of each stream, the value and the traceback. */
#define SHOW_BYTES 8192

#define SUMMARY                                                                                    \
  N_ ("Lets assistants run code in sandboxes: a server of the Model Context Protocol on standard " \
      "input and output.")

#define DESCRIPTION                                                                                  \
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
      "nothing could be run. The protocol’s versions are 2025-06-18 and 2025-03-26.\n"             \
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
fh_mcp_command_line_free (FhMcpCommandLine *line)
{
  fh_command_flags_free (line->flags);
  g_free (line);
}

FhMcpCommandLine *
fh_mcp_command_line_parse (int argc, char **argv, GError **error)
{
  g_autoptr (FhMcpCommandLine) line = g_new0 (FhMcpCommandLine, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  const GOptionEntry entries[] = {
    { "ask",
      0,
      0,
      G_OPTION_ARG_NONE,
      &line->asks,
      N_ ("Ask a person, in the window, before anything is run"),
      NULL },
    { NULL },
  };

  line->flags = fh_command_flags_new ();
  line->options = line->flags->options;
  line->options->show_bytes = SHOW_BYTES;
  fh_command_flags_add (line->flags, context, TRUE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ (SUMMARY));
  g_option_context_set_description (context, _ (DESCRIPTION));
  if (!fh_option_parse (context, &argc, &argv, error) ||
      !fh_command_flags_finish (line->flags, error))
    return NULL;
  if (argc > 1)
    {
      fh_run_error_refuse (error, "%s", _ ("This command takes no file: an assistant sends code."));
      return NULL;
    }
  return g_steal_pointer (&line);
}
