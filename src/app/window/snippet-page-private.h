/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "cells/variables-view.h"
#include "controls/controls-bar.h"
#include "controls/options.h"
#include "editor/editor-view.h"
#include "editor/series-marks.h"
#include "files/files-view.h"
#include "look/look-view.h"
#include "output/input-bar.h"
#include "output/series-output.h"
#include "parts/adaptive-paned.h"
#include "parts/notice-bar.h"
#include "samples/samples-view.h"
#include "window/snippet-page.h"

G_BEGIN_DECLS

/* `touched`: the user has changed the text, so it is saved as a draft. `loading`: text and options
 * are being set, but not by the user. */
struct _FhSnippetPage
{
  AdwBin parent_instance;

  FhServices *services;
  FhOptions *options;
  GCancellable *cancellable;

  char *id;
  FhDocument *document;
  guint position;
  guint draft_timer;
  guint touched : 1;
  guint loading : 1;
  guint closed : 1;
  guint draft_failed : 1;
  guint run_when_ready : 1;
  guint in_session : 1;
  guint session_offered : 1;
  guint has_answer : 1;      /* as was seen last */
  guint compared_answer : 1; /* what compared_requests[1] is: no program that could be repeated */

  FhExecutor *executor;
  GHashTable *choices; /* for blocks of an answer */
  GPtrArray *missing;  /* languages that cannot run here; NULL if it is not known */
  guint answer_timer;
  GtkWidget *question;           /* whether a block may run; nullable */
  const FhLanguage *asked;       /* of that block */
  FhSeries *series;              /* that is shown; nullable */
  FhRecordForm form;             /* of that series */
  FhSeriesRecord *record;        /* likewise; nullable */
  FhSeriesOutput *series_output; /* of an answer or a session; nullable */
  FhSeriesMarks *marks;          /* likewise */
  FhRunResult *result;           /* of the run that is shown; nullable */
  GBytes *run_source;            /* likewise */
  /* The last run and that one: [0] is nullable, [1] while it goes on. */
  FhRunRequest *compared_requests[2];
  FhRunResult *compared_results[2];
  FhRunRequest *bare;    /* nullable: without a guard; compared at its end with the run before it */
  gboolean bare_waits;   /* for the end of that run */
  gboolean bare_follows; /* that run has ended, and it is about to begin */
  /* (element-type FhRunFile) nullable: what lay beside the program when it was a sample */
  GPtrArray *sample_files;
  guint deadline_timer;

  FhNoticeBar *notice;
  FhNoticeBar *waiting_notice; /* why a run that waited for the guards was not started */
  FhNoticeBar *answer_notice;
  FhNoticeBar *session_notice;
  FhNoticeBar *compare_notice;
  FhInputBar *input_bar;
  GtkWidget *session_box;
  GtkWidget *session_menu;
  GtkLabel *waiting_label;
  FhAdaptivePaned *paned;
  FhEditorView *editor;
  GtkWidget *start_box; /* while the tab is empty */
  GtkWidget *start_guards;
  GtkImage *start_icon;
  GtkLabel *start_title;
  GtkLabel *start_details;
  FhControlsBar *controls;
  GtkMenuButton *position_button;
  GtkLabel *position_label;
  GtkEditable *line_entry;
  GtkProgressBar *deadline;
  GtkWidget *output;
  FhFilesView *files;
  FhSamplesView *samples;
  AdwViewStackPage *samples_page;
  FhVariablesView *variables;
  FhLookView *look;
  guint look_timer;
  GCancellable *look_cancellable; /* nullable */
  guint look_size;                /* of the text, in characters */
  gboolean look_is_old;
  gboolean look_has_marks;
  gboolean language_is_chosen; /* not left from another text */
};

static inline void
fh_snippet_page_notify (FhSnippetPage *self, const char *property)
{
  g_object_notify (G_OBJECT (self), property);
  if (g_str_equal (property, "title") || g_str_equal (property, "modified"))
    g_object_notify (G_OBJECT (self), "label");
}

/* snippet-page-compare.c */
/* A past run is shown, a new one begins, and it has ended. */
void
fh_snippet_page_show_compared (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result);
void fh_snippet_page_begin_comparison (FhSnippetPage *self);
void fh_snippet_page_compare_run (FhSnippetPage *self, FhRun *run);
/* The user has stopped the first of two runs, or what is between them. */
void fh_snippet_page_drop_bare (FhSnippetPage *self);
void fh_snippet_page_end_comparison (FhSnippetPage *self);

/* snippet-page-start.c */
void fh_snippet_page_init_start (FhSnippetPage *self);
void fh_snippet_page_paste_action (GtkWidget *widget, const char *name, GVariant *target);
/* Only the code of what was pasted was kept. */
void fh_snippet_page_unwrapped_cb (FhSnippetPage *self);

/* snippet-page-navigation.c */
void fh_snippet_page_moved_cb (FhSnippetPage *self);
void fh_snippet_page_line_entered_cb (FhSnippetPage *self);
void fh_snippet_page_show_option_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_snippet_page_go_to_line_action (GtkWidget *widget, const char *name, GVariant *target);
/* Its lines, in the editor, unless the text has changed. A NULL result removes the marks. */
void fh_snippet_page_mark_run (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result);

/* snippet-page-run.c */
/* After a change of whether and what runs. */
void fh_snippet_page_follow_state (FhSnippetPage *self);
/* Begins a new series, after the one before was ended. Takes it. `text`: of an answer, with its
 * `blocks`, of which `first` is the number of the first one; NULL for other forms. */
