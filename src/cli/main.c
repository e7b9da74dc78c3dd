/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <unistd.h>

#include "command.h"
#include "message.h"

/* One row of --help and of what a first word may be. */
typedef struct
{
  const char *name;
  const char *arguments;
  const char *summary;
  int (*run) (int argc, char **argv);
} Command;

static const Command commands[] = {
  { "run",
    N_ ("[OPTION…] FILE|- [-- ARGUMENT…]"),
    N_ ("Run a program in a sandbox"),
    fh_command_run },
  { "guards",
    N_ ("[--json] [--tier TIER] [--container [IMAGE]]"),
    N_ ("Tell what protects you here"),
    fh_command_guards },
  { "history",
    N_ ("[list|search|show|export|delete|restore|purge] …"),
    N_ ("Find, show and export past runs"),
    fh_command_history },
  { "engines", N_ ("[--json]"), N_ ("Tell which container engines work here"), fh_command_engines },
  { "image",
    N_ ("list|check|pull [IMAGE] [--engine NAME] [--json]"),
    N_ ("Look for images of containers, and pull them"),
    fh_command_image },
  { "container",
    N_ ("list|stop|restart|remove|clean [NAME] [--engine NAME] [--json]"),
    N_ ("Tell of containers that are kept, and end them"),
    fh_command_container },
};

static int
print_help (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text,
                          "%s\n  fumehoodctl %s\n\n%s\n\n%s\n",
                          _ ("Usage:"),
                          _ ("COMMAND [OPTION…]"),
                          _ ("Runs code that you do not trust behind guards of the kernel, as the\n"
                             "desktop app Fumehood does, and keeps what came of it."),
                          _ ("Commands:"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text,
                            "  %s %s\n      %s\n",
                            commands[i].name,
                            _ (commands[i].arguments),
                            _ (commands[i].summary));
  g_string_append_printf (text,
                          "\n%s\n  %-12s %s\n  %-12s %s\n\n%s\n",
                          _ ("Options:"),
                          "-h, --help",
                          _ ("Show this text"),
                          "--version",
                          _ ("Show the version"),
                          _ ("“fumehoodctl COMMAND --help” tells more about each command."));
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

/* A descriptor 0, 1 or 2 that is closed would be given to the next thing that is opened, and that
 * would then be written to. */
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

/* Only what our texts need: each of the dozen categories costs a file. */
static void
choose_language (void)
{
  const int categories[] = { LC_CTYPE, LC_MESSAGES, LC_NUMERIC, LC_TIME };

  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    setlocale (categories[i], "");
  bindtextdomain (GETTEXT_PACKAGE, FH_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}

int
main (int argc, char **argv)
{
  const Command *command;

  open_standard_descriptors ();
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
      fh_message (_ ("“%s” is not a command. Try “fumehoodctl --help”."), argv[1]);
      return FH_EXIT_USAGE;
    }
  {
    g_autofree char *name = g_strconcat ("fumehoodctl ", command->name, NULL);

    /* GOption shows the name of the program in its help. */
    g_set_prgname (name);
    argv[1] = name;
    return command->run (argc - 1, argv + 1);
  }
}
