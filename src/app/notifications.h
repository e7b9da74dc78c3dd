/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "run.h"

G_BEGIN_DECLS

/* Tells the desktop that a long run has ended while the user looked elsewhere. A click on it
 * activates app.show-page with `page_id`. */
void fh_notifications_run_finished (GtkApplication *application, FhRun *run, const char *page_id);

/* Whether a run of this length deserves it. */
gboolean fh_notifications_is_long (guint64 wall_us);

G_END_DECLS
