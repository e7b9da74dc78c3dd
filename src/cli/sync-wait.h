/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Waits for the result of an asynchronous call. */
typedef struct _FhSyncWait FhSyncWait;

FhSyncWait *fh_sync_wait_new (void);
void fh_sync_wait_free (FhSyncWait *wait);

/* The callback to give to the call, with the FhSyncWait as its user_data. */
void fh_sync_wait_cb (GObject *source, GAsyncResult *result, gpointer wait);

/* Runs a main loop until the call is finished. Use a new FhSyncWait for each call. (transfer none)
 */
GAsyncResult *fh_sync_wait_get (FhSyncWait *wait);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhSyncWait, fh_sync_wait_free)
