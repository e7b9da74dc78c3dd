/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "folder-changes.h"

G_BEGIN_DECLS

/* The changes as the member "project" of a result: an object with folder, device, inode, born_us,
 * hidden (names), n_hidden, n_cached, n_left_out and changes: an array of objects with path, kind
 * ("added", "changed", "deleted"), problem (null, "link", "special", "too-large"), old_size,
 * new_size, old_sha256 (null when added), was_program and is_program. The contents are not in it.
 */
void fh_folder_changes_add_to_json (FhFolderChanges *changes, JsonObject *object);

/* `changes` is set to NULL without that member, which earlier versions did not write. FALSE with
 * FH_RUN_ERROR_INVALID. */
gboolean
fh_folder_changes_from_json (JsonObject *object, FhFolderChanges **changes, GError **error);

G_END_DECLS
