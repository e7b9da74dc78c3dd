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
#include "tab/tab.h"

/* `touched`: the user has changed the text, so it is saved as a draft. `loading`: text and options
 * are being set, but not by the user. */
struct _FhTab
{
  AdwBin parent_instance;

  FhServices *services;
  FhOptions *options;
  GCancellable *cancellable;

  char *id;
  FhDocument *document;
  char *name;       /* nullable: the title, and what tells the tab from others */
  AdwToast *advice; /* weak: about the text as it is */
  guint position;
  guint draft_timer;
  gint64 draft_begin; /* of what that timer waits to save */
  guint touched : 1;
  guint loading : 1;
  guint closed : 1;
  guint draft_failed : 1;
  guint run_when_ready : 1;
  guint in_session : 1;
  guint has_variables : 1; /* of a session that has run a cell */
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
  gint64 past_run;               /* the id of one that is shown, or will be; 0: none */
  FhSeriesOutput *series_output; /* of an answer or a session; nullable */
  FhSeriesMarks *marks;          /* likewise */
  FhRunResult *result;           /* of the run that is shown; nullable */
  FhRunResult *again;            /* whose blocks are to run, and no others; nullable */
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
  gboolean moved_since_run;  /* the cursor, as by typing */
  gboolean input_took_focus; /* from the editor, to which it goes back */

  FhNoticeBar *notice;
  FhNoticeBar *waiting_notice; /* why a run that waited for the guards was not started */
  FhNoticeBar *answer_notice;
  FhNoticeBar *repair_notice;
  FhNoticeBar *session_notice;
  FhNoticeBar *compare_notice;
  FhNoticeBar *exhibit_notice; /* while the text is that of an exhibit */
  FhInputBar *input_bar;
  GtkWidget *session_box;
  GtkWidget *session_menu;
  GtkLabel *waiting_label;
  FhAdaptivePaned *paned;
  FhEditorView *editor;
  GtkWidget *start_box; /* while the tab is empty */
  GtkWidget *start_texts;
  GtkWidget *start_buttons;
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
  AdwViewStackPage *samples_page;
  gboolean samples_in_front; /* once they are loaded */
  guint look_timer;
  GCancellable *look_cancellable; /* nullable */
  guint look_size;                /* of the text, in characters */
  gboolean look_is_old;
  gboolean look_has_marks;
  gboolean language_is_chosen; /* not left from another text */
};

static inline void
fh_tab_notify (FhTab *self, const char *property)
{
  g_object_notify (G_OBJECT (self), property);
  if (g_str_equal (property, "modified"))
    g_object_notify (G_OBJECT (self), "label");
}

/* repeat.c */
/* Shows the results of a past run. */
void fh_tab_show_past (FhTab *self, FhRunRequest *request, FhRunResult *result);
/* A past run is shown, a new one begins, and it has ended. */
void fh_tab_show_compared (FhTab *self, FhRunRequest *request, FhRunResult *result);
void fh_tab_begin_comparison (FhTab *self);
void fh_tab_compare_run (FhTab *self, FhRun *run);
/* An answer has ended. */
void fh_tab_compare_answer (FhTab *self);
/* The user has stopped the first of two runs, or what is between them. */
void fh_tab_drop_bare (FhTab *self);
void fh_tab_end_comparison (FhTab *self);

/* tab-start.c */
void fh_tab_init_start (FhTab *self);
void fh_tab_paste_action (GtkWidget *widget, const char *name, GVariant *target);
/* Only the code of what was pasted was kept. */
void fh_tab_unwrapped_cb (FhTab *self);

/* tab-navigation.c */
void fh_tab_moved_cb (FhTab *self);
void fh_tab_line_entered_cb (FhTab *self);
void fh_tab_show_option_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_tab_go_to_line_action (GtkWidget *widget, const char *name, GVariant *target);
/* Its lines, in the editor, unless the text has changed. A NULL result removes the marks. */
void fh_tab_mark_run (FhTab *self, FhRunRequest *request, FhRunResult *result);

/* tab-run.c */
/* After a change of whether and what runs. */
void fh_tab_follow_state (FhTab *self);
/* Begins a new series, after the one before was ended. Takes it. `text`: of an answer, with its
 * `blocks`, of which `first` is the number of the first one; NULL for other forms. */
void fh_tab_start_series (FhTab *self,
                          FhSeries *series,
                          FhRecordForm form,
                          const char *text,
                          GPtrArray *blocks,
                          guint first);
void fh_tab_end_series (FhTab *self);
/* Whether an answer or a session is what is shown. */
gboolean fh_tab_shows (FhTab *self, FhRecordForm form);
/* Whatever the options of the tab are. Nothing may run. */
void fh_tab_run_request (FhTab *self, FhRunRequest *request);
/* Nullable. */
void fh_tab_set_sample_files (FhTab *self, GPtrArray *files);
void fh_tab_restore_guards_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_tab_init_executor (FhTab *self);
void fh_tab_container_action (GtkWidget *widget, const char *name, GVariant *target);
/* A run that was asked for before the guards were known belongs to the text and the options that
 * there were then. `why`: told to the user, if there is such a run; NULL for nothing. */
