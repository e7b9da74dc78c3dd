/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* All files of a run; the runner would take twice as many. */
#define FH_RUN_FILES_MAX       1000
#define FH_RUN_FILES_MAX_BYTES ((gsize) 32 << 20)
/* Blocks of an answer, which find what others have left, may be given so many bytes. */
#define FH_RUN_FILES_MAX_HANDED_ON ((gsize) 1 << 30)

/* The range of a path, as the runner checks it again: FH_FILE_PATH_MAX. */
#define FH_RUN_FILE_MAX_PATH  960
#define FH_RUN_FILE_MAX_DEPTH 32

typedef enum
{
  FH_RUN_FILE_REGULAR,
  FH_RUN_FILE_REMOVED, /* of a project that the sandbox mounts: is not to be there; no content */
  FH_RUN_FILE_FOLDER,  /* no content */
  FH_RUN_FILE_LINK,    /* a symbolic link; its content is its target */
} FhRunFileKind;

/* A file that lies in the workspace, or in /tmp, before the program starts. The history keeps
 * regular files of the workspace, their paths and contents, within the maximum above. */
typedef struct
{
  char *path; /* below the workspace: “data/table.csv” */
  FhRunFileKind kind;
  gboolean is_in_tmp;      /* below /tmp instead */
  gboolean is_new;         /* no run has left it */
  gboolean is_from_answer; /* holds the code of a block, which no program wrote */
  gboolean is_there;       /* the sandbox has it already, and it is only compared with */
  guint mode;              /* permissions; 0: 0644 */
  guint64 modified_us;     /* since the epoch; 0: when the sandbox is made */
  GBytes *content;
} FhRunFile;

/* A regular file in the workspace. (transfer full) */
FhRunFile *fh_run_file_new (const char *path, GBytes *content);
FhRunFile *fh_run_file_copy (const FhRunFile *file);
void fh_run_file_free (FhRunFile *file);

/* Whether it stays in the workspace: relative, without ".." and empty parts, not too long. */
gboolean fh_run_file_path_is_safe (const char *path);

/* Whether files (nullable; element-type FhRunFile) can lie beside a program named `program`
 * (nullable): their number and size, all together at most `max_bytes`, paths that stay in the
 * workspace, and no two at the same place. FALSE with a sentence. */
gboolean
fh_run_files_check (GPtrArray *files, const char *program, gsize max_bytes, GError **error);

/* {"path": "text", …}, see fh_json_bytes_to_node. Files that are more than FH_RUN_FILES_MAX_BYTES
 * together with those before them are left out. (transfer full) */
JsonNode *fh_run_files_to_json (GPtrArray *files);

/* The reverse, unchecked; not NULL. FALSE with an error naming the member. (out: transfer full) */
gboolean fh_run_files_from_json (JsonNode *node, GPtrArray **files, GError **error);
