/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Two children with a handle between them: side by side, or stacked if there is too little width.
 *
 * Properties: start-child, end-child and narrow-width (write-only, in pixels; below it they are
 * stacked), split-wide and split-narrow (the start child's share, 0–1, notified when the user drags
 * the handle). */
#define FH_TYPE_ADAPTIVE_PANED (fh_adaptive_paned_get_type ())
G_DECLARE_FINAL_TYPE (FhAdaptivePaned, fh_adaptive_paned, FH, ADAPTIVE_PANED, GtkWidget)
