/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Two children side by side where there is room, one above the other where there is not, with a
 * handle between them.
 *
 * Properties: start-child, end-child, narrow-width (below it the children stand above each other),
 * split-wide and split-narrow (the start child's share, 0–1, notified when the user drags the
 * handle), narrow (read-only). */
#define FH_TYPE_ADAPTIVE_PANED (fh_adaptive_paned_get_type ())
G_DECLARE_FINAL_TYPE (FhAdaptivePaned, fh_adaptive_paned, FH, ADAPTIVE_PANED, GtkWidget)

GtkWidget *fh_adaptive_paned_new (void);
gboolean fh_adaptive_paned_get_narrow (FhAdaptivePaned *self);

G_END_DECLS
