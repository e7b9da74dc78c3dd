/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-result.h"

/* The package that a failed program of Python lacked, or that pip could not install, by what they
 * wrote to stderr; also the package's name where that of the module is another one. NULL if it is
 * not known. (transfer full) */
char *fh_missing_package_find (FhRunResult *result);

/* Advice about a package that is missing where there is no network to install it from, by pip or
 * another installer, or that pip will not install where it would be the system's; NULL if that is
 * not why the run failed. (transfer full) */
char *fh_missing_package_advice (FhRunResult *result);
