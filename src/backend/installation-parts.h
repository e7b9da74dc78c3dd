/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The parts of an installation that a sandbox shows: only the usual folders. A project may be its
 * own virtual environment, with settings and history in the same folder.
 *
 * Full paths below `prefix`: the usual folders that exist; of a virtual environment also
 * pyvenv.cfg, and folders in it that a .pth file names (see Python's module `site`), as editable
 * packages have. Never the environment itself, nor hidden folders or what is in them. A link counts
 * only if it leads to one of the usual folders, as lib64 does. Reads folders and small files.
 * (transfer full) */
GStrv fh_installation_list_parts (const char *prefix);
