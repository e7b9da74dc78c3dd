/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The answer to one asynchronous call, for commands that have nothing else to do meanwhile. */
typedef struct _FhAwaited FhAwaited;

FhAwaited *fh_awaited_new (void);
void fh_awaited_free (FhAwaited *awaited);

/* The callback to give to the call, with the FhAwaited as its user_data. */
void fh_awaited_cb (GObject *source, GAsyncResult *result, gpointer awaited);

/* Waits for it. Borrowed; call once for each call. */
GAsyncResult *fh_awaited_get (FhAwaited *awaited);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhAwaited, fh_awaited_free)

G_END_DECLS
