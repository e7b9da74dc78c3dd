/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run-language.h"
#include "services.h"

G_BEGIN_DECLS

/* A window with tabs and the history beside them. It only puts the parts together: they ask one
 * another for things through its actions. */
#define FH_TYPE_WINDOW (fh_window_get_type ())
G_DECLARE_FINAL_TYPE (FhWindow, fh_window, FH, WINDOW, AdwApplicationWindow)

/* Without any tab. `application` is nullable for tests. */
FhWindow *fh_window_new (GtkApplication *application, FhServices *services);

/* Opens what was kept of an earlier session, or a welcoming example when there is nothing. */
void fh_window_restore (FhWindow *self);
void fh_window_open_new (FhWindow *self);
/* Shows the file in a tab, in the one that has it already if there is one. `run`: run it then. */
void fh_window_open_file (FhWindow *self, GFile *file, gboolean run);
/* Text from elsewhere in a new tab; language and title are nullable. */
void fh_window_open_text (FhWindow *self,
                          const char *text,
                          const char *title,
                          const FhLanguage *language,
                          gboolean run);

/* A sentence over the list of past runs; NULL for none. */
void fh_window_set_history_notice (FhWindow *self, const char *notice);

/* FALSE when the window has no such tab. */
gboolean fh_window_show_page (FhWindow *self, const char *page_id);

G_END_DECLS
