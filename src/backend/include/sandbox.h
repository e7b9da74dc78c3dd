/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine-facts.h"
#include "run.h"

/* The image that is pulled for the present run, or was. */
typedef struct
{
  const char *image;
  const char *text; /* "3 of 5 layers"; NULL while nothing is known */
  double fraction;  /* 0…1; -1 while nothing is known */
  gboolean is_done; /* the image is here */
  guint64 size;     /* then, in bytes */
} FhSandboxProgress;

typedef enum
{
  FH_SANDBOX_NONE, /* nothing is kept between runs, or not created yet */
  FH_SANDBOX_READY,
  FH_SANDBOX_PAUSED,
  FH_SANDBOX_STOPPED,
  FH_SANDBOX_GONE, /* removed by someone else; the next run creates it again */
} FhSandboxState;

/* A prepared place to run code. Disposing of it ends the run.
 *
 * Signal "changed": name, engine or progress have changed. */
#define FH_TYPE_SANDBOX (fh_sandbox_get_type ())
G_DECLARE_INTERFACE (FhSandbox, fh_sandbox, FH, SANDBOX, GObject)

/* All but `run` may be NULL: then there is no name, nothing to prepare, restart or stop, and the
 * state is NONE. The last four return from a task of the sandbox, which is borrowed. */
struct _FhSandboxInterface
{
  GTypeInterface parent_interface;

  FhRun *(*run) (FhSandbox *self, FhRunRequest *request);
  void (*prepare) (FhSandbox *self, FhRunRequest *request);
  void (*end_cells) (FhSandbox *self);
  void (*keep_warm) (FhSandbox *self, FhRunRequest *like, const char *const *modules);
  void (*keep_on) (FhSandbox *self, int cpu);
  const char *(*get_name) (FhSandbox *self);
  const FhEngineFacts *(*get_engine) (FhSandbox *self);
  gboolean (*get_progress) (FhSandbox *self, FhSandboxProgress *progress);
  void (*query_state) (FhSandbox *self, GTask *task); /* returns an int, an FhSandboxState */
  void (*restart) (FhSandbox *self, GTask *task);     /* returns a boolean */
  void (*stop) (FhSandbox *self, GTask *task);        /* returns a boolean */
  void (*settle) (FhSandbox *self, GTask *task);      /* returns a boolean */
};

/* Starts the request. Never fails: errors are in the result of the run. In a busy sandbox the run
 * ends at once with an internal error. (transfer full) */
FhRun *fh_sandbox_run (FhSandbox *self, FhRunRequest *request);

/* Builds what a run like this one needs and lets its interpreter wait inside, if this kind of
 * sandbox can do that: the next run starts at once if only its source, arguments and input differ.
 * Replaces what was prepared before. Never fails; errors are reported by the run. */
void fh_sandbox_prepare (FhSandbox *self, FhRunRequest *request);

/* Ends the interpreter that waits for a further cell of a session: the next begins a new one. */
void fh_sandbox_end_cells (FhSandbox *self);

/* From now on keeps one interpreter warm, with these modules imported, and gives each run that
 * differs from `like` in nothing but its source, arguments, files and input a copy of it, if this
 * kind of sandbox can do that. All other runs start their own, as before. */
void fh_sandbox_keep_warm (FhSandbox *self, FhRunRequest *like, const char *const *modules);

/* Everything that is started from now on stays on this processor, counted from 0, if this kind of
 * sandbox can do that: what waits for each other is then there without a processor being woken. */
void fh_sandbox_keep_on (FhSandbox *self, int cpu);

/* Whether these are names of modules that can be imported ahead; else FALSE with a sentence. */
gboolean fh_sandbox_check_modules (const char *const *modules, GError **error);

/* The name of the container and its engine; NULL without one, or before it is known. Borrowed. */
const char *fh_sandbox_get_name (FhSandbox *self);
const FhEngineFacts *fh_sandbox_get_engine (FhSandbox *self);

/* FALSE when no image was pulled for the present run. The strings are borrowed until "changed". */
gboolean fh_sandbox_get_progress (FhSandbox *self, FhSandboxProgress *progress);

/* Queries the state of what is kept between runs; NONE on an error. */
void fh_sandbox_query_state_async (FhSandbox *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
FhSandboxState
fh_sandbox_query_state_finish (FhSandbox *self, GAsyncResult *result, GError **error);

/* Restarts what is kept, with everything that was installed in it. */
void fh_sandbox_restart_async (FhSandbox *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean fh_sandbox_restart_finish (FhSandbox *self, GAsyncResult *result, GError **error);

/* Ends the run, and stops or removes what is kept as the options say. Finishes when that is done.
 * Idempotent. */
void fh_sandbox_stop_async (FhSandbox *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean fh_sandbox_stop_finish (FhSandbox *self, GAsyncResult *result, GError **error);

/* The same for a sandbox that leaves what is kept as it is; finished by fh_sandbox_stop_finish. */
void fh_sandbox_settle_async (FhSandbox *self, GAsyncReadyCallback callback, gpointer user_data);

/* Emits "changed"; an implementation calls it. */
void fh_sandbox_changed (FhSandbox *self);
