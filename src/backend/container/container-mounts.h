/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-arguments.h"

G_BEGIN_DECLS

/* Every file and folder of a container that is not the image's own: the sized filesystems, what is
 * bound of the host, the volumes that the user asked for. */
void fh_container_mounts_add (const FhContainerParts *parts, GStrvBuilder *arguments);

/* What may be written to one filesystem, in bytes; 0: as much as the kernel gives it. */
guint64 fh_container_mounts_size (const FhContainerParts *parts);

/* "/host/path:/inside", with ":ro" or ":rw" at the end or without. FALSE when it is none. */
gboolean
fh_container_volume_parse (const char *volume, char **source, char **target, gboolean *is_writable);

G_END_DECLS
