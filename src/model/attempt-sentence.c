/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "attempt-kind.h"

/* What an attempt is called, and what is said about it: what was tried, and what became of it. Both
 * halves are whole sentences, so that they can be translated one by one. */

/* By operation: a title with the object and one without, and what was tried, of something that
 * exists on the user's computer and of something else. */
typedef struct
{
  const char *operation;
  const char *title;
  const char *bare;
  const char *tried;
  const char *tried_yours;
} Act;

static const Act acts[] = {
  { "open",
    N_ ("Open %s"),
    N_ ("Open a file"),
    N_ ("The program tried to open a file."),
    N_ ("The program tried to open a file that exists on your computer.") },
  { "create",
    N_ ("Create %s"),
    N_ ("Create a file"),
    N_ ("The program tried to create a file or a folder."),
    N_ ("The program tried to create something in a place that exists on your computer.") },
  { "write to",
    N_ ("Write to %s"),
    N_ ("Write to a file"),
    N_ ("The program tried to write to a file."),
    N_ ("The program tried to write to a file that exists on your computer.") },
  { "write",
    N_ ("Write to %s"),
    N_ ("Write more than there is room for"),
    N_ ("The program wrote more than there is room for."),
    NULL },
  { "delete",
    N_ ("Delete %s"),
    N_ ("Delete a file"),
    N_ ("The program tried to delete a file or a folder."),
    N_ ("The program tried to delete something that exists on your computer.") },
  { "rename",
    N_ ("Rename %s"),
    N_ ("Rename a file"),
    N_ ("The program tried to rename or move a file."),
    N_ ("The program tried to rename or move a file that exists on your computer.") },
  { "list",
    N_ ("List the folder %s"),
    N_ ("List a folder"),
    N_ ("The program tried to find out what is in a folder."),
    N_ ("The program tried to find out what is in a folder of your computer.") },
  { "execute",
    N_ ("Run %s"),
    N_ ("Run another program"),
    N_ ("The program tried to run another program."),
    N_ ("The program tried to run another program that exists on your computer.") },
  { "connect",
    N_ ("Connect to %s"),
    N_ ("Connect to a service"),
    N_ ("The program tried to open a connection."),
    N_ ("The program tried to open a connection to a service of your computer.") },
  { "bind",
    N_ ("Listen on %s"),
    N_ ("Listen for connections"),
    N_ ("The program tried to become reachable for others."),
    NULL },
  { "send to",
    N_ ("Send data to %s"),
    N_ ("Send data"),
    N_ ("The program tried to send data without a connection."),
    N_ ("The program tried to send data to a service of your computer.") },
  { "look up",
    N_ ("Look up %s"),
    N_ ("Look up a name"),
    N_ ("The program asked for the address of a host on the internet."),
    NULL },
  { "use proxy for",
    N_ ("Reach %s through the proxy"),
    N_ ("Use the proxy"),
    N_ ("The program tried to reach a host through the proxy."),
    NULL },
  { "signal",
    N_ ("Send a signal: %s"),
    N_ ("Send a signal"),
    N_ ("The program tried to signal a process, which can end or stop it."),
    NULL },
  { "start a process",
    N_ ("Start one more process: %s"),
    N_ ("Start one more process"),
    N_ ("The program tried to start one more process or thread."),
    NULL },
  { "use memory",
    N_ ("Use more memory: %s"),
    N_ ("Use more memory"),
    N_ ("The program wanted more memory than it may have."),
    NULL },
  { "use CPU time",
    N_ ("Use more processor time: %s"),
    N_ ("Use more processor time"),
    N_ ("The program, with all its processes, used up its processor time."),
    NULL },
  { "run on",
    N_ ("Run on: %s"),
    N_ ("Run on after its time"),
    N_ ("The program was still running when its time was over."),
    NULL },
  { "import",
    N_ ("Import %s"),
    N_ ("Import a module"),
    N_ ("The program tried to import a module."),
    NULL },
  { "call",
    N_ ("Call %s"),
    N_ ("Call a function"),
    N_ ("The program tried to call a function of Python that acts on the system."),
    NULL },
  { "operations",
    N_ ("Execute more than %s operations"),
    N_ ("Execute more operations"),
    N_ ("The program executed as many operations of Python as it may."),
    NULL },
  { "run in a shell",
    N_ ("Run in a shell: %s"),
    N_ ("Run something in a shell"),
    N_ ("The program tried to have a shell run something."),
    NULL },
  { "start",
    N_ ("Start %s"),
    N_ ("Start another program"),
    N_ ("The program tried to start another program."),
    NULL },
  { "start in a terminal",
    N_ ("Start %s in a terminal"),
    N_ ("Start a program in a terminal"),
    N_ ("The program tried to start another program in a terminal of its own."),
    NULL },
  { "load library",
    N_ ("Load the library %s"),
    N_ ("Load a library"),
    N_ ("The program tried to load a library of machine code."),
    NULL },
  { "delete folder",
    N_ ("Delete the folder %s"),
    N_ ("Delete a folder"),
    N_ ("The program tried to delete a folder with all that is in it."),
    NULL },
  { "request",
    N_ ("Request %s"),
    N_ ("Make a web request"),
    N_ ("The program tried to get something from the web."),
    NULL },
  { "open in a browser",
    N_ ("Open %s in a browser"),
    N_ ("Open a browser"),
    N_ ("The program tried to open a web browser."),
    NULL },
  { "send mail through",
    N_ ("Send mail through %s"),
    N_ ("Send mail"),
    N_ ("The program tried to send mail."),
    NULL },
  { "connect by FTP to",
    N_ ("Connect by FTP to %s"),
    N_ ("Connect by FTP"),
    N_ ("The program tried to open a connection for copying files."),
    NULL },
};

