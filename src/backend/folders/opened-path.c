/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "opened-path.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "path-error.h"

/* The kernel's limit: path_resolution (7). */
#define LINKS_MAX 40

typedef struct
{
  guint64 device;
  guint64 inode;
} Identity;

/* A walk along a path: what is open, and where that is. */
typedef struct
{
  int fd;
  struct stat status;
  GString *path; /* "" is the root */
  GArray *way;   /* Identity of the root, then one per name */
  GQueue parts;  /* parts to come; owned */
  guint n_links;
} Walk;

static void
walk_init (Walk *walk, GArray *way)
{
  *walk = (Walk){ .fd = -1, .path = g_string_new (NULL), .way = way };
  g_queue_init (&walk->parts);
}

static void
walk_clear (Walk *walk)
{
  fh_clear_fd (&walk->fd);
  g_string_free (walk->path, TRUE);
  g_array_unref (walk->way);
  g_queue_clear_full (&walk->parts, g_free);
}

/* Puts the parts of a path before those to come. */
static void
push_parts (Walk *walk, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = g_strv_length (parts); i > 0; i--)
    {
      if (parts[i - 1][0] != '\0' && !g_str_equal (parts[i - 1], "."))
        g_queue_push_head (&walk->parts, g_strdup (parts[i - 1]));
    }
}

/* Consumes the descriptor; FALSE with errno. */
static gboolean
go_to (Walk *walk, int fd)
{
  fh_autofd int next = fd;

  if (next < 0 || fstat (next, &walk->status) != 0)
    return FALSE;
  fh_clear_fd (&walk->fd);
  walk->fd = fh_steal_fd (&next);
  return TRUE;
}

static void
add_to_way (Walk *walk)
{
  const Identity identity = { walk->status.st_dev, walk->status.st_ino };

  g_array_append_val (walk->way, identity);
}

/* The same for what `name` is in the folder that the walk is at. */
static gboolean
go_down (Walk *walk, const char *name, int fd, GError **error)
{
  if (!go_to (walk, fd))
    return fh_errno_error (error, errno, NULL);
  g_string_append_printf (walk->path, "/%s", name);
  add_to_way (walk);
  return TRUE;
}

static gboolean
go_to_root (Walk *walk)
{
  g_string_truncate (walk->path, 0);
  g_array_set_size (walk->way, 0);
  if (!go_to (walk, open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC)))
    return FALSE;
  add_to_way (walk);
  return TRUE;
}

