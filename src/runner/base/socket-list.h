/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Opens a netlink socket for the sockets of this process's network. Returns it or a negative errno.
 * Only system calls. */
int socket_list_open (void);
