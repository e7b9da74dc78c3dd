/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "picture.h"
#include "probes.h"

typedef enum
{
  FH_PICTURE_ERROR_UNKNOWN,     /* no picture of a kind that is known */
  FH_PICTURE_ERROR_DAMAGED,     /* or the decoder's answer made no sense */
  FH_PICTURE_ERROR_TOO_LARGE,   /* to be decoded in the memory that the decoder has */
  FH_PICTURE_ERROR_TIMED_OUT,   /* it was not decoded in time */
  FH_PICTURE_ERROR_UNAVAILABLE, /* no sandbox, or no decoder: nothing was decoded */
} FhPictureError;

#define FH_PICTURE_ERROR (fh_picture_error_quark ())
GQuark fh_picture_error_quark (void);

/* A larger file is not decoded. */
#define FH_PICTURE_MAX_FILE ((gsize) 16 << 20)

/* Decodes pictures that programs have left, each by fumehood-decode in a sandbox of its own:
 * without network and files, with little memory and time. Never in this process. Two at a time; the
 * others wait. Decoded pictures are remembered, by content and up to a limit. */
#define FH_TYPE_PICTURE_DECODER (fh_picture_decoder_get_type ())
G_DECLARE_FINAL_TYPE (FhPictureDecoder, fh_picture_decoder, FH, PICTURE_DECODER, GObject)

/* `probes`: whose backend for this computer is used. */
FhPictureDecoder *fh_picture_decoder_new (FhProbes *probes);

/* `goes_first`: before all that wait, for what a person has asked to see. When cancelled, the
 * decoder's sandbox is taken down. The callback is called in a later turn of the main loop. */
void fh_picture_decoder_decode_async (FhPictureDecoder *self,
                                      GBytes *image,
                                      gboolean goes_first,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
/* NULL with FH_PICTURE_ERROR, a sentence for people, or G_IO_ERROR_CANCELLED. (transfer full) */
FhPicture *
fh_picture_decoder_decode_finish (FhPictureDecoder *self, GAsyncResult *result, GError **error);
