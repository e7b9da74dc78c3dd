/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/run-options.h"
#include "run.h"
#include "services.h"

G_BEGIN_DECLS

/* What one tab shows: the editor with its options, and the output of the run that was started or
 * opened last. It owns the live run and keeps its text as a draft.
 *
 * Properties (read-only, notified): title, subtitle (the file's folder, or NULL), run-state (int,
 * an FhRunState; FINISHED when nothing runs), result (an FhRunResult, of the run that is shown once
 * it has one, or NULL), modified (there is a file and the text is newer), protection (an
 * FhProtection, of the next run where it will happen; also notified when that place changes).
 * Actions: page.go-to-line (uu), page.restore-guards, page.restart-container,
 * page.stop-container. */
#define FH_TYPE_SNIPPET_PAGE (fh_snippet_page_get_type ())
G_DECLARE_FINAL_TYPE (FhSnippetPage, fh_snippet_page, FH, SNIPPET_PAGE, GtkWidget)

/* An empty page with the default options. */
GtkWidget *fh_snippet_page_new (FhServices *services);

const char *fh_snippet_page_get_id (FhSnippetPage *self);
const char *fh_snippet_page_get_title (FhSnippetPage *self);
FhRunOptions *fh_snippet_page_get_options (FhSnippetPage *self);
FhRunState fh_snippet_page_get_run_state (FhSnippetPage *self);
FhRunResult *fh_snippet_page_get_result (FhSnippetPage *self); /* nullable, borrowed */
gboolean fh_snippet_page_get_modified (FhSnippetPage *self);
GFile *fh_snippet_page_get_file (FhSnippetPage *self); /* nullable, borrowed */
/* Nothing of the user's would be lost with this page: it is empty or shows an untouched example. */
gboolean fh_snippet_page_is_untouched (FhSnippetPage *self);
/* (transfer full) */
char *fh_snippet_page_dup_text (FhSnippetPage *self);

/* Text that is not the user's own yet, such as an example. `title` is nullable. */
void fh_snippet_page_set_example (FhSnippetPage *self,
                                  const char *text,
                                  const char *title,
                                  const FhLanguage *language);
/* Text from outside, which the page keeps from then on. `title` is nullable. */
void fh_snippet_page_set_text (FhSnippetPage *self,
                               const char *text,
                               const char *title,
                               const FhLanguage *language);
/* A past run: its source, its options and what came of it. */
void fh_snippet_page_show_result (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result);

/* Does nothing while something runs or when nothing may run; what goes wrong becomes a toast. */
void fh_snippet_page_run (FhSnippetPage *self);
gboolean fh_snippet_page_is_in_container (FhSnippetPage *self);
gboolean fh_snippet_page_may_run (FhSnippetPage *self);
FhProtection *fh_snippet_page_get_protection (FhSnippetPage *self); /* borrowed */
/* Finds out anew what protects the next run. */
void fh_snippet_page_check_guards (FhSnippetPage *self);
/* Asks whether the user really wants it, for this one run, and runs without any guard. */
void fh_snippet_page_run_unprotected (FhSnippetPage *self);
/* Runs as soon as it is known that runs are allowed. */
void fh_snippet_page_run_when_ready (FhSnippetPage *self);
/* Asks the program to end; the second time it is ended at once. */
void fh_snippet_page_stop (FhSnippetPage *self);

/* Turns to a page of the results: "output", "attempts", "files". */
void fh_snippet_page_show_results (FhSnippetPage *self, const char *name);
/* In the pane that has the focus; replacing is for the editor alone. */
void fh_snippet_page_begin_search (FhSnippetPage *self, gboolean replace);
void fh_snippet_page_begin_output_search (FhSnippetPage *self);
void fh_snippet_page_clear_output (FhSnippetPage *self);
void fh_snippet_page_move_search (FhSnippetPage *self, gboolean forward);
void fh_snippet_page_begin_go_to_line (FhSnippetPage *self);
void fh_snippet_page_show_options (FhSnippetPage *self);
/* FALSE when the focus was in the last pane. */
gboolean fh_snippet_page_focus_next_pane (FhSnippetPage *self);

/* Drafts: where the tab stands, and what is kept of it. */
void fh_snippet_page_set_position (FhSnippetPage *self, guint position);
FhDraft *fh_snippet_page_dup_draft (FhSnippetPage *self); /* (transfer full) */
void fh_snippet_page_set_draft (FhSnippetPage *self, const FhDraft *draft);
/* Writes the draft now if something changed since it was written last. */
void fh_snippet_page_save_draft (FhSnippetPage *self);
/* The tab was closed on purpose: its program ends, its draft goes, and nothing is written any
 * more. */
void fh_snippet_page_close (FhSnippetPage *self);

/* Files. FALSE with a sentence for people. */
void fh_snippet_page_load_async (FhSnippetPage *self,
                                 GFile *file,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean fh_snippet_page_load_finish (FhSnippetPage *self, GAsyncResult *result, GError **error);
/* `file`: NULL saves to the page's own file. */
void fh_snippet_page_save_async (FhSnippetPage *self,
                                 GFile *file,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean fh_snippet_page_save_finish (FhSnippetPage *self, GAsyncResult *result, GError **error);
/* What a file dialog suggests. (transfer full) */
char *fh_snippet_page_dup_file_name (FhSnippetPage *self);

G_END_DECLS
