/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "container-options.h"

G_BEGIN_DECLS

/* The choice of a container as a JSON object: engine, image (null: the default one), no_pull, name,
 * kept, after, work_dir, bind_dir, files, network, milli_cpus, gpus, volumes, hosts, environment
 * (arrays of strings), writable, root. NULL gives a null. (transfer full) */
JsonNode *fh_container_options_to_json (const FhContainerOptions *options);

/* NULL, which earlier versions of Fumehood leave, and null give NULL: a run on this computer.
 * Absent members are as they are by default. FALSE with FH_RUN_ERROR_INVALID when a member is of
 * another type; whether the choice makes sense is for fh_container_options_check. */
gboolean
fh_container_options_from_json (JsonNode *node, FhContainerOptions **options, GError **error);

G_END_DECLS
