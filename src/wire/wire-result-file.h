/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: what the program left in its workspace. The list and the contents are sent after
 * everything inside is dead, one file after the other: a header, then its bytes in pieces. Names
 * and bytes are chosen by the program: hostile.
 *
 * The next header or the end may come before all bytes did: the file could not be read further, or
 * reading was stopped. Then the content is dropped, and the end says that something is missing.
 */
#pragma once

#include "wire-frame.h"

/* Limits. A larger file is listed without its content. */
#define FH_RESULT_FILES_MAX   2000
#define FH_RESULT_DEPTH_MAX   32
#define FH_RESULT_PATH_MAX    4095
#define FH_RESULT_FILE_MAX    ((uint64_t) 16 << 20)
#define FH_RESULT_CONTENT_MAX ((uint64_t) 64 << 20)
/* With FH_FRAME_HAND_ON the disk limit takes the place of these two, or this if there is none or a
 * larger one: contents pass through memory. */
#define FH_HANDED_ON_MAX ((uint64_t) 1 << 30)

enum fh_result_kind
{
  FH_WIRE_RESULT_REGULAR, /* regular */
  FH_WIRE_RESULT_LINK,    /* a symbolic link: not followed; its content is its target */
  FH_WIRE_RESULT_SPECIAL, /* a pipe, socket or device: name only */
  FH_WIRE_RESULT_GONE,    /* came with the policy and is no longer there: FH_POLICY_TELL_GONE */
  FH_WIRE_RESULT_FOLDER,  /* a folder in which there is nothing: FH_FRAME_HAND_ON */
};

enum fh_result_flags
{
  FH_RESULT_IS_PROGRAM = 1u << 0,  /* executable by its owner */
  FH_RESULT_IS_CHANGED = 1u << 1,  /* existed before the program began */
  FH_RESULT_HAS_CONTENT = 1u << 2, /* `size` bytes follow in pieces; otherwise none. Of a link only
                                    * with FH_FRAME_HAND_ON */
  FH_RESULT_IS_IN_TMP = 1u << 3,   /* below /tmp: no file of the result, FH_FRAME_HAND_ON */
};
#define FH_RESULT_ALL_FLAGS ((FH_RESULT_IS_IN_TMP << 1) - 1)

struct fh_result_file
{
  char *path; /* below the workspace: "plots/a.png"; never absolute, no ".", ".." or empty part */
  uint8_t kind;
  uint32_t flags;
  uint16_t mode;        /* permissions, of a regular file */
  uint64_t modified_us; /* likewise, since the epoch; 0: before that, or after FH_FILE_TIME_MAX */
  uint64_t size;        /* as in its inode; holes count */
};

/* The files that are not in the list. */
struct fh_results_end
{
  uint32_t n_left_out;      /* files beyond the limits of number, depth or path length */
  bool is_incomplete;       /* something could not be read, or took too long */
  bool is_partly_handed_on; /* likewise, of what is only for another run */
};

/* Maximum of one piece. */
#define FH_RESULT_PIECE_MAX (FH_FRAME_MAX_PAYLOAD / 2)

void fh_result_file_encode (const struct fh_result_file *file, struct fh_buffer *buffer);
/* `path` is new, to be freed by the caller; false, with nothing allocated, if it is invalid. */
bool fh_result_file_decode (struct fh_result_file *file, const void *payload, size_t size);
void fh_results_end_encode (const struct fh_results_end *end, struct fh_buffer *buffer);
bool fh_results_end_decode (struct fh_results_end *end, const void *payload, size_t size);
