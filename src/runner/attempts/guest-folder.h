/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder that a relative path of the guest starts from, and what else it has open. As with
 * guest memory, it may change before the kernel uses it: good for reports, never for decisions.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The path of what `thread` has open as `descriptor`, or of its working folder for AT_FDCWD. What
 * has no path gets a text that does not begin with a slash, as in proc (5). False if unknown, such
 * as a path of PATH_MAX bytes or more. */
bool guest_folder_path (pid_t thread, int descriptor, char path[PATH_MAX]);
/* True if `descriptor` is known to be a file of `mount`, which has STATX_MNT_ID. */
bool guest_folder_is_in_mount (pid_t thread, int descriptor, const struct statx *mount);
/* False if `descriptor` is known to be no socket: nothing, or something else. */
bool guest_folder_may_be_socket (pid_t thread, int descriptor);
/* Such as SOCK_STREAM, socket (2); 0 if unknown. */
int guest_folder_socket_type (pid_t thread, int descriptor);
/* True if something of the guest's is open here, or in a child process, that could not be closed.
 */
bool guest_folder_holds_copies (void);
