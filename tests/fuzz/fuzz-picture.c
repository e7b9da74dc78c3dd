/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the decoder of pictures has written, or anything in its place, and the same bytes as a file
 * that is shown as text or as a table. */
#include "file-content.h"
#include "fuzz-target.h"
#include "picture.h"

#include <string.h>

static void
check_shown (const char *text, const char *allowed)
{
  g_assert (g_utf8_validate (text, -1, NULL));
  for (; *text != '\0'; text++)
    if ((guchar) *text < 0x20 || *text == 0x7f)
      g_assert (strchr (allowed, *text) != NULL);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (FhPicture) picture = fh_picture_read (bytes);
  g_autoptr (FhFileTable) table = fh_file_content_table (bytes);
  gboolean is_cut;
  g_autofree char *text = fh_file_content_text (bytes, &is_cut);

  if (picture != NULL)
    {
      g_assert (picture->width > 0 && picture->height > 0);
      g_assert (g_bytes_get_size (picture->pixels) == (gsize) picture->width * picture->height * 4);
    }
  check_shown (text, "\n");
  g_assert (table->rows->len <= FH_FILE_TABLE_MAX_ROWS);
  g_assert (table->n_columns <= FH_FILE_TABLE_MAX_COLUMNS);
  for (guint row = 0; row < table->rows->len; row++)
    for (guint column = 0; column < table->n_columns; column++)
      check_shown (fh_file_table_get (table, row, column), "");
  return 0;
}
