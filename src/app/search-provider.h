/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"

/* Lets GNOME Shell find past runs: org.gnome.Shell.SearchProvider2 over the history. A result is
 * identified by the number that its run has there. Texts are plain, in one line, and say how the
 * run ended; they hold nothing that the program printed.
 *
 * Signals:
 *   open-run (gint64 id, guint time): a result was chosen, at that time of the display server
 *   search (const char *text, guint time): all results are to be shown */
#define FH_TYPE_SEARCH_PROVIDER (fh_search_provider_get_type ())
G_DECLARE_FINAL_TYPE (FhSearchProvider, fh_search_provider, FH, SEARCH_PROVIDER, GObject)

/* Answers calls at that path of the bus. Must be called before the application owns its name, or
 * the call that started it may come too early. */
gboolean fh_search_provider_export (FhSearchProvider *self,
                                    GDBusConnection *connection,
                                    const char *application_path,
                                    GError **error);
void fh_search_provider_unexport (FhSearchProvider *self);

/* Called before the first call is answered. */
void fh_search_provider_set_history (FhSearchProvider *self, FhHistory *history);
