/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "picture-decoder.h"

/* One picture that a program left, decoded in a sandbox (picture-decoder.h): until then a spinner,
 * and a sentence if it cannot be shown.
 * Signal: changed: something else is shown. */
#define FH_TYPE_PICTURE_VIEW (fh_picture_view_get_type ())
G_DECLARE_FINAL_TYPE (FhPictureView, fh_picture_view, FH, PICTURE_VIEW, AdwBin)

/* `name`: for people. `image` NULL empties it. `goes_first`: as of fh_picture_decoder_decode_async.
 * What was being decoded is given up, also when the view goes. */
void fh_picture_view_show (FhPictureView *self,
                           FhPictureDecoder *decoder,
                           const char *name,
                           GBytes *image,
                           gboolean goes_first);

GdkTexture *fh_picture_view_get_texture (FhPictureView *self); /* borrowed, nullable */
/* “640 × 480”, with what else there is to say of it; NULL without a picture. (transfer full) */
char *fh_picture_view_describe (FhPictureView *self);
/* Its own size in pixels; FALSE without a picture. */
gboolean fh_picture_view_get_size (FhPictureView *self, int *width, int *height);

/* One step larger or smaller than it is shown now. */
void fh_picture_view_zoom (FhPictureView *self, gboolean in);
/* `zoom`: 1 for its own size, 0 to fit; between 1/16 and 16. */
void fh_picture_view_set_zoom (FhPictureView *self, double zoom);
