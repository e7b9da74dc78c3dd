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
/* They are alone no more. */
void fh_output_pictures_clear (FhOutputPictures *self);
/* `alone`: nothing was printed, so they get the room of the output, and expand. */
void fh_output_pictures_set_alone (FhOutputPictures *self, gboolean alone);
/* Adds those among the files, and those that come to them. A file of the same path is replaced. */
void fh_output_pictures_add (FhOutputPictures *self, FhResultFiles *files);
