/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* The files that were opened and saved last, in the desktop's own list of recent files. */

void fh_recent_files_add (GFile *file);

/* Keeps those that this application has used, newest first, in a submenu of this title at the
 * beginning of the menu. Their items activate `action` (s) with the file's address. There is no
 * submenu without files. The menu follows them until `owner` is gone. */
void fh_recent_files_fill (GMenu *menu, const char *title, const char *action, GObject *owner);
