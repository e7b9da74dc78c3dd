/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "run-language.h"

/* A folder with an interpreter and everything that belongs to it: PREFIX/bin/python3 and
 * PREFIX/lib/python3.12, a virtual environment, a conda environment. A folder must look like one,
 * and its parts are shown to a sandbox only if nothing private can be among
 * them. Reads folders; follows no links. */

/* The path without links; NULL when it does not exist. (transfer full) */
char *fh_installation_real_path (const char *path);

/* Whether `path` is `folder` or lies below it, by their names. */
gboolean fh_installation_is_below (const char *path, const char *folder);

/* The folder above the "bin" that holds `program`; NULL when it is in no "bin". */
char *fh_installation_prefix_of (const char *program);

/* Whether there is a pyvenv.cfg; its content does not matter. */
gboolean fh_installation_is_virtual_environment (const char *prefix);

/* For Python, the marks of an installation; for other languages "bin" and "lib" side by side, but
 * not directly in a home, where people have such folders of their own. */
gboolean fh_installation_looks_like_one (const char *prefix, const FhLanguage *language);

/* Whether the parts of `prefix` may be shown to a program. FALSE with FH_RUN_ERROR_INTERPRETER,
 * which names `program`: the folder contains a home, settings or data of the user or of Fumehood,
 * or something of other users. */
gboolean fh_installation_may_be_shown (const char *prefix, const char *program, GError **error);

/* Whether `path`, a folder or a file, can be shown at its own path. FALSE with
 * FH_RUN_ERROR_INTERPRETER when the sandbox has something else there. */
gboolean fh_installation_has_place (const char *path, const char *program, GError **error);

/* The parts of an installation that a sandbox shows: only the usual folders. A project may be its
 * own virtual environment, with settings and history in the same folder.
 *
 * Full paths below `prefix`: the usual folders that exist; of a virtual environment also
 * pyvenv.cfg, and folders in it that a .pth file names (see Python's module `site`), as editable
 * packages have. Never the environment itself, nor hidden folders or what is in them. A link counts
 * only if it leads to one of the usual folders, as lib64 does. Reads folders and small files.
 * (transfer full) */
GStrv fh_installation_list_parts (const char *prefix);
