/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "result-file.h"

/* One result file in a list: what it is, and a button that saves it. */
#define FH_TYPE_FILES_ROW (fh_files_row_get_type ())
G_DECLARE_FINAL_TYPE (FhFilesRow, fh_files_row, FH, FILES_ROW, AdwBin)

/* `position`: what the button hands to the action "files.save". `file`: NULL for none. */
void fh_files_row_set_file (FhFilesRow *self, FhResultFile *file, guint position);
