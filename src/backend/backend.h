/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox.h"

G_BEGIN_DECLS

/* What a backend can do on this machine, found out by doing it. */
typedef struct
{
  gboolean may_run; /* FALSE: nothing may run here */
  /* FALSE above, but for now: the image of the container is pulled with the first run, and was not
   * for the probe. */
  gboolean lacks_image;
  char *tier;   /* "A", "A2", "B"; or "" when nothing may run */
  char *reason; /* nullable: sentences: why nothing may run, or nothing better, or what is weak */
  char *advice; /* nullable: a sentence what to do about it */
  GPtrArray *guards; /* (element-type FhGuardState) */
} FhBackendProbe;

void fh_backend_probe_free (FhBackendProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBackendProbe, fh_backend_probe_free)

/* For backends: the first guard that is weaker than usual gives the reason, if any is. */
void fh_backend_probe_explain_weakness (FhBackendProbe *probe);

/* A way to run code: the native runner today. */
#define FH_TYPE_BACKEND (fh_backend_get_type ())
G_DECLARE_INTERFACE (FhBackend, fh_backend, FH, BACKEND, GObject)

struct _FhBackendInterface
{
  GTypeInterface parent_interface;

  const char *(*get_id) (FhBackend *self);
  void (*probe_async) (FhBackend *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
  FhBackendProbe *(*probe_finish) (FhBackend *self, GAsyncResult *result, GError **error);
  FhSandbox *(*prepare) (FhBackend *self, const FhRunLimits *limits);
};

const char *fh_backend_get_id (FhBackend *self); /* "native" */

/* Builds a sandbox around nothing and tells what each guard is worth here. An error only when
 * even that could not be tried, for example because the runner is missing. */
void fh_backend_probe_async (FhBackend *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
FhBackendProbe *fh_backend_probe_finish (FhBackend *self, GAsyncResult *result, GError **error);

/* A sandbox with these limits; cheap, and never fails here. (transfer full) */
FhSandbox *fh_backend_prepare (FhBackend *self, const FhRunLimits *limits);

G_END_DECLS
