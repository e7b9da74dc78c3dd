/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* Puts our programs into a container that was created and not started yet, and of which nothing
 * can be bound because its engine is elsewhere: the runner and the folder of guest programs to
 * FH_CONTAINER_PROGRAMS, which has to be a volume (the engine writes into no other place of a
 * container with a read-only root). They belong to nobody whom a program in it can be, so that it
 * cannot change them. */
void fh_container_copy_programs_async (FhEngine *engine,
                                       const char *container_name,
                                       const char *runner,
                                       const char *guest_folder,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean fh_container_copy_programs_finish (GAsyncResult *result, GError **error);

/* Lets the user write to the workspace and the home of a container that is kept and runs, as far as
 * these are volumes because nothing could be bound. Only Docker makes such for user 0; with others,
 * nothing is to be done. For a new container, in which no program has run yet. */
void fh_container_open_folders_async (FhEngine *engine,
                                      const char *container_name,
                                      gboolean has_workspace,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
gboolean fh_container_open_folders_finish (GAsyncResult *result, GError **error);

G_END_DECLS
