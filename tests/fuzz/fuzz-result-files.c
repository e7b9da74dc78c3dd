/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever tree a program leaves, what is in it is reported to the backend and nothing else. The
 * input is a list of orders that build the tree in a folder of its own, beside a file that must
 * never be told of. It may be a layer over a second tree, of which only names are told, each once,
 * and only of what the layer hides. */
#include "fuzz-target.h"
#include "open-below.h"
#include "result-files.h"
#include "wire-result-file.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_ORDERS 200
#define MAX_DEPTH  40
#define SECRET     "This is not for anybody to read."

/* What builds the tree: the input, and the folders from the root to where it is. */
struct builder
{
  const uint8_t *data;
  size_t size;
  int folders[MAX_DEPTH + 1];
  int depth;
  int other;     /* the root of the other tree */
  bool is_layer; /* both were built in */
};

static uint8_t
take_byte (struct builder *self)
{
  if (self->size == 0)
    return 0;
  self->size--;
  return *self->data++;
}

/* Mostly one of a few letters, so that names meet again. */
static void
take_name (struct builder *self, char name[256])
{
  size_t size = take_byte (self);

  if (size < 192)
    {
      snprintf (name, 256, "%c", 'a' + (int) size % 6);
      return;
    }
  size = size == 255 ? 255 : size - 191;
  for (size_t i = 0; i < size; i++)
    {
      const char byte = (char) take_byte (self);

      name[i] = byte == '\0' || byte == '/' ? '.' : byte;
    }
  name[size] = '\0';
  if (strcmp (name, ".") == 0 || strcmp (name, "..") == 0)
    strcpy (name, "...");
}

