/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "window/window.h"

/* Tells how a run ended when its window is not the one in use, and that a program waits for input
 * when its tab is not to be seen, either. The notification activates app.show-page (s), and goes
 * when the tab is seen or the program goes on. */

/* Follows the programs and answers that are recorded. */
void fh_notifications_start (GtkApplication *application, FhRecorder *recorder);
/* Notices when the user looks at a window. */
void fh_notifications_add_window (GtkApplication *application, FhWindow *window);
