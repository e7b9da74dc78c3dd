/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The guarded runner: $FH_RUNNER, else the installed one. The file may be missing; starting it
 * reports that. (transfer full) */
char *fh_runner_locate (void);

/* The folder with the Python that runs inside: $FH_DATA_DIR/guest, else the installed one.
 * (transfer full) */
char *fh_runner_locate_guest_folder (void);

/* FALSE with a sentence when the folder is incomplete. */
gboolean fh_runner_check_guest_folder (const char *folder, GError **error);

/* The engine's seccomp profile: with everything that is refused, or without what the runner inside
 * refuses and reports. In $FH_DATA_DIR/container, next to $FH_RUNNER in a build folder, else
 * installed. The file may be missing; the engine's client reports that. (transfer full) */
char *fh_runner_locate_container_profile (gboolean is_watched);
