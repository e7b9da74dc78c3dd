/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Of a reply. */
#define FH_FUNCTION_COMMAND_MAX_REPLY ((gsize) 1 << 20)
#define FH_FUNCTION_COMMAND_SECONDS   60

/* Runs a command on this computer, with the arguments of a call on its standard input; what it
 * prints is the reply. It is killed when it takes longer than that, prints more, or the call is
 * cancelled. `argv` never comes from a program. */
void fh_function_command_run_async (const char *const *argv,
                                    const char *arguments,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
/* Valid UTF-8, without line breaks at its end. An error is a sentence for people. (transfer full)
 */
char *fh_function_command_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS
