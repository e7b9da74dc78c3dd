/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-limits.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "run-error.h"

#define MAX_WALL_MS ((guint64) 24 * 60 * 60 * 1000)
#define MAX_BYTES   ((guint64) 1 << 40)

/* Longer numbers are nobody's limit, and g_ascii_strtod need not look at them. */
#define MAX_DIGITS 24

typedef struct
{
  const char *name; /* lower case */
  double factor;
} Unit;

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
      },
  },
  {
      .id = "standard",
      .name = N_ ("Standard"),
      .limits = {
          .wall_ms = 30000,
          .memory_bytes = (guint64) 512 << 20,
          .disk_bytes = (guint64) 256 << 20,
          .output_bytes = (guint64) 64 << 20,
          .processes = 128,
      },
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
      },
  },
  {
      .id = "unlimited",
      .name = N_ ("No time or memory limit"),
      .limits = {
          .disk_bytes = (guint64) 1 << 30,
          .output_bytes = (guint64) 256 << 20,
          .processes = 512,
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

/* Digits with at most one point among them: no sign, no exponent, no "inf", no hexadecimal, all of
 * which g_ascii_strtod would take. Returns where the number ends, NULL when there is none. */
static const char *
scan_number (const char *text, double *number)
{
  gsize digits = strspn (text, "0123456789");
  gsize size = digits;

  if (text[size] == '.')
    {
      gsize decimals = strspn (text + size + 1, "0123456789");

      if (decimals == 0)
        return NULL;
      size += 1 + decimals;
    }
  if (digits == 0 || size > MAX_DIGITS)
    return NULL;
  *number = g_ascii_strtod (text, NULL);
  return text + size;
}

/* "NUMBER[ ]UNIT" with white space around it. */
static gboolean
scan_quantity (const char *text, const Unit *units, guint n_units, double *value)
{
  g_autofree char *lower = g_strstrip (g_ascii_strdown (text, -1));
  const char *rest = scan_number (lower, value);

  if (rest == NULL)
    return FALSE;
  while (*rest == ' ')
    rest++;
  for (guint i = 0; i < n_units; i++)
    {
      if (g_str_equal (rest, units[i].name))
        {
          *value *= units[i].factor;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
is_none (const char *text)
{
  g_autofree char *word = g_strstrip (g_strdup (text));

  return g_ascii_strcasecmp (word, "none") == 0;
}

/* What the user typed may be long or not even text; messages quote only a little of it. */
static char *
quote (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (g_utf8_strlen (valid, -1) > 40)
    {
      g_autofree char *start = g_utf8_substring (valid, 0, 40);

      return g_strconcat (start, "…", NULL);
    }
  return g_steal_pointer (&valid);
}

gboolean
fh_run_limits_parse_duration (const char *text, guint64 *ms, GError **error)
{
  static const Unit units[] = { { "", 1e3 },  { "s", 1e3 },   { "ms", 1 },
                                { "m", 6e4 }, { "min", 6e4 }, { "h", 3.6e6 } };
  g_autofree char *quoted = NULL;
  double value;

  g_return_val_if_fail (text != NULL && ms != NULL, FALSE);

  if (is_none (text))
    {
      *ms = 0;
      return TRUE;
    }
  quoted = quote (text);
  if (!scan_quantity (text, units, G_N_ELEMENTS (units), &value))
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("“%s” is not a time. Use seconds such as 1.5, or 500ms, 2m, 1h, none."),
                   quoted);
      return FALSE;
    }
  /* A ten-thousandth of slack, because 0.1 × 1000 need not be exactly 100. */
  if (value < FH_RUN_LIMITS_MIN_WALL_MS - 1e-4 || value > (double) MAX_WALL_MS)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("A time limit of “%s” is not possible. It must be between 0.1 seconds and "
                      "24 hours, or “none”."),
                   quoted);
      return FALSE;
    }
  *ms = (guint64) llround (value);
  return TRUE;
}

static gboolean
parse_bytes (const char *text, guint64 minimum, guint64 *bytes, GError **error)
{
  static const Unit units[] = {
    { "", 0x1p20 },    { "b", 1 },       { "k", 0x1p10 },   { "kb", 0x1p10 },  { "kib", 0x1p10 },
    { "m", 0x1p20 },   { "mb", 0x1p20 }, { "mib", 0x1p20 }, { "g", 0x1p30 },   { "gb", 0x1p30 },
    { "gib", 0x1p30 }, { "t", 0x1p40 },  { "tb", 0x1p40 },  { "tib", 0x1p40 },
  };
  g_autofree char *quoted = NULL;
  double value;

  if (is_none (text))
    {
      *bytes = 0;
      return TRUE;
    }
  quoted = quote (text);
  if (!scan_quantity (text, units, G_N_ELEMENTS (units), &value))
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("“%s” is not a size. Use MiB such as 256, or 512K, 256M, 1.5G, none."),
                   quoted);
      return FALSE;
    }
  if (value < (double) minimum || value > (double) MAX_BYTES)
    {
      g_autofree char *least = fh_run_limits_format_size (minimum);

      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   /* Translators: the first is what was typed, the second a size: "16 MiB" */
                   _ ("A size of “%s” is not possible. It must be between %s and 1 TiB, "
                      "or “none”."),
                   quoted,
                   least);
      return FALSE;
    }
  *bytes = (guint64) value;
  return TRUE;
}

gboolean
fh_run_limits_parse_memory (const char *text, guint64 *bytes, GError **error)
{
  g_return_val_if_fail (text != NULL && bytes != NULL, FALSE);

  return parse_bytes (text, FH_RUN_LIMITS_MIN_MEMORY, bytes, error);
}

gboolean
fh_run_limits_parse_size (const char *text, guint64 *bytes, GError **error)
{
  g_return_val_if_fail (text != NULL && bytes != NULL, FALSE);

  return parse_bytes (text, 1, bytes, error);
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
  /* What would be shown as 1024 of one unit is 1 of the next. */
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

gboolean
fh_run_limits_check (const FhRunLimits *limits, GError **error)
{
  g_return_val_if_fail (limits != NULL, FALSE);

  if ((limits->wall_ms != 0 && limits->wall_ms < FH_RUN_LIMITS_MIN_WALL_MS) ||
      (limits->cpu_ms != 0 && limits->cpu_ms < FH_RUN_LIMITS_MIN_WALL_MS))
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_INVALID,
                           _ ("A time limit must be at least 0.1 seconds."));
      return FALSE;
    }
  if (limits->memory_bytes != 0 && limits->memory_bytes < FH_RUN_LIMITS_MIN_MEMORY)
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_INVALID,
                           _ ("A memory limit must be at least 16 MiB."));
      return FALSE;
    }
  if (limits->wall_ms > MAX_WALL_MS || limits->cpu_ms > MAX_WALL_MS ||
      limits->memory_bytes > MAX_BYTES || limits->disk_bytes > MAX_BYTES ||
      limits->output_bytes > MAX_BYTES)
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_INVALID,
                           _ ("A limit is too large: a time may be up to 24 hours and a size up to "
                              "1 TiB. Use “none” for no limit at all."));
      return FALSE;
    }
  return TRUE;
}

gboolean
fh_run_limits_equal (const FhRunLimits *a, const FhRunLimits *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->wall_ms == b->wall_ms && a->cpu_ms == b->cpu_ms && a->memory_bytes == b->memory_bytes &&
         a->disk_bytes == b->disk_bytes && a->output_bytes == b->output_bytes &&
         a->processes == b->processes;
}
