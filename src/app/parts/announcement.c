/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/announcement.h"

void
fh_announce (GtkWidget *widget, const char *text)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (text != NULL);

  if (!gtk_widget_get_mapped (widget))
    return;
#if GTK_CHECK_VERSION(4, 14, 0)
  /* The header says that it is too new for what the build is pinned to. */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  gtk_accessible_announce (GTK_ACCESSIBLE (widget),
                           text,
                           GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  G_GNUC_END_IGNORE_DEPRECATIONS
#endif
}
