/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file-name.h"

#include <limits.h>
#include <string.h>

/* The longest name that common file systems take, in bytes. */
#define MAX_BYTES 255

static gboolean
is_plain (gunichar character)
{
  return g_unichar_isprint (character) && g_unichar_type (character) != G_UNICODE_FORMAT;
}

/* Cuts between characters. */
static void
cut (GString *name, gsize size)
{
  if (name->len <= size)
    return;
  while (size > 0 && (name->str[size] & 0xc0) == 0x80)
    size--;
  g_string_truncate (name, size);
}

static void
append_part (GString *text, const char *part, gsize size)
{
  const char *end = part + size;
  g_autoptr (GString) name = g_string_sized_new (size + 1);

  if (size == 0 || *part == '.' || *part == '-')
    g_string_append_c (name, '_');
  while (part < end)
    {
      gunichar character = g_utf8_get_char_validated (part, end - part);

      if (character == (gunichar) -1 || character == (gunichar) -2)
        {
          g_string_append_c (name, '_');
          part++;
          continue;
        }
      if (is_plain (character))
        g_string_append_unichar (name, character);
      else
        g_string_append_c (name, '_');
      part = g_utf8_next_char (part);
    }
  cut (name, MAX_BYTES);
  g_string_append_len (text, name->str, (gssize) name->len);
}

char *
fh_result_path_to_name (const char *path)
{
  GString *text = g_string_new (NULL);
  const char *slash;

  g_return_val_if_fail (path != NULL, NULL);

  slash = strrchr (path, '/');
  path = slash != NULL ? slash + 1 : path;
  append_part (text, path, strlen (path));
  return g_string_free (text, FALSE);
}

char *
fh_result_path_to_path (const char *path)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (path != NULL, NULL);

  for (;;)
    {
      gsize size = strcspn (path, "/");

      append_part (text, path, size);
      if (path[size] == '\0')
        return g_string_free (text, FALSE);
      g_string_append_c (text, '/');
      path += size + 1;
    }
}

/* The suffix from the last dot, if it looks like a file type. */
static const char *
find_suffix (const char *name)
{
  const char *dot = strrchr (name, '.');
  const gsize longest = 16;

  return dot != NULL && dot != name && strlen (dot) <= longest ? dot : name + strlen (name);
}

char *
fh_result_name_with_number (const char *name, guint number)
{
  const char *suffix;
  g_autofree char *end = NULL;
  GString *text;

  g_return_val_if_fail (name != NULL, NULL);

  suffix = find_suffix (name);
  end = g_strdup_printf (" (%u)%s", number, suffix);
  text = g_string_new_len (name, suffix - name);
  cut (text, MAX_BYTES - strlen (end));
  g_string_append (text, end);
  return g_string_free (text, FALSE);
}
