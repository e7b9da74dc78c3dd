/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

/* A ustar archive (POSIX.1-1988) of our programs for a container: "runner", executable, and the
 * files of the folder, readable, below "guest/". Owned by user and group 65534: engines keep the
 * archive's owner, and not even user 0 without capabilities may write to another user's files.
 * Blocks. */
GBytes *fh_program_archive_new (const char *runner, const char *guest_folder, GError **error);

/* Copies our programs into a created container that is not started yet, for a remote engine that
 * cannot bind them: the runner and the guest programs, to FH_CONTAINER_PROGRAMS. That must be a
 * volume, because engines write nowhere else in a container with a read-only root. Their owner is
 * no user that a program in the container can be, so that it cannot change them. Blocks. */
gboolean fh_container_copy_programs (FhEngine *engine,
                                     const char *container_name,
                                     const char *runner,
                                     const char *guest_folder,
                                     GCancellable *cancellable,
                                     GError **error);

/* Lets the user write to the workspace and the home of a running kept container if these are
 * volumes. Only Docker's belong to user 0; nothing to do with others. For a new container, in which
 * no program has run yet. Blocks. */
gboolean fh_container_open_folders (FhEngine *engine,
                                    const char *container_name,
                                    gboolean has_workspace,
                                    GCancellable *cancellable,
                                    GError **error);
