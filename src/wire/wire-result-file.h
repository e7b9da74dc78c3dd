/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: what the program left in its workspace. The list and the contents are sent after
 * everything inside is dead, one file after the other: a header, then its bytes in pieces.
 * Names and bytes are chosen by the program under guard: hostile.
 *
 * A content can end early, when the next header or the end comes before all its bytes did: it could
 * not be read further, or nobody wanted to wait. Then there is none of that file, and the end says
 * that something is missing.
 */
#pragma once

#include "wire-frame.h"

/* Where the collector stops. A file over the size is listed without its content. */
#define FH_RESULT_FILES_MAX   2000
#define FH_RESULT_DEPTH_MAX   32
#define FH_RESULT_PATH_MAX    4095
#define FH_RESULT_FILE_MAX    ((uint64_t) 16 << 20)
#define FH_RESULT_CONTENT_MAX ((uint64_t) 64 << 20)

enum fh_result_kind
{
  FH_WIRE_RESULT_REGULAR, /* regular: the only kind with a content */
  FH_WIRE_RESULT_LINK,    /* a symbolic link: not followed, its target is not told */
  FH_WIRE_RESULT_SPECIAL, /* a pipe, a socket or a device: listed by name only */
};

enum fh_result_flags
{
  FH_RESULT_IS_PROGRAM = 1u << 0,  /* may be executed by its owner */
  FH_RESULT_IS_CHANGED = 1u << 1,  /* it was there before the program began */
  FH_RESULT_HAS_CONTENT = 1u << 2, /* `size` bytes follow in pieces; else none do */
};
#define FH_RESULT_ALL_FLAGS (FH_RESULT_IS_PROGRAM | FH_RESULT_IS_CHANGED | FH_RESULT_HAS_CONTENT)

struct fh_result_file
{
  char *path; /* below the workspace: "plots/a.png"; never absolute, no ".", ".." or empty part */
  uint8_t kind;
  uint32_t flags;
  uint64_t size; /* bytes as its inode tells; holes count */
};

/* What the list does not hold. */
struct fh_results_end
{
  uint32_t n_left_out; /* files beyond the limits of number, depth or length of a path */
  bool is_incomplete;  /* something could not be read, or took too long */
};

/* Which is the most bytes that one piece carries. */
#define FH_RESULT_PIECE_MAX (FH_FRAME_MAX_PAYLOAD / 2)

void fh_result_file_encode (const struct fh_result_file *file, struct fh_buffer *buffer);
/* `path` is fresh, to be freed by the caller; false, with nothing allocated, when it is not valid.
 */
bool fh_result_file_decode (struct fh_result_file *file, const void *payload, size_t size);
void fh_result_piece_encode (const void *bytes, size_t size, struct fh_buffer *buffer);
void fh_results_end_encode (const struct fh_results_end *end, struct fh_buffer *buffer);
bool fh_results_end_decode (struct fh_results_end *end, const void *payload, size_t size);
