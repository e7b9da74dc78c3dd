/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-feed.h"
#include "runner-process.h"

G_BEGIN_DECLS

/* One run, and the runner that serves it: what every sandbox has to do with the two, whatever it
 * is made of. It passes on what the runner tells, waits for it with patience, tells it of Stop, and
 * finishes the run exactly once. What is decided by the sandbox is asked of its listener. */
typedef struct _FhRunConversation FhRunConversation;

typedef struct
{
  /* The runner's last word. */
  void (*finished) (const FhRunOutcome *outcome, gpointer user_data);
  /* The runner is gone without one; `why` is a sentence for people. */
  void (*gone) (const char *why, gpointer user_data);
  /* It does not answer any more. */
  void (*silent) (gpointer user_data);
  /* The user wants an end, and there is no runner that could be told. */
  void (*stopped) (gpointer user_data);
} FhRunConversationListener;

/* `limits` are those in force. */
FhRunConversation *fh_run_conversation_new (FhRun *run,
                                            const FhRunLimits *limits,
                                            const FhRunConversationListener *listener,
                                            gpointer user_data);

FhRun *fh_run_conversation_get_run (FhRunConversation *self);
const FhRunLimits *fh_run_conversation_get_limits (FhRunConversation *self);
FhRunnerProcess *fh_run_conversation_get_process (FhRunConversation *self); /* nullable */

/* With the runner of this computer, or with one behind an engine's client: see
 * fh_runner_process_start and fh_runner_process_start_client. Takes the feed in any case. */
gboolean fh_run_conversation_start (FhRunConversation *self,
                                    FhRunFeed *feed,
                                    const char *path,
                                    GBytes *standard_input,
                                    GError **error);
gboolean fh_run_conversation_start_client (FhRunConversation *self,
                                           FhRunFeed *feed,
                                           const char *const *argv,
                                           const char *const *environment,
                                           GError **error);

/* What must happen within this time, or the runner counts as silent. How long it may take to get
 * ready is what a start sets; what follows is known from the limits. */
void fh_run_conversation_be_patient (FhRunConversation *self, guint64 ms);

/* Leaves the runner, and takes another one later: it is as before the start. */
void fh_run_conversation_break_off (FhRunConversation *self);

/* Everything was said: leaves the runner, and puts the files that came into the run, which is not
 * finished yet. */
void fh_run_conversation_hang_up (FhRunConversation *self);

/* When the runner did not tell, what was measured last stands in for its account. */
void fh_run_conversation_measure (FhRunConversation *self, FhRunOutcome *outcome);

/* Both finish the run and free the conversation; the second one measures. */
void fh_run_conversation_end (FhRunConversation *self, const FhRunOutcome *outcome);
void fh_run_conversation_end_ourselves (FhRunConversation *self,
                                        FhRunStatus status,
                                        const char *step,
                                        const char *message);

/* For a run that was never begun, or is ended by somebody else. */
void fh_run_conversation_free (FhRunConversation *self);

G_END_DECLS
