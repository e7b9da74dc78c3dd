/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/options.h"
#include "protection.h"
#include "run-result.h"

/* "What protects you now": a button whose icon shows how good the protection is, and a popover with
 * a row for each guard, for the next run or for the one that is shown. */
#define FH_TYPE_GUARD_BUTTON (fh_guard_button_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardButton, fh_guard_button, FH, GUARD_BUTTON, GtkWidget)

/* Shows what protects the next run. */
void fh_guard_button_set_protection (FhGuardButton *self, FhProtection *protection);
/* The options of the next run, and the run that is shown; both nullable. */
void fh_guard_button_set_options (FhGuardButton *self, FhOptions *options);
void fh_guard_button_set_result (FhGuardButton *self, FhRunResult *result);
void fh_guard_button_popup (FhGuardButton *self);
