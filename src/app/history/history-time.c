/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history/history-time.h"

#include <glib/gi18n.h>

/* Days by the calendar, not by 24 hours. */
static gint64
day_number (GDateTime *time)
{
  GDate date;

  g_date_clear (&date, 1);
  g_date_set_dmy (&date,
                  (GDateDay) g_date_time_get_day_of_month (time),
                  (GDateMonth) g_date_time_get_month (time),
                  (GDateYear) g_date_time_get_year (time));
  return g_date_get_julian (&date);
}

char *
fh_history_time_format (GDateTime *when, GDateTime *now)
{
  gint64 days;

  g_return_val_if_fail (when != NULL && now != NULL, NULL);

  days = day_number (now) - day_number (when);
  if (days == 0)
    /* Translators: a time of today, see strftime(3). */
    return g_date_time_format (when, _ ("%H:%M"));
  if (days == 1)
    return g_strdup (_ ("Yesterday"));
  if (days > 1 && days < 7)
    return g_date_time_format (when, "%A");
  if (g_date_time_get_year (when) == g_date_time_get_year (now))
    /* Translators: a day of this year, see strftime(3). */
    return g_date_time_format (when, _ ("%-e %b"));
  /* Translators: a day of another year, see strftime(3). */
  return g_date_time_format (when, _ ("%-e %b %Y"));
}
