/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folders of a container that is kept where nothing of the user's computer can be bound. They are
 * volumes, so that their files are still there when it was stopped and started again; and an engine
 * makes a volume for user 0 alone. Its owner needs no capability to share it.
 */
#pragma once

/* Paths, ended by NULL. Returns the exit status. */
int container_open (char *const paths[]);
