/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system calls that the supervisor inspects before they proceed, one line each. What they name
 * is reported if it matters, see attempt-files.c and attempt-network.c.
 *
 * Compiled by seccomp-compiler.c with the rules of seccomp-rules.h.
 */
#pragma once

#include "descriptor-numbers.h"
#include "seccomp-rules.h"

#include <limits.h>

/* The kind of a watched call. */
enum seccomp_act
{
  SECCOMP_ACT_NONE,
  SECCOMP_ACT_OPEN,         /* with flags in the argument after the path */
  SECCOMP_ACT_OPEN_HOW,     /* with flags in memory, openat2 (2) */
  SECCOMP_ACT_CREATE,       /* a file or a folder */
  SECCOMP_ACT_NODE,         /* with a type in the argument after the path, mknod (2) */
  SECCOMP_ACT_LINK,         /* to the file that the second path names */
  SECCOMP_ACT_LINK_BY_NAME, /* with the text that the second path is */
  SECCOMP_ACT_WRITE,        /* to a file without opening it, truncate (2) */
  SECCOMP_ACT_DELETE,
  SECCOMP_ACT_RENAME,
  SECCOMP_ACT_ATTRIBUTES, /* reads those of a file that need not be open, xattr (7) */
  SECCOMP_ACT_CHANGE,     /* permissions, owner or times */
  SECCOMP_ACT_EXECUTE,
  SECCOMP_ACT_SIGNAL,  /* to the process in the first argument of the pair below */
  SECCOMP_ACT_CONTROL, /* limits or scheduling of that process */
  /* All from here on have an address: in argument 1, in argument 4 of the third, or in messages. */
  SECCOMP_ACT_CONNECT,
  SECCOMP_ACT_BIND,
  SECCOMP_ACT_SEND,
  SECCOMP_ACT_SEND_MESSAGE,
  SECCOMP_ACT_SEND_MESSAGES,
};

/* The argument with a path, and the argument with the folder that it is relative to, or NO_FOLDER.
 * With NO_PATH the latter is what is meant itself. Of acts on processes: the process, and the
 * signal. */
#define NO_FOLDER (-1)
#define NO_PATH   (-1)
struct seccomp_path
{
  int folder;
  int path;
};

/* With other processes in its pid namespace init has to kill all others by itself, even if the
 * supervisor is gone: that filter does not ask about signals. */
#define SECCOMP_IS_WATCHED_IN(call, sandbox)                                                       \
  (SECCOMP_HOLDS_IN (call, sandbox) &&                                                             \
   ((call)->act != SECCOMP_ACT_SIGNAL || (sandbox) != SECCOMP_PEERS))

/* Calls that are inspected and let through; or, with an answer, refused and reported only if they
 * name something that is not the guest's. Never calls that programs make all the time, such as
 * read, write, close, futex or clone: a signal that arrives while such a call waits makes it fail
 * where no program expects it. */
#define NO_FOLLOWING UINT_MAX
struct seccomp_watched
{
  const char *name;
  enum seccomp_act act;
  struct seccomp_path paths[2];
  /* The call is not inspected if this argument, all 64 bits, has this value. */
  bool has_exception;
  unsigned int argument;
  uint64_t value;
  int answer;
  unsigned int only; /* as above */
  /* The argument that may have AT_SYMLINK_NOFOLLOW; 0: none; or NO_FOLLOWING. */
  unsigned int flags;
  int number; /* as above */
};

#define REFUSED_WITHOUT_NAMESPACES false, 0, 0, ENOTSUP, WITHOUT_NAMESPACES

#define AT(folder, path)                                                                           \
  {                                                                                                \
    {                                                                                              \
      folder, path                                                                                 \
    }                                                                                              \
  }
#define AT_BOTH(folder, path, other_folder, other_path)                                            \
  {                                                                                                \
    { folder, path }, { other_folder, other_path }                                                 \
  }
#define NOWHERE AT (NO_FOLDER, NO_PATH)

/* Refused where Landlock controls who may open a file, but not who may change this. */
#define NEW_CHANGE(call, folder, path, flags, number)                                               \
  {                                                                                                 \
    call, SECCOMP_ACT_CHANGE, AT (folder, path), false, 0, 0, 0, ~WITHOUT_NAMESPACES, flags, number \
  },                                                                                                \
  {                                                                                                 \
    call, SECCOMP_ACT_CHANGE, AT (folder, path), false, 0, 0, EPERM, WITHOUT_NAMESPACES, flags,     \
        number                                                                                      \
  }
#define CHANGE(call, folder, path, flags) NEW_CHANGE (call, folder, path, flags, 0)

/* The numbers of processes are shared with the user's others, and Landlock refuses the signal.
 * Programs signal their own threads all the time, which only costs a question here. */
#define SIGNAL(call, number_argument)                                                              \
  {                                                                                                \
    call, SECCOMP_ACT_SIGNAL, AT (0, number_argument), false, 0, 0, 0, WITHOUT_NAMESPACES          \
  }

/* There the guest may do that to itself only, whose number is 0 then. */
#define CONTROL(call, process)                                                                     \
  {                                                                                                \
    call, SECCOMP_ACT_CONTROL, AT (process, NO_PATH), true, process, 0, EPERM, WITHOUT_NAMESPACES  \
  }

