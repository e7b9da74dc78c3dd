/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The largest archive; ours is a tenth of it. */
#define FH_PROGRAM_ARCHIVE_MAX ((gsize) 64 << 20)

/* A ustar archive (POSIX.1-1988) of our programs for a container: "runner", executable, and the
 * files of the folder, readable, below "guest/". Owned by user and group 65534: engines keep the
 * archive's owner, and not even user 0 without capabilities may write to another user's files.
 * Blocks. */
GBytes *fh_program_archive_new (const char *runner, const char *guest_folder, GError **error);

G_END_DECLS
