/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "result-file.h"

G_BEGIN_DECLS

/* Lets a result file be dragged out of `widget` to another app, as a file under a safe name. It is
 * written when it is dropped, into a folder that only the user can read and that goes with the app.
 * Replaces the file of an earlier call; NULL: none. */
void fh_file_drag_set (GtkWidget *widget, FhResultFile *file);

/* The same as the clipboard or a drop site sees it. (transfer full) */
GdkContentProvider *fh_file_drag_new_content (FhResultFile *file);

/* Removes what was written for drags. The end of the app does that, too. */
void fh_file_drag_forget (void);

G_END_DECLS
