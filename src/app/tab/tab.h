/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "controls/options.h"
#include "document/document.h"
#include "exhibit.h"
#include "run.h"
#include "services.h"

/* The content of a tab: the editor with its options, and the results of the run that was started or
 * opened last. It owns the live run and saves its text as a draft.
 *
 * Properties (read-only, notified): label (the name, marked if modified), subtitle (the
 * file's folder, or ""), run-state (int, an FhRunState; FINISHED if nothing runs; also notified
 * when the text becomes an answer or is none any more), result (the FhRunResult of the shown run,
 * or NULL), modified (the text differs from the file), protection (the FhProtection of the next
 * run; also notified when its place changes). Read-write: session (cells run one by one in one
 * namespace; Python only), fold-prose (of an answer). Actions: page.go-to-line (uu),
 * page.restore-guards, page.restart-container, page.stop-container, page.session,
 * page.start-session, page.reset-session, page.block-menu, page.read-otherwise (of an answer: as
 * it is meant, or as it is written), page.go-to-cell-line (uuu: line, column,
 * number of a cell of the session or of a block of the answer). */
#define FH_TYPE_TAB (fh_tab_get_type ())
G_DECLARE_FINAL_TYPE (FhTab, fh_tab, FH, TAB, AdwBin)

/* An empty page with the default options. */
GtkWidget *fh_tab_new (FhServices *services);

const char *fh_tab_get_id (FhTab *self);
/* Its text, file and title. Borrowed. */
FhDocument *fh_tab_get_document (FhTab *self);

/* The name of a tab for people is the title of its document, or one that its window has set to
 * tell it from others of that title. NULL sets none. */
const char *fh_tab_get_name (FhTab *self);
void fh_tab_set_name (FhTab *self, const char *name);
FhOptions *fh_tab_get_options (FhTab *self);
FhRunState fh_tab_get_run_state (FhTab *self);
/* Told by notify::run-state, too. */
gboolean fh_tab_waits_for_input (FhTab *self);
FhRunResult *fh_tab_get_result (FhTab *self); /* nullable, borrowed */
/* Whether it is empty or an unchanged example. */
gboolean fh_tab_is_untouched (FhTab *self);
/* Whether it is saved as a draft, so that it is there again after a restart. */
gboolean fh_tab_is_kept (FhTab *self);

/* Text that need not be saved, such as an example. `title` is nullable. */
void
fh_tab_set_example (FhTab *self, const char *text, const char *title, const FhLanguage *language);
/* The same with the program of an exhibit. Until it is edited, the tab has the exhibit's question,
 * and a way to its explanation. */
void fh_tab_set_exhibit (FhTab *self,
                         const FhExhibit *exhibit,
                         const char *text,
                         const FhLanguage *language);
/* Text that is saved as a draft. `title` is nullable. */
void fh_tab_set_text (FhTab *self, const char *text, const char *title, const FhLanguage *language);
/* Shows a past run: its source, options and results. */
void fh_tab_show_result (FhTab *self, FhRunRequest *request, FhRunResult *result);
/* That run has this id in the history, by which the tab finds it again after a restart. */
void fh_tab_set_past_run (FhTab *self, gint64 id);

/* Until something is changed, it has no draft, and the next tab takes its place. A batch stays:
 * its samples are opened from it. */
void fh_tab_show_in_passing (FhTab *self);

/* Another page with the run that is shown, as show_result() does, at a line of the code that it
 * had. NULL if it goes on, or there is none. */
GtkWidget *fh_tab_copy_run (FhTab *self, guint line, guint column);

/* Whether its cells run one by one in one namespace. */
void fh_tab_set_session (FhTab *self, gboolean in_session);
gboolean fh_tab_is_in_session (FhTab *self);
/* Whether there is a session with variables, which are lost with the tab. */
gboolean fh_tab_has_variables (FhTab *self);
/* The cell at the cursor, or the selection; without a session the program. */
void fh_tab_run_cell (FhTab *self);

