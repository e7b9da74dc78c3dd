/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* The only user of AdwMessageDialog, and of AdwAlertDialog where libadwaita has it. */

typedef struct
{
  const char *id;    /* of the answer */
  const char *label; /* translated, may hold a mnemonic */
  gboolean destructive;
} FhMessageChoice;

/* A dialog that is modal to the window of `widget`. The answer "cancel" is always offered, also by
 * Escape. `choices` ends with an empty row; the last choice is the default, unless it is
 * destructive: then Enter cancels. */
void fh_message_dialogs_ask_async (GtkWidget *widget,
                                   const char *heading,
                                   const char *body,
                                   const FhMessageChoice *choices,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* The id of the answer. (transfer full) */
char *fh_message_dialogs_ask_finish (GAsyncResult *result, GError **error);
