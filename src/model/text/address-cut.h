/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Shortens what a program named, so that it still tells where that is. `text`: valid UTF-8, a path,
 * or words, such as a name of a host, an address on the web or a command. A host loses its
 * beginning, an address the end of what is behind its host, a path its middle. What is long enough
 * to be cut has "…" where it was. (transfer full) */
char *fh_address_cut (const char *text);
