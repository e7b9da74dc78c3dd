/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A sentence across the width of its place, with an icon and at most one button; it takes no room
 * while it has nothing to say.
 *
 * Properties: text (NULL hides the bar), icon-name, button-label (NULL: no button), action-name. */
#define FH_TYPE_NOTICE_BAR (fh_notice_bar_get_type ())
G_DECLARE_FINAL_TYPE (FhNoticeBar, fh_notice_bar, FH, NOTICE_BAR, GtkWidget)

void fh_notice_bar_set_text (FhNoticeBar *self, const char *text);

G_END_DECLS
