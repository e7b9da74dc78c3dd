/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The standard error of an engine's client: its beginning is kept, the rest is read and dropped, or
 * the client would block. */
typedef struct _FhClientErrors FhClientErrors;

/* So much of what a client writes is kept. */
#define FH_CLIENT_ERRORS_MAX ((gsize) 64 << 10)

/* Takes ownership of `fd`, which does not block. `flooded` is called once, when a client writes so
 * much that it would starve us; nothing is read any more then. */
FhClientErrors *
fh_client_errors_new (int fd, void (*flooded) (gpointer user_data), gpointer user_data);
void fh_client_errors_free (FhClientErrors *self);

/* Reads what is there. */
void fh_client_errors_read (FhClientErrors *self);
/* Closes the descriptor and keeps the text. */
void fh_client_errors_stop (FhClientErrors *self);
/* Valid UTF-8. (transfer full) */
char *fh_client_errors_dup_text (FhClientErrors *self);

G_END_DECLS
