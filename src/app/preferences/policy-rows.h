/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "settings.h"

/* Adds a row for each language to `expander`: what is done with its blocks in answers. */
void fh_policy_rows_add (AdwExpanderRow *expander, FhSettings *settings);
