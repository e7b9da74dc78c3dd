/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"
#include "engine.h"
#include "opened-path.h"

G_BEGIN_DECLS

/* Opens the volumes of the options and checks what they are on this computer: where links lead,
 * what they contain, whether the socket of an engine is among it. One entry per volume, in order;
 * NULL for one that exists only on the engine's computer. NULL with a sentence. (element-type
 * FhOpenedPath, nullable) (transfer full) */
GPtrArray *fh_shown_folders_open (const FhContainerOptions *options,
                                  const FhEngineFacts *engine,
                                  GError **error);

/* Opens the work folder by its path for the engine. `opened` stays NULL when it is not on this
 * computer, or not under that path. FALSE with a sentence. */
gboolean fh_shown_folders_open_bound (const char *path,
                                      const FhEngineFacts *engine,
                                      FhOpenedPath **opened,
                                      GError **error);

/* Whether user 0 of the container has root's rights on the shown files, while the user here is not
 * root. */
gboolean
fh_shown_folders_are_roots (const FhContainerOptions *options, const FhEngineFacts *engine);

G_END_DECLS
