/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The only user of AdwAboutWindow. `debug_info`: what a bug report should hold, nullable. */
void fh_about_present (GtkWindow *parent, const char *debug_info);

G_END_DECLS
