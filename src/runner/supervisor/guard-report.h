/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guard report: what each guard of this sandbox consists of and whether it is at full strength,
 * for the backend. Sent once all are set up. `container` is NULL outside of one.
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
