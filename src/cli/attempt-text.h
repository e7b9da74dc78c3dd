/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "attempt-log.h"

G_BEGIN_DECLS

/* What a run tried as a table of lines, made safe for a terminal. */

/* Translated, one line: "2 attempts were stopped, 1 was let through." */
char *fh_attempt_text_summary (FhAttemptLog *attempts);

/* When, what became of it, the guard, how often, and what it was. */
char *fh_attempt_text_row (FhAttempt *attempt);

G_END_DECLS
