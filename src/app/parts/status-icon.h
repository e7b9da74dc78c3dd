/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "run-status.h"

G_BEGIN_DECLS

/* Makes `image` the sign of how a run ended, with a color and with a name for screen readers. */
void fh_status_icon_show (GtkImage *image, FhRunStatus status);

G_END_DECLS
