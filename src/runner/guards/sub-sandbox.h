/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sub-sandbox of tier F: Flatpak's portal has made namespaces with nothing in them but
 * bubblewrap and the runner, and shows one folder of the app's. Newer portals leave out what they
 * refuse without saying so; and a runner that believed to be alone would kill the user's programs.
 * So everything that the tier relies on is checked here, before anything is built.
 */
#pragma once

#include "wire-policy.h"

/* Returns NULL, or with errno the step that failed. */
const char *sub_sandbox_check (const struct fh_policy *policy);
