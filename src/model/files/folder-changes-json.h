/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "folder-changes.h"

/* The changes as the member "project" of a result: an object with folder, device, inode, born_us,
 * hidden (names), n_hidden, n_cached, n_left_out and changes: an array of objects with path, kind
 * ("added", "changed", "deleted"), problem ("none", "link", "special", "too-large", "not-kept",
 * "version-control"), old_size, new_size, old_sha256 (null when added), was_program, is_program,
 * executes ("not", "by-command", "by-itself", "version-control") and in_all. The contents are not
 * in it, and the last two are not read back. */
void fh_folder_changes_add_to_json (FhFolderChanges *changes, JsonObject *object);

/* `changes` is set to NULL without that member, which earlier versions did not write. FALSE with
 * FH_RUN_ERROR_INVALID. */
gboolean
fh_folder_changes_from_json (JsonObject *object, FhFolderChanges **changes, GError **error);
