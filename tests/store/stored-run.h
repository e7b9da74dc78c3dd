/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "history.h"

/* Runs to keep and places to keep them, for the tests of this folder. */

/* A new empty folder, and its end with everything in it. */
char *fh_test_folder_new (void);
void fh_test_folder_remove (char *folder);

FhRunRequest *fh_test_request (const char *source);
FhRunRequest *fh_test_request_bytes (const void *source, gsize size);
/* Ended ok `second` seconds after 2026-01-01. */
FhRunResult *fh_test_result (gint64 second, const char *out, const char *err);
FhRunResult *fh_test_result_bytes (gint64 second, const void *out, gsize size);

/* Adds `source` with that output and returns the id; fails the test when that fails. */
gint64 fh_test_add (FhHistory *history, gint64 second, const char *source, const char *out);

/* "3 2 1": the ids of what is listed. */
char *fh_test_list_ids (FhHistory *history, const char *search, guint offset, guint limit);

/* Runs the default main context until `*result` is set by fh_test_keep_result. */
void fh_test_keep_result (GObject *source, GAsyncResult *result, gpointer place);
void fh_test_wait (GAsyncResult **result);

/* SQLite's own check of a database that nobody uses at the moment. */
void fh_test_assert_intact (const char *path);
