/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder that a relative path of the guest starts from. As with guest memory, it may change
 * before the kernel uses it: good for reports, never for decisions.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* The path of the folder that `thread` has open as `folder`, or of its working folder for AT_FDCWD.
 * False if unknown. */
bool guest_folder_path (pid_t thread, int folder, char path[PATH_MAX]);
/* True if a guest has named something else than a folder, and open folders are not looked up any
 * more. */
bool guest_folder_is_closed (void);
