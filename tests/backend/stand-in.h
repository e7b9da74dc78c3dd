/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The runner of a test is fake-runner.c under the name of what it is to do. */

void stand_in_begin (void);
void stand_in_end (void);
/* A folder of this test alone, removed at its end with everything in it. */
const char *stand_in_folder (void);
/* From now on the backend finds a runner that does this. */
void stand_in_use (const char *act);
