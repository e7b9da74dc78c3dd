/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "executor.h"
#include "step.h"

typedef enum
{
  FH_SERIES_READY,    /* it was not started, or stays open and has nothing to show */
  FH_SERIES_RUNNING,  /* also between two steps */
  FH_SERIES_ASKING,   /* it waits for fh_series_approve or fh_series_refuse */
  FH_SERIES_STOPPING, /* the step that runs was asked to end, or the series was closed */
  FH_SERIES_DONE,     /* for good */
} FhSeriesState;

/* What becomes of the steps that wait when one that is shown was refused or has failed. */
typedef enum
{
  FH_AFTER_FAILURE_END,   /* they do not run, and the series is done */
  FH_AFTER_FAILURE_DROP,  /* they do not run, but later ones do */
  FH_AFTER_FAILURE_GO_ON, /* they run */
} FhAfterFailure;

/* What one press of Run starts: steps that run one after the other. A program is a series of one
 * step, an answer a series of its blocks, and a session a series that goes on until it is closed.
 *
 * All its functions can be called from handlers of its signals. What they change is then told when
 * all listeners have heard what is being told.
 *
 * Properties (read-only, notified): state; step, the one whose run was shown last, or NULL;
 * n-waiting, how many steps wait, without silent ones.
 * Signals:
 *   step-changed (FhStep *step): its state has changed. Before a step that has failed is told,
 *     those after it still wait; that they do not run is told next
 *   asking (FhStep *step): whether the step may run. Nobody else is asked: without a listener it is
 *     refused
 *   call (FhStep *step, guint number, const char *name, JsonNode *arguments): the cell calls a
 *     function and waits for fh_series_reply. The program chooses all of it, and its form is
 *     checked. Without a listener the call fails
 *   done: the state is FH_SERIES_DONE, and nothing follows */
#define FH_TYPE_SERIES (fh_series_get_type ())
G_DECLARE_FINAL_TYPE (FhSeries, fh_series, FH, SERIES, GObject)

/* The exit status of what the user stopped, see fh_run_outcome_exit_status. */
#define FH_SERIES_STOPPED 130

/* A program. `asks`: a person is asked first. */
FhSeries *fh_series_new_program (FhExecutor *executor, FhRunRequest *request, gboolean asks);
/* The blocks of an answer (element-type FhAnswerBlock): in one sandbox, where it can be kept, else
 * each in one of its own with the files that those before it have left. In a container that is kept
 * or a folder of the user's the files stay by themselves. `first`: the number that people see of
 * the first block. `left`: files that are there already; nullable. `takes_input`: a block that
 * waits for input can be given some, see fh_run_get_input; else its input is empty. */
FhSeries *fh_series_new_answer (FhExecutor *executor,
                                GPtrArray *blocks,
                                guint first,
                                const FhRunOptions *options,
                                FhResultFiles *left,
                                gboolean takes_input);
/* Cells that one interpreter runs in one namespace. When it has ended, the next cell gets a new
 * one, in which everything that is kept is set and declared again. `after_failure`: not
 * FH_AFTER_FAILURE_END. */
FhSeries *
fh_series_new_session (FhExecutor *executor, const FhRunOptions *options, FhAfterFailure after);

/* Begins with the first step before it returns; each later one begins in a turn of the main loop,
 * of default priority. To be called once, after the listeners are connected. */
void fh_series_start (FhSeries *self);

/* Runs a cell of a session after those that wait, or before all of them if it `goes_first`. NULL
 * with FH_RUN_ERROR_INVALID if too many wait, or the session is closed. Borrowed: it stays until it
 * has ended and another one was pushed. */
FhStep *fh_series_push (FhSeries *self, FhCell *cell, gboolean goes_first, GError **error);
/* The options of the cells whose turn comes from now on. They get a new interpreter if the options
 * differ in more than limits of time and output. */
void fh_series_set_options (FhSeries *self, const FhRunOptions *options);

/* The two answers to "asking"; they do nothing if nobody was asked. `always`: later steps in the
 * language of this one run without asking. `reason`: for the one who asked for the run; NULL or
 * empty for none. */
void fh_series_approve (FhSeries *self, gboolean always);
void fh_series_refuse (FhSeries *self, const char *reason);

/* Asks the step that runs to end, and by force if it was asked before. None that is shown and waits
 * is run. */
void fh_series_stop (FhSeries *self);
/* Asks one step to end, and by force if it was asked before; one that waits is not run. The others
 * are not touched. `step` NULL: the one that runs. FALSE if it has ended. */
gboolean fh_series_interrupt (FhSeries *self, FhStep *step);
/* Ends the run, whose result is still told, and whatever waits. Where none runs, the interpreter of
 * a session does what the program has registered with atexit. The series is done when that has
 * ended, which may be before this returns; its executor must not be closed before. */
void fh_series_close (FhSeries *self);

/* The reply to the call of that number, which is either `value` or, if that is NULL, an exception
 * with the text `error`. FALSE with FH_RUN_ERROR_INVALID if no such call waits, or it is too long.
 */
gboolean fh_series_reply (FhSeries *self,
                          guint number,
                          JsonNode *value,
                          const char *error,
                          GError **problem);
/* Whether a call waits for its reply. */
gboolean fh_series_has_call (FhSeries *self);
/* The interpreter does this at once, while the call waits: the cell that made the call goes on only
 * after the reply, and the reply may depend on this. The step is told when it has ended; it is not
 * run if the call ends before. NULL with FH_RUN_ERROR_INVALID if it runs code, begins anew or is
 * too long. Borrowed, as by fh_series_push. */
FhStep *fh_series_ask (FhSeries *self, FhCell *cell, GError **error);
/* No reply will come any more: the call that waits and all later ones fail with this text. */
void fh_series_refuse_calls (FhSeries *self, const char *error);

FhSeriesState fh_series_get_state (FhSeries *self);
/* The step whose run was shown last, or NULL. */
FhStep *fh_series_get_step (FhSeries *self);
guint fh_series_get_n_waiting (FhSeries *self);
const FhRunOptions *fh_series_get_options (FhSeries *self);
/* All files that the steps have left until now. (transfer full) */
FhResultFiles *fh_series_dup_files (FhSeries *self);
/* What all steps until now have changed in the project folder; NULL without one. Borrowed. */
FhFolderChanges *fh_series_get_changes (FhSeries *self);
/* How it ended, or how it stands. The strings are borrowed until the outcome changes. */
FhRunOutcome fh_series_get_outcome (FhSeries *self);
/* 0, or that of the step that failed; 1 if a step was refused; FH_SERIES_STOPPED. */
int fh_series_get_exit_status (FhSeries *self);
