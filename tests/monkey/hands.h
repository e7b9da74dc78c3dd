/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* A keyboard and a pointer at the X server: what they do arrives as from a person. FALSE: there is
 * no library for it, or no X server. */
gboolean hands_init (void);

#define HANDS_SHIFT   (1u << 0)
#define HANDS_CONTROL (1u << 1)
#define HANDS_ALT     (1u << 2)

/* Presses and releases; all has reached this program's queue when it returns. */
void hands_key (guint keyval, guint modifiers);
void hands_click (GtkWidget *widget, double x, double y, guint button, guint times);
/* Presses on one, and lets go on the other. */
void hands_drag (GtkWidget *from, GtkWidget *to);

/* What a window manager would do: the keyboard belongs to this window, which is in front. */
void hands_give_keyboard (GtkWindow *window);
