/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

G_BEGIN_DECLS

/* What one run left behind: a list of files, each to be saved on its own or all together. Nothing
 * is opened, and nothing leaves the list but by the user's wish.
 *
 * Properties: n-files (read-only). Actions: files.save (u: position), files.save-all. */
#define FH_TYPE_FILES_VIEW (fh_files_view_get_type ())
G_DECLARE_FINAL_TYPE (FhFilesView, fh_files_view, FH, FILES_VIEW, AdwBin)

FhFilesView *fh_files_view_new (void);

/* The files of a run appear at its end. NULL empties the list. */
void fh_files_view_set_run (FhFilesView *self, FhRun *run);
/* Shows what a run of the past left. */
void fh_files_view_show_result (FhFilesView *self, FhRunResult *result);

/* A widget for a toolbar beside the list. */
GtkWidget *fh_files_view_get_tools (FhFilesView *self);

G_END_DECLS
