/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "command.h"
#include "message.h"
#include "suggestion.h"

typedef struct
{
  const char *name;
  const char *arguments; /* nullable */
  const char *summary;
  int (*run) (int argc, char **argv);
} Command;

static const Command commands[] = {
  { "run",
    N_ ("[OPTION…] FILE|- [-- ARGUMENT…]"),
    N_ ("Run a program in a sandbox"),
    fh_command_run },
  { "batch",
    N_ ("[OPTION…] INPUT…|merge RESULTS…"),
    N_ ("Run many programs and tell which of them pass"),
    fh_command_batch },
  { "session",
    N_ ("[OPTION…]"),
    N_ ("Run cells of Python in one namespace, for programs that speak JSON lines"),
    fh_command_session },
  { "mcp",
    N_ ("[OPTION…]"),
    N_ ("Let assistants run code, by the Model Context Protocol"),
    fh_command_mcp },
  { "inspect",
    N_ ("[--json] [--language LANG] FILE|-"),
    N_ ("Show what code would do, without running it"),
    fh_command_inspect },
  { "guards",
    N_ ("[--json] [--tier TIER] [--container] [--image IMAGE]"),
    N_ ("Show what protects you on this computer"),
    fh_command_guards },
  { "history",
    N_ ("[list|search|show|export|save-files|delete|restore|purge] …"),
    N_ ("Find, show and export past runs"),
    fh_command_history },
  { "exhibits",
    N_ ("[list|show|run|bare|compare] [NAME] [OPTION…]"),
    N_ ("Try small programs, each of which shows one guard at work"),
    fh_command_exhibits },
  { "changes",
    N_ ("ID [PATH…] [--diff] [--json]"),
    N_ ("Show what a program changed in its copy of a project folder"),
    fh_command_changes },
  { "apply",
    N_ ("ID PATH…|--all [--force]"),
    N_ ("Write these changes to the project folder"),
    fh_command_apply },
  { "undo", NULL, N_ ("Take back what was applied last"), fh_command_undo },
  { "engines",
    N_ ("[--json]"),
    N_ ("Show which container engines work on this computer"),
    fh_command_engines },
  { "image",
    N_ ("pull [IMAGE]|build FILE|- [--engine NAME] [--json]"),
    N_ ("Pull and build container images"),
    fh_command_image },
  { "container",
    N_ ("list|stop|restart|remove|clean [NAME] [--engine NAME] [--json]"),
    N_ ("List, stop, restart and remove kept containers"),
    fh_command_container },
};

static int
print_help (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (
      text,
      "%s\n  fumehoodctl %s\n\n%s\n\n%s\n",
      _ ("Usage:"),
      _ ("COMMAND [OPTION…]"),
      _ ("Runs untrusted code in a sandbox, like the desktop app Fumehood, and keeps\n"
         "the results."),
      _ ("Commands:"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text,
                            "  %s%s%s\n      %s\n",
                            commands[i].name,
                            commands[i].arguments != NULL ? " " : "",
                            commands[i].arguments != NULL ? _ (commands[i].arguments) : "",
                            _ (commands[i].summary));
  g_string_append_printf (text,
                          "\n%s\n  %-12s %s\n  %-12s %s\n\n%s\n",
                          _ ("Options:"),
                          "-h, --help",
                          _ ("Show this help"),
                          "--version",
                          _ ("Show the version"),
                          _ ("See “fumehoodctl COMMAND --help” for the options of a command."));
  return fh_print (text->str) ? 0 : FH_EXIT_FAILED;
}

static const Command *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (g_str_equal (commands[i].name, name))
        return &commands[i];
    }
  return NULL;
}

/* If 0, 1 or 2 is closed, the next file to be opened would get its number, and our output. */
static void
open_standard_descriptors (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0)
    close (fd);
}

/* A handler, because children would inherit SIG_IGN. */
static void
ignore_signal (int number)
{
}

/* A file that may not grow makes a write fail, which is told, instead of ending the command. */
static void
ignore_file_limit (void)
{
  struct sigaction action = { .sa_handler = ignore_signal, .sa_flags = SA_RESTART };

  sigemptyset (&action.sa_mask);
  sigaction (SIGXFSZ, &action, NULL);
}

/* Only the categories that we need: each one opens a file. */
static void
choose_language (void)
{
  const int categories[] = { LC_CTYPE, LC_MESSAGES, LC_NUMERIC };

  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    setlocale (categories[i], "");
  bindtextdomain (GETTEXT_PACKAGE, FH_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}

static void
refuse (const char *word)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };
  const char *meant;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  meant = fh_suggestion_find (word, names);
  if (meant != NULL)
    fh_message (_ ("“%s” is not a command. Did you mean “%s”?"), word, meant);
  else
    fh_message (_ ("“%s” is not a command. Try “fumehoodctl --help”."), word);
}

int
main (int argc, char **argv)
{
  const Command *command;

  open_standard_descriptors ();
  /* A parent that ignores SIGCHLD hands that on, and the kernel then keeps no exit status of our
   * children to wait for. See wait (2). */
  signal (SIGCHLD, SIG_DFL);
  ignore_file_limit ();
  choose_language ();
  if (argc < 2)
    {
      print_help ();
      return FH_EXIT_USAGE;
    }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h") ||
      g_str_equal (argv[1], "help"))
    return print_help ();
  if (g_str_equal (argv[1], "--version"))
    return fh_print ("fumehoodctl " FH_VERSION "\n") ? 0 : FH_EXIT_FAILED;
  command = find_command (argv[1]);
  if (command == NULL)
    {
      refuse (argv[1]);
      return FH_EXIT_USAGE;
    }
  {
    g_autofree char *name = g_strconcat ("fumehoodctl ", command->name, NULL);

    /* GOption prints it in --help. */
    g_set_prgname (name);
    argv[1] = name;
    return command->run (argc - 1, argv + 1);
  }
}
