/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of an executor, for its own files: executor.c runs requests, executor-container.c keeps
 * a container between runs. */
#pragma once

#include "executor.h"

G_BEGIN_DECLS

/* `sandbox` is that of the last run, `kept` the one that stays; they may be the same. */
struct _FhExecutor
{
  GObject parent_instance;

  FhProbes *probes;
  FhOldRecorder *recorder; /* nullable */

  FhRunOptions *options;    /* of the next run; nullable */
  FhProtection *protection; /* of the next run; nullable */
  guint probe_timer;
  FhWarmStart *warm_start;

  FhRun *run;         /* nullable */
  FhSandbox *sandbox; /* nullable */
  FhSandbox *leaving; /* of a run that has ended; its container may still go. Nullable */
  FhRunRequest *like; /* nullable: runs like it are copies of a warm interpreter */
  GStrv modules;      /* imported ahead then */
  FhSandbox *warm;    /* that keeps it; nullable */
  FhSandbox *cells;   /* whose interpreter runs the cells, perhaps `kept`; nullable */
  char *cells_key;    /* what it was made with; NULL: on this computer */
  FhSandbox *kept;    /* nullable */
  char *kept_key;     /* what it was made with */
  FhContainerAfter kept_after;
  char *kept_state;     /* a sentence, or NULL */
  gboolean is_changing; /* it is being restarted or stopped */
  gboolean is_closed;
  gboolean is_ending;  /* the last cell of its interpreter runs: it is closed only after that */
  GCancellable *query; /* of its state */
};

gboolean fh_executor_is_running (FhExecutor *self);
/* The run or the sandbox has changed. `may_ask`: queries the engine; else the last answer stays. */
void fh_executor_update_state (FhExecutor *self, gboolean may_ask);
void fh_executor_release_container (FhExecutor *self);

G_END_DECLS
