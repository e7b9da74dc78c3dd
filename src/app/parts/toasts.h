/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows a short message in the window that `widget` is in; without a window nothing is shown. */
void fh_toast_show (GtkWidget *widget, const char *message);

/* The same for what went wrong: it stays longer, so that it can be read in peace. */
void fh_toast_show_problem (GtkWidget *widget, const char *message);

/* A message with a button that activates `action` (looked up from the window) with `target`, which
 * is taken when floating. */
void fh_toast_show_action (GtkWidget *widget,
                           const char *message,
                           const char *button_label,
                           const char *action,
                           GVariant *target);

typedef void (*FhToastFunc) (gpointer user_data);

/* Offers to take back what was just done: `undo` is called when its button is pressed, once at the
 * most. `destroy` is called when the offer is over, at once where there is no window. */
void fh_toast_show_undo (GtkWidget *widget,
                         const char *message,
                         FhToastFunc undo,
                         gpointer user_data,
                         GDestroyNotify destroy);

G_END_DECLS
