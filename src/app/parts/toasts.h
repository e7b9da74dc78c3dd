/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Shows a short message in the window of `widget`, if it is in one. */
void fh_toast_show (GtkWidget *widget, const char *message);

/* The same for an error message, in place of the last one; it stays longer, until it is cleared. */
void fh_toast_show_problem (GtkWidget *widget, const char *message);
void fh_toast_clear_problem (GtkWidget *widget);

/* A message with a button that activates an action of the window. A floating `target` is consumed.
 * Returns the toast, or NULL if there is no window. (transfer none) */
AdwToast *fh_toast_show_action (GtkWidget *widget,
                                const char *message,
                                const char *button_label,
                                const char *action,
                                GVariant *target);

/* The same for a button that calls `clicked` with the widget, if that still lives. */
AdwToast *fh_toast_show_button (GtkWidget *widget,
                                const char *message,
                                const char *button_label,
                                void (*clicked) (GtkWidget *widget));

/* Keeps a weak pointer to the toast at `place`. The one that was there goes at once, or as soon as
 * it has come: several of a kind would be shown one after the other. `toast`: nullable. */
void fh_toast_replace (AdwToast **place, AdwToast *toast);

typedef void (*FhToastFunc) (gpointer user_data);

/* A message with an Undo button, which calls `undo`. `destroy` is called when the toast goes, or at
 * once if there is no window. */
void fh_toast_show_undo (GtkWidget *widget,
                         const char *message,
                         FhToastFunc undo,
                         gpointer user_data,
                         GDestroyNotify destroy);
