/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/elapsed-time.h"

#include <glib/gi18n.h>

char *
fh_elapsed_time_format (guint64 us)
{
  /* Rounded before the unit is chosen, so that nothing is ever “1000 ms”. */
  guint64 ms = (us + 500) / 1000;

  if (ms < 1000)
    /* Translators: milliseconds. */
    return g_strdup_printf (_ ("%u ms"), (guint) ms);
  if (ms < 60000)
    /* Translators: seconds. */
    return g_strdup_printf (_ ("%.2f s"), (double) (ms / 10) / 100.0);
  /* Translators: minutes and seconds, as in “2:05 min”. */
  return g_strdup_printf (_ ("%u:%02u min"), (guint) (ms / 60000), (guint) (ms / 1000 % 60));
}
