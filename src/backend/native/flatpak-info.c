/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flatpak-info.h"

#include <unistd.h>

#define INFO "/.flatpak-info"

static const guint64 safe[] = { 1, 16, 4 };

gboolean
fh_flatpak_is_inside (void)
{
  static gsize answer; /* 1: yes, 2: no, for as long as the process lives */

  if (g_once_init_enter (&answer))
    g_once_init_leave (&answer, access (INFO, F_OK) == 0 ? 1 : 2);
  return answer == 1;
}

gboolean
fh_flatpak_info_is_old (const char *text)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *version = NULL;
  const char *at;

  g_return_val_if_fail (text != NULL, TRUE);

  if (g_key_file_load_from_data (file, text, (gsize) -1, G_KEY_FILE_NONE, NULL))
    version = g_key_file_get_string (file, "Instance", "flatpak-version", NULL);
  at = version;
  for (guint i = 0; i < G_N_ELEMENTS (safe); i++)
    {
      char *rest = NULL;
      const guint64 part = at != NULL ? g_ascii_strtoull (at, &rest, 10) : 0;

      if (part != safe[i])
        return part < safe[i];
      at = *rest == '.' ? rest + 1 : NULL;
    }
  return FALSE;
}

gboolean
fh_flatpak_is_old (void)
{
  g_autofree char *text = NULL;

  return !g_file_get_contents (INFO, &text, NULL, NULL) || fh_flatpak_info_is_old (text);
}
