/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same as precompiled-glib.h, for the window and its tests. */
#include <adwaita.h>
#include <gtksourceview/gtksource.h>
