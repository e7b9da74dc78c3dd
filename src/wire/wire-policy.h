/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy: all that a backend asks of a runner, in one message. It is complete before anything
 * is built, and nothing that happens later changes it.
 */
#pragma once

#include "wire-frame.h"

/* Caps that a decoder enforces before it allocates. */
#define FH_POLICY_MAX_STRINGS 4096
#define FH_POLICY_MAX_BINDS   64

enum fh_policy_flags
{
  FH_POLICY_PROBE = 1u << 0,         /* build everything, run nothing, report the guards */
  FH_POLICY_GUEST_CHANNEL = 1u << 1, /* give the program a channel as its descriptor 3 */
};
/* A policy with any other flag is not valid: what it asks for would not be done. */
#define FH_POLICY_ALL_FLAGS (FH_POLICY_PROBE | FH_POLICY_GUEST_CHANNEL)

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
  char **argv;           /* NULL-terminated, never empty unless FH_POLICY_PROBE */
  char **env;            /* NULL-terminated, NAME=value: all there will be */
  struct fh_bind *binds;
  size_t n_binds;
  uint8_t *guest_message; /* the first bytes on the guest channel */
  size_t guest_message_size;
};

void fh_policy_encode (const struct fh_policy *policy, struct fh_buffer *buffer);
/* A fresh policy, to be freed with fh_policy_free; NULL when the payload is not a valid one. */
struct fh_policy *fh_policy_decode (const void *payload, size_t size);
void fh_policy_free (struct fh_policy *policy);

/* A piece of a file of the workspace. Pieces of one file follow one another; a new path begins a
 * new file. `path` is one plain file name: no slash, not empty, not "." or "..". */
struct fh_file_piece
{
  char *path;          /* owned by whoever decoded it */
  const uint8_t *data; /* borrowed from the payload */
  size_t size;
};

/* What fits in one frame beside the longest file name. */
#define FH_FILE_PIECE_MAX (FH_FRAME_MAX_PAYLOAD - 1024u)

void fh_file_piece_encode (const struct fh_file_piece *piece, struct fh_buffer *buffer);
/* False when the payload is not a valid piece; nothing is allocated then. */
bool fh_file_piece_decode (struct fh_file_piece *piece, const void *payload, size_t size);
