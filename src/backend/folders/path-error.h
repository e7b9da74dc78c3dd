/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Errors about files and folders. All functions set the error and return FALSE. */

/* G_IO_ERROR with the system's text for the errno `code`, after "what: " unless `what` is NULL. */
gboolean fh_errno_error (GError **error, int code, const char *what);

/* G_IO_ERROR with a sentence: `format` has a %s for the path and one for the system's text. */
gboolean fh_path_error (GError **error, int code, const char *format, const char *path);

/* FH_RUN_ERROR_INVALID with a sentence: `format` has a %s for the path. */
gboolean fh_path_refuse (GError **error, const char *format, const char *path);

/* Takes the `reason`: as it is if it is a sentence, FH_RUN_ERROR, else in a sentence, for which
 * `format` has a %s for the path and one for the reason. */
gboolean fh_path_explain (GError **error, GError *reason, const char *format, const char *path);
