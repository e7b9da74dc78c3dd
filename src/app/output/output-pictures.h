/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "picture-decoder.h"
#include "result-file.h"

/* The pictures that runs have left, beside their output: the newest 8, in a row. Hidden while there
 * are none.
 *
 * Signal "activated" (FhResultFile *file): the user wants to see more of one. */
#define FH_TYPE_OUTPUT_PICTURES (fh_output_pictures_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputPictures, fh_output_pictures, FH, OUTPUT_PICTURES, AdwBin)

/* NULL shows no pictures. */
void fh_output_pictures_set_decoder (FhOutputPictures *self, FhPictureDecoder *decoder);
void fh_output_pictures_clear (FhOutputPictures *self);
/* Adds those among the files, and those that come to them. A file of the same path is replaced. */
void fh_output_pictures_add (FhOutputPictures *self, FhResultFiles *files);
