/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"

G_BEGIN_DECLS

/* Where the runs of one tab happen, on this computer or in a container, and in which one: as the
 * user set it.
 *
 * Properties (read-write, notified), all as typed and empty for the default: in-container
 * (boolean), engine (uint, an FhEngineKind), image, interpreter (a program of the image), network,
 * cpus, gpus, work-dir (a path or NULL), volumes, hosts, environment (one per line), kept, name,
 * after (uint, an FhContainerAfter), writable, root. Read-only: problem (a sentence, or NULL),
 * notice (what makes the container weaker than usual, or NULL; NULL on this computer), serial
 * (notified after every change that makes another container). */
#define FH_TYPE_CONTAINER_CHOICE (fh_container_choice_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerChoice, fh_container_choice, FH, CONTAINER_CHOICE, GObject)

FhContainerChoice *fh_container_choice_new (void);

gboolean fh_container_choice_is_in_container (FhContainerChoice *self);
FhEngineKind fh_container_choice_get_engine (FhContainerChoice *self);
const char *fh_container_choice_get_image (FhContainerChoice *self); /* never NULL nor empty */
const char *fh_container_choice_get_interpreter (FhContainerChoice *self); /* nullable */

/* Takes over everything; NULL: this computer, and what was set for a container stays. */
void fh_container_choice_set_from (FhContainerChoice *self,
                                   const FhContainerOptions *options,
                                   const char *interpreter);

/* What a container is made with, wherever the runs happen. FALSE with a sentence when something
 * cannot be used. The strings are borrowed until the next change. */
gboolean
fh_container_choice_get (FhContainerChoice *self, FhContainerOptions *options, GError **error);

G_END_DECLS
