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

/* What the engine of a container has to refuse: all that is refused, or without what the runner
 * inside refuses and tells of. In $FH_DATA_DIR/container, beside $FH_RUNNER where both were built,
 * else installed. The file may be missing; the engine's client tells. (transfer full) */
char *fh_runner_locate_container_profile (gboolean is_watched);

G_END_DECLS
