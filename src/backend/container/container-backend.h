/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"
#include "container-options.h"

G_BEGIN_DECLS

/* Tier D: containers. Its id is "container". */
#define FH_TYPE_CONTAINER_BACKEND (fh_container_backend_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerBackend, fh_container_backend, FH, CONTAINER_BACKEND, GObject)

/* Its sandboxes are made with these options. A probe makes a container that runs nothing and tells
 * what each guard is worth in it; an image that is not there is not pulled for that. */
FhContainerBackend *fh_container_backend_new (const FhContainerOptions *options);

G_END_DECLS
