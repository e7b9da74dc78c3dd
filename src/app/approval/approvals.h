/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Lets programs of the same user ask whether they may run code: io.github.fumehood.Approval on the
 * session bus. One dialog is shown at a time; some more questions wait, others are refused.
 *
 * Signal "show" (GtkWindow *dialog): to be presented with the app's window */
#define FH_TYPE_APPROVALS (fh_approvals_get_type ())
G_DECLARE_FINAL_TYPE (FhApprovals, fh_approvals, FH, APPROVALS, GObject)

/* Answers calls at that path of the bus. Must be called before the application owns its name, or
 * the call that started it may come too early. */
gboolean fh_approvals_export (FhApprovals *self,
                              GDBusConnection *connection,
                              const char *application_path,
                              GError **error);
void fh_approvals_unexport (FhApprovals *self);