/* System calls that have no everyday word, by kind. */
static const struct
{
  FhAttemptKind kind;
  const char *title;
  const char *tried;
} calls[] = {
  { FH_ATTEMPT_KIND_SOCKET,
    N_ ("Open an unusual socket"),
    N_ ("The program tried to open a kind of socket that ordinary programs do not use.") },
  { FH_ATTEMPT_KIND_SIGNAL,
    N_ ("Send a signal"),
    N_ ("The program tried to signal a process, which can end or stop it.") },
  { FH_ATTEMPT_KIND_INSPECT,
    N_ ("Look into another process"),
    N_ ("The program tried to read, change or control another process.") },
  { FH_ATTEMPT_KIND_MOUNT,
    N_ ("Change what is mounted"),
    N_ ("The program tried to rebuild the file system that it sees.") },
  { FH_ATTEMPT_KIND_NAMESPACES,
    N_ ("Make or enter a namespace"),
    N_ ("The program tried to build a sandbox of its own, or to enter another one.") },
  { FH_ATTEMPT_KIND_KERNEL,
    N_ ("Use a rare part of the kernel"),
    N_ ("The program asked for a part of the kernel that few programs need.") },
  { FH_ATTEMPT_KIND_KEYRING,
    N_ ("Use the kernel’s keyring"),
    N_ ("The program tried to use the keys that the kernel keeps for you.") },
  { FH_ATTEMPT_KIND_MACHINE,
    N_ ("Change the computer itself"),
    N_ ("The program tried to change how the whole computer works.") },
  { FH_ATTEMPT_KIND_HANDLES,
    N_ ("Go around the folders"),
    N_ ("The program tried to reach or watch files without going through their folders.") },
  { FH_ATTEMPT_KIND_TERMINAL,
    N_ ("Control a terminal"),
    N_ ("The program tried to give orders to a terminal.") },
  { FH_ATTEMPT_KIND_PRIVILEGES,
    N_ ("Gain rights"),
    N_ ("The program tried to gain rights that it does not have.") },
};

/* What became of it. The first row that fits wins; a kind of OTHER fits every kind, and -1 every
 * guard. */
typedef struct
{
  FhVerdict verdict;
  int guard;
  FhAttemptKind first; /* a range of kinds */
  FhAttemptKind last;
  const char *sentence;
} Outcome;

#define ANY_GUARD -1
#define ANY_KIND  FH_ATTEMPT_KIND_OTHER, FH_ATTEMPT_N_KINDS
#define ONE(kind) FH_ATTEMPT_KIND_##kind, FH_ATTEMPT_KIND_##kind

