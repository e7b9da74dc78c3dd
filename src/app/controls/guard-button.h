/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/run-options.h"
#include "protection.h"
#include "run-result.h"

G_BEGIN_DECLS

/* "What protects me now": a button whose icon tells how well, and a popover with one row for each
 * guard: as the next run will have it, and as the run had it that is shown. */
#define FH_TYPE_GUARD_BUTTON (fh_guard_button_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardButton, fh_guard_button, FH, GUARD_BUTTON, GtkWidget)

GtkWidget *fh_guard_button_new (void);
/* Of the next run. */
void fh_guard_button_set_protection (FhGuardButton *self, FhProtection *protection);
/* What the next run goes without, and what the run had that is shown; both nullable. */
void fh_guard_button_set_options (FhGuardButton *self, FhRunOptions *options);
void fh_guard_button_set_result (FhGuardButton *self, FhRunResult *result);
void fh_guard_button_popup (FhGuardButton *self);

G_END_DECLS
