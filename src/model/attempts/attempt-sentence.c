/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "address-cut.h"
#include "attempt-kind.h"

/* The title and description of an attempt: what was tried, and the result. Both halves are whole
 * sentences, so that they can be translated one by one. */

/* Each operation has a title with the object and one without, and two sentences: about something
 * that exists on the user's computer, and about something else. */
typedef struct
{
  const char *operation;
  const char *title;
  const char *bare;
  const char *tried;
  const char *tried_yours; /* NULL: the same */
} Act;

/* Two system calls for one thing. */
#define WATCH_FILES                                                                                \
  N_ ("Watch files: %s"), N_ ("Watch files"), N_ ("The program tried to watch files for changes.")

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
    N_ ("Write more than the disk limit allows"),
    N_ ("The program wrote more than its disk limit allows.") },
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
    N_ ("The program tried to list a folder."),
    N_ ("The program tried to list a folder of your computer.") },
  { "read attributes of",
    N_ ("Read the attributes of %s"),
    N_ ("Read the attributes of a file"),
    N_ ("The program tried to read the extended attributes of a file."),
    N_ ("The program tried to read the extended attributes of a file that exists "
        "on your computer.") },
  { "change attributes of",
    N_ ("Change the attributes of %s"),
    N_ ("Change the attributes of a file"),
    N_ ("The program tried to change the permissions, the owner or the times of a file."),
    N_ ("The program tried to change the permissions, the owner or the times of a file that exists "
        "on your computer.") },
  { "link to",
    N_ ("Give another name to %s"),
    N_ ("Give a file another name"),
    N_ ("The program tried to give a file a second name."),
    N_ ("The program tried to give a second name to a file that exists on your computer.") },
  { "inotify_init", WATCH_FILES },
  { "inotify_init1", WATCH_FILES },
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
    N_ ("The program tried to accept connections.") },
  { "send to",
    N_ ("Send data to %s"),
    N_ ("Send data"),
    N_ ("The program tried to send data without a connection."),
    N_ ("The program tried to send data to a service of your computer.") },
  { "look up",
    N_ ("Look up %s"),
    N_ ("Look up a name"),
    N_ ("The program looked up the address of a host on the internet.") },
  { "use proxy for",
    N_ ("Reach %s through the proxy"),
    N_ ("Use the proxy"),
    N_ ("The program tried to reach a host through the proxy.") },
  { "signal",
    N_ ("Send a signal: %s"),
    N_ ("Send a signal"),
    N_ ("The program tried to signal a process, which can end or stop it.") },
  { "start a process",
    N_ ("Start one more process: %s"),
    N_ ("Start one more process"),
    N_ ("The program tried to start one more process or thread.") },
  { "use memory",
    N_ ("Use more memory: %s"),
    N_ ("Use more memory"),
    N_ ("The program tried to use more memory than its limit allows.") },
  { "fill sockets",
    N_ ("Leave more unread data in sockets: %s"),
    N_ ("Leave more unread data in sockets"),
    N_ ("The program left more unread data in its sockets than is allowed.") },
  { "lock files",
    N_ ("Take more locks on files: %s"),
    N_ ("Take more locks on files"),
    N_ ("The program took more file locks than is allowed.") },
  { "pass open files",
    N_ ("Send more open files: %s"),
    N_ ("Send more open files"),
    N_ ("The program sent more open files through sockets, without receiving "
        "them, than is allowed.") },
  { "open pipes",
    N_ ("Open more pipes: %s"),
    N_ ("Open more pipes"),
    N_ ("The program opened so many pipes that your other programs would have got smaller ones.") },
  { "open files",
    N_ ("Have more open: %s"),
    N_ ("Have more open"),
    N_ ("The program had so much open that its locks on files could not be counted.") },
  { "hide a process",
    N_ ("Hide a process: %s"),
    N_ ("Hide a process"),
    N_ ("A process of the program could not be looked into, as if its file may not be read.") },
  { "use CPU time",
    N_ ("Use more CPU time: %s"),
    N_ ("Use more CPU time"),
    N_ ("The program and its processes used up their CPU time.") },
  { "run on",
    N_ ("Keep running: %s"),
    N_ ("Keep running after the time limit"),
    N_ ("The program was still running when its time was up.") },
  { "import",
    N_ ("Import %s"),
    N_ ("Import a module"),
    N_ ("The program tried to import a module.") },
  { "call",
    N_ ("Call %s"),
    N_ ("Call a function"),
    N_ ("The program tried to call a function of Python that acts on the system.") },
  { "operations",
    N_ ("Execute more than %s operations"),
    N_ ("Execute more operations"),
    N_ ("The program reached its limit of Python operations.") },
  { "run in a shell",
    N_ ("Run in a shell: %s"),
    N_ ("Run something in a shell"),
    N_ ("The program tried to run a shell command.") },
  { "start",
    N_ ("Start %s"),
    N_ ("Start another program"),
    N_ ("The program tried to start another program.") },
  /* Older versions reported these, and their runs are in the history. */
  { "start in a terminal",
    N_ ("Start %s in a terminal"),
    N_ ("Start a program in a terminal"),
    N_ ("The program tried to start another program in a terminal of its own.") },
  { "load library",
    N_ ("Load the library %s"),
    N_ ("Load a library"),
    N_ ("The program tried to load a native library.") },
  { "delete folder",
    N_ ("Delete the folder %s"),
    N_ ("Delete a folder"),
    N_ ("The program tried to delete a folder and everything in it.") },
  { "request",
    N_ ("Request %s"),
    N_ ("Make a web request"),
    N_ ("The program tried to download something from the web.") },
  { "open in a browser",
    N_ ("Open %s in a browser"),
    N_ ("Open a browser"),
    N_ ("The program tried to open a web browser.") },
  { "send mail through",
    N_ ("Send mail through %s"),
    N_ ("Send mail"),
    N_ ("The program tried to send mail.") },
  { "connect by FTP to",
    N_ ("Connect by FTP to %s"),
    N_ ("Connect by FTP"),
    N_ ("The program tried to open a connection for file transfer.") },
};