void fh_tab_drop_waiting_run (FhTab *self, const char *why);
/* The same, with the reason that its code or its options have changed. */
void fh_tab_drop_changed_run (FhTab *self);

/* tab.c */
/* The document has another content, which need not be kept. */
void fh_tab_follow_content (FhTab *self, const FhLanguage *language);
/* It shall be kept as a draft. */
void fh_tab_keep_content (FhTab *self, const FhLanguage *language);

/* tab-file.c */
/* "#!/bin/bash" says what a typed text is in, unless a person has chosen its language. */
void fh_tab_follow_first_line (FhTab *self);
/* Whether its first line names another language, so that a person must have chosen this one. */
gboolean fh_tab_is_against_first_line (FhTab *self);
void fh_tab_saved_cb (FhTab *self);
/* Says so if the text is not all that the file has. */
void fh_tab_tell_repaired (FhTab *self);
/* TRUE if the text seems to be of a language that cannot run: it is told, with a way to run it. */
gboolean fh_tab_tell_foreign (FhTab *self);
/* The text or the options are other ones, or the tab is no longer seen. */
void fh_tab_drop_advice (FhTab *self);

/* tab-session.c */
void fh_tab_init_session (FhTab *self);
/* Says what only a session has to say of a step. */
void fh_tab_take_cell (FhTab *self, FhStep *step);
void fh_tab_follow_waiting (FhTab *self);
void fh_tab_offer_session (FhTab *self);
/* fh_tab_set_session, after a question if variables would be lost. */
void fh_tab_ask_for_session (FhTab *self, gboolean in_session);
/* Says that the session of which the result is shown is over. */
void fh_tab_tell_session_ended (FhTab *self);
/* All of them, from the first to the last. */
void fh_tab_run_cells (FhTab *self);
void fh_tab_start_session_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_tab_reset_session_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_tab_go_to_cell_line_action (GtkWidget *widget, const char *name, GVariant *target);

/* tab-look.c */
void fh_tab_init_look (FhTab *self);
void fh_tab_end_look (FhTab *self);
void fh_tab_look_action (GtkWidget *widget, const char *name, GVariant *target);

/* tab-answer.c */
/* Says whether the text is an answer with code blocks. */
void fh_tab_look_for_answer (FhTab *self);
/* When the text has rested for a moment. */
void fh_tab_look_for_answer_soon (FhTab *self);
/* Without what was chosen for them; they are the document's, and are not to be changed. NULL if it
 * is no answer. (transfer full) */
GPtrArray *fh_tab_find_blocks (FhTab *self);
/* `first`: number of a block, from 1 on. FALSE if it is no answer. */
gboolean fh_tab_run_blocks (FhTab *self, guint first, guint n_blocks);
/* Runs all blocks, or those that a past run had. `again`: that one's result; nullable. FALSE if it
 * is no answer. */
gboolean fh_tab_run_answer (FhTab *self, FhRunResult *again);
/* Chooses for the blocks what a past run shows that a person had chosen. `runs`: (element-type
 * FhBlockRun) nullable. */
void fh_tab_restore_choices (FhTab *self, GPtrArray *runs);
/* All blocks are done. */
void fh_tab_finish_answer (FhTab *self);
void fh_tab_drop_question (FhTab *self);
/* The handler of the series' "asking". */
void fh_tab_ask (FhTab *self, FhStep *step);

/* block-commands.c */
void fh_tab_init_blocks (FhTab *self);
/* Decides what is done with all blocks of a language. */
void fh_tab_choose_policy (FhTab *self, const FhLanguage *language, FhBlockAction action);
GHashTable *fh_tab_dup_choices (FhTab *self);
void fh_tab_read_otherwise_action (GtkWidget *widget, const char *name, GVariant *target);
void fh_tab_block_menu_action (GtkWidget *widget, const char *name, GVariant *target);

/* tab-results.c */
void fh_tab_init_results (FhTab *self);
/* Once the services are known. */
void fh_tab_begin_pictures (FhTab *self);
/* Shows on the pages beside the output what is known of a run that is a program, a block or a
 * cell; or of what has ended, with the files that it left. */
void fh_tab_show_run (FhTab *self, FhRun *run);
void
fh_tab_show_ended (FhTab *self, FhRunRequest *request, FhRunResult *result, FhResultFiles *files);
void fh_tab_run_here_action (GtkWidget *widget, const char *name, GVariant *target);

/* tab-draft.c */
void fh_tab_update_title (FhTab *self);
void fh_tab_schedule_draft (FhTab *self);
