/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run is chosen, then the one that it is compared with: by a click or with Enter. */
#include "config.h"

#include <glib/gi18n.h>

#include "history/history-view-private.h"

static void
set_compared (FhHistoryView *self, FhHistoryEntry *entry)
{
  g_autofree char *text = NULL;

  self->compared = entry != NULL ? fh_history_entry_get_id (entry) : 0;
  if (entry != NULL)
    /* Translators: %s is the title of a run */
    text = g_strdup_printf (_ ("Choose the run to compare “%s” with."),
                            fh_history_entry_get_title (entry));
  fh_notice_bar_set_text (self->compare_notice, text);
}

void
fh_history_view_compare_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  gboolean begins = g_str_equal (name, "history.compare");

  set_compared (self, begins ? fh_history_view_get_entry (self) : NULL);
  gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
}

gboolean
fh_history_view_choose (FhHistoryView *self, FhHistoryEntry *entry)
{
  gint64 compared = self->compared;
  gint64 id = fh_history_entry_get_id (entry);

  if (compared == 0 || id == compared)
    return compared != 0;
  set_compared (self, NULL);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.history-compare", "(xx)", compared, id);
  return TRUE;
}
