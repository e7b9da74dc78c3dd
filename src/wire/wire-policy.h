/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy: all that a backend asks of a runner, in one message. It is complete before anything
 * is built, and nothing that happens later changes it.
 */
#pragma once

#include "wire-event.h"

/* Caps that a decoder enforces before it allocates. */
#define FH_POLICY_MAX_STRINGS 4096
#define FH_POLICY_MAX_BINDS   64
#define FH_POLICY_MAX_HOSTS   64

enum fh_policy_flags
{
  FH_POLICY_PROBE = 1u << 0,         /* build everything, run nothing, report the guards */
  FH_POLICY_GUEST_CHANNEL = 1u << 1, /* give the program a channel as its descriptor 3 */
  FH_POLICY_SCOPE = 1u << 2,         /* the runner is alone in a cgroup that was delegated to it */
  FH_POLICY_COLLECT = 1u << 3,       /* send what the program left in its workspace */
  /* The workspace holds what was there before: only what is new or was changed is sent, and the
   * files that came with the policy are removed again unless the program has changed them. What was
   * in their way is put aside meanwhile and comes back. */
  FH_POLICY_SHARED_WORKSPACE = 1u << 4,
};
/* A policy with any other flag is not valid: what it asks for would not be done. */
#define FH_POLICY_ALL_FLAGS                                                                        \
  (FH_POLICY_PROBE | FH_POLICY_GUEST_CHANNEL | FH_POLICY_SCOPE | FH_POLICY_COLLECT |               \
   FH_POLICY_SHARED_WORKSPACE)

/* What the sandbox is made of. The backend finds out which of them works here. */
enum fh_wire_tier
{
  FH_WIRE_TIER_NAMESPACES,  /* A: namespaces of our own */
  FH_WIRE_TIER_BUBBLEWRAP,  /* A2: the namespaces of the system's bubblewrap */
  FH_WIRE_TIER_LANDLOCK,    /* B: no namespaces; Landlock, system call filter and limits */
  FH_WIRE_TIER_UNPROTECTED, /* the user's explicit wish: limits of time and output only */
  FH_WIRE_TIER_CONTAINER,   /* D: a container that an engine has made; the runner lives in it */
};

/* What is reported of what the program tries. */
enum fh_wire_watch
{
  FH_WIRE_WATCH_OFF,
  FH_WIRE_WATCH_ATTEMPTS, /* what is refused or hidden, and what would have had an effect */
  FH_WIRE_WATCH_FILES,    /* that, and every file that is looked at */
};

/* The guards that `without` may name; the others stand or fall with the tier. */
#define FH_POLICY_SWITCHES                                                                         \
  (1u << FH_WIRE_GUARD_NETWORK | 1u << FH_WIRE_GUARD_SYSTEM_CALLS | 1u << FH_WIRE_GUARD_MEMORY |   \
   1u << FH_WIRE_GUARD_TIME | 1u << FH_WIRE_GUARD_DISK | 1u << FH_WIRE_GUARD_OUTPUT |              \
   1u << FH_WIRE_GUARD_ENVIRONMENT)

/* A host folder or file that is shown read-only inside, under `target`. A mount tells those inside
 * where it comes from; a copy, which only a small file can be shown as, does not. */
struct fh_bind
{
  char *source;
  char *target;
  bool is_copy;
};

/* Strings are absolute paths or plain text, NUL-free, owned by the policy. A limit of 0 means
 * that there is none. */
struct fh_policy
{
  uint32_t flags;
  uint64_t wall_ms;
  uint64_t cpu_ms;
  uint64_t memory_bytes; /* of the whole tree */
  uint64_t disk_bytes;   /* everything the program may have written at one time */
  uint64_t output_bytes; /* of each stream; going over ends the run */
  uint32_t processes;    /* threads count */
  uint8_t tier;          /* enum fh_wire_tier */
  uint8_t watch;         /* enum fh_wire_watch */
  uint32_t without;      /* guards that are switched off for this run, 1 << enum fh_wire_guard */
  char *home;            /* the user's, or "": to tell what "~/.ssh" would have been outside */
  char **allow_hosts;    /* NULL-terminated host names that may be reached, through a proxy only */
  char **argv; /* NULL-terminated, never empty unless FH_POLICY_PROBE. The program is an absolute
                  path; in a container also a name, which is looked for in the PATH of `env` */
  char **env;  /* NULL-terminated, NAME=value: all there will be */
  struct fh_bind *binds;
  size_t n_binds;
  uint8_t *guest_message; /* the first bytes on the guest channel */
  size_t guest_message_size;
};

void fh_policy_encode (const struct fh_policy *policy, struct fh_buffer *buffer);
/* A fresh policy, to be freed with fh_policy_free; NULL when the payload is not a valid one. */
struct fh_policy *fh_policy_decode (const void *payload, size_t size);
void fh_policy_free (struct fh_policy *policy);

/* A path of a file of the workspace, below it: names with one slash between each two, none of them
 * "." or "..". Where the runner has made the workspace itself, one plain name is all it takes. */
#define FH_FILE_PATH_MAX  960
#define FH_FILE_DEPTH_MAX 32

/* A piece of a file of the workspace. Pieces of one file follow one another; a new path begins a
 * new file. */
struct fh_file_piece
{
  char *path;          /* owned by whoever decoded it */
  const uint8_t *data; /* borrowed from the payload */
  size_t size;
};

/* What fits in one frame beside the longest path. */
#define FH_FILE_PIECE_MAX (FH_FRAME_MAX_PAYLOAD - 1024u)

void fh_file_piece_encode (const struct fh_file_piece *piece, struct fh_buffer *buffer);
/* False when the payload is not a valid piece; nothing is allocated then. */
bool fh_file_piece_decode (struct fh_file_piece *piece, const void *payload, size_t size);