/* System calls without an everyday name, by kind. */
static const struct
{
  FhAttemptKind kind;
  const char *title;
  const char *tried;
} calls[] = {
  { FH_ATTEMPT_KIND_SOCKET,
    N_ ("Open a socket"),
    N_ ("The program tried to open a socket, by which it could reach a network or other "
        "programs.") },
  { FH_ATTEMPT_KIND_SIGNAL,
    N_ ("Send a signal"),
    N_ ("The program tried to signal a process, which can end or stop it.") },
  { FH_ATTEMPT_KIND_INSPECT,
    N_ ("Look into another process"),
    N_ ("The program tried to read, change or control another process.") },
  { FH_ATTEMPT_KIND_MOUNT,
    N_ ("Change what is mounted"),
    N_ ("The program tried to mount or unmount file systems.") },
  { FH_ATTEMPT_KIND_NAMESPACES,
    N_ ("Create or enter a namespace"),
    N_ ("The program tried to create or enter a namespace, which sandboxes are made of.") },
  { FH_ATTEMPT_KIND_KERNEL,
    N_ ("Use a rare kernel feature"),
    N_ ("The program tried to use a kernel feature that few programs need.") },
  { FH_ATTEMPT_KIND_KEYRING,
    N_ ("Use the kernel’s keyring"),
    N_ ("The program tried to use the keys that the kernel keeps for you.") },
  { FH_ATTEMPT_KIND_MACHINE,
    N_ ("Change the system"),
    N_ ("The program tried to change the settings of the whole system.") },
  { FH_ATTEMPT_KIND_HANDLES,
    N_ ("Open files without their paths"),
    N_ ("The program tried to open or watch files without using their paths.") },
  { FH_ATTEMPT_KIND_TERMINAL,
    N_ ("Control a terminal"),
    N_ ("The program tried to control a terminal.") },
  { FH_ATTEMPT_KIND_PRIVILEGES,
    N_ ("Gain privileges"),
    N_ ("The program tried to gain privileges.") },
};

/* The result. The first row that fits wins. */
typedef struct
{
  FhVerdict verdict;
  int guard; /* -1: every guard */
  FhAttemptKind first;
  FhAttemptKind last;
  const char *sentence;
} Outcome;

#define KINDS(verdict, first, last)                                                                \
  FH_VERDICT_##verdict, -1, FH_ATTEMPT_KIND_##first, FH_ATTEMPT_KIND_##last
#define KIND(verdict, kind) KINDS (verdict, kind, kind)
#define GUARD(verdict, guard)                                                                      \
  FH_VERDICT_##verdict, FH_GUARD_##guard, FH_ATTEMPT_KIND_OTHER, FH_ATTEMPT_N_KINDS
#define ALL(verdict) FH_VERDICT_##verdict, -1, FH_ATTEMPT_KIND_OTHER, FH_ATTEMPT_N_KINDS

