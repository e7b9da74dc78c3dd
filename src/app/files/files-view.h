/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "parts/result-page.h"
#include "picture-decoder.h"

/* The files that a run or an answer left: a list, each to be looked at, and saved alone or all
 * together. They are never opened with another app, and saved only when the user asks. An
 * FhResultPage.
 *
 * Actions: files.save (u: position), files.save-shown, files.save-all, files.back (from one file to
 * the list). */
#define FH_TYPE_FILES_VIEW (fh_files_view_get_type ())
G_DECLARE_FINAL_TYPE (FhFilesView, fh_files_view, FH, FILES_VIEW, AdwBin)

/* Without a decoder, the default, no pictures are shown. */
void fh_files_view_set_decoder (FhFilesView *self, FhPictureDecoder *decoder);

/* Shows what is in a file of the list. FALSE if its content was not kept. */
gboolean fh_files_view_open (FhFilesView *self, FhResultFile *file);
