/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The only user of AdwMessageDialog. */

typedef struct
{
  const char *id;    /* what the answer is called */
  const char *label; /* translated, may hold a mnemonic */
  gboolean destructive;
  gboolean deliberate; /* never the default: Enter cancels */
} FhMessageChoice;

/* Asks over the window of `widget`. There is always a first answer "cancel", which Escape gives as
 * well. `choices` ends with an empty row; the last choice is the default one,
 * unless it is to be deliberate. */
void fh_message_dialogs_ask_async (GtkWidget *widget,
                                   const char *heading,
                                   const char *body,
                                   const FhMessageChoice *choices,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* The id of the answer, "cancel" when there was none. (transfer full) */
char *fh_message_dialogs_ask_finish (GAsyncResult *result, GError **error);

G_END_DECLS
