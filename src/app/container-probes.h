/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"
#include "protection.h"

G_BEGIN_DECLS

/* What protects runs in containers: one FhProtection for each kind of container, found out once by
 * making one. */
#define FH_TYPE_CONTAINER_PROBES (fh_container_probes_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerProbes, fh_container_probes, FH, CONTAINER_PROBES, GObject)

FhContainerProbes *fh_container_probes_new (void);

/* The options must have passed their check. What is not known yet is asked for; `again`: in any
 * case, unless it is being asked for. (transfer full) */
FhProtection *fh_container_probes_get (FhContainerProbes *self,
                                       const FhContainerOptions *options,
                                       gboolean again);

/* Equal for options that make the same container. (transfer full) */
char *fh_container_probes_key (const FhContainerOptions *options);

G_END_DECLS
