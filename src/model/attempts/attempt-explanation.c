/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "attempt-kind.h"

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
