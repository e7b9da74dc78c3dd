/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/options.h"
#include "image-check.h"

/* Where the runs of one tab happen and, for a container, its image, what it is given, and whether
 * it is kept.
 *
 * Uses the actions page.restart-container and page.stop-container. */
#define FH_TYPE_CONTAINER_PANEL (fh_container_panel_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerPanel, fh_container_panel, FH, CONTAINER_PANEL, GtkWidget)

/* Called once. */
void fh_container_panel_set_options (FhContainerPanel *self, FhOptions *options);

/* The state of the image; idle while runs happen on this computer. */
FhImageCheck *fh_container_panel_get_check (FhContainerPanel *self);

/* The name of the kept container and a sentence about its state. NULL: there is none. */
void
fh_container_panel_show_container (FhContainerPanel *self, const char *name, const char *state);
