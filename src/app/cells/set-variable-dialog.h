/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Asks for a variable's name and value. One of these is emitted before it closes:
 *   set (const char *name, const char *text): the text is JSON or what Python writes
 *   set-text (const char *name, const char *text): the value is this text, of a file */
#define FH_TYPE_SET_VARIABLE_DIALOG (fh_set_variable_dialog_get_type ())
G_DECLARE_FINAL_TYPE (FhSetVariableDialog,
                      fh_set_variable_dialog,
                      FH,
                      SET_VARIABLE_DIALOG,
                      AdwWindow)

/* Modal to the window of `widget`. */
GtkWidget *fh_set_variable_dialog_new (GtkWidget *widget);

G_END_DECLS