/* All cells of a session. Does nothing if a program runs or may not run. Problems are shown as
 * toasts. */
void fh_tab_run (FhTab *self);
gboolean fh_tab_is_in_container (FhTab *self);
gboolean fh_tab_may_run (FhTab *self);
FhProtection *fh_tab_get_protection (FhTab *self); /* borrowed */
/* Checks again what protects the next run. */
void fh_tab_check_guards (FhTab *self);
/* FALSE in a container, for the cells of a session and for an answer with code blocks. */
gboolean fh_tab_may_run_unprotected (FhTab *self);
/* Runs once without any guard, after asking. */
void fh_tab_run_unprotected (FhTab *self);
/* Runs as soon as the guards were checked, what there is now with the options that there are now:
 * nothing runs if either changes before, or if the guards cannot be set up. */
void fh_tab_run_when_ready (FhTab *self);
/* The same for what the past run that is shown has run: of an answer only the blocks that it had.
 */
void fh_tab_run_again (FhTab *self);
/* Asks the program to end; kills it the second time. */
void fh_tab_stop (FhTab *self);

/* Shows how the run differs from the one before it in this tab. */
gboolean fh_tab_may_compare (FhTab *self);
void fh_tab_compare (FhTab *self);

/* Runs the text with these options, and then, unless it is NULL, with those of `bare`; both are
 * shown side by side. For programs that come with the app. */
void fh_tab_run_with (FhTab *self, const FhRunOptions *options, const FhRunOptions *bare);

/* Whether the run that is shown can be run again as it was. */
gboolean fh_tab_may_repeat (FhTab *self);
/* That, without one of its guards, after asking; both are shown side by side. */
void fh_tab_run_without (FhTab *self, FhGuard guard);

/* Shows the samples of a batch, whose result is shown already. `in_front`: instead of its output.
 */
void fh_tab_show_batch (FhTab *self, FhHistoryEntry *batch, gboolean in_front);

/* Shows a page of the results: "output", "attempts", "files", "changes", "samples". */
void fh_tab_show_results (FhTab *self, const char *name);
/* In the focused pane; `replace` is for the editor only. */
void fh_tab_begin_search (FhTab *self, gboolean replace);
void fh_tab_move_search (FhTab *self, gboolean forward);
/* See output-view.h. */
void fh_tab_activate_in_output (FhTab *self, const char *action);
void fh_tab_begin_go_to_line (FhTab *self);
/* See controls-bar.h. */
void fh_tab_show_control (FhTab *self, const char *name);
/* FALSE if the last pane has the focus. */
gboolean fh_tab_focus_next_pane (FhTab *self);

/* Drafts. */
void fh_tab_set_position (FhTab *self, guint position);
FhDraft *fh_tab_dup_draft (FhTab *self); /* (transfer full) */
void fh_tab_set_draft (FhTab *self, const FhDraft *draft);
/* Saves the draft now. */
void fh_tab_save_draft (FhTab *self);

/* Whether the page can be closed without asking: nothing runs and nothing is unsaved. */
gboolean fh_tab_may_close (FhTab *self);
/* Asks whether to stop the program and whether to save the file. TRUE: close. */
void fh_tab_confirm_close_async (FhTab *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean fh_tab_confirm_close_finish (FhTab *self, GAsyncResult *result, GError **error);
/* Ends what runs, which is still recorded, and nothing is run after that. The draft stays. */
void fh_tab_end (FhTab *self);
/* The same, and deletes the draft; nothing is written after that. */
void fh_tab_close (FhTab *self);

/* Opens a file in the page. Errors can be shown to the user. */
void fh_tab_load_async (FhTab *self,
                        GFile *file,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data);
gboolean fh_tab_load_finish (FhTab *self, GAsyncResult *result, GError **error);
/* Saves, asking for a file if there is none or `as`. Problems are shown as toasts. */
void fh_tab_save (FhTab *self, gboolean as);
