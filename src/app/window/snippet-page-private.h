/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "attempts/attempts-view.h"
#include "container-sandbox.h"
#include "controls/options-panel.h"
#include "editor/editor-view.h"
#include "files/files-view.h"
#include "parts/adaptive-paned.h"
#include "parts/notice-bar.h"
#include "sandbox.h"
#include "window/snippet-page.h"

G_BEGIN_DECLS

/* `touched`: the text is the user's own; only then there is a draft. `loading` is set while text
 * and options do not come from the user. The sandbox lives as long as its run: letting it go ends
 * the run; `kept` is one that serves more of them, and `kept_key` what it was made with. */
struct _FhSnippetPage
{
  GtkWidget parent_instance;

  FhServices *services;
  FhRunOptions *options;
  GCancellable *cancellable;

  char *id;
  char *given_title; /* nullable */
  char *title;
  GFile *file; /* nullable */
  guint position;
  guint draft_timer;
  guint touched : 1;
  guint loading : 1;
  guint closed : 1;
  guint draft_failed : 1;
  guint run_when_ready : 1;

  FhSandbox *sandbox;  /* nullable */
  FhRun *run;          /* nullable */
  FhRunResult *result; /* of the run that is shown, once it has one; nullable */
  GSignalGroup *run_signals;
  guint deadline_timer;
  char *run_source; /* the text whose output is shown, nullable */

  FhProtection *protection; /* of the next run; NULL in the beginning */
  guint protection_timer;

  FhContainerSandbox *kept; /* nullable */
  char *kept_key;
  gboolean kept_goes;              /* it is removed when it is stopped */
  gboolean container_busy;         /* it is being restarted or stopped */
  GCancellable *container_looking; /* its state is being asked for */
  GSignalGroup *sandbox_signals;
  GSignalGroup *pull_signals;

  GtkOverlay *overlay;
  FhNoticeBar *notice;
  FhNoticeBar *guards_notice;
  FhAdaptivePaned *paned;
  FhEditorView *editor;
  GtkMenuButton *options_button;
  GtkLabel *options_label;
  FhOptionsPanel *options_panel;
  GtkMenuButton *position_button;
  GtkEditable *line_entry;
  GtkProgressBar *deadline;
  GtkWidget *output;
  FhAttemptsView *attempts;
  AdwViewStackPage *attempts_page;
  guint n_seen; /* how many stopped attempts there were when they were looked at last */
  FhFilesView *files;
  AdwViewStackPage *files_page;
};

/* snippet-page.c */
void fh_snippet_page_notify (FhSnippetPage *self, const char *property);

/* snippet-page-text.c */
void fh_snippet_page_update_title (FhSnippetPage *self);
void fh_snippet_page_edited_cb (FhSnippetPage *self);
void fh_snippet_page_options_changed_cb (FhSnippetPage *self, GParamSpec *pspec);
void fh_snippet_page_language_found_cb (FhSnippetPage *self, const char *id);
void fh_snippet_page_unwrapped_cb (FhSnippetPage *self);

/* snippet-page-navigation.c */
char *fh_snippet_page_format_position (gpointer object, guint line, guint column);
void fh_snippet_page_line_entered_cb (FhSnippetPage *self);
void fh_snippet_page_go_to_line_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-run.c */
void fh_snippet_page_init_run (FhSnippetPage *self);
void fh_snippet_page_end_run (FhSnippetPage *self);
void fh_snippet_page_restore_guards_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-protection.c */
void fh_snippet_page_init_protection (FhSnippetPage *self);

/* snippet-page-container.c */
void fh_snippet_page_init_container (FhSnippetPage *self);
/* (transfer full) */
FhSandbox *fh_snippet_page_prepare (FhSnippetPage *self, FhRunRequest *request);
/* Shows what its sandbox does before the run begins. */
void fh_snippet_page_follow_sandbox (FhSnippetPage *self);
void fh_snippet_page_show_engine (FhSnippetPage *self);
/* Shows the state of the container that is kept. */
void fh_snippet_page_update_container (FhSnippetPage *self);
void fh_snippet_page_let_go_of_container (FhSnippetPage *self);
void
fh_snippet_page_restart_container_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_snippet_page_stop_container_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-results.c */
void fh_snippet_page_init_results (FhSnippetPage *self);
/* Shows what comes of the run in all places. */
void fh_snippet_page_follow_run (FhSnippetPage *self);
void
fh_snippet_page_follow_result (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result);

/* snippet-page-draft.c */
void fh_snippet_page_schedule_draft (FhSnippetPage *self);

G_END_DECLS
