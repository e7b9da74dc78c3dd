/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "attempt-kind.h"

/* Why a program would do such a thing, and what to think of it. */
static const char *const reasons[FH_ATTEMPT_N_KINDS] = {
  [FH_ATTEMPT_KIND_OTHER] =
      N_ ("This is rarely seen. Look at the place in the source and decide whether the program’s "
          "task needs it."),
  [FH_ATTEMPT_KIND_KEYS] =
      N_ ("Private keys open your other computers and sign in your name. Code that answers a "
          "question has no reason to look for them."),
  [FH_ATTEMPT_KIND_PASSWORDS] =
      N_ ("Passwords and access tokens are kept here. Whoever has them can act in your name "
          "elsewhere; code that answers a question has no reason to look for them."),
  [FH_ATTEMPT_KIND_BROWSER] =
      N_ ("A browser’s folder holds saved passwords and the cookies that keep you signed in. Code "
          "that steals from people looks here first."),
  [FH_ATTEMPT_KIND_SHELL_HISTORY] =
      N_ ("The history of your commands tells where you work, and often holds passwords that were "
          "typed by mistake. Ordinary programs do not read it."),
  [FH_ATTEMPT_KIND_ACCOUNTS] =
      N_ ("These files say who may use the computer, with which password and which rights. Many "
          "programs ask for the name of the user, which is harmless; the passwords are nobody’s "
          "business."),
  [FH_ATTEMPT_KIND_CONTAINERS] =
      N_ ("Whoever may talk to a container service can run anything with the rights of the "
          "administrator. It is a well-known way out of a sandbox."),
  [FH_ATTEMPT_KIND_DESKTOP] =
      N_ ("The services of your desktop and the system can open files, type, record the screen and "
          "start programs. A program without a window needs none of them."),
  [FH_ATTEMPT_KIND_STARTUP] =
      N_ ("What stands here is run whenever you sign in or open a terminal. Code that wants to "
          "stay on a computer writes to such files."),
  [FH_ATTEMPT_KIND_HOME] =
      N_ ("This is or would be a file of yours. A program that needs one of your files should be "
          "given just that one, for instance as standard input."),
  [FH_ATTEMPT_KIND_DEVICE] =
      N_ ("Devices give direct access to disks, memory, cameras or terminals. Ordinary programs "
          "need none but null, zero and the sources of random numbers."),
  [FH_ATTEMPT_KIND_KERNEL_FILE] =
      N_ ("Here the kernel tells about itself and about processes. Much of it is harmless, such as "
          "the number of processors; the rest helps to find a way out of a sandbox."),
  [FH_ATTEMPT_KIND_SYSTEM_FILE] =
      N_ ("Reading the system’s files is what every program does. Changing them is the business of "
          "the package manager; a program that tries has no good reason."),
  [FH_ATTEMPT_KIND_FILE] =
      N_ ("Programs look for many files that need not exist, such as settings and libraries. Only "
          "the name tells whether it is worth a thought."),
  [FH_ATTEMPT_KIND_EXECUTE] =
      N_ ("Many programs use others as tools, which then run behind the same guards. A shell, a "
          "downloader or a compiler deserves a look at what it was told to do."),
  [FH_ATTEMPT_KIND_LOOK_UP] =
      N_ ("A program looks up a name before it connects. The name says whom it wanted to reach; "
          "stolen data can even be hidden in the name itself."),
  [FH_ATTEMPT_KIND_PROXY] =
      N_ ("Everything that leaves the sandbox goes through this proxy. If the program’s task needs "
          "this host, allow it by its name; otherwise ask why it was wanted."),
  [FH_ATTEMPT_KIND_CONNECT_HERE] =
      N_ ("Databases, development servers and desktop services often trust whoever asks from the "
          "same computer. In a sandbox’s own network there is nobody at this address but the "
          "program itself."),
  [FH_ATTEMPT_KIND_CONNECT_NEAR] =
      N_ ("Routers, printers and other computers in your own network are often badly protected. "
          "Code that answers a question has no reason to look at them."),
  [FH_ATTEMPT_KIND_CONNECT_METADATA] =
      N_ ("At this address a cloud gives its machines the keys to the account that pays for them. "
          "It is among the first things that stolen access is used for."),
  [FH_ATTEMPT_KIND_CONNECT] =
      N_ ("Data could be fetched from there or sent there. If the program’s task needs this, allow "
          "the host by its name; otherwise ask why it was wanted."),
  [FH_ATTEMPT_KIND_SERVE] =
      N_ ("Servers do this, and tests that talk to themselves. In a sandbox’s own network nobody "
          "else can connect."),
  [FH_ATTEMPT_KIND_SOCKET] =
      N_ ("Rare kinds of sockets reach deep into the kernel, and many holes were found there. "
          "Almost no program needs them."),
  [FH_ATTEMPT_KIND_SIGNAL] =
      N_ ("Signals end, stop or wake processes. A program may well end its own helpers; one that "
          "signals everything it can find means to break something."),
  [FH_ATTEMPT_KIND_INSPECT] =
      N_ ("Debuggers do this. So does code that steals keys from the memory of other programs, or "
          "that hides inside them."),
  [FH_ATTEMPT_KIND_MOUNT] =
      N_ ("Whoever can mount can uncover what was hidden and make writable what was not. It is how "
          "one would try to take a sandbox apart."),
  [FH_ATTEMPT_KIND_NAMESPACES] =
      N_ ("Browsers and container tools do this to protect themselves. It also makes many old "
          "holes of the kernel reachable, so that most ways out of a sandbox begin here."),
  [FH_ATTEMPT_KIND_KERNEL] =
      N_ ("Such parts of the kernel are powerful, young and rarely needed, and many holes were "
          "found in them. Libraries may ask for one and do without; nothing is lost then."),
  [FH_ATTEMPT_KIND_KEYRING] =
      N_ ("The kernel may keep passwords of encrypted disks and network shares for you. Ordinary "
          "programs have no use for them."),
  [FH_ATTEMPT_KIND_MACHINE] =
      N_ ("Only an administrator may do this, and a program that was given no such task should "
          "not try."),
  [FH_ATTEMPT_KIND_HANDLES] =
      N_ ("In this way one can get at files past the folders that hide them. It has been used to "
          "break out of containers."),
  [FH_ATTEMPT_KIND_TERMINAL] =
      N_ ("With such an order, text can be put into your terminal as if you had typed it. No "
          "program that means well does that."),
  [FH_ATTEMPT_KIND_PRIVILEGES] =
      N_ ("With more rights a program could reach what is kept from it. Installers ask for this; "
          "code that answers a question has no reason to."),
  [FH_ATTEMPT_KIND_SYSTEM_CALL] =
      N_ ("This request to the kernel is on the list of those that ordinary programs do not need. "
          "Some libraries try it and do without when it fails."),
  [FH_ATTEMPT_KIND_LIMIT_PROCESSES] =
      N_ ("A program that starts processes without end would make the whole computer stand still. "
          "If this one really needs so many, raise the limit."),
  [FH_ATTEMPT_KIND_LIMIT_MEMORY] =
      N_ ("A mistake in a loop is the usual reason, a large task the second one. If this program "
          "really needs so much, raise the limit."),
  [FH_ATTEMPT_KIND_LIMIT_DISK] =
      N_ ("A mistake in a loop is the usual reason, a large result the second one. If this program "
          "really needs so much room, raise the limit."),
  [FH_ATTEMPT_KIND_LIMIT_OUTPUT] =
      N_ ("Printing in a loop without an end is the usual reason. A large result is better written "
          "to a file."),
  [FH_ATTEMPT_KIND_LIMIT_TIME] =
      N_ ("It may be waiting for something, run in a circle, or have much to do. If it really "
          "needs longer, raise the limit."),
  [FH_ATTEMPT_KIND_IMPORT] =
      N_ ("You chose which modules this run may import. If the program’s task needs this one and "
          "you trust what it can do, put it on the list."),
  [FH_ATTEMPT_KIND_FUNCTION] =
      N_ ("You chose to take away functions that end processes, delete files or start programs. "
          "Some harmless modules need them as well, such as the one for temporary files."),
  [FH_ATTEMPT_KIND_OPERATIONS] =
      N_ ("A loop without an end is the usual reason. If the program really has so much to do, "
          "raise the limit."),
  [FH_ATTEMPT_KIND_SHELL] =
      N_ ("Other programs that are started run behind the same guards. What they were told to do "
          "says more about the program’s intentions than its own code."),
};

const char *
fh_attempt_get_why (FhAttempt *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self);

  g_return_val_if_fail (facts != NULL, NULL);

  return _ (reasons[fh_attempt_kind (facts)]);
}
