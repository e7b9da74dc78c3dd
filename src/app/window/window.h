/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FH_TYPE_WINDOW (fh_window_get_type ())
G_DECLARE_FINAL_TYPE (FhWindow, fh_window, FH, WINDOW, AdwApplicationWindow)

FhWindow *fh_window_new (GtkApplication *application);

G_END_DECLS
