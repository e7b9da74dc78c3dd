/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "controls/guard-button.h"
#include "controls/run-button.h"
#include "parts/notice-bar.h"
#include "window/snippet-page.h"
#include "window/window.h"

G_BEGIN_DECLS

/* While drafts are read, what is to be opened waits, so that a file that has a draft is not opened
 * a second time. `closed` holds the drafts of closed tabs, the newest first, for as long as the
 * window lives. `close_confirmed`: the user knows that programs are still running. */
struct _FhWindow
{
  AdwApplicationWindow parent_instance;

  FhServices *services;
  GCancellable *cancellable;
  GSignalGroup *page_signals;
  GQueue closed;
  GPtrArray *waiting; /* files to open when the drafts are back, NULL when they are */
  guint close_confirmed : 1;

  AdwToastOverlay *toasts;
  AdwFlap *flap;
  AdwBin *history;
  AdwWindowTitle *title;
  FhRunButton *run_button;
  FhGuardButton *guard_button;
  FhNoticeBar *notice;
  GtkStack *stack;
  AdwTabView *tab_view;
};

/* window.c */
FhSnippetPage *fh_window_get_page (FhWindow *self); /* the current one, or NULL */
void fh_window_update_actions (FhWindow *self);

/* window-tabs.c */
void fh_window_init_tabs (FhWindow *self);
/* The page is shown in a new tab, which takes the place of an untouched one. */
void fh_window_add_page (FhWindow *self, FhSnippetPage *page);
FhSnippetPage *fh_window_get_nth_page (FhWindow *self, guint position);
guint fh_window_count_pages (FhWindow *self);
void fh_window_reopen_tab (FhWindow *self);

/* window-close.c */
void fh_window_close_tab (FhWindow *self, AdwTabPage *tab);
/* FALSE: the user is asked first. TRUE: everything is kept, the window may go. */
gboolean fh_window_prepare_close (FhWindow *self);

/* window-actions.c */
void fh_window_init_actions (FhWindow *self);

/* window-files.c */
void fh_window_wait_for_drafts (FhWindow *self);
/* Opens what has waited; FALSE when there was nothing. */
gboolean fh_window_end_waiting (FhWindow *self);
void fh_window_choose_file (FhWindow *self);
void fh_window_save (FhWindow *self, gboolean as);

/* window-history.c */
void fh_window_open_run (FhWindow *self, gint64 id, gboolean run);

/* window-state.c */
void fh_window_restore_state (FhWindow *self);
void fh_window_save_state (FhWindow *self);

/* window-drop.c */
void fh_window_init_drop (FhWindow *self);

G_END_DECLS
