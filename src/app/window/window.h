/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "window/tabs.h"

/* A window with tabs and the history beside them. Its parts do not know one another; they meet in
 * its actions. */
#define FH_TYPE_WINDOW (fh_window_get_type ())
G_DECLARE_FINAL_TYPE (FhWindow, fh_window, FH, WINDOW, AdwApplicationWindow)

/* Without any tab. `application` is nullable for tests. */
FhWindow *fh_window_new (GtkApplication *application, FhServices *services);

/* The window that has the tab of that id; NULL if there is none. Borrowed. */
FhWindow *fh_window_find (GtkApplication *application, const char *page_id);

FhTabs *fh_window_get_tabs (FhWindow *self);

/* Opens text in a new tab. `title` and `language` are nullable. */
void fh_window_open_text (FhWindow *self,
                          const char *text,
                          const char *title,
                          const FhLanguage *language,
                          gboolean run);

/* A sentence above the list of past runs; NULL hides it. */
void fh_window_set_history_notice (FhWindow *self, const char *notice);

/* Writes the drafts and what is remembered of the window, and ends what runs in it. Blocks; for its
 * end. */
void fh_window_end (FhWindow *self);

/* Shows the past runs that contain these words. */
void fh_window_search_history (FhWindow *self, const char *text);
