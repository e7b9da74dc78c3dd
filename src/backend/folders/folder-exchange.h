/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "result-file.h"

G_BEGIN_DECLS

/* A work folder and a container that cannot bind it: files go in before a run and come out after
 * it. What has another use than work does not travel, in neither direction: the books of version
 * control (a hook that came out would run with the next commit), virtual environments, caches and
 * packages that can be fetched again. Nor do links, pipes, sockets and devices. Files that a
 * program has removed stay where they are. */

/* What goes in at most. */
#define FH_EXCHANGE_FILES_MAX 256
#define FH_EXCHANGE_BYTES_MAX ((guint64) 64 << 20)
#define FH_EXCHANGE_DEPTH_MAX 32

/* One regular file on its way in. */
typedef struct
{
  char *path; /* relative */
  GBytes *content;
} FhContainerFile;

void fh_container_file_free (FhContainerFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerFile, fh_container_file_free)

/* Reads a folder without following a link. Blocks. More than the maxima, or what cannot be read, is
 * an error that says so. (element-type FhContainerFile), sorted by path. */
GPtrArray *fh_exchange_read (const char *folder, GCancellable *cancellable, GError **error);

/* Puts what came out into the folder: each file beside and then over the old one, nothing followed
 * out of it, nothing that is incomplete. A file that is there keeps its permissions, and is left
 * alone when it is the same or write-protected; a new one cannot be executed. Blocks. Returns how
 * many were written; with an error, that many were written all the same. */
guint fh_exchange_write (const char *folder, FhResultFiles *files, GError **error);

G_END_DECLS
