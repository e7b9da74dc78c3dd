/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a tier implies for the guards.
 */
#pragma once

#include "wire-policy.h"

/* True if the guest uses the host's files, or Flatpak's, and has a folder of its own among them:
 * what the policy calls /workspace is elsewhere. */
static inline bool
tier_has_run_folder (const struct fh_policy *policy)
{
  return policy->tier == FH_WIRE_TIER_LANDLOCK || policy->tier == FH_WIRE_TIER_PORTAL ||
         policy->tier == FH_WIRE_TIER_UNPROTECTED;
}

/* True if the runner makes no namespaces: the guest's processes are among others and have to be
 * found to be killed, and the guest could see the supervisor. */
static inline bool
tier_is_shared (const struct fh_policy *policy)
{
  return tier_has_run_folder (policy) || policy->tier == FH_WIRE_TIER_CONTAINER;
}
