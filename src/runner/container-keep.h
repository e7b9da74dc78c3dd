/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first process of a container that is kept between runs. It starts nothing and waits; each run
 * is a runner that the engine starts beside it, and takes down all of its own. Whom the kernel
 * hands to this process all the same has lost the runner and its init, which is to say that
 * somebody killed both: so it is killed. Nobody inside can signal this process; the engine can.
 */
#pragma once

/* Returns the exit status once the engine asks for the end. */
int container_keep (void);
