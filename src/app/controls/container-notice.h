/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"

G_BEGIN_DECLS

/* What was allowed to a container beyond the usual, as one sentence for people, or NULL when it is
 * walled in as well as it can be. (transfer full) */
char *fh_container_notice_new (const FhContainerOptions *options);

G_END_DECLS
