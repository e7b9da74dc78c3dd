/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy: everything that a backend asks of a runner, in one message. It is complete before
 * anything is built, and does not change later.
 */
#pragma once

#include "wire-event.h"

/* Limits that a decoder checks before it allocates. */
#define FH_POLICY_MAX_STRINGS 4096
#define FH_POLICY_MAX_BINDS   128
#define FH_POLICY_MAX_HOSTS   64
#define FH_POLICY_MAX_PROOFS  80
#define FH_POLICY_MAX_PRELOAD 64
#define FH_POLICY_MAX_MODULE  255 /* bytes of a module's name */

/* The range of open_files, besides 0. With fewer files many programs do not start; more than the
 * default would weaken a guard, descriptor-numbers.h. */
#define FH_POLICY_MIN_OPEN_FILES 16
#define FH_POLICY_MAX_OPEN_FILES 400

/* How the names of the scopes begin that runners get from systemd. */
#define FH_SCOPE_PREFIX "io.github.fumehood.Fumehood-run-"

enum fh_policy_flags
{
  FH_POLICY_PROBE = 1u << 0,         /* build everything, run nothing, report the guards */
  FH_POLICY_GUEST_CHANNEL = 1u << 1, /* give the program a channel as its descriptor 3 */
  FH_POLICY_SCOPE = 1u << 2,         /* the runner is alone in a cgroup that is delegated to it */
  FH_POLICY_COLLECT = 1u << 3,       /* send the files that the program left in its workspace */
  /* The workspace has files already: send only new and changed ones, and afterwards remove the
   * files that came with the policy unless the program has changed them. What had their names is
   * put aside meanwhile and comes back. */
  FH_POLICY_SHARED_WORKSPACE = 1u << 4,
  /* Others can write to the workspace while the program starts: give it the last file, which is the
   * program, also as a sealed file on descriptor 4. Requires FH_POLICY_GUEST_CHANNEL. */
  FH_POLICY_SEALED_PROGRAM = 1u << 5,
  /* No sockets of any family but pairs. Not with allowed hosts or without the network guard. */
  FH_POLICY_NO_SOCKETS = 1u << 6,
  /* The portal that made the sub-sandbox has known holes; to report it. */
  FH_POLICY_OLD_PORTAL = 1u << 7,
  /* Tell as well which of the files that came with the policy are gone. Requires FH_POLICY_COLLECT.
   */
  FH_POLICY_TELL_GONE = 1u << 8,
  /* The workspace is a project folder of the host, by its only proof: the program reads it and
   * changes a layer above it. Only what is in that layer is sent; with FH_POLICY_TELL_GONE also
   * which files of the folder are gone. Tier A, and one run. */
  FH_POLICY_PROJECT = 1u << 9,
  /* RUN does not end the standard input: more may follow until an empty FH_FRAME_INPUT. One run. */
  FH_POLICY_INPUT_STAYS = 1u << 10,
  /* A person types it: the time that the program waits for it does not count against wall_ms, an
   * hour at the most. Requires FH_POLICY_INPUT_STAYS. */
  FH_POLICY_TYPED_INPUT = 1u << 11,
  /* After a program that has ended with 0, the sandbox stays for another one, FH_FRAME_PROGRAM. The
   * limits of time and of output are those of each, all others hold for what is in there. Only in
   * namespaces, and one run at a time. */
  FH_POLICY_STAYS = 1u << 12,
};
/* All up to the last one. Policies with other flags are invalid, as the flags would be ignored. */
#define FH_POLICY_ALL_FLAGS ((FH_POLICY_STAYS << 1) - 1)

