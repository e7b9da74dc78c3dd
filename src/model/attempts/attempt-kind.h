/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "attempt.h"

/* What an attempt is about, in the groups that have explanations of their own. */
typedef enum
{
  FH_ATTEMPT_KIND_OTHER,

  /* files, by what they are */
  FH_ATTEMPT_KIND_KEYS,
  FH_ATTEMPT_KIND_PASSWORDS,
  FH_ATTEMPT_KIND_BROWSER,
  FH_ATTEMPT_KIND_SHELL_HISTORY,
  FH_ATTEMPT_KIND_ACCOUNTS,
  FH_ATTEMPT_KIND_CONTAINERS,
  FH_ATTEMPT_KIND_DESKTOP,
  FH_ATTEMPT_KIND_STARTUP,
  FH_ATTEMPT_KIND_HOME,
  FH_ATTEMPT_KIND_OWN_TERMINAL,
  FH_ATTEMPT_KIND_DEVICE,
  FH_ATTEMPT_KIND_KERNEL_FILE,
  FH_ATTEMPT_KIND_SYSTEM_FILE,
  FH_ATTEMPT_KIND_FILE,
  FH_ATTEMPT_KIND_EXECUTE,

  FH_ATTEMPT_KIND_LOOK_UP,
  FH_ATTEMPT_KIND_PROXY,
  FH_ATTEMPT_KIND_CONNECT_HERE,     /* this computer, as the program sees it */
  FH_ATTEMPT_KIND_CONNECT_NEAR,     /* the local network */
  FH_ATTEMPT_KIND_CONNECT_METADATA, /* metadata of a cloud's machines */
  FH_ATTEMPT_KIND_CONNECT,
  FH_ATTEMPT_KIND_SERVE,
  FH_ATTEMPT_KIND_SOCKET, /* of a family that the filter refuses */

  FH_ATTEMPT_KIND_SIGNAL,
  FH_ATTEMPT_KIND_INSPECT,    /* other processes: ptrace and its like */
  FH_ATTEMPT_KIND_MOUNT,      /* mount and its family */
  FH_ATTEMPT_KIND_NAMESPACES, /* unshare, setns, clone */
  FH_ATTEMPT_KIND_KERNEL,     /* bpf, io_uring, … */
  FH_ATTEMPT_KIND_KEYRING,
  FH_ATTEMPT_KIND_MACHINE, /* modules, reboot, clock, … */
  FH_ATTEMPT_KIND_HANDLES, /* files by number */
  FH_ATTEMPT_KIND_TERMINAL,
  FH_ATTEMPT_KIND_PRIVILEGES,
  FH_ATTEMPT_KIND_SYSTEM_CALL,

  FH_ATTEMPT_KIND_LIMIT_PROCESSES,
  FH_ATTEMPT_KIND_LIMIT_MEMORY,
  FH_ATTEMPT_KIND_LIMIT_DISK,
  FH_ATTEMPT_KIND_LIMIT_OUTPUT,
  FH_ATTEMPT_KIND_LIMIT_TIME,

  /* what only the interpreter knows */
  FH_ATTEMPT_KIND_IMPORT,
  FH_ATTEMPT_KIND_FUNCTION,
  FH_ATTEMPT_KIND_OPERATIONS,
  FH_ATTEMPT_KIND_SHELL,
  FH_ATTEMPT_N_KINDS,
} FhAttemptKind;

/* A program's home folder is its workspace: policy-builder.h. */
#define FH_ATTEMPT_WORKSPACE "/workspace/"
/* The program also has this home in a kept container. */
#define FH_ATTEMPT_CONTAINER_HOME "/home/fumehood/"

FhAttemptKind fh_attempt_kind (const FhAttemptFacts *facts);

/* How much a person should know of an attempt before others, the gravest first. */
typedef enum
{
  FH_ATTEMPT_GRAVITY_SECRET, /* keys, passwords, what others could act with in the user's name */
  FH_ATTEMPT_GRAVITY_NETWORK,
  FH_ATTEMPT_GRAVITY_SYSTEM, /* the computer, its files, other programs */
  FH_ATTEMPT_GRAVITY_REST,
  FH_ATTEMPT_N_GRAVITIES,
} FhAttemptGravity;

FhAttemptGravity fh_attempt_gravity (const FhAttemptFacts *facts);

/* Returns the part of a path that follows the user's home folder, or NULL: ".ssh/id_rsa". The
 * program's own folder counts as well for names that begin with a dot, because "~" is that folder
 * inside. */
const char *fh_attempt_below_home (const char *path);