#define UNKNOWN_NAME                                                                               \
  N_ ("The name was noted and answered as unknown; no question left your computer.")

static const Outcome outcomes[] = {
  { FH_VERDICT_HIDDEN, ANY_GUARD, ONE (LOOK_UP), UNKNOWN_NAME },
  { FH_VERDICT_HIDDEN,
    ANY_GUARD,
    ONE (ACCOUNTS),
    N_ ("It is hidden: the system’s own file is not inside the sandbox.") },
  { FH_VERDICT_HIDDEN,
    ANY_GUARD,
    FH_ATTEMPT_KIND_CONTAINERS,
    FH_ATTEMPT_KIND_DESKTOP,
    N_ ("It is hidden: the services of your computer are not inside the sandbox.") },
  { FH_VERDICT_HIDDEN,
    ANY_GUARD,
    FH_ATTEMPT_KIND_KEYS,
    FH_ATTEMPT_KIND_HOME,
    N_ ("It is hidden: nothing of your home folder is inside the sandbox.") },
  { FH_VERDICT_HIDDEN,
    ANY_GUARD,
    ONE (DEVICE),
    N_ ("It is hidden: only a few harmless devices are inside the sandbox.") },
  { FH_VERDICT_HIDDEN,
    ANY_GUARD,
    ONE (KERNEL_FILE),
    N_ ("It is hidden: what tells about your computer is left out of the sandbox.") },
  { FH_VERDICT_HIDDEN,
    ANY_GUARD,
    ANY_KIND,
    N_ ("It is hidden: of your computer, at most the system’s programs and libraries are inside "
        "the sandbox.") },

  { FH_VERDICT_DENIED,
    ANY_GUARD,
    ONE (IMPORT),
    N_ ("The module is not among those that this run may import.") },
  { FH_VERDICT_DENIED,
    ANY_GUARD,
    ONE (FUNCTION),
    N_ ("The function was taken away for this run.") },
  { FH_VERDICT_DENIED, ANY_GUARD, ONE (LOOK_UP), UNKNOWN_NAME },
  { FH_VERDICT_DENIED,
    ANY_GUARD,
    ONE (PROXY),
    N_ ("The proxy refused it: only the hosts that you allowed can be reached, and nothing in your "
        "own network.") },
  { FH_VERDICT_DENIED,
    ANY_GUARD,
    ONE (SOCKET),
    N_ ("The kernel was told to refuse it: only the usual kinds of sockets can be used inside the "
        "sandbox.") },
  { FH_VERDICT_DENIED,
    ANY_GUARD,
    ONE (SIGNAL),
    N_ ("It was refused: the program can reach only its own processes.") },
  { FH_VERDICT_DENIED,
    FH_GUARD_SYSTEM_CALLS,
    ANY_KIND,
    N_ ("The kernel was told to refuse it, because ordinary programs do not need it.") },
  { FH_VERDICT_DENIED,
    FH_GUARD_NETWORK,
    ANY_KIND,
    N_ ("It reached nobody: the program is alone in a network of its own.") },
  { FH_VERDICT_DENIED,
    FH_GUARD_FILESYSTEM,
    ANY_KIND,
    N_ ("It was refused: the program can change only what is in its own folder, and open only what "
        "everybody may.") },
  { FH_VERDICT_DENIED,
    ANY_GUARD,
    ANY_KIND,
    N_ ("It was refused: the program has no special rights, not even inside its sandbox.") },

  { FH_VERDICT_LIMITED,
    ANY_GUARD,
    ONE (LIMIT_PROCESSES),
    N_ ("It was refused: as many processes and threads were running as there may be.") },
  { FH_VERDICT_LIMITED,
    ANY_GUARD,
    ONE (LIMIT_DISK),
    N_ ("It was refused: the space that the program may fill was used up.") },
  { FH_VERDICT_LIMITED, ANY_GUARD, ANY_KIND, N_ ("It was held to its limit.") },

  { FH_VERDICT_OBSERVED,
    ANY_GUARD,
    ONE (SIGNAL),
    N_ ("It was let through: the program can reach only its own processes.") },
  { FH_VERDICT_OBSERVED,
    ANY_GUARD,
    ONE (PROXY),
    N_ ("It was let through: this is one of the hosts that you allowed.") },
  { FH_VERDICT_OBSERVED, ANY_GUARD, ANY_KIND, N_ ("It was let through.") },
};

