/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-driver.h"

G_BEGIN_DECLS

/* What the program's own interpreter says of an attempt, wire-guest.h: hostile. Passes it on to
 * `run`; does nothing when the message is another one, or makes no sense. */
void fh_guest_report_hear (FhRun *run, const guint8 *message, gsize size);

/* What the interpreter guard does in a run of this request; NULL when its language has none. */
FhGuardState *fh_guest_report_guard_state (FhRunRequest *request);

G_END_DECLS
