/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows code that another program wants to run. All texts were chosen by that program and are
 * shown as plain text, in which nothing is hidden.
 *
 * Signal "answered" (gboolean is_approved, const char *reason): at most once, before it is gone;
 * also when it is closed. If it goes with its parent, that is no answer to it alone. */
#define FH_TYPE_APPROVAL_DIALOG (fh_approval_dialog_get_type ())
G_DECLARE_FINAL_TYPE (FhApprovalDialog, fh_approval_dialog, FH, APPROVAL_DIALOG, AdwWindow)

/* `client`: who asks. `tool`: what for. `summary`: limits and other options. */
GtkWidget *fh_approval_dialog_new (const char *client,
                                   const char *tool,
                                   const char *code,
                                   const char *summary);

/* How many other questions wait. */
void fh_approval_dialog_set_waiting (FhApprovalDialog *self, guint n_waiting);

G_END_DECLS