#define UNKNOWN_NAME N_ ("It was answered as unknown; no query left your computer.")

static const Outcome outcomes[] = {
  { KIND (HIDDEN, LOOK_UP), UNKNOWN_NAME },
  { KIND (HIDDEN, ACCOUNTS),
    N_ ("It is hidden: the system’s own file is not inside the sandbox.") },
  { KINDS (HIDDEN, CONTAINERS, DESKTOP),
    N_ ("It is hidden: the services of your computer are not inside the sandbox.") },
  { KINDS (HIDDEN, KEYS, HOME),
    N_ ("It is hidden: nothing of your home folder is inside the sandbox.") },
  { KIND (HIDDEN, DEVICE),
    N_ ("It is hidden: only a few harmless devices are inside the sandbox.") },
  { KIND (HIDDEN, KERNEL_FILE),
    N_ ("It is hidden: information about your computer is not inside the sandbox.") },
  { ALL (HIDDEN),
    N_ ("It is hidden: at most the system’s programs and libraries are inside the sandbox.") },

  { KIND (DENIED, IMPORT), N_ ("This run may not import the module.") },
  { KIND (DENIED, FUNCTION), N_ ("The function is blocked for this run.") },
  { KIND (DENIED, LOOK_UP), UNKNOWN_NAME },
  { KIND (DENIED, PROXY),
    N_ ("The proxy refused it: only the hosts that you allowed can be reached, with "
        "an unencrypted name, and nothing on this computer or in its local network.") },
  { KIND (DENIED, SOCKET),
    N_ ("It was blocked: sockets of this kind cannot be used inside the sandbox.") },
  { KIND (DENIED, SIGNAL), N_ ("It was refused: the program can reach only its own processes.") },
  { GUARD (DENIED, SYSTEM_CALLS), N_ ("It was blocked because ordinary programs do not need it.") },
  { GUARD (DENIED, NETWORK), N_ ("It reached nothing: the program is alone in its own network.") },
  { GUARD (DENIED, FILESYSTEM),
    N_ ("It was refused: the program can change only its own folder, and open only "
        "files that everyone can read.") },
  { ALL (DENIED),
    N_ ("It was refused: the program has no privileges, not even inside its sandbox.") },

  { KIND (LIMITED, LIMIT_PROCESSES),
    N_ ("It was refused: the limit of processes and threads was reached.") },
  { KIND (LIMITED, LIMIT_DISK), N_ ("It was refused: the disk limit was reached.") },
  { ALL (LIMITED), N_ ("It was limited.") },

  { KIND (OBSERVED, SIGNAL),
    N_ ("It was let through: the program can reach only its own processes.") },
  { KIND (OBSERVED, PROXY), N_ ("It was let through: this is one of the hosts that you allowed.") },
  { ALL (OBSERVED), N_ ("It was let through.") },
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

/* "~" is the user's home folder. Inside it is the program's own folder, which is not to be taken
 * for that: only what did not get there is told as the program meant it. */
static char *
dup_object (const FhAttemptFacts *facts)
{
  const char *rest = fh_attempt_below_home (facts->object);

  if (rest != NULL && (g_str_has_prefix (facts->object, g_get_home_dir ()) ||
                       (facts->verdict != FH_VERDICT_OBSERVED &&
                        g_str_has_prefix (facts->object, FH_ATTEMPT_WORKSPACE))))
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

/* The object of a signal is "1 (SIGKILL)": the process, and the name or the number of the signal.
 * Takes both apart; FALSE if it is something else. */
static gboolean
read_signal (const FhAttemptFacts *facts, int *process, char **name)
{
  gint64 number;
  char *end;

  if (!g_str_equal (facts->operation, "signal"))
    return FALSE;
  number = g_ascii_strtoll (facts->object, &end, 10);
  if (end == facts->object || number <= G_MININT || number > G_MAXINT ||
      !g_str_has_prefix (end, " (") || !g_str_has_suffix (end, ")"))
    return FALSE;
  *process = (int) number;
  *name = g_strndup (end + 2, strlen (end) - 3);
  return TRUE;
}

/* NULL if `facts` are not of a signal. */
static char *
title_of_signal (const FhAttemptFacts *facts)
{
  g_autofree char *name = NULL;
  g_autofree char *shown = NULL;
  int process;

  if (!read_signal (facts, &process, &name))
    return NULL;
  /* Translators: a signal that has a number only */
  shown = g_ascii_isdigit (*name) ? g_strdup_printf (_ ("signal %s"), name) : g_strdup (name);
  /* Without a namespace of its own, where that is another's, it is denied. */
  if (process == 1 && facts->verdict == FH_VERDICT_OBSERVED)
    /* Translators: the name of a signal: “SIGKILL” */
    return g_strdup_printf (_ ("Send %s to process 1, the sandbox’s own"), shown);
  if (process >= 0)
    /* Translators: the name of a signal and the number of a process */
    return g_strdup_printf (_ ("Send %s to process %d"), shown, process);
  if (process == -1)
    /* Translators: the name of a signal */
    return g_strdup_printf (_ ("Send %s to every process"), shown);
  /* Translators: the name of a signal and the number of a group of processes */
  return g_strdup_printf (_ ("Send %s to the process group %d"), shown, -process);
}

char *
fh_attempt_dup_call (FhAttempt *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self);
  g_autofree char *name = NULL;
  int process;

  g_return_val_if_fail (facts != NULL, NULL);

  if (read_signal (facts, &process, &name))
    return g_strdup_printf ("kill (%d, %s)", process, name);
  return g_strconcat (facts->operation, *facts->object != '\0' ? " " : "", facts->object, NULL);
}

static char *
title_of_call (const FhAttemptFacts *facts, FhAttemptKind kind, const char *object)
{
  g_autofree char *call = *object != '\0' ? g_strconcat (facts->operation, ": ", object, NULL)
                                          : g_strdup (facts->operation);

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      if (calls[i].kind == kind)
        /* Translators: an attempt and its system call: "Gain privileges (setuid)" */
        return g_strdup_printf (C_ ("attempt", "%s (%s)"), _ (calls[i].title), call);
    }
  return g_steal_pointer (&call);
}

