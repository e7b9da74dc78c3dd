/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/* The order is part of the history's file format: append. */
typedef enum
{
  FH_RESULT_FILE_REGULAR,
  FH_RESULT_FILE_LINK,    /* a symbolic link: shown as one, never followed */
  FH_RESULT_FILE_SPECIAL, /* a pipe, a socket or a device */
} FhResultFileKind;

typedef struct
{
  const char *path; /* below the workspace; file name bytes, as the program chose them */
  FhResultFileKind kind;
  guint64 size;
  gboolean is_program;     /* may be executed */
  gboolean is_changed;     /* was there before the program began */
  gboolean is_from_answer; /* holds the code of a block of the answer, which no program wrote */
  GBytes *content;         /* nullable: not collected, or not kept */
  guint mode;              /* permissions; 0: not known. Not kept in the history */
  guint64 modified_us;     /* since the epoch; likewise */
  const char *name; /* of a file: its path for people, valid UTF-8 without control characters */
} FhResultFileFacts;

/* A file that the program left in its workspace. Immutable. */
#define FH_TYPE_RESULT_FILE (fh_result_file_get_type ())
G_DECLARE_FINAL_TYPE (FhResultFile, fh_result_file, FH, RESULT_FILE, GObject)

/* Copies the path, references the content. NULL for a path that is absolute or leads out of the
 * workspace, as it is later saved below a folder of the user's. */
FhResultFile *fh_result_file_new (const FhResultFileFacts *facts);
const FhResultFileFacts *fh_result_file_get_facts (FhResultFile *self);
gboolean fh_result_path_is_safe (const char *path);

typedef struct
{
  GPtrArray *gone;      /* paths of files that the program was given and has deleted (element-type
                           filename). Not saved. Never NULL */
  GPtrArray *handed_on; /* the next block of an answer gets these, too (element-type FhRunFile):
                           empty folders, links, and all that lies in /tmp. FH_RUN_FILE_REMOVED is
                           no longer there. Not saved. Never NULL */
  gboolean is_partly_handed_on; /* something of that could not be taken along */
  guint n_left_out;             /* how many are not in the list */
  gboolean is_incomplete;       /* something could not be read */
} FhResultFilesFacts;

/* All files of one run: a GListModel of FhResultFile, immutable once it is in a result. */
#define FH_TYPE_RESULT_FILES (fh_result_files_get_type ())
G_DECLARE_FINAL_TYPE (FhResultFiles, fh_result_files, FH, RESULT_FILES, GObject)

FhResultFiles *fh_result_files_new (void);
void fh_result_files_add (FhResultFiles *self, FhResultFile *file);
FhResultFile *fh_result_files_get (FhResultFiles *self, guint position); /* (transfer none) */
/* Whether there is one of this path. Looks at all of them. */
gboolean fh_result_files_has (FhResultFiles *self, const char *path);
const FhResultFilesFacts *fh_result_files_get_facts (FhResultFiles *self); /* borrowed */
/* What the program has deleted, and what the next block gets. NULL: as it is. */
void fh_result_files_set_handed_on (FhResultFiles *self,
                                    GPtrArray *gone,
                                    GPtrArray *handed_on,
                                    gboolean is_partly_handed_on);
/* Also told by items-changed. */
void fh_result_files_set_left_out (FhResultFiles *self, guint n_left_out, gboolean is_incomplete);

/* The list of files as members of a result: "files", an array of objects with path (its bytes where
 * they are not text), kind ("file", "link", "special"), size, is_program, is_changed and kept
 * (whether the content was kept); "files_left_out", a number; "files_incomplete". The contents
 * themselves are not in it. */
void fh_result_files_add_to_json (FhResultFiles *files, JsonObject *object);

/* A result without these members, which earlier versions did not write, has no files. Every file
 * comes without content. NULL with FH_RUN_ERROR_INVALID. */
FhResultFiles *fh_result_files_from_json (JsonObject *object, GError **error);
