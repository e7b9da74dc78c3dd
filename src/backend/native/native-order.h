/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "order.h"
#include "project-copy.h"
#include "run-conversation.h"
#include "run-lock.h"

/* The work folder or project folder of one run on this computer. Its files are copied into the
 * workspace before the run, so that the sandbox needs no way to the folder. What the program has
 * made, changed or deleted is then copied back to a work folder, which is locked for as long; in a
 * project it becomes the run's list of changes, and nothing is written. Where the sandbox can mount
 * a project below a layer of its own, only what the program changes is read. */
typedef struct _FhNativeWork FhNativeWork;

/* `error` is NULL on success. It may free the work. */
typedef void (*FhNativeWorkFunc) (const GError *error, gpointer user_data);

/* A thread has a reference of its own. While it works, nothing else uses what it does: `folder`,
 * `lock`, `files` and `project`. The sandbox reads what is not private, once the work is open. */
struct _FhNativeWork
{
  char *program;       /* a name that none of the files has */
  GPtrArray *files;    /* (element-type FhRunFile), with those of the request */
  FhResultFiles *left; /* where those go that the program leaves: the run, unless it keeps none */
  gboolean is_saving;
  FhRunOutcome outcome; /* of the run, once it is being saved */

  /* private */
  char *path;
  FhOpenedPath *folder;
  FhRunLock *lock;
  FhRun *run;               /* of a project; else NULL */
  FhProjectCopy *project;   /* nullable */
  FhFolderChanges *changes; /* the same */
  GCancellable *cancellable;
  FhNativeWorkFunc done; /* NULL: no one waits */
  gpointer user_data;
  gboolean is_refused; /* mounting the project: it has to be copied */
  char *step;
  char *message;
};

/* NULL if the run has neither. */
FhNativeWork *fh_native_work_new (FhRun *run);
/* No callback comes after this. What is being written is finished. */
void fh_native_work_free (FhNativeWork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhNativeWork, fh_native_work_free)

/* Opens it for a sandbox of this tier: makes a work folder if it is missing, locks it and reads it.
 * An error is a sentence. */
void
fh_native_work_open (FhNativeWork *self, FhTier tier, FhNativeWorkFunc opened, gpointer user_data);
/* Whether that was done. */
gboolean fh_native_work_is_open (FhNativeWork *self, FhTier tier);
/* Whether nothing ran because the project cannot be mounted here. It is then to be opened again. */
gboolean fh_native_work_is_refused (FhNativeWork *self, const FhRunOutcome *outcome);

/* Closes the conversation of the finished run and copies back what its program left, or lists it.
 * The outcome is then as before; its message, if it had none, says what could not be copied. */
void fh_native_work_save (FhNativeWork *self,
                          FhRunConversation *conversation,
                          const FhRunOutcome *outcome,
                          FhNativeWorkFunc saved,
                          gpointer user_data);

/* Makes the order for a runner of this computer, in one tier. `work`: open; nullable. NULL with an
 * error if the request cannot run here. */
FhOrder *
fh_native_order_new (FhRunRequest *request, FhTier tier, const FhNativeWork *work, GError **error);

/* How a run ends whose order or runner could not be made. */
FhRunStatus fh_native_order_status_of (const GError *error);
