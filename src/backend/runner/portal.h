/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "wire-policy.h"

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

/* A folder for one run in the app's cache folder, which is shown to the run's sub-sandbox. It is
 * locked while in use; one without a lock was left by a killed app and is removed by the next
 * run. */
typedef struct
{
  char *path;
  int handle; /* O_PATH, for the portal */
  int lock;   /* the folder, open for reading and locked */
} FhPortalFolder;

/* The folder that a run with this policy needs, as the policy then says; NULL in other tiers than
 * the portal's. FALSE with an error for people. (transfer full) */
gboolean
fh_portal_folder_prepare (struct fh_policy *policy, FhPortalFolder **folder, GError **error);
/* Removes it if it is empty: the runner removes what is in it before it reports the result. */
void fh_portal_folder_leave (FhPortalFolder *self);
/* The same. What a killed runner left in it is removed by a later run. */
void fh_portal_folder_free (FhPortalFolder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPortalFolder, fh_portal_folder_free)
