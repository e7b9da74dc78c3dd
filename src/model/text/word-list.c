/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "word-list.h"

gboolean
fh_word_find (const char *const *words, const char *text, guint *position)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      if (g_strcmp0 (words[i], text) != 0)
        continue;
      *position = i;
      return TRUE;
    }
  return FALSE;
}

GRegex *
fh_regex_once (GRegex **place, const char *pattern, GRegexCompileFlags flags)
{
  if (g_once_init_enter (place))
    g_once_init_leave (place, g_regex_new (pattern, flags | G_REGEX_RAW, 0, NULL));
  return *place;
}