static const Act *
find_act (const char *operation)
{
  for (gsize i = 0; i < G_N_ELEMENTS (acts); i++)
    {
      if (g_str_equal (acts[i].operation, operation))
        return &acts[i];
    }
  return NULL;
}

/* The user's own folder is "~", and so is the one that a program has instead of it. */
static char *
dup_object (const FhAttemptFacts *facts)
{
  const char *rest = fh_attempt_below_home (facts->object);

  if (rest != NULL && (g_str_has_prefix (facts->object, g_get_home_dir ()) ||
                       g_str_has_prefix (facts->object, FH_ATTEMPT_WORKSPACE)))
    return g_strconcat ("~/", rest, NULL);
  return g_strdup (facts->object);
}

static char *
fill_in (const char *format, const char *object)
{
  GString *text = g_string_new (format);

  g_string_replace (text, "%s", object, 1);
  return g_string_free (text, FALSE);
}

static char *
title_of_call (const FhAttemptFacts *facts, FhAttemptKind kind, const char *object)
{
  g_autofree char *call = *object != '\0' ? g_strconcat (facts->operation, ": ", object, NULL)
                                          : g_strdup (facts->operation);

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      if (calls[i].kind == kind)
        /* Translators: what was tried, and the name of the system call: "Gain rights (setuid)" */
        return g_strdup_printf (C_ ("attempt", "%s (%s)"), _ (calls[i].title), call);
    }
  return g_steal_pointer (&call);
}

char *
fh_attempt_dup_title (FhAttempt *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self);
  g_autofree char *object = NULL;
  const Act *act;

  g_return_val_if_fail (facts != NULL, NULL);

  object = dup_object (facts);
  act = find_act (facts->operation);
  if (act == NULL)
    return title_of_call (facts, fh_attempt_kind (facts), object);
  return *object != '\0' ? fill_in (_ (act->title), object) : g_strdup (_ (act->bare));
}

static const char *
what_was_tried (const FhAttemptFacts *facts, FhAttemptKind kind)
{
  const Act *act = find_act (facts->operation);

  if (kind == FH_ATTEMPT_KIND_LIMIT_OUTPUT)
    return _ ("The program printed more than it may.");
  if (act != NULL)
    return facts->exists_outside && act->tried_yours != NULL ? _ (act->tried_yours)
                                                             : _ (act->tried);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      if (calls[i].kind == kind)
        return _ (calls[i].tried);
    }
  return _ ("The program asked the kernel for something unusual.");
}

static const char *
what_became_of_it (const FhAttemptFacts *facts, FhAttemptKind kind)
{
  /* What looks like a file of the user's must not be taken for one. */
  if (facts->verdict == FH_VERDICT_OBSERVED &&
      g_str_has_prefix (facts->object, FH_ATTEMPT_WORKSPACE))
    return facts->is_lasting
               ? _ ("It was let through: this is in the folder that the program was given, and "
                    "what was done there stays done.")
               : _ ("It was let through: this is in the program’s own folder, which is gone "
                    "afterwards. Your files were not touched.");
  for (gsize i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      const Outcome *outcome = &outcomes[i];

      if (outcome->verdict == facts->verdict && kind >= outcome->first && kind <= outcome->last &&
          (outcome->guard == ANY_GUARD || outcome->guard == (int) facts->guard))
        return _ (outcome->sentence);
    }
  g_assert_not_reached ();
}

char *
fh_attempt_dup_sentence (FhAttempt *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self);
  FhAttemptKind kind;

  g_return_val_if_fail (facts != NULL, NULL);

  kind = fh_attempt_kind (facts);
  return g_strjoin (
      " ",
      what_was_tried (facts, kind),
      what_became_of_it (facts, kind),
      facts->is_reported ? _ ("Its own interpreter reported this: a hint, and no evidence.") : NULL,
      NULL);
}
