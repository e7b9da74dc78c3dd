/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Has a screen reader say a text about `widget`, if that is on the screen, after what it is just
 * saying. GTK can do that from 4.14 on; an older one does nothing. */
void fh_announce (GtkWidget *widget, const char *text);
