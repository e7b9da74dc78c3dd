/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "executing-path.h"
#include "result-file.h"

/* The order of both is that of the words in the history: append. */
typedef enum
{
  FH_FOLDER_CHANGE_ADDED,
  FH_FOLDER_CHANGE_CHANGED,
  FH_FOLDER_CHANGE_DELETED,
} FhFolderChangeKind;

/* Why a change cannot be applied. */
typedef enum
{
  FH_FOLDER_CHANGE_FINE,
  FH_FOLDER_CHANGE_LINK,      /* a symbolic link took the place */
  FH_FOLDER_CHANGE_SPECIAL,   /* a pipe, a socket or a device did */
  FH_FOLDER_CHANGE_TOO_LARGE, /* its content was not collected */
  FH_FOLDER_CHANGE_NOT_KEPT,  /* the history did not keep its content */
  FH_FOLDER_CHANGE_VERSION_CONTROL,
} FhFolderChangeProblem;

typedef struct
{
  const char *path; /* below the folder; file name bytes, as the program chose them */
  FhFolderChangeKind kind;
  FhFolderChangeProblem problem; /* VERSION_CONTROL also follows from the path */
  guint64 old_size;              /* of the user's file; 0 when added */
  guint64 new_size;              /* 0 when deleted */
  const char *old_sha256;        /* of the user's file, in hexadecimal; NULL when added */
  gboolean was_program;          /* the user's file may be executed */
  gboolean is_program;           /* the program's may; applying never makes it so */
  GBytes *content;               /* what the program left; nullable */
  /* Of a change: its path for people, one line of valid UTF-8 without control characters; and what
   * happens to such a file. */
  const char *name;
  FhExecution execution;
} FhFolderChangeFacts;

/* One file of a project folder that a program added, changed or deleted in its copy. Immutable. */
#define FH_TYPE_FOLDER_CHANGE (fh_folder_change_get_type ())
G_DECLARE_FINAL_TYPE (FhFolderChange, fh_folder_change, FH, FOLDER_CHANGE, GObject)

/* Copies the strings, references the content. NULL for a path that leads out of the folder, for a
 * digest that is none, or if one is missing. */
FhFolderChange *fh_folder_change_new (const FhFolderChangeFacts *facts);
const FhFolderChangeFacts *fh_folder_change_get_facts (FhFolderChange *self);

/* Whether it can be applied at all. */
gboolean fh_folder_change_is_applicable (FhFolderChange *self);
/* Whether "all" includes it: nothing that executes by itself or has a deceptive name. */
gboolean fh_folder_change_is_in_all (FhFolderChange *self);
/* Translated: why it cannot be applied; else why it stands out. NULL: an ordinary file. */
const char *fh_folder_change_get_remark (FhFolderChange *self);
/* "A", "M" or "D". */
const char *fh_folder_change_get_letter (FhFolderChange *self);
