/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-limits.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const FhRunPreset presets[] = {
  {
      .id = "quick",
      .name = N_ ("Quick look"),
      .limits = {
          .wall_ms = 5000,
          .memory_bytes = (guint64) 256 << 20,
          .disk_bytes = (guint64) 256 << 20,
          .output_bytes = (guint64) 64 << 20,
          .processes = 128,
          .open_files = FH_RUN_LIMITS_MAX_OPEN_FILES,
      },
  },
  {
      .id = "standard",
      .name = N_ ("Standard"),
      .limits = FH_RUN_LIMITS_DEFAULT,
  },
  {
      .id = "heavy",
      .name = N_ ("Heavy work"),
      .limits = {
          .wall_ms = 10 * 60 * 1000,
          .memory_bytes = (guint64) 4 << 30,
          .disk_bytes = (guint64) 1 << 30,
          .output_bytes = (guint64) 256 << 20,
          .processes = 512,
          .open_files = FH_RUN_LIMITS_MAX_OPEN_FILES,
      },
  },
  {
      .id = "unlimited",
      .name = N_ ("No time or memory limit"),
      .limits = {
          .disk_bytes = (guint64) 1 << 30,
          .output_bytes = (guint64) 256 << 20,
          .processes = 512,
          .open_files = FH_RUN_LIMITS_MAX_OPEN_FILES,
      },
  },
};

const FhRunPreset *
fh_run_presets (guint *count)
{
  g_return_val_if_fail (count != NULL, NULL);

  *count = G_N_ELEMENTS (presets);
  return presets;
}

/* A number with as few decimals as it needs, at most `decimals`, in the user's own notation. */
static char *
format_number (double value, int decimals)
{
  double last = round (value * pow (10, decimals));

  for (; decimals > 0 && fmod (last, 10) == 0; decimals--)
    last /= 10;
  return g_strdup_printf ("%.*f", decimals, value);
}

char *
fh_run_limits_format_duration (guint64 ms)
{
  g_autofree char *number = NULL;
  gulong minutes = (gulong) (ms / 60000);

  if (ms == 0)
    return g_strdup (_ ("no limit"));
  if (minutes == 0)
    {
      number = format_number ((double) ms / 1e3, 3);
      /* Translators: a number of seconds: "1.5 s" */
      return g_strdup_printf (_ ("%s s"), number);
    }
  if (ms % 60000 != 0)
    {
      number = format_number ((double) (ms % 60000) / 1e3, 3);
      /* Translators: minutes and seconds: "1 min 30 s" */
      return g_strdup_printf (_ ("%lu min %s s"), minutes, number);
    }
  if (minutes < 60)
    /* Translators: a number of minutes: "2 min" */
    return g_strdup_printf (_ ("%lu min"), minutes);
  if (minutes % 60 == 0)
    /* Translators: a number of hours: "1 h" */
    return g_strdup_printf (_ ("%lu h"), minutes / 60);
  /* Translators: hours and minutes: "1 h 30 min" */
  return g_strdup_printf (_ ("%lu h %lu min"), minutes / 60, minutes % 60);
}

char *
fh_run_limits_format_size (guint64 bytes)
{
  double value = (double) bytes;
  guint unit = 0;
  g_autofree char *number = NULL;

  if (bytes == 0)
    return g_strdup (_ ("no limit"));
  if (bytes < 1024)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u byte", "%u bytes", (gulong) bytes),
                            (guint) bytes);
  /* 1024 of one unit is shown as 1 of the next. */
  while (unit < 4 && (unit == 0 || value >= 1023.95))
    {
      value /= 1024;
      unit++;
    }
  number = format_number (value, 1);
  switch (unit)
    {
    case 1:
      /* Translators: 1024 bytes: "1.5 KiB" */
      return g_strdup_printf (_ ("%s KiB"), number);
    case 2:
      return g_strdup_printf (_ ("%s MiB"), number);
    case 3:
      return g_strdup_printf (_ ("%s GiB"), number);
    default:
      return g_strdup_printf (_ ("%s TiB"), number);
    }
}
