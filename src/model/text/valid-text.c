/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "valid-text.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define NUL_PICTURE "\xe2\x90\x80" /* U+2400 */

char *
fh_valid_text_new (const void *bytes, gsize size)
{
  const char *rest = bytes;
  GString *text = g_string_sized_new (size + 1);

  while (size > 0)
    {
      const char *invalid;
      gsize valid;

      /* g_utf8_validate_len treats a NUL as an invalid byte, so both end a valid part. */
      g_utf8_validate_len (rest, size, &invalid);
      valid = (gsize) (invalid - rest);
      g_string_append_len (text, rest, (gssize) valid);
      if (valid == size)
        break;
      g_string_append (text, *invalid == '\0' ? NUL_PICTURE : REPLACEMENT);
      rest = invalid + 1;
      size -= valid + 1;
    }
  return g_string_free (text, FALSE);
}

gboolean
fh_valid_text_check (const void *bytes, gsize size)
{
  return size == 0 || g_utf8_validate_len (bytes, size, NULL);
}
