/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where the guarded runner is: $FH_RUNNER, else the folder it was installed to. The file may be
 * missing; starting it tells. (transfer full) */
char *fh_runner_locate (void);

/* The folder with the Python that runs inside: $FH_DATA_DIR/guest, else the installed one.
 * (transfer full) */
char *fh_runner_locate_guest_folder (void);

/* FALSE with a sentence when that folder does not hold what it must. */
gboolean fh_runner_check_guest_folder (const char *folder, GError **error);

G_END_DECLS
