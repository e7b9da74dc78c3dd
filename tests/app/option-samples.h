/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "controls/options.h"

/* Sets an option of the table to something that is not its default, with whatever else must be set
 * for that: a container for an option of containers, for example. FALSE: a window cannot set it. */
gboolean option_samples_set (FhOptions *options, const FhRunOption *row);

/* The value of a property that is a text. */
char *option_samples_get_text (FhOptions *options, const char *property);

/* A request for that source, and else as the window builds one. */
FhRunRequest *option_samples_build (FhOptions *options, const char *source, GError **error);
