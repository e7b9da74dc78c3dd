/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "opened-path.h"
#include "result-file.h"
#include "run-files.h"

/* Copies files between a work folder and a sandbox that cannot bind it, such as a container on
 * another computer: in before a run, out after it. Some are never copied, in either direction:
 * version control data (a hook would run with the next commit; in a repository that is not called
 * ".git" it is read, but not written), virtual environments, caches,
 * packages that can be fetched again, and anything but regular files and folders. Files that a
 * program deleted in a container stay in the work folder.
 */

/* Limits for copying into a container; into a sandbox of this computer, those of run-files.h. */
#define FH_EXCHANGE_FILES_MAX 256
#define FH_EXCHANGE_BYTES_MAX ((guint64) 64 << 20)
#define FH_EXCHANGE_DEPTH_MAX 32

/* What copying a project leaves out, for people to be told. */
typedef struct
{
  GPtrArray *hidden; /* filename: entries that are not copied, at most FH_FOLDER_HIDDEN_MAX */
  guint n_hidden;    /* how many there are */
} FhExchangeNotes;

/* Reads a folder without following links. Blocks. An error when a limit is exceeded or something
 * cannot be read. (element-type FhRunFile), sorted by path.
 *
 * With `notes` it is a project: programs stay programs, and `notes` is filled, also before an
 * error; its list is the caller's. */
GPtrArray *fh_exchange_read (FhOpenedPath *folder,
                             gboolean to_container,
                             FhExchangeNotes *notes,
                             GCancellable *cancellable,
                             GError **error);

/* Writes the files of a run to the folder: atomically, without following links, complete files
 * only. An existing file keeps its permissions, and is left alone if it is the same or
 * write-protected; a new one is not executable. Blocks. Returns the number of files written, even
 * with an error. */
guint fh_exchange_write (FhOpenedPath *folder, FhResultFiles *files, GError **error);

/* Deletes what the run's program has deleted, if it is among the files `read` and still the same.
 * Folders stay. Blocks. FALSE with a sentence about the first that could not be deleted. */
gboolean
fh_exchange_delete (FhOpenedPath *folder, GPtrArray *read, GPtrArray *gone, GError **error);

/* Prefix of temporary files; those that a crash leaves behind are not copied. */
#define FH_EXCHANGE_TEMPORARY_PREFIX ".fumehood-"

/* Whether a part of the path is called like something that is not copied between a work folder and
 * a container. */
gboolean fh_exchange_path_stays (const char *path);

/* Whether `path`, below the open folder `root`, lies in a repository of Git that is called anything
 * else than ".git": a bare one, the data of a submodule or of a further work tree. Git runs hooks
 * and commands from such a folder. What is in a folder of version control by its name alone,
 * model's executing-path.h knows. Blocks. */
gboolean fh_repository_folder_holds (int root, const char *path);
