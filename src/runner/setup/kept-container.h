/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the runner does in a container that is kept between runs, besides running programs.
 */
#pragma once

/* Makes folders writable for all users of the container, where no folder of the host can be bound.
 * They are volumes, so files survive a stop and start; engines make volumes for user 0 only. The
 * owner needs no capability to change the mode. `paths` ends with NULL. Returns the exit status. */
int kept_container_open (char *const paths[]);
/* Is the first process of the container. It starts nothing and waits; each run is a runner that the
 * engine starts beside it, and which kills everything it started. A process that is reparented to
 * this one has lost both its runner and its init, so the guest must have killed them: kill it.
 * Nothing inside can signal this process; the engine can. Returns the exit status once the engine
 * asks it to stop. */
int kept_container_wait (void);
