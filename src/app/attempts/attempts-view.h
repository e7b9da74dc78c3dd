/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "parts/result-page.h"

/* The attempts of a run or of an answer: a table, and the details of the selected one. As an
 * FhResultPage it shows a run, which may be a block of an answer whose attempts are those of all
 * its blocks, so that more may come after its end. */
#define FH_TYPE_ATTEMPTS_VIEW (fh_attempts_view_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptsView, fh_attempts_view, FH, ATTEMPTS_VIEW, AdwBin)
