/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's parts, for its own files: session.c runs requests, session-container.c keeps a
 * container between runs. */
#pragma once

#include "session.h"

G_BEGIN_DECLS

/* `sandbox` is that of the last run, `kept` the one that stays; they may be the same. */
struct _FhSession
{
  GObject parent_instance;

  FhProbes *probes;
  FhRecorder *recorder; /* nullable */

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

gboolean fh_session_is_running (FhSession *self);
/* The run or the sandbox has changed. `may_ask`: queries the engine; else the last answer stays. */
void fh_session_update_state (FhSession *self, gboolean may_ask);
void fh_session_release_container (FhSession *self);

G_END_DECLS
