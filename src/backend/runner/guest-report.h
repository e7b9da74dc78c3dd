/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-driver.h"

/* Adds an attempt that the program's interpreter reported (wire-guest.h, hostile) to `run`. Other
 * and invalid messages are ignored. TRUE if it was stopped at its limit of operations, as it says.
 */
gboolean fh_guest_report_handle (FhRun *run, const guint8 *message, gsize size);

/* What the interpreter guard does in a run of this request; NULL when its language has none. */
FhGuardState *fh_guest_report_guard_state (FhRunRequest *request);
