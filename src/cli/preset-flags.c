/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "preset-flags.h"

#include <glib/gi18n-lib.h>

#include "presets.h"

void
fh_preset_flags_add (FhCommandFlags *flags, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "preset",
      0,
      0,
      G_OPTION_ARG_STRING,
      &flags->preset,
      N_ ("Options that were saved; other flags change them"),
      N_ ("NAME") },
    { "save-preset",
      0,
      0,
      G_OPTION_ARG_STRING,
      &flags->save_preset,
      N_ ("Save the options of this run for --preset"),
      N_ ("NAME") },
    { NULL },
  };

  g_option_group_add_entries (group, entries);
}

gboolean
fh_preset_flags_load (FhCommandFlags *flags, GError **error)
{
  FhRunOptions *loaded;

  if (flags->preset == NULL)
    return TRUE;
  loaded = fh_preset_load (flags->preset, error);
  if (loaded == NULL)
    {
      g_prefix_error_literal (error, "--preset: ");
      return FALSE;
    }
  fh_run_options_reset (flags->options);
  *flags->options = *loaded;
  g_free (loaded);
  return TRUE;
}

gboolean
fh_preset_flags_save (const FhCommandFlags *flags, GError **error)
{
  if (flags->save_preset == NULL || fh_preset_save (flags->save_preset, flags->options, error))
    return TRUE;
  g_prefix_error_literal (error, "--save-preset: ");
  return FALSE;
}
