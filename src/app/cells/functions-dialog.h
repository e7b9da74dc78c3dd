/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "cells/session-function.h"

G_BEGIN_DECLS

/* Shows the functions of a session, and asks for another.
 *
 * Signal "declare" (FhSessionFunction *function): it is not in the list yet. */
#define FH_TYPE_FUNCTIONS_DIALOG (fh_functions_dialog_get_type ())
G_DECLARE_FINAL_TYPE (FhFunctionsDialog, fh_functions_dialog, FH, FUNCTIONS_DIALOG, AdwWindow)

/* Modal to the window of `widget`. `functions`: of FhSessionFunction. */
GtkWidget *fh_functions_dialog_new (GtkWidget *widget, GListModel *functions);

G_END_DECLS
