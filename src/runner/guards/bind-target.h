/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* True if a policy may put something there: an absolute path without empty, "." or ".." parts, that
 * does not cover the root, /workspace or /tmp and neither is in nor covers /proc or /dev. */
bool bind_target_is_allowed (const char *target);
