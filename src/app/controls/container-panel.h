/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/container-choice.h"
#include "controls/image-check.h"

G_BEGIN_DECLS

/* Where the runs of one tab happen and, for a container, which one: the image with what is known of
 * it, what it is given, and whether it is kept.
 *
 * Actions that must be there around it: page.restart-container, page.stop-container. */
#define FH_TYPE_CONTAINER_PANEL (fh_container_panel_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerPanel, fh_container_panel, FH, CONTAINER_PANEL, GtkWidget)

/* Once. */
void fh_container_panel_set_choice (FhContainerPanel *self, FhContainerChoice *choice);

/* What is known of the image of the choice; nothing is asked while runs happen on this computer. */
FhImageCheck *fh_container_panel_get_check (FhContainerPanel *self);

/* Of the container that is kept: its name and, in words, its state. NULL: there is none. */
void
fh_container_panel_show_container (FhContainerPanel *self, const char *name, const char *state);

G_END_DECLS