/* The ways to build a sandbox. The backend finds out which tiers work here. */
enum fh_wire_tier
{
  FH_WIRE_TIER_NAMESPACES,  /* A: our own namespaces */
  FH_WIRE_TIER_BUBBLEWRAP,  /* A2: namespaces made by the system's bubblewrap */
  FH_WIRE_TIER_PORTAL,      /* F: a sub-sandbox made by Flatpak's portal; the runner runs inside */
  FH_WIRE_TIER_LANDLOCK,    /* B: no namespaces; Landlock, system call filter and limits */
  FH_WIRE_TIER_UNPROTECTED, /* at the user's explicit request: time and output limits only */
  FH_WIRE_TIER_CONTAINER,   /* D: a container made by an engine; the runner runs inside */
};

/* How many runs a sandbox serves, and how. */
enum fh_policy_kind
{
  FH_POLICY_SINGLE,
  /* Many: a Python interpreter is kept warm and forks each run into namespaces of its own. For
   * policies of which fh_policy_can_fork says so. */
  FH_POLICY_FORKED,
  /* Many: one Python interpreter runs cells in one namespace, and what they leave stays. For
   * policies of which fh_policy_can_wait says so, without a sealed program, and without limits of
   * time, as each cell has its own. */
  FH_POLICY_KEPT,
};

/* The attempts that are reported. */
enum fh_wire_watch
{
  FH_WIRE_WATCH_OFF,
  FH_WIRE_WATCH_ATTEMPTS, /* what is denied or hidden, and what would have had an effect */
  FH_WIRE_WATCH_FILES,    /* those, and every file access */
};

/* The guards that `without` may name; the others depend on the tier. */
#define FH_POLICY_SWITCHES                                                                         \
  (1u << FH_WIRE_GUARD_NETWORK | 1u << FH_WIRE_GUARD_SYSTEM_CALLS | 1u << FH_WIRE_GUARD_MEMORY |   \
   1u << FH_WIRE_GUARD_TIME | 1u << FH_WIRE_GUARD_DISK | 1u << FH_WIRE_GUARD_OUTPUT |              \
   1u << FH_WIRE_GUARD_ENVIRONMENT)

/* A folder or file of the host that is shown read-only as `target`. The path of one that is not
 * copied has no links. A mount reveals its source to the guest; a copy does not, but only small
 * files can be copied. */
struct fh_bind
{
  char *source;
  char *target;
  bool is_copy;
};

/* The stat (2) numbers of what must be mounted at `path` in a container or a sub-sandbox: an engine
 * looks names up itself, after they were checked, and a portal may show nothing without saying so.
 */
struct fh_proof
{
  char *path;
  uint64_t device;
  uint64_t inode;
};

/* Strings are absolute paths or plain text without NUL, owned by the policy. A limit of 0 means
 * none. */
struct fh_policy
{
  uint32_t flags;
  uint64_t wall_ms;
  uint64_t cpu_ms;
  uint64_t memory_bytes; /* of the whole tree */
  uint64_t disk_bytes;   /* everything that the program has written at one time */
  uint64_t output_bytes; /* of each stream; exceeding it ends the run */
  uint32_t processes;    /* threads count */
  uint32_t open_files;   /* of each process; 0: FH_POLICY_MAX_OPEN_FILES */
  uint8_t tier;          /* enum fh_wire_tier */
  uint8_t watch;         /* enum fh_wire_watch */
  uint8_t kind;          /* enum fh_policy_kind; the limits are those of each run */
  uint32_t without;      /* guards that are switched off for this run, 1 << enum fh_wire_guard */
  char *home;            /* the user's, or "": to report "~/.ssh" as it would be outside */
  char **allow_hosts;    /* NULL-terminated host names that may be reached, through a proxy only */
  char *
      *argv;  /* NULL-terminated, not empty unless FH_POLICY_PROBE. The program is an absolute path;
                 in a container it may be a name, which is searched for in the PATH of `env` */
  char **env; /* NULL-terminated, NAME=value: the complete environment */
  char **preload; /* NULL-terminated names of modules to import before the runs; if forked only.
                     One that cannot be imported is left to the runs */
  struct fh_bind *binds;
  size_t n_binds;
  struct fh_proof *proofs; /* checked before anything runs; in a container, or of what is the
                              runner's to open */
  size_t n_proofs;
  char *proof_kernel; /* /proc/sys/kernel/random/boot_id of the kernel that the numbers are from, if
                         the container may be on another one; otherwise "" */
  char *cwd; /* where the program starts: an absolute path inside, without links below /workspace,
                where it is made; "" is /workspace itself */
};

