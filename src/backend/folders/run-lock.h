/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks between runs: what one run may change, such as a kept container or a work folder, must not
 * be what another one starts from. All are byte ranges of one file in the user's state folder
 * (F_OFD_SETLK, fcntl (2)): they end with the process that holds them, leave nothing behind, and no
 * program in a sandbox can reach them. */
#pragma once

#include "opened-path.h"

typedef struct _FhRunLock FhRunLock;

/* Takes no lock yet. Blocks on one small file. NULL with a GIOError. */
FhRunLock *fh_run_lock_new (GError **error);
void fh_run_lock_free (FhRunLock *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunLock, fh_run_lock_free)

/* Locks the kept container of that name. FALSE with G_IO_ERROR_BUSY and a sentence when another run
 * has it. */
gboolean fh_run_lock_take_container (FhRunLock *self, const char *name, GError **error);
/* Locks a folder with everything in it, under any path. */
gboolean fh_run_lock_take_folder (FhRunLock *self, FhOpenedPath *folder, GError **error);
