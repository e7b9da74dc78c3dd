/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is in an archive at most; ours is a tenth of it. */
#define FH_PROGRAM_ARCHIVE_MAX ((gsize) 64 << 20)

/* An archive (ustar, POSIX.1-1988) of our programs as they are to stand in a container: "runner",
 * which can be executed, and below "guest/" the files of that folder, which can be read. Owned by
 * user and group 65534, whatever they are here: the engine keeps what an archive says, and not even
 * user 0 of a container without capabilities may write to files of another one. Blocks. */
GBytes *fh_program_archive_new (const char *runner, const char *guest_folder, GError **error);

G_END_DECLS
