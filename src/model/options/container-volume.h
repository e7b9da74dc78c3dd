/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A file or folder of the engine's machine that a container is shown. */
typedef struct
{
  char *host;
  char *inside;
  gboolean is_writable;
} FhContainerVolume;

void fh_container_volume_clear (FhContainerVolume *volume);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhContainerVolume, fh_container_volume_clear)

/* "/host/path:/inside", with ":ro" (the default) or ":rw". FALSE with FH_RUN_ERROR_INVALID when it
 * is malformed, or when a container may not use one of the paths. */
gboolean fh_container_volume_parse (const char *text, FhContainerVolume *volume, GError **error);

/* The same for the path of the engine's machine alone. Nothing is looked up. */
gboolean fh_container_host_path_check (const char *path, GError **error);

/* Whether engines give their sockets this name, in any folder. */
gboolean fh_container_volume_is_socket_name (const char *name);
