/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-sentence.h"

#include "config.h"

#include <glib/gi18n-lib.h>

/* One sentence per guard, level and reason. A row without a reason is for all reasons that have no
 * row; the reason is then appended unchanged. */
static const struct
{
  FhGuard guard;
  FhGuardLevel level;
  const char *reason;
  const char *sentence;
} sentences[] = {
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program sees the system’s files, read-only, and an empty folder of its own. Your "
        "files are not there.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_ACTIVE,
    "project",
    N_ ("The program sees the system’s files, read-only, and the project folder. What it changes "
        "is kept apart from the folder. Your other files are not there.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_ACTIVE,
    "container",
    N_ ("The program sees the image’s files, read-only, and an empty folder of its own. Your "
        "files are not there.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "writable-image",
    N_ ("The program sees the image’s files and can change the container’s copy of them. Your "
        "files are not there.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "shared-folder",
    N_ ("The program sees the image’s files and can change folders that remain afterwards. "
        "Your other files are not there.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program cannot open your files, but fewer layers than usual prevent it.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "no-landlock",
    N_ ("Your files are not there. Landlock, the second layer, is missing because this kernel "
        "does not support it.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "old-landlock",
    N_ ("Your files are not there. Landlock, the second layer, is weaker than usual because "
        "this kernel is older than Linux 6.2.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "shared-sockets",
    N_ ("Your files are not there. But if another program of yours creates a socket in the "
        "interpreter’s folders during the run, the two can communicate.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "landlock-only",
    N_ ("The program cannot open your files, but it can find out their names.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "old-flatpak",
    N_ ("Your files are not there. But Flatpak is older than 1.16.4, and unless your distribution "
        "has repaired it, its portal has a known hole (CVE-2026-34078). The program cannot reach "
        "the portal; update Flatpak all the same.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Your files cannot be protected on this computer.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Your files are not protected, as requested.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program can read, change and delete all your files, as requested.") },

  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program is alone in its own network. It cannot reach the internet, your local "
        "network or the services of this computer.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_ACTIVE,
    "allowed-hosts",
    N_ ("The program is alone in its own network. It can reach only the allowed hosts, "
        "through a proxy.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program cannot reach the network, but fewer layers than usual prevent it.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-namespaces",
    N_ ("The program cannot make any connections, not even to itself, because it gets no "
        "sockets. The second layer, a network of its own, is missing because this system does "
        "not allow it.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "in-flatpak",
    N_ ("The program is alone in its own network, which Flatpak made. It gets no sockets either, "
        "so it cannot connect to itself, and the names it looks up cannot be reported.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-way-to-hosts",
    N_ ("The program cannot make any connections, because it gets no sockets. It cannot reach the "
        "allowed hosts either: that takes a network of its own, which Fumehood may not make as a "
        "Flatpak, or where the system allows no namespaces.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-dns-sink",
    N_ ("The program is alone in its own network. The names it looks up cannot be reported "
        "here.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-proxy",
    N_ ("The program is alone in its own network. It cannot reach the allowed hosts either, "
        "because the proxy could not be started.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "network-allowed",
    N_ ("The program can use the container’s network.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "host-network",
    N_ ("The program can use this computer’s network: the internet, your local network, and "
        "services that only this computer can reach.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Network access cannot be blocked on this computer.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program can use the network, as requested.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_OFF,
    "in-flatpak",
    N_ ("The program may make connections, as requested, but only to itself: as a Flatpak, "
        "Fumehood "
        "has no network to share with it.") },

  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program sees only its own processes, and they all end with it.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("All processes of the program end with it, but fewer layers than usual separate them "
        "from yours.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-namespaces",
    N_ ("The program cannot stop or inspect your other programs, and all its processes end "
        "with it. But it runs among yours, and its processes count toward your account’s "
        "limit.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "in-flatpak",
    N_ ("The program’s processes are separated from yours, and they all end with it. But the "
        "process that guards it is among them, protected by fewer layers than usual.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "root",
    N_ ("The program sees only its own processes, and they all end with it. Their number is "
        "not limited, because the kernel does not count root’s processes.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "core-handler",
    N_ ("The program sees only its own processes, and they all end with it. But if it "
        "crashes, the system’s crash handler starts and can read its memory.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-limit",
    N_ ("The program sees only its own processes, and they all end with it. Their number is "
        "not limited.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "not-granted",
    N_ ("The program sees only its own processes, and they all end with it. Their number is "
        "checked several times a second, because the container engine did not set the "
        "requested limit.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program cannot be separated from your other processes on this computer.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The number of processes is not limited, as requested.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program can see, stop and change your other programs, as requested. Its own "
        "processes end with it.") },

  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("System calls that attacks often need, and ordinary programs do not, are blocked.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("Dangerous system calls are blocked, but not as strictly as usual.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    "old-kernel",
    N_ ("Dangerous system calls are blocked, but cannot be reported because this kernel is "
        "too old.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    "no-listener",
    N_ ("Dangerous system calls are blocked, but the kernel does not report them to Fumehood "
        "here.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    "in-flatpak",
    N_ ("Dangerous system calls are blocked, by Flatpak’s own filter as well. What Flatpak’s "
        "filter "
        "blocks cannot be reported as an attempt.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Dangerous system calls cannot be blocked on this computer.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Dangerous system calls are not blocked, as requested.") },

  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program has no privileges and cannot gain any, not even inside its sandbox.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_ACTIVE,
    "own-user",
    N_ ("The program has no privileges and cannot gain any. It runs under its own user ID, so "
        "it cannot use up the kernel’s limits for your account.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program has no privileges, but one of the layers that prevent it from gaining "
        "any is missing.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-namespaces",
    N_ ("The program has no privileges and cannot gain any, but it runs under your user ID.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-keyring",
    N_ ("The program has no privileges and cannot gain any. It has no keyring of its own; the "
        "system call guard blocks access to yours.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "root",
    N_ ("The program is root in the container, though without root’s privileges. Files that "
        "it leaves in your folders belong to root.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "capabilities",
    N_ ("The program has no privileges, but the container engine gave the container more than "
        "requested.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s privileges cannot be dropped on this computer.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program keeps your privileges, as requested.") },

  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The kernel enforces the memory limit for all processes of the program together.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The memory limit is enforced less exactly than usual.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "no-cgroup",
    N_ ("The memory of all processes together is watched, not limited: bursts can exceed the "
        "limit, and shared memory that was unmapped is not counted. With systemd, “loginctl "
        "enable-linger” gets you the kernel’s own limit.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "cgroup-shared",
    N_ ("The memory of all processes together is watched, not limited, because other processes "
        "share the run’s control group.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "cgroup-controllers",
    N_ ("The memory of all processes together is watched, not limited, because systemd does not "
        "delegate the kernel’s memory controller to your programs here.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "cgroup-refused",
    N_ ("The memory of all processes together is watched, not limited, because the kernel did not "
        "accept its own limit for this run.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "swap",
    N_ ("The kernel enforces the memory limit, but not for swap space.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "not-granted",
    N_ ("The memory of all processes together is watched, not limited, because the container "
        "engine "
        "did not set the requested limit.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "container-larger",
    N_ ("The kernel enforces the container’s memory limit, which is larger than this run’s. "
        "Below it, the memory of all processes together is watched, not limited.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s memory cannot be limited on this computer.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program can use all available memory, as requested.") },

  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program is stopped when its time is up, and cannot prevent it.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The time limit is enforced less exactly than usual, and the program may have used more "
        "CPU time than is told.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s time cannot be limited on this computer.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program can run until you stop it, as requested.") },

  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program writes to a limited space in memory that is deleted afterwards. Nothing "
        "reaches your disk.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("Disk space is limited less exactly than usual.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-inode-limit",
    N_ ("The program writes to a limited space in memory that is deleted afterwards. The "
        "number of files is checked several times a second and can exceed its limit for a "
        "moment.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "watched",
    N_ ("The program writes to its own folder on your disk, which is deleted afterwards. Its "
        "size is checked several times a second and can exceed the limit for a moment. "
        "Deleted files that are still open in unusual ways are noticed late.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "writable-volume",
    N_ ("The program’s own space is limited and deleted afterwards, but what it writes to "
        "shared folders is not.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "shared-folder",
    N_ ("The program writes to a folder that remains afterwards. What it adds is checked "
        "several times a second and can exceed the limit for a moment. No single file can "
        "exceed it.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "not-granted",
    N_ ("The container engine did not limit disk space as requested. No single file can "
        "exceed the limit.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Disk space cannot be limited on this computer.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program can fill all available space, as requested. Its files are deleted "
        "afterwards.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program can write wherever you can and fill your disk, as requested.") },

  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("Output is limited. Its beginning and end are kept, and a program that prints too "
        "much is stopped.") },
  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The amount of output is limited less exactly than usual.") },
  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The amount of output cannot be limited on this computer.") },
  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program can print any amount, as requested. The beginning and end are kept.") },

  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program gets a clean environment, without your variables (which may hold keys "
        "and tokens) and without your open files.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_ACTIVE,
    "named-variables",
    N_ ("The program gets a clean environment with only the variables that you set, and "
        "without your open files.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_ACTIVE,
    "forked",
    N_ ("The program gets a clean environment, without your variables and open files. Its Python "
        "is a copy of one that was started for many runs: they have its memory addresses, hash "
        "seed and imported modules in common, and nothing that another run did.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program gets a clean environment, but with more in it than usual.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s environment cannot be cleaned on this computer.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program gets your environment variables, as requested.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program gets a clean environment, but can read yours, as requested.") },

  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("Python blocks the functions and modules that this run may not use. A program can get "
        "around this; it is not protection.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_DEGRADED,
    "kept-home",
    N_ ("Python blocks the functions and modules that this run may not use, but an earlier "
        "run in this container may have changed how Python starts.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("Python blocks some of the functions and modules that this run may not use. This is "
        "not protection.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Functions, imports and operations can be limited in Python only.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Python can use all its functions and modules; the other guards protect you.") },
};

char *
fh_guard_sentence (FhGuard guard, FhGuardLevel level, const char *reason)
{
  /* Reasons that say no more than the level does. */
  const char *const wishes[] = { "no-limit", "switched-off", "unprotected", NULL };
  const char *general = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      if (sentences[i].guard != guard || sentences[i].level != level)
        continue;
      if (sentences[i].reason == NULL)
        general = sentences[i].sentence;
      else if (g_strcmp0 (sentences[i].reason, reason) == 0)
        return g_strdup (_ (sentences[i].sentence));
    }
  g_assert (general != NULL);
  if (reason == NULL || (level == FH_GUARD_LEVEL_OFF && g_strv_contains (wishes, reason)))
    return g_strdup (_ (general));
  /* Translators: a whole sentence, then a machine word such as "no-cgroup" */
  return g_strdup_printf (C_ ("guard sentence and reason", "%s (%s)"), _ (general), reason);
}
