/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The project folder: a folder of the user's that the program may read, and change as it likes,
 * without changing it. /workspace is then an overlay: below it is the folder, read-only, and above
 * it a layer in the sized tmpfs that takes everything the program writes, so that the disk limit
 * holds. The layer is in no folder that the program can reach; what is in it is collected when
 * everything inside is dead. The files of the policy are in that layer too, over the folder's.
 *
 * What others learned from overlays in user namespaces, and what follows here:
 *
 * CVE-2021-3493, and CVE-2023-2640 and CVE-2023-32629 in one distribution's changes: file
 * capabilities could be set on an upper layer outside of any mount that forbids them. Here the
 * layer is mounted without set-user-ID, in a mount namespace that ends with the run, and of what is
 * collected only the content counts and whether it was executable.
 *
 * CVE-2021-3732: an overlay showed what another mount covered. The kernel now refuses a folder that
 * has mounts below it; such a folder has to be copied.
 *
 * CVE-2023-0386: copying a set-user-ID file up from a file system of the attacker's gave it to
 * root. Here it belongs to the user's own number, and the program, which has no_new_privs and mount
 * points without set-user-ID, cannot gain from it.
 *
 * The marks of overlayfs are ordinary attributes ("userxattr"), which tmpfs has since Linux 6.6.
 * The kernel hides them from the program and never follows one to another place: "redirect_dir" and
 * "metacopy" are off with it.
 */
#pragma once

#include "setup-state.h"

/* The folder of a policy with FH_POLICY_PROJECT. Nothing leads to it by a link, and it has the
 * numbers of the proof. Its descriptor (O_PATH), or a negative errno: -ESTALE if it is another one.
 */
int project_folder_open (const struct fh_policy *policy);

/* A step: mounts it over /workspace. -EOPNOTSUPP if this kernel's tmpfs cannot hold the layer,
 * -EEXIST if the folder has a file of the program's name, -EINVAL if it cannot be below an overlay.
 */
int project_folder_apply (struct setup *setup);

/* A step of probes: mounts such an overlay over an empty folder, and nowhere. */
int project_folder_try (struct setup *setup);
