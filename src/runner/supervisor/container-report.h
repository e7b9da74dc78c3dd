/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of the guard report that is different in a container: the guards there are the engine's,
 * and are reported as found.
 */
#pragma once

#include "cgroup.h"
#include "container-evidence.h"
#include "init-message.h"
#include "wire-policy.h"

/* Replaces the rows of those guards. */
void container_report (struct fh_guard_report guards[FH_WIRE_N_GUARDS],
                       const struct fh_policy *policy,
                       const struct init_ready *ready,
                       const struct cgroup *cgroup,
                       const struct container_evidence *evidence);