void fh_policy_encode (const struct fh_policy *policy, struct fh_buffer *buffer);
/* A new policy, to be freed with fh_policy_free; NULL if the payload is invalid. */
struct fh_policy *fh_policy_decode (const void *payload, size_t size);
void fh_policy_free (struct fh_policy *policy);
/* True if the interpreter can wait in the sandbox for its program: it gets that through the guest
 * channel, and the workspace, which the runner makes, is empty until then. */
bool fh_policy_can_wait (const struct fh_policy *policy);
/* True if its program is an interpreter that can wait in namespaces of our own, and fork. Without
 * allowed hosts, as the proxy serves one run, and without folders in those that each run has of its
 * own, such as /tmp. */
bool fh_policy_can_fork (const struct fh_policy *policy);
/* A forked sandbox retires after so many runs. */
#define FH_FORKED_RUNS_MAX 1000
/* True for a name of a module, such as "os.path": identifiers of ASCII letters, digits and
 * underscores, separated by dots. */
bool fh_policy_is_module (const char *name);

/* Another program in a sandbox that stays: what differs from the policy. Owns its strings. */
struct fh_program
{
  bool has_channel; /* it gets a guest channel of its own: FH_POLICY_GUEST_CHANNEL */
  bool stays;       /* another one may come after it */
  char **argv;      /* as in the policy */
  char **env;
};

void fh_program_encode (const struct fh_program *program, struct fh_buffer *buffer);
/* A new program, to be freed with fh_program_free; NULL if the payload is invalid. */
struct fh_program *fh_program_decode (const void *payload, size_t size);
void fh_program_free (struct fh_program *program);

/* A relative path of a file in the workspace: names separated by single slashes, none of them "."
 * or "..". */
#define FH_FILE_PATH_MAX  960
#define FH_FILE_DEPTH_MAX 32

enum fh_file_kind
{
  FH_FILE_REGULAR,
  FH_FILE_REMOVED, /* a file of the project folder is not to be there; without content */
  FH_FILE_FOLDER,  /* a folder, which may stay empty; without content */
  FH_FILE_LINK,    /* a symbolic link: its content is its target, in one piece */
};

/* No set-user-ID, set-group-ID or sticky bit, inode (7). */
#define FH_FILE_MODE_MAX 0777u
/* In microseconds: before the year 10000. */
#define FH_FILE_TIME_MAX UINT64_C (253402300800000000)
/* A target is a string without a NUL, symlink (2). */
#define FH_FILE_LINK_MAX 4095

/* A piece of a file for the workspace or for /tmp. The pieces of a file follow one another; a new
 * path begins a new file, whose first piece has all that is said of it. */
struct fh_file_piece
{
  char *path; /* owned by the caller after decoding */
  uint8_t kind;
  bool is_in_tmp; /* below /tmp instead of the workspace */
  bool is_there;  /* an earlier program in a sandbox that stays has left it: it is not written,
                   * only compared with what is there in the end */
  uint16_t mode;  /* permissions; 0: 0644 */
  uint64_t modified_us; /* since the epoch; 0: when it is written */
  const uint8_t *data;  /* borrowed from the payload */
  size_t size;
};

/* Fits in one frame with the longest path. */
#define FH_FILE_PIECE_MAX (FH_FRAME_MAX_PAYLOAD - 1024u)

void fh_file_piece_encode (const struct fh_file_piece *piece, struct fh_buffer *buffer);
/* False if the payload is invalid; nothing is allocated then. */
bool fh_file_piece_decode (struct fh_file_piece *piece, const void *payload, size_t size);
