/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-options.h"

/* Options in words, translated. All are owned by the caller. */

/* “This Computer”, or the image of a container. */
char *fh_option_text_place (const FhRunOptions *options);
/* The guards that are switched off, or NULL. */
char *fh_option_text_guards (const FhRunOptions *options);
/* Names what the container is given beyond the default, or returns NULL; NULL also on this
 * computer. */
char *fh_option_text_container (const FhRunOptions *options);
