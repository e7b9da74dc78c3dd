/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* Gives the buffer the light or the dark colour scheme, whichever the app shows, for as long as
 * the buffer lives. */
void fh_editor_scheme_follow (GtkSourceBuffer *buffer);

G_END_DECLS
