/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-events.h"
#include "runner.h"

typedef enum
{
  FH_RUN_END_FINISHED,     /* the runner reported `outcome` */
  FH_RUN_END_GONE,         /* the runner exited before that; `why` is a sentence for people */
  FH_RUN_END_UNRESPONSIVE, /* the runner missed a deadline and was killed */
  FH_RUN_END_STOPPED,      /* the user stopped the run while there is no runner */
  FH_RUN_END_RETIRED,      /* the runner takes no more runs, and did not take this one */
} FhRunEnd;

/* `outcome` and `why` are NULL except as above. */
typedef void (*FhRunEndFunc) (FhRunEnd end,
                              const FhRunOutcome *outcome,
                              const char *why,
                              gpointer user_data);

/* One run and the runner that executes it: the part that all sandboxes share. It handles the
 * runner's frames, enforces deadlines, forwards Stop and finishes the run exactly once. The sandbox
 * decides how the run ends. Others only read the members. */
typedef struct
{
  FhRun *run;
  FhRunLimits limits; /* in force, see fh_run_guards_limits */
  FhOrder *order;     /* set while there is a runner, as are the next two */
  FhRunner *runner;
  FhRunEvents *events;
  GSource *deadline;
  gboolean is_forced; /* Stop was requested twice */
  gboolean has_output;
  FhRunEndFunc ended;
  gpointer user_data;
} FhRunConversation;

FhRunConversation *fh_run_conversation_new (FhRun *run, FhRunEndFunc ended, gpointer user_data);

/* Listens to a runner that was told this order, and may have built its sandbox already. Takes
 * ownership of `runner`. `guards`: the payload of its FH_FRAME_GUARDS; NULL if that is to come. */
void fh_run_conversation_take (FhRunConversation *self,
                               FhOrder *order,
                               FhRunner *runner,
                               GBytes *guards);

/* Replaces the deadline after which the runner counts as unresponsive; 0 for none. Taking a
 * runner sets one for the setup; later ones follow from the limits. After the second Stop it is
 * final. */
void fh_run_conversation_set_deadline (FhRunConversation *self, guint64 ms);

/* Drops the runner, so that another one can be started. */
void fh_run_conversation_reset (FhRunConversation *self);

/* Takes the runner out, which has reported its result and stays for another run. It needs another
 * listener at once. (transfer full) */
FhRunner *fh_run_conversation_release (FhRunConversation *self);

/* Drops the runner and puts the collected files into the run, which is not finished yet. */
void fh_run_conversation_close (FhRunConversation *self);

/* For a runner that reported no result: fills in what was measured last. */
void fh_run_conversation_measure (FhRunConversation *self, FhRunOutcome *outcome);

/* Both finish the run and free the conversation; fh_run_conversation_abort measures. */
void fh_run_conversation_end (FhRunConversation *self, const FhRunOutcome *outcome);
void fh_run_conversation_abort (FhRunConversation *self,
                                FhRunStatus status,
                                const char *step,
                                const char *message);

/* Frees it; the run is not finished by that. */
void fh_run_conversation_free (FhRunConversation *self);
