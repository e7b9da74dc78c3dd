/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* Marks lines that are worth a look, with what was found as their tooltip; a click activates
 * page.look. It is hidden while there are none. */
#define FH_TYPE_LOOK_GUTTER (fh_look_gutter_get_type ())
G_DECLARE_FINAL_TYPE (FhLookGutter, fh_look_gutter, FH, LOOK_GUTTER, GtkSourceGutterRendererPixbuf)

FhLookGutter *fh_look_gutter_new (void);

/* Marks the lines of findings (element-type FhCodeLook), but for imports. NULL removes the marks.
 * They move with their lines while the text is edited. It must be in the gutter of a view. */
void fh_look_gutter_show (FhLookGutter *self, GPtrArray *looks);

G_END_DECLS
