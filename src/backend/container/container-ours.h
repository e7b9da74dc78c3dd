/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-life.h"

G_BEGIN_DECLS

/* Something runs in it, or would if it were let. */
gboolean fh_container_is_up (const FhContainer *container);

/* Somebody else's container was named. */
GError *fh_container_foreign_error (const char *name);

G_END_DECLS
