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
