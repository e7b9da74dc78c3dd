/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-apply.h"
#include "project-copy.h"

/* What a run gives: "p" is read, and the program leaves what `left` is told. */
typedef struct
{
  FhProjectCopy *copy;
  FhResultFiles *left;
  GPtrArray *gone;
} ProjectRun;

/* As own_folder_begin, and there is nothing to take back. */
void project_room_begin (void);

/* The folder "p" of own-folder.h is read. */
ProjectRun project_room_run (void);
void project_room_leave (ProjectRun *run, const char *path, const char *text);
void project_room_leave_kind (ProjectRun *run, const char *path, FhResultFileKind kind);
/* Ends the run. */
FhFolderChanges *project_room_changes_of (ProjectRun *run);

/* A file changed, one added, one deleted. */
FhFolderChanges *project_room_three_changes (void);
void project_room_assert_unchanged (void);

GPtrArray *project_room_choose_all (FhFolderChanges *changes);
/* An error's code, or -1 for none. */
int project_room_apply (FhFolderChanges *changes, gboolean forced);
int project_room_undo (void);
/* How many of them are found to be applied. */
guint project_room_count_applied (FhFolderChanges *changes);
gboolean project_room_has (const char *path);
