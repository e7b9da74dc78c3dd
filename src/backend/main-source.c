/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "main-source.h"

GSource *
fh_source_attach (GSource *source, GSourceFunc callback, gpointer user_data, GDestroyNotify notify)
{
  g_source_set_callback (source, callback, user_data, notify);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

void
fh_source_clear (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}
