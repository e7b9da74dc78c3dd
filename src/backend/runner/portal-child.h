/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* A process in a sub-sandbox that Flatpak's portal makes for an app: with namespaces of its own, no
 * network, no buses, no display, and of the app's files only one folder. */
#define FH_TYPE_PORTAL_CHILD (fh_portal_child_get_type ())
G_DECLARE_FINAL_TYPE (FhPortalChild, fh_portal_child, FH, PORTAL_CHILD, GObject)

/* The oldest version of the portal's interface that can show a folder by its descriptor. */
#define FH_PORTAL_MIN_VERSION 3

/* Called once and last. `step` is NULL, or what failed with `error`, an errno, before the process
 * was started. `wait_status` is as of waitpid (2); -1 when the portal has gone. */
typedef void (*FhPortalChildFunc) (const char *step,
                                   int error,
                                   int wait_status,
                                   gpointer user_data);

/* What the portal is asked for. Descriptors are borrowed; the first become 0, 1, 2 and so on. */
typedef struct
{
  const char *const *argv;
  const int *fds;
  guint n_fds;
  int folder; /* O_PATH, of a folder that is shown under its own path, for writing */
} FhPortalSpawn;

/* Never blocks. The child keeps itself alive until `ended` was called. */
FhPortalChild *
fh_portal_child_new (const FhPortalSpawn *spawn, FhPortalChildFunc ended, gpointer user_data);

/* Kills the sub-sandbox's processes, also if it has not been started yet; `ended` follows. */
void fh_portal_child_kill (FhPortalChild *self);
