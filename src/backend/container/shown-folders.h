/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"
#include "engine.h"

G_BEGIN_DECLS

/* Looks at what the options show to a container as it is on this computer: where links lead, and
 * whether the socket of an engine is in it, which no container is given. FALSE with an error of
 * FH_RUN_ERROR. Folders of another computer are not looked at. */
gboolean fh_shown_folders_check (const FhContainerOptions *options,
                                 const FhEngineFacts *engine,
                                 GError **error);

G_END_DECLS
