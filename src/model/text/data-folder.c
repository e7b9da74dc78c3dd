/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "data-folder.h"

char *
fh_data_folder_locate (const char *name)
{
  const char *data_dir = g_getenv ("FH_DATA_DIR");
  g_autofree char *folder = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (data_dir == NULL || *data_dir == '\0')
    return g_build_filename (FH_PKGDATADIR, name, NULL);
  folder = g_canonicalize_filename (data_dir, NULL);
  return g_build_filename (folder, name, NULL);
}