static char *
dup_title (const FhAttemptFacts *facts, gboolean is_short)
{
  g_autofree char *signal = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *object = NULL;
  const Act *act;

  signal = title_of_signal (facts);
  if (signal != NULL)
    return g_steal_pointer (&signal);
  whole = dup_object (facts);
  object = is_short ? fh_address_cut (whole) : g_steal_pointer (&whole);
  act = find_act (facts->operation);
  if (act == NULL)
    return title_of_call (facts, fh_attempt_kind (facts), object);
  return *object != '\0' ? fill_in (_ (act->title), object) : g_strdup (_ (act->bare));
}

char *
fh_attempt_dup_title (FhAttempt *self)
{
  g_return_val_if_fail (FH_IS_ATTEMPT (self), NULL);

  return dup_title (fh_attempt_get_facts (self), FALSE);
}

char *
fh_attempt_dup_short_title (FhAttempt *self)
{
  g_return_val_if_fail (FH_IS_ATTEMPT (self), NULL);

  return dup_title (fh_attempt_get_facts (self), TRUE);
}

static const char *
what_was_tried (const FhAttemptFacts *facts, FhAttemptKind kind)
{
  const Act *act = find_act (facts->operation);
  /* The program's own file may have the name of a file of the user's, which it is not. */
  const gboolean is_own = facts->verdict == FH_VERDICT_OBSERVED &&
                          g_str_has_prefix (facts->object, FH_ATTEMPT_WORKSPACE);

  if (kind == FH_ATTEMPT_KIND_LIMIT_OUTPUT)
    return _ ("The program printed more than its limit allows.");
  if (act != NULL)
    return facts->exists_outside && act->tried_yours != NULL && !is_own ? _ (act->tried_yours)
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
  const char *doubt = fh_attempt_doubt (facts);

  if (doubt != NULL)
    return doubt;
  /* A file that only looks like the user's must not be reported as one. */
  if (facts->verdict == FH_VERDICT_OBSERVED &&
      g_str_has_prefix (facts->object, FH_ATTEMPT_WORKSPACE))
    return facts->is_lasting
               ? _ ("It was let through: this is in a folder that the program may change, and the "
                    "change is permanent.")
               : _ ("It was let through: this is in the program’s own folder, which is deleted "
                    "afterwards. Your files were not touched.");
  for (gsize i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      const Outcome *outcome = &outcomes[i];

      if (outcome->verdict == facts->verdict && kind >= outcome->first && kind <= outcome->last &&
          (outcome->guard == -1 || outcome->guard == (int) facts->guard))
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
      facts->is_reported ? _ ("Only its own interpreter reported it: a hint, not evidence.") : NULL,
      NULL);
}

