/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* A call that waits for the person's reply. Hidden when there is none. What the program says is
 * plain text, of limited length.
 *
 * Signals:
 *   reply (const char *text): JSON, or a text
 *   refuse */
#define FH_TYPE_CALL_BAR (fh_call_bar_get_type ())
G_DECLARE_FINAL_TYPE (FhCallBar, fh_call_bar, FH, CALL_BAR, AdwBin)

/* `name`: NULL hides it. */
void fh_call_bar_show (FhCallBar *self, const char *name, const char *arguments);

G_END_DECLS
