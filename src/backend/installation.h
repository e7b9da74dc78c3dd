/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "run-language.h"

G_BEGIN_DECLS

/* A folder that holds an interpreter with all that belongs to it: PREFIX/bin/python3 and
 * PREFIX/lib/python3.12, a virtual environment, a conda environment. What is shown to a sandbox is
 * shown with everything below it, so a folder counts as an installation only when it looks like
 * one, and is shown only when nothing private stands in it. Reads folders; follows no link. */

/* The folder above the "bin" that holds `program`; NULL when it is in no "bin". */
char *fh_installation_prefix_of (const char *program);

/* pyvenv.cfg: what is in it is Python's to know, that it is there is what counts. */
gboolean fh_installation_is_virtual_environment (const char *prefix);

/* For Python the marks that only an installation has; for other languages "bin" and "lib" side by
 * side are enough, but not right below a home, where people keep such folders of their own. */
gboolean fh_installation_looks_like_one (const char *prefix, const FhLanguage *language);

/* Whether all of `prefix` may be shown to a program. FALSE with FH_RUN_ERROR_INTERPRETER, which
 * names `program`: a home, the settings or data of the user or of Fumehood, or something of other
 * users is in it; or in its upper two levels is a socket or a pipe, which can be used however
 * read-only the folder is: connect(2) and open(2) of these write to no file system. */
gboolean fh_installation_may_be_shown (const char *prefix, const char *program, GError **error);

/* Whether `path`, a folder or a file, can have its own place inside: FALSE with
 * FH_RUN_ERROR_INTERPRETER when the sandbox has something else there. */
gboolean fh_installation_has_place (const char *path, const char *program, GError **error);

G_END_DECLS
