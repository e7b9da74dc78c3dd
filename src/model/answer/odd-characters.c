/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "odd-characters.h"

#include <string.h>

#include "unclosed-text.h"

/* U+FF01 to U+FF5E are the characters of ASCII as wide as Chinese ones. */
#define WIDE_FIRST     0xff01
#define WIDE_LAST      0xff5e
#define ASCII_OF(wide) ((char) ((wide) -WIDE_FIRST + '!'))

static gboolean
is_space (gunichar c)
{
  return c == 0xa0 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000;
}

/* Whether the character has no width, so that a reader of the code does not see it. */
static gboolean
is_invisible (gunichar c)
{
  return c == 0xad || (c >= 0x200b && c <= 0x200f) || c == 0x2060 || c == 0xfeff;
}

static gboolean
is_dash (gunichar c)
{
  return (c >= 0x2010 && c <= 0x2015) || c == 0x2212;
}

/* Returns what a character of code stands for, or NULL if it stands for itself. */
static const char *
find_meant (gunichar c, FhCodeByte kind, gboolean is_python, char wide[2])
{
  if (kind == FH_CODE_BYTE_QUOTE)
    return c >= 0x201c ? "\"" : "'";
  if (is_space (c))
    return " ";
  if (is_invisible (c))
    return "";
  if (is_python && is_dash (c))
    return "-";
  /* Python takes the wide letters for letters. */
  if (!is_python || c < WIDE_FIRST || c > WIDE_LAST || !g_ascii_ispunct (ASCII_OF (c)))
    return NULL;
  wide[0] = ASCII_OF (c);
  return wide;
}

char *
fh_odd_characters_replace (const FhLanguage *language, const char *code, GArray **lines)
{
  g_autoptr (GString) replaced = NULL;
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint8 *kinds = NULL;
  guint line = 1;

  g_return_val_if_fail (language != NULL && code != NULL && lines != NULL, NULL);

  *lines = NULL;
  if (g_str_is_ascii (code) || !g_utf8_validate (code, -1, NULL))
    return NULL;
  kinds = fh_unclosed_text_find_code (language, code);
  replaced = g_string_sized_new (strlen (code));
  for (const char *at = code; *at != '\0'; at = g_utf8_next_char (at))
    {
      const FhCodeByte kind = kinds[at - code];
      char wide[2] = { '\0', '\0' };
      const char *meant = NULL;

      if (kind != FH_CODE_BYTE_OTHER && (guint8) *at >= 0x80)
        meant = find_meant (g_utf8_get_char (at), kind, g_str_equal (language->id, "python"), wide);
      if (meant == NULL)
        g_string_append_len (replaced, at, g_utf8_next_char (at) - at);
      else
        g_string_append (replaced, meant);
      if (meant != NULL &&
          (changed->len == 0 || g_array_index (changed, guint, changed->len - 1) != line))
        g_array_append_val (changed, line);
      line += *at == '\n';
    }
  if (changed->len == 0)
    return NULL;
  *lines = g_steal_pointer (&changed);
  return g_string_free (g_steal_pointer (&replaced), FALSE);
}
