/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Whether lines that have nothing of any language would work as Python: at least one assignment,
 * calls of built-in functions, and no name that is not known. */
gboolean fh_python_is_plain (char **lines);
