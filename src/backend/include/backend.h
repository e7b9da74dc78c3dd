/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox.h"

/* What a backend can do on this machine, found by trying it. */
typedef struct
{
  gboolean may_run; /* FALSE: nothing may run here */
  /* `may_run` is FALSE only for now: the container's image is pulled for the first run, not for a
   * probe. */
  gboolean lacks_image;
  char *tier;        /* "A", "A2", "F", "B"; or "" when nothing may run */
  char *reason;      /* nullable: why nothing may run, why no better tier works, or what is weak */
  char *advice;      /* nullable: what to do about it */
  GPtrArray *guards; /* (element-type FhGuardState) */
} FhBackendProbe;

void fh_backend_probe_free (FhBackendProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBackendProbe, fh_backend_probe_free)

/* For backends: takes the reason from the first guard that is weaker than usual. */
void fh_backend_probe_explain_weakness (FhBackendProbe *probe);

/* A way to run code: on this computer ("native") or in containers ("container"). */
#define FH_TYPE_BACKEND (fh_backend_get_type ())
G_DECLARE_DERIVABLE_TYPE (FhBackend, fh_backend, FH, BACKEND, GObject)

/* Tests put another one in its place. */
struct _FhBackendClass
{
  GObjectClass parent_class;

  /* Returns an FhBackendProbe from the task, which is borrowed. */
  void (*probe) (FhBackend *self, GTask *task);
  FhSandbox *(*prepare) (FhBackend *self, FhRunRequest *request);
};

/* The backend for a run: containers made with these options or, with NULL, this computer. `tier`:
 * the only one that is probed on this computer; AUTO is the best that works. (transfer full) */
FhBackend *fh_backend_new (FhTier tier, const FhContainerOptions *container);

/* Sets up a sandbox that runs nothing, and reports the state of each guard. An error only when not
 * even that could be tried, for example because the runner is missing. */
void fh_backend_probe_async (FhBackend *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
FhBackendProbe *fh_backend_probe_finish (FhBackend *self, GAsyncResult *result, GError **error);

/* A sandbox for runs like this one; cheap, never fails, and starts nothing. (transfer full) */
FhSandbox *fh_backend_prepare (FhBackend *self, FhRunRequest *request);
