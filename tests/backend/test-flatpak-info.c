/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which versions of Flatpak are known to have holes. */
#include "flatpak-info.h"

static void
test_versions (void)
{
  static const struct
  {
    const char *version;
    gboolean is_old;
  } cases[] = {
    { "1.16.4", FALSE }, { "1.16.5", FALSE }, { "1.16.10", FALSE }, { "1.17.0", FALSE },
    { "1.18.2", FALSE }, { "2.0.0", FALSE },  { "1.16.3", TRUE },   { "1.16", TRUE },
    { "1.14.10", TRUE }, { "1.9.99", TRUE },  { "0.99.99", TRUE },  { "", TRUE },
    { "new", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text =
          g_strdup_printf ("[Application]\nname=a.b.C\n\n[Instance]\nflatpak-version=%s\n",
                           cases[i].version);

      g_test_message ("%s", cases[i].version);
      g_assert_cmpint (fh_flatpak_info_is_old (text), ==, cases[i].is_old);
    }
}

static void
test_no_version (void)
{
  g_assert_true (fh_flatpak_info_is_old (""));
  g_assert_true (fh_flatpak_info_is_old ("[Application]\nname=a.b.C\n"));
  g_assert_true (fh_flatpak_info_is_old ("no key file\n\377\376"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flatpak-info/versions", test_versions);
  g_test_add_func ("/flatpak-info/no-version", test_no_version);
  return g_test_run ();
}
