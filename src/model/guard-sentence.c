/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-sentence.h"

#include "config.h"

#include <glib/gi18n-lib.h>

/* One sentence per guard, level and reason. A row without a reason stands for every reason that has
 * no row of its own; the reason is then shown after it as it is. */
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
    N_ ("The program sees the system’s own files, read-only, and an empty folder of its own; your "
        "files are not there at all.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_ACTIVE,
    "container",
    N_ ("The program sees the files of the image, read-only, and an empty folder of its own; your "
        "files are not there at all.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "writable-image",
    N_ ("The program sees the files of the image and can change the container’s own copy of them; "
        "your files are not there at all.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "shared-folder",
    N_ ("The program sees the files of the image, and can change what lies in folders that are "
        "still there afterwards; none of your other files are there.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program cannot open your files, but it is kept from them by fewer layers than "
        "usual.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "no-landlock",
    N_ ("Your files are not there at all; the second layer behind that, Landlock, is missing "
        "because this kernel does not offer it.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "old-landlock",
    N_ ("Your files are not there at all; the second layer behind that, Landlock, is weaker than "
        "usual because this kernel is older than Linux 6.2.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "landlock-only",
    N_ ("The program cannot open your files, but it can find out their names.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Your files cannot be kept from the program on this computer.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Your files are not kept from the program, as was asked for.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program can read, change and delete all your files, as was asked for.") },

  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program is alone in a network of its own: it reaches neither the internet, nor your "
        "local network, nor the services of this computer.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_ACTIVE,
    "allowed-hosts",
    N_ ("The program is alone in a network of its own; a proxy takes it to the hosts that were "
        "allowed and to no others.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program cannot reach the network, but it is kept from it by fewer layers than "
        "usual.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-namespaces",
    N_ ("The program can make no connections at all, not even to itself: it is refused every kind "
        "of socket. It has no network of its own behind that, because this system gives it "
        "none.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-dns-sink",
    N_ ("The program is alone in a network of its own; which names it looks up cannot be told "
        "here.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-proxy",
    N_ ("The program is alone in a network of its own and reaches nothing, not even the hosts that "
        "were allowed: the proxy that leads to them could not be started.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "network-allowed",
    N_ ("The program may use the network that the container is connected to.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    "host-network",
    N_ ("The program may use this computer’s own network, with all that can be reached from it: "
        "the internet, your local network, and services that only this computer can reach.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program cannot be kept from the network on this computer.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may use the network, as was asked for.") },

  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program sees only its own processes, and all of them end together with it.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("All processes of the program end together with it, but it is separated from yours by "
        "fewer layers than usual.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-namespaces",
    N_ ("The program cannot stop or look into your other programs, and all of its own processes "
        "end together with it, but it runs among yours. How many it starts is limited together "
        "with those that you have.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "root",
    N_ ("The program sees only its own processes and all of them end together with it, but their "
        "number is not limited, because the kernel does not count the processes of root.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-limit",
    N_ ("The program sees only its own processes and all end together with it, but it can start "
        "any number of them.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "not-granted",
    N_ ("The program sees only its own processes and all end together with it. Their number is "
        "looked at several times a second, because the container engine did not set the limit that "
        "it was asked for.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program cannot be separated from your other processes on this computer.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The number of processes is not limited, as was asked for.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program can see, stop and change your other programs, as was asked for. Its own "
        "processes are ended with it.") },

  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("Requests to the kernel that ordinary programs do not need, and attacks often do, are "
        "refused.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("Dangerous requests to the kernel are refused, but not as strictly as usual.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    "old-kernel",
    N_ ("Requests to the kernel that attacks often make are refused; which ones cannot be told, "
        "because this kernel is too old to report them.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    "no-listener",
    N_ ("Requests to the kernel that attacks often make are refused; which ones cannot be told, "
        "because the kernel does not report them to Fumehood here.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Dangerous requests to the kernel cannot be refused on this computer.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Dangerous requests to the kernel are not refused, as was asked for.") },

  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program has no special rights and cannot gain any, not even inside its own "
        "sandbox.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program has no special rights, but one of the layers that keep it from gaining any is "
        "missing.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-namespaces",
    N_ ("The program has no special rights and cannot gain any, but it is the same user as you.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-keyring",
    N_ ("The program has no special rights and cannot gain any, but it could not be given a "
        "keyring "
        "of its own; the system call guard keeps it from yours.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "root",
    N_ ("The program is root in the container, though without any of root’s special rights, and "
        "what it leaves in your folders belongs to root.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "capabilities",
    N_ ("The program has no special rights, but the container engine has given the container more "
        "than it was asked for.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s rights cannot be taken away on this computer.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program keeps your own rights, as was asked for.") },

  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The kernel itself holds the program, with all its processes, to the memory limit.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The memory limit is enforced less exactly than usual.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "no-cgroup",
    N_ ("The memory of all processes together is measured many times a second, and the program is "
        "stopped when it is found to be over the limit. The kernel’s own limit cannot be used "
        "here, so this is approximate: a sudden burst can go over, and so can memory that is held "
        "without being mapped, such as shared memory or data waiting in sockets.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "cgroup-shared",
    N_ ("The memory of all processes together is only measured, many times a second, because the "
        "control group that this run was given holds other processes as well.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "cgroup-controllers",
    N_ ("The memory of all processes together is only measured, many times a second, because "
        "systemd does not hand the kernel’s memory controller on to your programs here.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "cgroup-refused",
    N_ ("The memory of all processes together is only measured, many times a second, because the "
        "kernel did not accept its own limit for this run.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "swap",
    N_ ("The kernel itself holds the program to the memory limit, but it cannot keep it from using "
        "swap space beyond that.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "not-granted",
    N_ ("The memory of all processes together is only measured, many times a second, because the "
        "container engine did not set the limit that it was asked for.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "container-larger",
    N_ ("The kernel holds the container to a limit that is larger than this run’s; within that, "
        "the memory of all processes together is measured many times a second.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s memory cannot be limited on this computer.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may use all the memory there is, as was asked for.") },

  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program is stopped when its time is over, whatever it does against that.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The time limit is enforced less exactly than usual.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s time cannot be limited on this computer.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may run until you stop it, as was asked for.") },

  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program writes to a space of limited size that is gone afterwards; nothing reaches "
        "your disk.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The space that the program may fill is limited less exactly than usual.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "no-inode-limit",
    N_ ("The program writes to a space of limited size that is gone afterwards. How many files it "
        "makes there is looked at several times a second, so it can be too many for a moment.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "watched",
    N_ ("The program writes to a folder of its own on your disk that is removed afterwards. How "
        "much is in it is looked at several times a second, so it can be too much for a moment, "
        "and "
        "a deleted file that it keeps open can be missed.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "writable-volume",
    N_ ("The program’s own space is of limited size and gone afterwards; what it writes to the "
        "folders that it was given to change is neither.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "shared-folder",
    N_ ("The program writes to a folder that is still there afterwards. How much it adds is looked "
        "at several times a second, so it can be too much for a moment; no single file can become "
        "larger than the limit.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    "not-granted",
    N_ ("The container engine did not limit the space that the program may fill, as it was asked "
        "to; no single file can become larger than the limit.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The space that the program may fill cannot be limited on this computer.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may write as much as there is room for, as was asked for; it is gone "
        "afterwards.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program can write wherever you can, as much as there is room for, as was asked "
        "for.") },

  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("All output is counted, its beginning and its end are kept, and a program that floods it "
        "is stopped.") },
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
    N_ ("The program may print without an end, as was asked for; the beginning and the end of it "
        "are kept.") },

  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program gets a fresh environment: none of your variables, with the keys and tokens "
        "that may be in them, and none of your open files.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_ACTIVE,
    "named-variables",
    N_ ("The program gets a fresh environment with the variables that it was given; none of your "
        "others, and none of your open files.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program gets a fresh environment, but with more in it than usual.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s environment cannot be cleaned on this computer.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program gets your own environment variables, as was asked for.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_OFF,
    "unprotected",
    N_ ("The program gets a fresh environment, but nothing keeps it from reading yours, as was "
        "asked for.") },

  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("Python itself refuses what this run should do without. A program that wants to can get "
        "around that: it is advice, and no protection.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_DEGRADED,
    "kept-home",
    N_ ("Python itself refuses what this run should do without; but an earlier run in this "
        "container "
        "can have changed how Python starts.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("Python itself refuses a part of what this run should do without; that is advice, and no "
        "protection.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Only Python can refuse functions, imports or operations; this program is none.") },
  { FH_GUARD_INTERPRETER,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Python may use all its functions and modules: what protects you is around it.") },
};

/* Reasons that say no more than the level does. */
static gboolean
reason_speaks (FhGuardLevel level, const char *reason)
{
  const char *const wishes[] = { "no-limit", "switched-off", "unprotected", NULL };

  return reason != NULL && !(level == FH_GUARD_LEVEL_OFF && g_strv_contains (wishes, reason));
}

char *
fh_guard_sentence (FhGuard guard, FhGuardLevel level, const char *reason)
{
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
  if (!reason_speaks (level, reason))
    return g_strdup (_ (general));
  /* Translators: a whole sentence, then a machine word such as "no-cgroup" */
  return g_strdup_printf (C_ ("guard sentence and reason", "%s (%s)"), _ (general), reason);
}
