/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* A decoded picture: rows without gaps of red, green, blue and alpha, one byte each, alpha not
 * multiplied in. Immutable. */
typedef struct
{
  guint width;
  guint height;
  /* As the picture says of itself, in pixels: for people. It may have been made smaller, and small
   * drawings larger. */
  guint original_width;
  guint original_height;
  gboolean is_animated; /* this is its first frame */
  GBytes *pixels;       /* width × height × 4 */
} FhPicture;

#define FH_TYPE_PICTURE (fh_picture_get_type ())
GType fh_picture_get_type (void);

/* What fumehood-decode has written. It comes out of a sandbox in which a hostile image was decoded,
 * so that it may be anything. NULL unless every byte is accounted for. (transfer full) (nullable)
 */
FhPicture *fh_picture_read (GBytes *written);

FhPicture *fh_picture_ref (FhPicture *picture);
void fh_picture_unref (FhPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPicture, fh_picture_unref)
