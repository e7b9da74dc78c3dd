/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "protection.h"
#include "run-options.h"

/* The backends of this process and what protects runs in them: one FhProtection for this computer
 * and one for each kind of container, found out once by making one. */
#define FH_TYPE_PROBES (fh_probes_get_type ())
G_DECLARE_FINAL_TYPE (FhProbes, fh_probes, FH, PROBES, GObject)

/* `backend`: for runs on this computer; NULL is the default one. */
FhProbes *fh_probes_new (FhBackend *backend);

/* `container`: NULL for this computer. (transfer full) */
FhBackend *fh_probes_dup_backend (FhProbes *self, const FhContainerOptions *container);

/* On this computer: not checked until fh_probes_check. */
FhProtection *fh_probes_get_here (FhProbes *self); /* borrowed */
void fh_probes_check (FhProbes *self);

/* Where these options run. They must have passed their check. A container is probed the first time;
 * `again`: probes in any case. (transfer full) */
FhProtection *fh_probes_get (FhProbes *self, const FhRunOptions *options, gboolean again);

/* Equal for options that make the same container. (transfer full) */
char *fh_probes_key (const FhContainerOptions *container);
