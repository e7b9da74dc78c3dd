/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"
#include "guard-state.h"

/* Options of a container can weaken guards in ways that are invisible from inside: a shared
 * network, or a folder of the user's. Replaces the affected states. (element-type FhGuardState) */
void fh_container_guards_refine (GPtrArray *guards, const FhContainerOptions *options);
