/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "controls/options.h"
#include "document/document.h"
#include "run.h"
#include "services.h"

G_BEGIN_DECLS

/* The content of a tab: the editor with its options, and the results of the run that was started or
 * opened last. It owns the live run and saves its text as a draft.
 *
 * Properties (read-only, notified): title, label (the title, marked if modified), subtitle (the
 * file's folder, or ""), run-state (int, an FhRunState; FINISHED if nothing runs; also notified
 * when the text becomes an answer or is none any more), result (the FhRunResult of the shown run,
 * or NULL), modified (the text differs from the file), protection (the FhProtection of the next
 * run; also notified when its place changes). Read-write: session (cells run one by one in one
 * namespace; Python only), fold-prose (of an answer). Actions: page.go-to-line (uu),
 * page.restore-guards, page.restart-container, page.stop-container, page.session,
 * page.start-session, page.reset-session, page.block-menu, page.go-to-cell-line (uuu: line, column,
 * number of a cell of the session or of a block of the answer). */
#define FH_TYPE_SNIPPET_PAGE (fh_snippet_page_get_type ())
G_DECLARE_FINAL_TYPE (FhSnippetPage, fh_snippet_page, FH, SNIPPET_PAGE, AdwBin)

/* An empty page with the default options. */
GtkWidget *fh_snippet_page_new (FhServices *services);

const char *fh_snippet_page_get_id (FhSnippetPage *self);
/* Its text, file and title. Borrowed. */
FhDocument *fh_snippet_page_get_document (FhSnippetPage *self);
FhOptions *fh_snippet_page_get_options (FhSnippetPage *self);
FhRunState fh_snippet_page_get_run_state (FhSnippetPage *self);
FhRunResult *fh_snippet_page_get_result (FhSnippetPage *self); /* nullable, borrowed */
/* Whether it is empty or an unchanged example. */
gboolean fh_snippet_page_is_untouched (FhSnippetPage *self);

/* Text that need not be saved, such as an example. `title` is nullable. */
void fh_snippet_page_set_example (FhSnippetPage *self,
                                  const char *text,
                                  const char *title,
                                  const FhLanguage *language);
/* Text that is saved as a draft. `title` is nullable. */
void fh_snippet_page_set_text (FhSnippetPage *self,
                               const char *text,
                               const char *title,
                               const FhLanguage *language);
/* Shows a past run: its source, options and results. */
void fh_snippet_page_show_result (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result);

/* Until something is changed, it has no draft, and the next tab takes its place. A batch stays:
 * its samples are opened from it. */
void fh_snippet_page_show_in_passing (FhSnippetPage *self);

/* Another page with the run that is shown, as show_result() does, at a line of the code that it
 * had. NULL if it goes on, or there is none. */
GtkWidget *fh_snippet_page_copy_run (FhSnippetPage *self, guint line, guint column);

/* Whether its cells run one by one in one namespace. */
void fh_snippet_page_set_session (FhSnippetPage *self, gboolean in_session);
gboolean fh_snippet_page_is_in_session (FhSnippetPage *self);
/* The cell at the cursor, or the selection; without a session the program. */
void fh_snippet_page_run_cell (FhSnippetPage *self);

/* All cells of a session. Does nothing if a program runs or may not run. Problems are shown as
 * toasts. */
void fh_snippet_page_run (FhSnippetPage *self);
gboolean fh_snippet_page_is_in_container (FhSnippetPage *self);
gboolean fh_snippet_page_may_run (FhSnippetPage *self);
FhProtection *fh_snippet_page_get_protection (FhSnippetPage *self); /* borrowed */
/* Checks again what protects the next run. */
void fh_snippet_page_check_guards (FhSnippetPage *self);
/* Neither in a container, nor the cells of a session, nor an answer with code blocks. */
gboolean fh_snippet_page_may_run_unprotected (FhSnippetPage *self);
/* Runs once without any guard, after asking. */
void fh_snippet_page_run_unprotected (FhSnippetPage *self);
/* Runs as soon as the guards were checked, what there is now with the options that there are now:
 * nothing runs if either changes before, or if the guards cannot be set up. */
void fh_snippet_page_run_when_ready (FhSnippetPage *self);
/* Asks the program to end; kills it the second time. */
void fh_snippet_page_stop (FhSnippetPage *self);

/* Shows how the run differs from the one before it in this tab. */
gboolean fh_snippet_page_may_compare (FhSnippetPage *self);
void fh_snippet_page_compare (FhSnippetPage *self);

/* Runs the text with these options, and then, unless it is NULL, with those of `bare`; both are
 * shown side by side. For programs that come with the app. */
void fh_snippet_page_run_with (FhSnippetPage *self,
                               const FhRunOptions *options,
                               const FhRunOptions *bare);

/* Whether the run that is shown can be run again as it was. */
gboolean fh_snippet_page_may_repeat (FhSnippetPage *self);
/* That, without one of its guards, after asking; both are shown side by side. */
void fh_snippet_page_run_without (FhSnippetPage *self, FhGuard guard);

/* Shows the samples of a batch, whose result is shown already, instead of its output. */
void fh_snippet_page_show_batch (FhSnippetPage *self, FhHistoryEntry *batch);

/* Shows a page of the results: "output", "attempts", "files", "changes", "samples". */
void fh_snippet_page_show_results (FhSnippetPage *self, const char *name);
/* In the focused pane; `replace` is for the editor only. */
void fh_snippet_page_begin_search (FhSnippetPage *self, gboolean replace);
void fh_snippet_page_begin_output_search (FhSnippetPage *self);
void fh_snippet_page_clear_output (FhSnippetPage *self);
void fh_snippet_page_move_search (FhSnippetPage *self, gboolean forward);
/* To a line of the code that the output links to. */
void fh_snippet_page_go_to_place (FhSnippetPage *self, gboolean forward);
void fh_snippet_page_begin_go_to_line (FhSnippetPage *self);
/* See controls-bar.h. */
void fh_snippet_page_show_control (FhSnippetPage *self, const char *name);
/* FALSE if the last pane has the focus. */
gboolean fh_snippet_page_focus_next_pane (FhSnippetPage *self);

/* Drafts. */
void fh_snippet_page_set_position (FhSnippetPage *self, guint position);
FhDraft *fh_snippet_page_dup_draft (FhSnippetPage *self); /* (transfer full) */
void fh_snippet_page_set_draft (FhSnippetPage *self, const FhDraft *draft);
/* Saves the draft now. */
void fh_snippet_page_save_draft (FhSnippetPage *self);

/* Whether the page can be closed without asking: nothing runs and nothing is unsaved. */
gboolean fh_snippet_page_may_close (FhSnippetPage *self);
/* Asks whether to stop the program and whether to save the file. TRUE: close. */
void fh_snippet_page_confirm_close_async (FhSnippetPage *self,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
gboolean
fh_snippet_page_confirm_close_finish (FhSnippetPage *self, GAsyncResult *result, GError **error);
/* Ends what runs, which is still recorded, and nothing is run after that. The draft stays. */
void fh_snippet_page_end (FhSnippetPage *self);
/* The same, and deletes the draft; nothing is written after that. */
void fh_snippet_page_close (FhSnippetPage *self);

/* Opens a file in the page. Errors can be shown to the user. */
void fh_snippet_page_load_async (FhSnippetPage *self,
                                 GFile *file,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean fh_snippet_page_load_finish (FhSnippetPage *self, GAsyncResult *result, GError **error);
/* Saves, asking for a file if there is none or `as`. Problems are shown as toasts. */
void fh_snippet_page_save (FhSnippetPage *self, gboolean as);

G_END_DECLS
