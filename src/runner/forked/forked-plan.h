/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a warm interpreter gets, as two sealed files on its descriptors 3 and 4: a message that
 * makes data/guest/bootstrap.py import modules and load the module that forks, followed by the
 * policy for that; and the module itself.
 *
 * Each guest is a copy of that interpreter, so the policy in there has nothing of the host's: no
 * home, and no path but those inside.
 */
#pragma once

#include "plan.h"

/* Returns NULL, or with errno the name of the step that failed. */
const char *forked_plan (struct plan *plan);