void fh_snippet_page_start_series (FhSnippetPage *self,
                                   FhSeries *series,
                                   FhRecordForm form,
                                   const char *text,
                                   GPtrArray *blocks,
                                   guint first);
void fh_snippet_page_end_series (FhSnippetPage *self);
/* Whether an answer or a session is what is shown. */
gboolean fh_snippet_page_shows (FhSnippetPage *self, FhRecordForm form);
/* Whatever the options of the tab are. Nothing may run. */
void fh_snippet_page_run_request (FhSnippetPage *self, FhRunRequest *request);
/* Nullable. */
void fh_snippet_page_set_sample_files (FhSnippetPage *self, GPtrArray *files);
void fh_snippet_page_restore_guards_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_snippet_page_init_session (FhSnippetPage *self);
void
fh_snippet_page_restart_container_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_snippet_page_stop_container_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-ready.c */
void fh_snippet_page_init_ready (FhSnippetPage *self);
/* A run that was asked for before the guards were known belongs to the text and the options that
 * there were then. `why`: told to the user, if there is such a run; NULL for nothing. */
void fh_snippet_page_drop_waiting_run (FhSnippetPage *self, const char *why);
/* The same, with the reason that its code or its options have changed. */
void fh_snippet_page_drop_changed_run (FhSnippetPage *self);

/* snippet-page.c */
/* The document has another content, which need not be kept. */
void fh_snippet_page_follow_content (FhSnippetPage *self, const FhLanguage *language);
/* It shall be kept as a draft. */
void fh_snippet_page_keep_content (FhSnippetPage *self, const FhLanguage *language);

/* snippet-page-file.c */
void fh_snippet_page_saved_cb (FhSnippetPage *self);
/* TRUE if the text seems to be of a language that cannot run: it is told, with a way to run it. */
gboolean fh_snippet_page_tell_foreign (FhSnippetPage *self);

/* snippet-page-session.c */
void fh_snippet_page_init_session_mode (FhSnippetPage *self);
/* What is to be told only in a session. */
void fh_snippet_page_take_cell (FhSnippetPage *self, FhStep *step);
void fh_snippet_page_follow_waiting (FhSnippetPage *self);
void fh_snippet_page_offer_session (FhSnippetPage *self);
/* All of them, from the first to the last. */
void fh_snippet_page_run_cells (FhSnippetPage *self);
void fh_snippet_page_start_session_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_snippet_page_reset_session_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_snippet_page_go_to_cell_line_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-look.c */
void fh_snippet_page_init_look (FhSnippetPage *self);
void fh_snippet_page_end_look (FhSnippetPage *self);
void fh_snippet_page_look_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-variables.c */
void fh_snippet_page_init_variables (FhSnippetPage *self);
/* A cell has ended: one that runs code, or that lists them. */
void fh_snippet_page_follow_variables (FhSnippetPage *self, FhStep *step);
/* The tab turns to sessions, or away from them. */
void fh_snippet_page_update_variables (FhSnippetPage *self);

/* snippet-page-answer.c */
/* Says whether the text is an answer with code blocks. */
void fh_snippet_page_look_for_answer (FhSnippetPage *self);
/* When the text has rested for a moment. */
void fh_snippet_page_look_for_answer_soon (FhSnippetPage *self);
/* Without what was chosen for them; they are the document's, and are not to be changed. NULL if it
 * is no answer. (transfer full) */
GPtrArray *fh_snippet_page_find_blocks (FhSnippetPage *self);
/* `first`: number of a block, from 1 on. FALSE if it is no answer. */
gboolean fh_snippet_page_run_blocks (FhSnippetPage *self, guint first, guint n_blocks);
/* FALSE if it is not. */
gboolean fh_snippet_page_run_answer (FhSnippetPage *self);
/* All blocks are done. */
void fh_snippet_page_finish_answer (FhSnippetPage *self);
void fh_snippet_page_drop_question (FhSnippetPage *self);
/* The handler of the series' "asking". */
void fh_snippet_page_ask (FhSnippetPage *self, FhStep *step);

/* snippet-page-blocks.c */
void fh_snippet_page_init_blocks (FhSnippetPage *self);
/* For all blocks of a language. */
void fh_snippet_page_choose_policy (FhSnippetPage *self,
                                    const FhLanguage *language,
                                    FhBlockAction action);
GHashTable *fh_snippet_page_dup_choices (FhSnippetPage *self);
void fh_snippet_page_block_menu_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-results.c */
void fh_snippet_page_init_results (FhSnippetPage *self);
/* Once the services are known. */
void fh_snippet_page_begin_pictures (FhSnippetPage *self);
/* Shows on the pages beside the output what is known of a run that is a program, a block or a
 * cell; or of what has ended, with the files that it left. */
void fh_snippet_page_show_run (FhSnippetPage *self, FhRun *run);
void fh_snippet_page_show_ended (FhSnippetPage *self,
                                 FhRunRequest *request,
                                 FhRunResult *result,
                                 FhResultFiles *files);
void fh_snippet_page_run_here_action (GtkWidget *widget, const char *name, GVariant *target);

/* snippet-page-draft.c */
void fh_snippet_page_update_title (FhSnippetPage *self);
void fh_snippet_page_schedule_draft (FhSnippetPage *self);

G_END_DECLS
