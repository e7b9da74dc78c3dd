/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "settings.h"

#define FH_TYPE_PREFERENCES_WINDOW (fh_preferences_window_get_type ())
G_DECLARE_FINAL_TYPE (FhPreferencesWindow, fh_preferences_window, FH, PREFERENCES_WINDOW, AdwWindow)

GtkWidget *fh_preferences_window_new (FhSettings *settings);
