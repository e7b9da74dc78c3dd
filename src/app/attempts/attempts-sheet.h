/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "attempt-log.h"

G_BEGIN_DECLS

/* The attempts that are in `log` now, to be printed or exported: each with what became of it and
 * why. `title` names the program, `sentence` (nullable) says how it ended. (transfer full) */
GtkPrintOperation *
fh_attempts_sheet_new (const char *title, const char *sentence, FhAttemptLog *log);

G_END_DECLS
