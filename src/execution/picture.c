/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture.h"

#include <string.h>

/* The format of fumehood-decode, see decode/pixels.h. Both are checked against each other by
 * tests/execution/test-picture-decoder.c. */
#define MAGIC        "FHPX"
#define VERSION      1u
#define HEADER       32u
#define MAX_SIDE     16384u
#define MAX_ORIGINAL 1000000u
#define MAX_SIZE     ((guint64) 16 << 20)

G_DEFINE_BOXED_TYPE (FhPicture, fh_picture, fh_picture_ref, fh_picture_unref)

static void
clear (gpointer data)
{
  g_bytes_unref (((FhPicture *) data)->pixels);
}

FhPicture *
fh_picture_ref (FhPicture *picture)
{
  g_return_val_if_fail (picture != NULL, NULL);

  return g_atomic_rc_box_acquire (picture);
}

void
fh_picture_unref (FhPicture *picture)
{
  g_atomic_rc_box_release_full (picture, clear);
}

static gboolean
is_within (guint32 number, guint32 maximum)
{
  return number >= 1 && number <= maximum;
}

FhPicture *
fh_picture_read (GBytes *written)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (written, &size);
  guint32 numbers[7]; /* version, width, height, original width and height, frames, 0 */
  FhPicture *picture;

  if (size < HEADER || size > MAX_SIZE || memcmp (data, MAGIC, 4) != 0)
    return NULL;
  memcpy (numbers, data + 4, sizeof numbers);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    numbers[i] = GUINT32_FROM_LE (numbers[i]);
  if (numbers[0] != VERSION || !is_within (numbers[1], MAX_SIDE) ||
      !is_within (numbers[2], MAX_SIDE) || !is_within (numbers[3], MAX_ORIGINAL) ||
      !is_within (numbers[4], MAX_ORIGINAL) || !is_within (numbers[5], 2) || numbers[6] != 0 ||
      (guint64) numbers[1] * numbers[2] * 4 != size - HEADER)
    return NULL;
  picture = g_atomic_rc_box_new0 (FhPicture);
  picture->width = numbers[1];
  picture->height = numbers[2];
  picture->original_width = numbers[3];
  picture->original_height = numbers[4];
  picture->is_animated = numbers[5] > 1;
  picture->pixels = g_bytes_new_from_bytes (written, HEADER, size - HEADER);
  return picture;
}