static gboolean
go_up (Walk *walk)
{
  if (walk->path->len == 0)
    return TRUE;
  g_string_truncate (walk->path, (gsize) (strrchr (walk->path->str, '/') - walk->path->str));
  g_array_set_size (walk->way, walk->way->len - 1);
  return go_to (walk, openat (walk->fd, "..", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

static gboolean
refuse_link (Walk *walk, const char *name, GError **error)
{
  g_autofree char *path = g_strconcat (walk->path->str, "/", name, NULL);

  return fh_path_refuse (error,
                         /* Translators: the path of a link */
                         _ ("“%s” is a link that a program in that folder may have made, so it is "
                            "not followed. Name the folder or file that it leads to."),
                         path);
}

/* As root, the user's links cannot be distinguished from those of a program. */
static gboolean
only_root_made (Walk *walk, const struct stat *link)
{
  const gboolean is_safe = walk->status.st_uid == 0 && ((walk->status.st_mode & 022) == 0 ||
                                                        (walk->status.st_mode & S_ISVTX) != 0);

  return link->st_uid == 0 && is_safe && geteuid () != 0;
}

static gboolean
follow (Walk *walk, int link, const char *name, GError **error)
{
  char target[PATH_MAX];
  struct stat status;
  ssize_t size;

  if (fstat (link, &status) != 0)
    return fh_errno_error (error, errno, NULL);
  if (!only_root_made (walk, &status))
    return refuse_link (walk, name, error);
  size = readlinkat (link, "", target, sizeof target - 1);
  if (size < 0)
    return fh_errno_error (error, errno, NULL);
  target[size] = '\0';
  if (++walk->n_links > LINKS_MAX)
    return fh_errno_error (error, ELOOP, NULL);
  if (target[0] == '/' && !go_to_root (walk))
    return fh_errno_error (error, errno, NULL);
  push_parts (walk, target);
  return TRUE;
}

/* A link, or anything but a folder. */
static gboolean
add_other (Walk *walk, const char *name, GError **error)
{
  fh_autofd int fd = openat (walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;

  if (fd < 0)
    return fh_errno_error (error, errno, NULL);
  if (fstat (fd, &status) == 0 && S_ISLNK (status.st_mode))
    return follow (walk, fd, name, error);
  if (!g_queue_is_empty (&walk->parts))
    return fh_errno_error (error, ENOTDIR, NULL);
  return go_down (walk, name, fh_steal_fd (&fd), error);
}

/* O_DIRECTORY triggers automounts, which O_PATH alone does not, open (2). */
static gboolean
step (Walk *walk, const char *name, GError **error)
{
  int fd;

  if (g_str_equal (name, ".."))
    return go_up (walk) || fh_errno_error (error, errno, NULL);
  fd = openat (walk->fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return errno == ENOTDIR || errno == ELOOP ? add_other (walk, name, error)
                                              : fh_errno_error (error, errno, NULL);
  return go_down (walk, name, fd, error);
}

static FhOpenedPath *
finish (Walk *walk)
{
  FhOpenedPath *self = g_atomic_rc_box_new0 (FhOpenedPath);

  self->fd = fh_steal_fd (&walk->fd);
  self->path = g_strdup (walk->path->len > 0 ? walk->path->str : "/");
  self->device = walk->status.st_dev;
  self->inode = walk->status.st_ino;
  self->mode = walk->status.st_mode;
  self->way = g_array_ref (walk->way);
  return self;
}

/* The parts to come as one path; NULL when it contains "..". */
static char *
join_parts (Walk *walk, const char *first)
{
  g_autoptr (GString) rest = g_string_new (first);

  for (GList *at = walk->parts.head; at != NULL; at = at->next)
    {
      if (g_str_equal (at->data, ".."))
        return NULL;
      g_string_append_printf (rest, "/%s", (const char *) at->data);
    }
  return g_strdup (rest->str);
}

FhOpenedPath *
fh_opened_path_new (const char *path, char **missing, GError **error)
{
  g_autofree char *plain = NULL;
  Walk walk;
  FhOpenedPath *self = NULL;
  gboolean ok;

  g_return_val_if_fail (path != NULL && path[0] == '/', NULL);

  plain = g_canonicalize_filename (path, "/");
  walk_init (&walk, g_array_new (FALSE, FALSE, sizeof (Identity)));
  if (missing != NULL)
    *missing = NULL;
  push_parts (&walk, plain);
  ok = go_to_root (&walk) || fh_errno_error (error, errno, NULL);
  while (ok && !g_queue_is_empty (&walk.parts))
    {
      g_autofree char *name = g_queue_pop_head (&walk.parts);
      g_autoptr (GError) reason = NULL;

      ok = step (&walk, name, &reason);
      if (ok)
        continue;
      if (missing != NULL && g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        *missing = join_parts (&walk, name);
      if (missing != NULL && *missing != NULL)
        {
          ok = TRUE;
          break;
        }
      g_propagate_error (error, g_steal_pointer (&reason));
    }
  if (ok)
    self = finish (&walk);
  walk_clear (&walk);
  return self;
}

FhOpenedPath *
fh_opened_path_make (FhOpenedPath *self, const char *missing, GError **error)
{
  g_auto (GStrv) parts = NULL;
  Walk walk;
  FhOpenedPath *made = NULL;
  gboolean ok;

  g_return_val_if_fail (self != NULL && missing != NULL, NULL);

  parts = g_strsplit (missing, "/", -1);
  walk_init (&walk, g_array_copy (self->way));
  if (!g_str_equal (self->path, "/"))
    g_string_assign (walk.path, self->path);
  ok = go_to (&walk, fcntl (self->fd, F_DUPFD_CLOEXEC, 0)) || fh_errno_error (error, errno, NULL);
  for (guint i = 0; ok && parts[i] != NULL; i++)
    {
      const int fd = mkdirat (walk.fd, parts[i], 0700) == 0 || errno == EEXIST
                         ? openat (walk.fd, parts[i], O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                         : -1;

      ok = go_down (&walk, parts[i], fd, error);
    }
  if (ok)
    made = finish (&walk);
  walk_clear (&walk);
  return made;
}

FhOpenedPath *
fh_opened_path_new_from_fd (int fd, const char *path)
{
  FhOpenedPath *self = NULL;
  Walk walk;

  g_return_val_if_fail (path != NULL, NULL);

  walk_init (&walk, g_array_new (FALSE, FALSE, sizeof (Identity)));
  g_string_assign (walk.path, path);
  if (go_to (&walk, openat (fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)))
    self = finish (&walk);
  walk_clear (&walk);
  return self;
}

FhOpenedPath *
fh_opened_path_ref (FhOpenedPath *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  FhOpenedPath *self = data;

  close (self->fd);
  g_free (self->path);
  g_array_unref (self->way);
}

void
fh_opened_path_unref (FhOpenedPath *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

int
fh_opened_path_read_folder (FhOpenedPath *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return openat (self->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static gboolean
has_in_its_path (FhOpenedPath *self, guint64 device, guint64 inode)
{
  for (guint i = 0; i < self->way->len; i++)
    {
      const Identity *identity = &g_array_index (self->way, Identity, i);

      if (identity->device == device && identity->inode == inode)
        return TRUE;
    }
  return FALSE;
}

gboolean
fh_opened_path_lies_in (FhOpenedPath *self, const char *place)
{
  struct stat status;

  g_return_val_if_fail (self != NULL && place != NULL, FALSE);

  return stat (place, &status) == 0 && has_in_its_path (self, status.st_dev, status.st_ino);
}

/* `place` belongs to the system or the user, so its links can be trusted. */
gboolean
fh_opened_path_holds (FhOpenedPath *self, const char *place)
{
  g_autofree char *missing = NULL;
  g_autoptr (FhOpenedPath) other = NULL;

  g_return_val_if_fail (self != NULL && place != NULL, FALSE);

  other = fh_opened_path_new (place, &missing, NULL);
  if (other == NULL)
    {
      char *real = realpath (place, NULL);

      other = real != NULL ? fh_opened_path_new (real, NULL, NULL) : NULL;
      free (real);
    }
  return other != NULL && has_in_its_path (other, self->device, self->inode);
}
