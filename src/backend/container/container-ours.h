/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-ops.h"

G_BEGIN_DECLS

/* Something runs in it or would, if it were not paused. */
gboolean fh_container_is_up (const FhContainer *container);

/* For a container that is not ours. */
GError *fh_container_foreign_error (const char *name);

G_END_DECLS
