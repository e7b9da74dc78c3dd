/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "attempt-log.h"

/* The attempts of a run as lines that are safe to print on a terminal. */

/* Translated, one line: "2 attempts were blocked. 1 was not blocked." */
char *fh_attempt_text_summary (FhAttemptLog *attempts);

/* Columns: time, verdict, guard, count, title. */
char *fh_attempt_text_row (FhAttempt *attempt);
