/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Whether `path`, below the open folder `root`, lies in a repository of Git that is called anything
 * else than ".git": a bare one, the data of a submodule or of a further work tree. Git runs hooks
 * and commands from such a folder. What is in a folder of version control by its name alone,
 * model's executing-path.h knows. Blocks. */
gboolean fh_repository_folder_holds (int root, const char *path);