static const struct seccomp_watched seccomp_watched[] = {
  { "open", SECCOMP_ACT_OPEN, AT (NO_FOLDER, 0) },
  { "openat", SECCOMP_ACT_OPEN, AT (0, 1) },
  { "openat2", SECCOMP_ACT_OPEN_HOW, AT (0, 1) },
  { "creat", SECCOMP_ACT_CREATE, AT (NO_FOLDER, 0) },
  { "truncate", SECCOMP_ACT_WRITE, AT (NO_FOLDER, 0) },
  { "mkdir", SECCOMP_ACT_CREATE, AT (NO_FOLDER, 0) },
  { "mkdirat", SECCOMP_ACT_CREATE, AT (0, 1) },
  { "mknod", SECCOMP_ACT_NODE, AT (NO_FOLDER, 0) },
  { "mknodat", SECCOMP_ACT_NODE, AT (0, 1) },
  { "symlink", SECCOMP_ACT_LINK_BY_NAME, AT_BOTH (NO_FOLDER, 1, NO_FOLDER, 0) },
  { "symlinkat", SECCOMP_ACT_LINK_BY_NAME, AT_BOTH (1, 2, NO_FOLDER, 0) },
  { "link", SECCOMP_ACT_LINK, AT_BOTH (NO_FOLDER, 1, NO_FOLDER, 0) },
  { "linkat", SECCOMP_ACT_LINK, AT_BOTH (2, 3, 0, 1) },
  { "unlink", SECCOMP_ACT_DELETE, AT (NO_FOLDER, 0) },
  { "unlinkat", SECCOMP_ACT_DELETE, AT (0, 1) },
  { "rmdir", SECCOMP_ACT_DELETE, AT (NO_FOLDER, 0) },
  { "rename", SECCOMP_ACT_RENAME, AT_BOTH (NO_FOLDER, 0, NO_FOLDER, 1) },
  { "renameat", SECCOMP_ACT_RENAME, AT_BOTH (0, 1, 2, 3) },
  { "renameat2", SECCOMP_ACT_RENAME, AT_BOTH (0, 1, 2, 3) },
  { "execve", SECCOMP_ACT_EXECUTE, AT (NO_FOLDER, 0) },
  { "execveat", SECCOMP_ACT_EXECUTE, AT (0, 1), .flags = 4 },
  /* As on a file system without extended attributes, which programs that list or copy files can
   * handle. */
  { "getxattr", SECCOMP_ACT_ATTRIBUTES, AT (NO_FOLDER, 0), REFUSED_WITHOUT_NAMESPACES },
  { "lgetxattr",
    SECCOMP_ACT_ATTRIBUTES,
    AT (NO_FOLDER, 0),
    REFUSED_WITHOUT_NAMESPACES,
    NO_FOLLOWING },
  { "listxattr", SECCOMP_ACT_ATTRIBUTES, AT (NO_FOLDER, 0), REFUSED_WITHOUT_NAMESPACES },
  { "llistxattr",
    SECCOMP_ACT_ATTRIBUTES,
    AT (NO_FOLDER, 0),
    REFUSED_WITHOUT_NAMESPACES,
    NO_FOLLOWING },
  CHANGE ("chmod", NO_FOLDER, 0, 0),
  CHANGE ("fchmodat", 0, 1, 0),
  CHANGE ("chown", NO_FOLDER, 0, 0),
  CHANGE ("lchown", NO_FOLDER, 0, NO_FOLLOWING),
  CHANGE ("fchownat", 0, 1, 4),
  CHANGE ("utime", NO_FOLDER, 0, 0),
  CHANGE ("utimes", NO_FOLDER, 0, 0),
  CHANGE ("futimesat", 0, 1, 0),
  CHANGE ("utimensat", 0, 1, 3),
  CHANGE ("fchmod", 0, NO_PATH, 0),
  CHANGE ("fchown", 0, NO_PATH, 0),
  NEW_CHANGE ("fchmodat2", 0, 1, 3, 452),
  { "connect", SECCOMP_ACT_CONNECT, NOWHERE },
  { "bind", SECCOMP_ACT_BIND, NOWHERE },
  { "sendto", SECCOMP_ACT_SEND, NOWHERE, true, 4, 0 },
  /* Init is under the filter as well and would wait before anyone answers. No other process can
   * have this descriptor number. */
  { "sendmsg", SECCOMP_ACT_SEND_MESSAGE, NOWHERE, true, 0, SETUP_STATUS_FD },
  { "sendmmsg", SECCOMP_ACT_SEND_MESSAGES, NOWHERE },
  /* So that init can kill all others even if the supervisor is gone; see init.c. */
  { "kill", SECCOMP_ACT_SIGNAL, AT (0, 1), true, 0, UINT64_MAX },
  SIGNAL ("tkill", 1),
  SIGNAL ("tgkill", 2),
  SIGNAL ("rt_sigqueueinfo", 1),
  SIGNAL ("rt_tgsigqueueinfo", 2),
  CONTROL ("prlimit64", 0),
  CONTROL ("sched_setaffinity", 0),
  CONTROL ("sched_setattr", 0),
  CONTROL ("sched_setparam", 0),
  CONTROL ("sched_setscheduler", 0),
  CONTROL ("setpriority", 1),
  CONTROL ("ioprio_set", 1),
};
