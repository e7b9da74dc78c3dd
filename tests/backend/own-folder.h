/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* A folder of one test case alone, removed at its end whatever is in it by then. Paths are relative
 * to it. */
void own_folder_begin (void);
void own_folder_end (void);
const char *own_folder (void);
/* One for a whole program, which has the user's home and all of the folders that are his by name.
 * To be called first of all; GLib's own way to do that loses memory. */
void own_folder_be_home (void);

/* Owned by the caller. */
char *own_folder_path (const char *path);
/* Makes a file, and the folders that it is in. */
void own_folder_put (const char *path, const char *content);
void own_folder_assert_content (const char *path, const char *expected);
/* Permissions of an absolute path; a link is not followed. */
mode_t own_folder_mode_of (const char *path);
