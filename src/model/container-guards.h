/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"
#include "guard-state.h"

G_BEGIN_DECLS

/* What a container was given by its user weakens guards in ways that are not seen from inside:
 * whose network it is, and that a folder is his. Replaces the states that say less than that.
 * (element-type FhGuardState) */
void fh_container_guards_refine (GPtrArray *guards, const FhContainerOptions *options);

G_END_DECLS
