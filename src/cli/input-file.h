/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads a whole file, or stdin when `name` is "-". NULL with a sentence that names the file when
 * it cannot be read, is a folder, or has more than `max` bytes. */
GBytes *fh_input_file_read (const char *name, gsize max, GError **error);

G_END_DECLS