static void
enter (struct builder *self, const char *name)
{
  int here = self->folders[self->depth];
  int next;

  if (self->depth == MAX_DEPTH)
    return;
  mkdirat (here, name, 0755);
  next = openat (here, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (next >= 0)
    self->folders[++self->depth] = next;
}

static void
write_file (struct builder *self, int folder, const char *name)
{
  int fd = openat (folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  const uint8_t byte = take_byte (self);

  if (fd < 0)
    return;
  for (int i = 0; i < byte; i++)
    assert (write (fd, "mine ", 5) >= 0);
  close (fd);
}

/* A hole of up to 1 TiB. */
static void
write_hole (struct builder *self, int folder, const char *name)
{
  static const off_t sizes[] = { 1, 4096, 1 << 20, 16 << 20, (16 << 20) + 1, (off_t) 1 << 40 };
  int fd = openat (folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0755);

  if (fd < 0)
    return;
  (void) !ftruncate (fd, sizes[take_byte (self) % (sizeof sizes / sizeof sizes[0])]);
  close (fd);
}

static void
link_somewhere (struct builder *self, int folder, const char *name)
{
  static const char *const targets[] = {
    "../secret", "secret",      "..",  ".",  "/",          "/etc/passwd",     "a",  "b/c",
    "../tree",   "../../../..", "a/b", "..", "/proc/self", "/proc/self/fd/0", "\n",
  };

  (void) !symlinkat (targets[take_byte (self) % (sizeof targets / sizeof targets[0])],
                     folder,
                     name);
}

/* Never through a link, which may lead to anything on this computer. */
static void
change_mode (struct builder *self, int folder, const char *name)
{
  const mode_t mode = take_byte (self) & 1 ? 0 : 0700;
  struct stat status;

  if (fstatat (folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISLNK (status.st_mode))
    fchmodat (folder, name, mode, 0);
}

static void
leave_all (struct builder *self)
{
  while (self->depth > 0)
    close (self->folders[self->depth--]);
}

/* Goes on in the other tree. */
static void
turn (struct builder *self)
{
  const int root = self->folders[0];

  leave_all (self);
  self->folders[0] = self->other;
  self->other = root;
  self->is_layer = true;
}

/* What overlayfs writes to a layer, and what it does not. */
static void
mark (struct builder *self, int folder, const char *name)
{
  const uint8_t byte = take_byte (self);

  if (byte & 1)
    (void) !mknodat (folder, name, S_IFCHR | 0600, makedev (0, 0));
  else
    (void) !fsetxattr (folder, "user.overlay.opaque", byte & 2 ? "x" : "y", byte & 4 ? 2 : 1, 0);
}

static void
obey (struct builder *self)
{
  const uint8_t order = take_byte (self);
  int here = self->folders[self->depth];
  char name[256];
  char other[256];

  take_name (self, name);
  switch (order % 12)
    {
    case 0:
      enter (self, name);
      break;
    case 1:
      if (self->depth > 0)
        close (self->folders[self->depth--]);
      break;
    case 2:
      link_somewhere (self, here, name);
      break;
    case 3:
      mkfifoat (here, name, 0644);
      break;
    case 4:
      write_hole (self, here, name);
      break;
    case 5:
      take_name (self, other);
      (void) !linkat (self->folders[take_byte (self) % (self->depth + 1)], other, here, name, 0);
      break;
    case 6:
      take_name (self, other);
      renameat (here, name, self->folders[take_byte (self) % (self->depth + 1)], other);
      break;
    case 7:
      change_mode (self, here, name);
      break;
    case 10:
      turn (self);
      break;
    case 11:
      mark (self, here, name);
      break;
    default:
      write_file (self, here, name);
    }
}

static void
remove_below (int folder)
{
  DIR *dir;
  struct dirent *entry;

  fchmod (folder, 0700);
  dir = fdopendir (fcntl (folder, F_DUPFD_CLOEXEC, 0));
  while (dir != NULL && (entry = readdir (dir)) != NULL)
    {
      int child;

      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      if (entry->d_type == DT_DIR)
        fchmodat (folder, entry->d_name, 0700, 0);
      child = openat (folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (child >= 0)
        {
          remove_below (child);
          close (child);
        }
      unlinkat (folder, entry->d_name, child >= 0 ? AT_REMOVEDIR : 0);
    }
  if (dir != NULL)
    closedir (dir);
}

/* Takes the descriptor. */
static void
remove_root (int folder)
{
  remove_below (folder);
  fremovexattr (folder, "user.overlay.opaque");
  close (folder);
}

/* The other end: looks at each reported file in a way of its own. */
struct listener
{
  int socket;
  int root;
  int below; /* or -1 */
  int tmp;   /* likewise */
  char *told[2 * FH_RESULT_FILES_MAX];
  size_t n_told;
  uint64_t size; /* of the present content */
  uint64_t done;
  int fd;
  char target[PATH_MAX]; /* of a link */
  uint32_t n;
  uint32_t n_handed_on;
  uint64_t total;
  bool is_short; /* a content was cut, which the end has to say */
  bool has_ended;
};

/* One part after the other, none of them a link. */
static int
open_strictly (int root, const char *path, struct stat *status, char target[PATH_MAX])
{
  char parts[FH_RESULT_PATH_MAX + 1];
  int folder = fcntl (root, F_DUPFD_CLOEXEC, 0);
  char *part = strcpy (parts, path);

  for (char *slash; (slash = strchr (part, '/')) != NULL; part = slash + 1)
    {
      int next;

      *slash = '\0';
      next = openat (folder, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      assert (next >= 0);
      close (folder);
      folder = next;
    }
  assert (fstatat (folder, part, status, AT_SYMLINK_NOFOLLOW) == 0);
  if (S_ISLNK (status->st_mode))
    {
      const ssize_t size = readlinkat (folder, part, target, PATH_MAX - 1);

      assert (size > 0);
      target[size] = '\0';
    }
  root = S_ISREG (status->st_mode) ? openat (folder, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
  close (folder);
  return root;
}

static bool
has_file (int root, const char *path)
{
  struct stat status;
  int fd = fh_openat2 (root, path, O_PATH | O_NOFOLLOW, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
  const bool found = fd >= 0 && fstat (fd, &status) == 0 && !S_ISDIR (status.st_mode);

  if (fd >= 0)
    close (fd);
  return found && !(S_ISCHR (status.st_mode) && status.st_rdev == makedev (0, 0));
}

/* Takes the path. */
static void
hear_once (struct listener *self, char *path)
{
  assert (self->n_told < sizeof self->told / sizeof self->told[0]);
  for (size_t i = 0; i < self->n_told; i++)
    assert (strcmp (self->told[i], path) != 0);
  self->told[self->n_told++] = path;
}

static void
hear_gone (struct listener *self, char *path)
{
  assert (!has_file (self->root, path));
  assert (strcmp (path, "a") == 0 || (self->below >= 0 && has_file (self->below, path)));
  hear_once (self, path);
}

/* True for what has a path only. Takes that. */
static bool
hear_path (struct listener *self, const struct fh_result_file *file)
{
  if (file->kind == FH_WIRE_RESULT_GONE)
    {
      assert (!(file->flags & FH_RESULT_IS_IN_TMP));
      hear_gone (self, file->path);
    }
  else if (file->kind == FH_WIRE_RESULT_FOLDER)
    free (file->path);
  else
    return false;
  self->done = self->size = 0;
  return true;
}

/* A path can be in both folders. */
static char *
place_of (const struct fh_result_file *file)
{
  char *place;

  assert (asprintf (&place, "%s%s", file->flags & FH_RESULT_IS_IN_TMP ? "/" : "", file->path) > 0);
  free (file->path);
  return place;
}

static void
hear_file (struct listener *self, const struct fh_frame *frame)
{
  struct fh_result_file file;
  struct stat status;
  bool is_in_tmp;

  assert (fh_result_file_decode (&file, frame->payload, frame->size));
  is_in_tmp = file.flags & FH_RESULT_IS_IN_TMP;
  self->is_short |= self->done < self->size;
  if (file.kind != FH_WIRE_RESULT_GONE && (file.kind == FH_WIRE_RESULT_FOLDER || is_in_tmp))
    assert (++self->n_handed_on <= FH_RESULT_FILES_MAX);
  if (hear_path (self, &file))
    return;
  assert (is_in_tmp || ++self->n <= FH_RESULT_FILES_MAX);
  if (self->fd >= 0)
    close (self->fd);
  self->target[0] = '\0';
  self->fd = open_strictly (is_in_tmp ? self->tmp : self->root, file.path, &status, self->target);
  assert ((file.kind == FH_WIRE_RESULT_REGULAR) == S_ISREG (status.st_mode));
  assert ((file.kind == FH_WIRE_RESULT_LINK) == S_ISLNK (status.st_mode));
  self->done = self->size = 0;
  if (file.kind == FH_WIRE_RESULT_REGULAR)
    assert (file.size == (uint64_t) status.st_size &&
            file.mode == (status.st_mode & FH_FILE_MODE_MAX));
  if (file.flags & FH_RESULT_HAS_CONTENT)
    self->size = file.size;
  self->total += self->size;
  assert (self->total <= (self->tmp >= 0 ? FH_HANDED_ON_MAX : FH_RESULT_CONTENT_MAX));
  hear_once (self, place_of (&file));
}

static void
hear_piece (struct listener *self, const struct fh_frame *frame)
{
  static uint8_t expected[FH_RESULT_PIECE_MAX];

  assert (frame->size > 0 && frame->size <= sizeof expected);
  assert (frame->size <= self->size - self->done);
  if (self->fd < 0)
    assert (strlen (self->target) == frame->size &&
            memcmp (self->target, frame->payload, frame->size) == 0);
  else
    assert (pread (self->fd, expected, frame->size, (off_t) self->done) == (ssize_t) frame->size &&
            memcmp (expected, frame->payload, frame->size) == 0);
  assert (memmem (frame->payload, frame->size, SECRET, strlen (SECRET)) == NULL);
  self->done += frame->size;
}

static void
hear (struct listener *self, const struct fh_frame *frame)
{
  struct fh_results_end end;

  assert (!self->has_ended);
  if (frame->kind == FH_FRAME_RESULT_FILE)
    hear_file (self, frame);
  else if (frame->kind == FH_FRAME_RESULT_PIECE)
    hear_piece (self, frame);
  else
    {
      assert (frame->kind == FH_FRAME_RESULTS_END);
      assert (fh_results_end_decode (&end, frame->payload, frame->size));
      self->is_short |= self->done < self->size;
      assert (!self->is_short || end.is_incomplete || end.is_partly_handed_on);
      self->has_ended = true;
    }
}

static void *
listen_to_end (void *data)
{
  struct listener *self = data;
  struct fh_frame_reader reader;
  struct fh_frame frame;
  size_t room;
  ssize_t n;

  assert (fh_frame_reader_init (&reader));
  while ((n = recv (self->socket, fh_frame_reader_space (&reader, &room), room, 0)) > 0)
    {
      fh_frame_reader_filled (&reader, (size_t) n);
      while (fh_frame_reader_next (&reader, &frame) > 0)
        hear (self, &frame);
    }
  assert (self->has_ended);
  fh_frame_reader_clear (&reader);
  if (self->fd >= 0)
    close (self->fd);
  return NULL;
}

static void
collect (int root, int below, int tmp)
{
  struct workspace_file main_file = { .name = (char *) "a",
                                      .mode = 0644,
                                      .data = (uint8_t *) "mine ",
                                      .size = 5 };
  struct fh_policy policy = { .flags = FH_POLICY_COLLECT | FH_POLICY_TELL_GONE };
  struct request request = { .policy = &policy,
                             .workspace = { .files = &main_file, .n_files = 1 },
                             .hands_on = tmp >= 0,
                             .is_complete = true };
  const struct result_folders folders = { .workspace = root, .tmp = tmp, .below = below };
  struct listener listener = { .root = root, .below = below, .tmp = tmp, .fd = -1 };
  struct control_channel control;
  pthread_t thread;
  int pair[2];

  assert (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
  listener.socket = pair[1];
  assert (control_channel_init (&control, pair[0], pair[0]));
  assert (pthread_create (&thread, NULL, listen_to_end, &listener) == 0);
  assert (result_files_send (&control, &folders, &request, NULL, NULL));
  control_channel_drain (&control);
  assert (!control.pending.failed);
  close (pair[0]);
  pthread_join (thread, NULL);
  control_channel_clear (&control);
  for (size_t i = 0; i < listener.n_told; i++)
    free (listener.told[i]);
  close (pair[1]);
}

static char path[PATH_MAX];

static void
remove_place (void)
{
  int place = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  remove_below (place);
  close (place);
  rmdir (path);
}

static int
make_place (void)
{
  const char *parent = getenv ("TMPDIR");
  int place;
  int fd;

  snprintf (path, sizeof path, "%s/fumehood-fuzz-XXXXXX", parent != NULL ? parent : "/tmp");
  assert (mkdtemp (path) != NULL);
  place = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert (place >= 0 && mkdirat (place, "tree", 0700) == 0);
  assert (mkdirat (place, "below", 0700) == 0);
  fd = openat (place, "secret", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  assert (write (fd, SECRET, strlen (SECRET)) == (ssize_t) strlen (SECRET));
  close (fd);
  atexit (remove_place);
  return place;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static int place = -1;
  struct builder builder = { .data = data, .size = size };

  if (place < 0)
    place = make_place ();
  builder.folders[0] = openat (place, "tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  builder.other = openat (place, "below", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert (builder.folders[0] >= 0 && builder.other >= 0);
  for (int i = 0; i < MAX_ORDERS && builder.size > 0; i++)
    obey (&builder);
  leave_all (&builder);
  collect (builder.folders[0],
           builder.is_layer ? builder.other : -1,
           builder.is_layer ? -1 : builder.other);
  remove_root (builder.folders[0]);
  remove_root (builder.other);
  return 0;
}
