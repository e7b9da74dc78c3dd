/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that the host's files and folders mounted in a container are those that were checked
 * outside. The engine was given names and looked them up later; meanwhile a program that can write
 * to a folder may have replaced something. Inode numbers are the same through every mount and in
 * every user and mount namespace of one kernel.
 */
#pragma once

#include "setup-state.h"
#include "wire-policy.h"

/* True unless the policy has a different proof for `path`, which is open as `fd`. */
bool container_folders_prove (const struct fh_policy *policy, const char *path, int fd);

/* A step: checks the workspace that setup has opened, and everything else by path. -ESTALE if
 * something was replaced. */
int container_folders_check (struct setup *setup);