/* Why a program would do this, and how to judge it. */
static const char *const reasons[FH_ATTEMPT_N_KINDS] = {
  [FH_ATTEMPT_KIND_OTHER] =
      N_ ("This is rare. Look at the source and decide whether the program’s task needs "
          "it."),
  [FH_ATTEMPT_KIND_KEYS] =
      N_ ("Private keys give access to your other computers and sign in your name. Code "
          "that answers a question has no reason to look for them."),
  [FH_ATTEMPT_KIND_PASSWORDS] =
      N_ ("Passwords and access tokens are kept here. With them others can act in your "
          "name. Code that answers a question has no reason to look for them."),
  [FH_ATTEMPT_KIND_BROWSER] =
      N_ ("A browser’s folder holds saved passwords and the cookies that keep you signed in. Code "
          "that steals from people looks here first."),
  [FH_ATTEMPT_KIND_SHELL_HISTORY] =
      N_ ("Your command history shows where you work, and often holds passwords typed "
          "by mistake. Ordinary programs do not read it."),
  [FH_ATTEMPT_KIND_ACCOUNTS] =
      N_ ("These files list the users with their passwords and privileges. Many "
          "programs look up the user’s name, which is harmless; none needs the "
          "passwords."),
  [FH_ATTEMPT_KIND_CONTAINERS] =
      N_ ("A program that can talk to a container service can run anything as "
          "administrator. It is a well-known way out of a sandbox."),
  [FH_ATTEMPT_KIND_DESKTOP] =
      N_ ("Desktop and system services can open files, type, record the screen and "
          "start programs. A program without a window needs none of them."),
  [FH_ATTEMPT_KIND_STARTUP] =
      N_ ("These files run whenever you sign in or open a terminal. Code that wants to "
          "stay on a computer writes to them."),
  [FH_ATTEMPT_KIND_HOME] =
      N_ ("Your own files stay out. If a program needs one of them, give it just that one, "
          "for example as standard input."),
  [FH_ATTEMPT_KIND_OWN_TERMINAL] =
      N_ ("Programs get terminals of their own from here. The sandboxes that Fumehood makes have "
          "none: what needs one, such as pexpect, script or tmux, does not work in them."),
  [FH_ATTEMPT_KIND_DEVICE] =
      N_ ("Devices give direct access to disks, memory, cameras or terminals. Ordinary "
          "programs need only null, zero and the random number sources."),
  [FH_ATTEMPT_KIND_KERNEL_FILE] =
      N_ ("The kernel describes itself and all processes here. Much of it is harmless, "
          "such as the number of processors; the rest helps to find a way out of a "
          "sandbox."),
  [FH_ATTEMPT_KIND_SYSTEM_FILE] =
      N_ ("Every program reads the system’s files. Only the package manager should "
          "change them."),
  [FH_ATTEMPT_KIND_FILE] =
      N_ ("Programs look for many files that may not exist, such as settings and "
          "libraries. Judge by the name."),
  [FH_ATTEMPT_KIND_EXECUTE] =
      N_ ("Many programs use others as tools, which run behind the same guards. If it "
          "is a shell, a downloader or a compiler, check what it was told to do."),
  [FH_ATTEMPT_KIND_LOOK_UP] =
      N_ ("Programs look up a name before they connect. The name shows the host that "
          "they wanted to reach; stolen data can be hidden in the name itself."),
  [FH_ATTEMPT_KIND_PROXY] =
      N_ ("Everything that leaves the sandbox goes through this proxy. If the program’s "
          "task needs this host, allow it by name; otherwise ask why the program wanted "
          "it."),
  [FH_ATTEMPT_KIND_CONNECT_HERE] =
      N_ ("Databases, development servers and desktop services often trust connections "
          "from the same computer. In the sandbox’s own network only the program itself "
          "is at this address."),
  [FH_ATTEMPT_KIND_CONNECT_NEAR] =
      N_ ("Routers, printers and other computers in your local network are often badly "
          "protected. Code that answers a question has no reason to connect to them."),
  [FH_ATTEMPT_KIND_CONNECT_METADATA] =
      N_ ("At this address a cloud gives its machines the keys to its owner’s account. "
          "Attackers look here first."),
  [FH_ATTEMPT_KIND_CONNECT] =
      N_ ("Data could be downloaded from there or sent there. If the program’s task "
          "needs this, allow the host by name; otherwise ask why the program wanted it."),
  [FH_ATTEMPT_KIND_SERVE] =
      N_ ("Servers do this, and tests that connect to themselves. In the sandbox’s own "
          "network nothing else can connect."),
  [FH_ATTEMPT_KIND_SOCKET] =
      N_ ("Rare kinds of sockets reach deep into the kernel, where many vulnerabilities "
          "were found. Almost no program needs them."),
  [FH_ATTEMPT_KIND_SIGNAL] =
      N_ ("Signals end, stop or wake processes. A program may well end its own child "
          "processes; one that signals every process it finds means harm."),
  [FH_ATTEMPT_KIND_INSPECT] =
      N_ ("Debuggers do this. So does code that steals keys from the memory of other programs, or "
          "that hides inside them."),
  [FH_ATTEMPT_KIND_MOUNT] =
      N_ ("Mounting can reveal hidden files and make read-only files writable. It is a "
          "way to break out of a sandbox."),
  [FH_ATTEMPT_KIND_NAMESPACES] =
      N_ ("Browsers and container tools do this to protect themselves. It also exposes "
          "many old kernel vulnerabilities: most ways out of a sandbox begin here."),
  [FH_ATTEMPT_KIND_KERNEL] =
      N_ ("Such kernel features are powerful, new and rarely needed, and many "
          "vulnerabilities were found in them. Libraries may try one and work without "
          "it."),
  [FH_ATTEMPT_KIND_KEYRING] =
      N_ ("The kernel may keep the passwords of your encrypted disks and network "
          "shares. Ordinary programs do not need them."),
  [FH_ATTEMPT_KIND_MACHINE] =
      N_ ("Only administrators can do this, and other programs should not try."),
  [FH_ATTEMPT_KIND_HANDLES] =
      N_ ("This can open files past the folders that hide them. It has been used to "
          "break out of containers."),
  [FH_ATTEMPT_KIND_TERMINAL] =
      N_ ("This can put text into your terminal as if you had typed it. No honest "
          "program does that."),
  [FH_ATTEMPT_KIND_PRIVILEGES] =
      N_ ("With more privileges a program could get around the guards. Installers ask "
          "for this; code that answers a question has no reason to."),
  [FH_ATTEMPT_KIND_SYSTEM_CALL] =
      N_ ("This system call is one that ordinary programs do not need. Some libraries "
          "try it and work without it."),
  [FH_ATTEMPT_KIND_LIMIT_PROCESSES] =
      N_ ("A program that keeps starting processes can freeze the whole computer. If "
          "this one really needs so many, raise the limit."),
  [FH_ATTEMPT_KIND_LIMIT_MEMORY] =
      N_ ("The usual reason is a bug in a loop, then a large task. If this program "
          "really needs so much, raise the limit."),
  [FH_ATTEMPT_KIND_LIMIT_DISK] =
      N_ ("The usual reason is a bug in a loop, then a large result. If this program "
          "really needs so much space, raise the limit."),
  [FH_ATTEMPT_KIND_LIMIT_OUTPUT] =
      N_ ("The usual reason is an endless loop that prints. A large result is better "
          "written to a file."),
  [FH_ATTEMPT_KIND_LIMIT_TIME] =
      N_ ("It may be waiting for something, be in an endless loop, or have much to do. "
          "If it really needs longer, raise the limit."),
  [FH_ATTEMPT_KIND_IMPORT] =
      N_ ("You chose which modules this run may import. If the program’s task needs "
          "this one and you trust it, add it to the list."),
  [FH_ATTEMPT_KIND_FUNCTION] =
      N_ ("You chose to block functions that end processes, delete files or start "
          "programs. Some harmless modules need them too, such as the one for temporary "
          "files."),
  [FH_ATTEMPT_KIND_OPERATIONS] =
      N_ ("The usual reason is an endless loop. If the program really has so much to "
          "do, raise the limit."),
  [FH_ATTEMPT_KIND_SHELL] =
      N_ ("Programs that it starts run behind the same guards. Check what they were "
          "told to do."),
};

/* A file that a program makes is not one that it looks for. */
static gboolean
is_search (const char *operation)
{
  return g_str_equal (operation, "open") || g_str_equal (operation, "list") ||
         g_str_equal (operation, "read attributes of");
}

const char *
fh_attempt_get_why (FhAttempt *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self);
  FhAttemptKind kind;

  g_return_val_if_fail (facts != NULL, NULL);

  kind = fh_attempt_kind (facts);
  if (kind == FH_ATTEMPT_KIND_FILE && !is_search (facts->operation))
    return _ ("Programs make, change and delete files of their own, such as results and "
              "temporary files. Judge by the name.");
  return _ (reasons[kind]);
}
