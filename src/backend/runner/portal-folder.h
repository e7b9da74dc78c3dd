/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "wire-policy.h"

/* A folder for one run in the app's cache folder, which is shown to the run's sub-sandbox. It is
 * locked while in use; one without a lock was left by a killed app and is removed by the next
 * run. */
typedef struct _FhPortalFolder FhPortalFolder;

/* NULL with an error for people. Removes leftovers meanwhile, in a thread. */
FhPortalFolder *fh_portal_folder_new (GError **error);
/* The folder that a run with this policy needs, as the policy then says; NULL in other tiers than
 * the portal's. FALSE with an error for people. (transfer full) */
gboolean
fh_portal_folder_prepare (struct fh_policy *policy, FhPortalFolder **folder, GError **error);
/* Removes it if it is empty: the runner removes what is in it before it reports the result. */
void fh_portal_folder_leave (FhPortalFolder *self);
/* The same. What a killed runner left in it is removed by a later run. */
void fh_portal_folder_free (FhPortalFolder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPortalFolder, fh_portal_folder_free)

/* O_PATH, for the portal. Borrowed. */
int fh_portal_folder_get_fd (FhPortalFolder *self);
