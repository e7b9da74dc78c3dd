/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "picture-decoder.h"
#include "result-file.h"

/* One file that a program left: a picture, the beginning of a text, or a table. Nothing in it is
 * ever executed, loaded or followed; HTML is text.
 *
 * Actions: preview.zoom-in, preview.zoom-out, preview.fit, preview.own-size, preview.copy. Saving
 * and going back are up to the parent: files.save-shown, files.back. */
#define FH_TYPE_FILE_PREVIEW (fh_file_preview_get_type ())
G_DECLARE_FINAL_TYPE (FhFilePreview, fh_file_preview, FH, FILE_PREVIEW, AdwBin)

/* `file`: NULL empties it; else one whose content was kept. `decoder`: NULL shows no pictures. */
void fh_file_preview_show (FhFilePreview *self, FhPictureDecoder *decoder, FhResultFile *file);
FhResultFile *fh_file_preview_get_file (FhFilePreview *self); /* borrowed, nullable */
