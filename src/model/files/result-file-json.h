/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "result-file.h"

/* The list of files as members of a result: "files", an array of objects with path (its bytes where
 * they are not text), kind ("file", "link", "special"), size, is_program, is_changed and kept
 * (whether the content was kept); "files_left_out", a number; "files_incomplete". The contents
 * themselves are not in it. */
void fh_result_files_add_to_json (FhResultFiles *files, JsonObject *object);

/* A result without these members, which earlier versions did not write, has no files. Every file
 * comes without content. NULL with FH_RUN_ERROR_INVALID. */
FhResultFiles *fh_result_files_from_json (JsonObject *object, GError **error);
