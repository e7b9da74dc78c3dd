/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-language.h"

/* Reads a whole file, or stdin if `name` is "-". NULL with a sentence that names the file if it
 * cannot be read or has more than `max` bytes. */
GBytes *fh_input_file_read (const char *name, gsize max, GError **error);

/* The same for a program. Of a notebook of Jupyter (`is_notebook`: out) it returns the cells, which
 * are Python: see notebook-file.h. */
GBytes *
fh_input_file_read_program (const char *name, gsize max, gboolean *is_notebook, GError **error);

/* The language of a program by its name and its first lines; Python if they say nothing. NULL with
 * a sentence if it is clearly something that cannot be run. */
const FhLanguage *fh_input_file_guess (const char *name, GBytes *source, GError **error);

/* Whether stdin is a pipe or a file, which a program would read: not a terminal, a device or a
 * socket, which need not end. */
gboolean fh_input_is_piped (void);

/* An absolute path, relative to the current folder as the kernel names it: not as $PWD does, since
 * links in a path are refused (opened-path.h). (transfer full) */
char *fh_whole_path (const char *path);
