/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "attempt.h"

/* The details of an attempt: what was tried, what stopped it, why programs do that, and the
 * technical data. Hidden without an attempt; scrolls if there is little room.
 *
 * Properties: attempt (nullable). Signals: closed, by its close button.
 * Its line button activates page.go-to-line (uu). */
#define FH_TYPE_ATTEMPT_DETAILS (fh_attempt_details_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptDetails, fh_attempt_details, FH, ATTEMPT_DETAILS, GtkWidget)

/* The technical line: "seccomp · connect · EACCES · python3 12 · after 8 ms". (transfer full) */
char *fh_attempt_details_format_technical (FhAttempt *attempt);
