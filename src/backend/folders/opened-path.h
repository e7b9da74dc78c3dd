/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule for every file and folder of the user's, here and elsewhere:
 *
 * It is opened once and checked by its descriptor. All later code uses the descriptor, or proves by
 * device and inode number that it has the same file. No name is looked up twice.
 *
 * A program that may write in a folder can replace any name below it, hundreds of times a second
 * and while a later run is being prepared: what a path led to when it was checked says nothing
 * about what it leads to when it is used.
 *
 * A container engine takes paths and looks them up itself. So the runner in the container is given
 * the numbers and compares them with what is mounted there before anything else happens
 * (runner/guards/container-folders.c). They are the same on both sides of a mount, and the kernel
 * does not reuse an inode number while the descriptor is open. */
#pragma once

#include <gio/gio.h>

/* What a path led to. Immutable; may be used by any thread. */
typedef struct
{
  int fd;     /* O_PATH; closed with the last reference */
  char *path; /* absolute, without links, at the time of opening */
  guint64 device;
  guint64 inode;
  guint mode;  /* st_mode */
  GArray *way; /* private */
} FhOpenedPath;

/* Opens an absolute path part by part, without blocking on a pipe or device. Links are followed
 * only if they belong to root and are in a folder that only root can change, such as "/bin": any
 * other may have been made by an untrusted program and is refused with FH_RUN_ERROR_INVALID and a
 * sentence that names it. Other errors are G_IO_ERROR with the system's text.
 *
 * With `missing`, missing parts at the end are no error: the existing part is opened, and `missing`
 * is set to the rest (transfer full), or NULL when the path exists. */
FhOpenedPath *fh_opened_path_new (const char *path, char **missing, GError **error);

/* Creates the folders of `missing` below a folder, mode 0700, and opens the last one. A folder that
 * another process creates at that moment is used as it is. (transfer full) */
FhOpenedPath *fh_opened_path_make (FhOpenedPath *self, const char *missing, GError **error);

/* Another reference to the open folder `fd`, which stays the caller's. NULL with errno. */
FhOpenedPath *fh_opened_path_new_from_fd (int fd, const char *path);

FhOpenedPath *fh_opened_path_ref (FhOpenedPath *self);
void fh_opened_path_unref (FhOpenedPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhOpenedPath, fh_opened_path_unref)

/* Opens it for reading. -1 with errno. */
int fh_opened_path_read_folder (FhOpenedPath *self);

/* Whether it is `place` or lies in it; and whether `place` lies in it or may be created there: by
 * device and inode, not by name. `place` is absolute and need not exist. */
gboolean fh_opened_path_lies_in (FhOpenedPath *self, const char *place);
gboolean fh_opened_path_holds (FhOpenedPath *self, const char *place);
