/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-arguments.h"

G_BEGIN_DECLS

/* Every file and folder of a container that is not the image's own: the sized filesystems, what is
 * bound of the host, the volumes that the user asked for. */
void fh_container_mounts_add (const FhContainerParts *parts, GStrvBuilder *arguments);

/* What may be written to one filesystem, in bytes; 0: as much as the kernel gives it. */
guint64 fh_container_mounts_size (const FhContainerParts *parts);

G_END_DECLS
