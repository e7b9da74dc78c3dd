/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Opens a page of the help book, such as "index" or "guard-network": in the help browser if there
 * is one, else in the web browser. */
void fh_help_show (GtkWindow *parent, const char *page);
