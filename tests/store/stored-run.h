/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "fh-test.h"
#include "history.h"

/* Runs and folders for the tests of the store. */

/* Creates an empty folder; removes it with its contents. */
char *fh_test_folder_new (void);
void fh_test_folder_remove (char *folder);

FhRunRequest *fh_test_request (const char *source);
FhRunRequest *fh_test_request_bytes (const void *source, gsize size);
/* Status ok, started `second` seconds after 2026-01-01. */
FhRunResult *fh_test_result (gint64 second, const char *out, const char *err);
FhRunResult *fh_test_result_bytes (gint64 second, const void *out, gsize size);

/* Adds a run and returns its id. */
gint64 fh_test_add (FhHistory *history, gint64 second, const char *source, const char *out);

/* The ids of the list, such as "3 2 1". */
char *fh_test_list_ids (FhHistory *history, const char *search, guint offset, guint limit);

/* A history in a folder of its own. */
typedef struct
{
  char *folder;
  char *path;         /* of the database, in a folder that is not there yet */
  FhHistory *history; /* a test may take it away */
  guint changes;      /* how often "changed" was emitted */
} FhTestHistory;

void fh_test_history_set_up (FhTestHistory *self, gconstpointer data);

/* Also checks that the database is whole, and that nothing keeps the history alive. */
void fh_test_history_tear_down (FhTestHistory *self, gconstpointer data);

void fh_test_history_assert_listed (FhTestHistory *self, const char *expected_ids);

/* Calls that do not block, with waiting for their results. */
gboolean fh_test_history_open (FhHistory *history, char **notice, GError **error);
gboolean
fh_test_history_set_pinned (FhHistory *history, gint64 id, gboolean pinned, GError **error);
gboolean fh_test_history_delete (FhHistory *history, gint64 id, GError **error);
gboolean fh_test_history_restore (FhHistory *history, gint64 id, GError **error);
gboolean fh_test_history_prune (FhHistory *history, guint keep, GError **error);
gboolean fh_test_history_refresh (FhHistory *history, GError **error);

/* SQL that takes away what later formats than the second one have. */
#define FH_TEST_TO_FORMAT_2                                                                        \
  "DROP INDEX runs_batch; ALTER TABLE runs DROP COLUMN batch; ALTER TABLE runs DROP COLUMN"        \
  " verdict; ALTER TABLE runs DROP COLUMN memory_peak; ALTER TABLE runs DROP COLUMN stopped;"      \
  "ALTER TABLE runs DROP COLUMN image;"

/* SQLite's integrity check. The database must not be in use. */
void fh_test_assert_intact (const char *path);
