/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* A bar with a sentence, an icon and an optional button; hidden without text.
 *
 * Properties (write-only): text (NULL hides the bar), icon-name, button-label (NULL: no button),
 * action-name, action-target (GVariant of the action), closable (whether it can be put away). */
#define FH_TYPE_NOTICE_BAR (fh_notice_bar_get_type ())
G_DECLARE_FINAL_TYPE (FhNoticeBar, fh_notice_bar, FH, NOTICE_BAR, AdwBin)

void fh_notice_bar_set_text (FhNoticeBar *self, const char *text);
