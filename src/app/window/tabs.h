/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "tab/tab.h"

/* The tabs of a window: opens, restores, closes and reopens them. Problems are shown as toasts.
 *
 * Properties (read-only, notified): page (the FhTab of the selected tab, or NULL),
 * can-reopen (there is a tab or a window that was closed). */
#define FH_TYPE_TABS (fh_tabs_get_type ())
G_DECLARE_FINAL_TYPE (FhTabs, fh_tabs, FH, TABS, AdwBin)

/* Call once, first. */
void fh_tabs_set_services (FhTabs *self, FhServices *services);

AdwTabView *fh_tabs_get_view (FhTabs *self); /* for a tab bar */
FhTab *fh_tabs_get_page (FhTabs *self);      /* nullable, borrowed */
guint fh_tabs_get_n_pages (FhTabs *self);
FhTab *fh_tabs_get_nth_page (FhTabs *self, guint position);

/* Selects the page in a new tab, which replaces the selected one if the user has not touched it. */
void fh_tabs_add (FhTabs *self, FhTab *page);

/* Opens the drafts of the last session, with the same tab in front, or an exhibit if there are
 * none. */
void fh_tabs_restore (FhTabs *self);
void fh_tabs_open_new (FhTabs *self);
/* Selects the tab of the file if there is one. Waits for a restore in progress, so that a file with
 * a draft is not opened twice. */
void fh_tabs_open_file (FhTabs *self, GFile *file, gboolean run);

gboolean fh_tabs_has_page (FhTabs *self, const char *page_id);
/* Waits for a restore in progress. FALSE if there is no such page. */
gboolean fh_tabs_show_page (FhTabs *self, const char *page_id);
/* Reopens the tab or the window that was closed last, in whatever window: a tab comes to its place,
 * those of a window to the end. */
void fh_tabs_reopen (FhTabs *self);
/* Call before the window closes, so that its tabs can be reopened in another one. */
void fh_tabs_remember (FhTabs *self);
