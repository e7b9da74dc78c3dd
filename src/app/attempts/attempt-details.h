/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "attempt.h"

G_BEGIN_DECLS

/* One attempt in words: what was tried and what stopped it, why a program does that, and the
 * technical side of it. Takes no room without an attempt, and where there is little of it, it
 * scrolls.
 *
 * Properties: attempt (nullable). Signals: closed, when the user has read enough.
 * Going to the line of the source activates page.go-to-line (uu), as a traceback does. */
#define FH_TYPE_ATTEMPT_DETAILS (fh_attempt_details_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptDetails, fh_attempt_details, FH, ATTEMPT_DETAILS, GtkWidget)

/* The technical line: "seccomp · connect · EACCES · python3 12 · after 8 ms". (transfer full) */
char *fh_attempt_details_format_technical (FhAttempt *attempt);

G_END_DECLS
