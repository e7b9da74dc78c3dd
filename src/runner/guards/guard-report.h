/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guard report: what each guard of this sandbox is made of and whether it is at full strength,
 * told to the backend once they all stand. `container` is NULL where there is none.
 */
#pragma once

#include "cgroup.h"
#include "container-evidence.h"
#include "init-message.h"
#include "wire-policy.h"

void guard_report_encode (const struct fh_policy *policy,
                          const struct init_ready *ready,
                          const struct cgroup *cgroup,
                          const struct container_evidence *container,
                          struct fh_buffer *buffer);
