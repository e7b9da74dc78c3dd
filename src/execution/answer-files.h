/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"
#include "folder-changes.h"
#include "run-request.h"

/* A set of FhRunFile, each at its place: all that the blocks of an answer have left until now. */
GHashTable *fh_answer_files_new (void);

/* Puts a file into the workspace. */
void fh_answer_files_put (GHashTable *files, const char *path, GBytes *content);

/* How much the files may be in a sandbox with these options, in bytes. They lie in memory. */
gsize fh_answer_files_max_bytes (const FhRunOptions *options);

/* Takes what a block has left, and drops what it has deleted. All files together stay within
 * `max_bytes`. FALSE if something of what it left is missing for the blocks after it: it was too
 * large or too much, or could not be read. */
gboolean fh_answer_files_take (GHashTable *files, FhResultFiles *results, gsize max_bytes);

/* All of them; the regular files of the workspace are sorted. (transfer full) */
FhResultFiles *fh_answer_files_dup_results (GHashTable *files);
/* Returns the files that can lie beside a program of this name (nullable). (transfer full)
 * (element-type FhRunFile) */
GPtrArray *fh_answer_files_dup_beside (GHashTable *files, const char *program);

/* What is deleted in a project folder and not among the files: paths, NULL-terminated. `changes` is
 * nullable and owns them. (transfer container) */
GPtrArray *fh_answer_files_list_removed (GHashTable *files, FhFolderChanges *changes);

/* Returns the options of a block in this language. (transfer full) */
FhRunOptions *
fh_answer_files_copy_options (const FhRunOptions *options, const FhLanguage *language);
/* Returns a title that begins with the block's number, by which lists that sort their rows keep the
 * order; 0: without it. (transfer full) */
char *fh_answer_files_dup_title (const FhAnswerBlock *block, guint number, GBytes *source);
/* A program that writes the file of a block to where others lie already. Its exit code is
 * FH_ANSWER_FILES_LINK if a link is in the way. */
#define FH_ANSWER_FILES_LINK 73
FhRunRequest *fh_answer_files_new_writer (const FhAnswerBlock *block,
                                          const FhRunOptions *options,
                                          GError **error);
