/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-files.h"

#include "clock.h"
#include "project-layer.h"
#include "result-walk.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* If more is pending, wait for the backend. */
#define PENDING_BYTES (512u * 1024)

struct sender
{
  struct control_channel *control;
  struct request *request;
  const struct workspace *before; /* its files */
  const struct timespec *since;   /* NULL: all files are the program's */
  struct sent_files *sent;        /* nullable */
  struct project_layer layer;
  bool sends_gone;
  struct result_walk walk;
  struct result_walk hidden; /* of what the layer hides */
  uint32_t n_sent;
  uint32_t n_gone;
  uint32_t n_folders;
  uint64_t room; /* for contents */
  bool is_stopped;
  bool is_protocol_broken;
};

/* The backend may have sent it before it could know that the program has ended. It has to keep the
 * same rules as before. */
static bool
is_late (struct sender *self, const struct fh_frame *frame)
{
  return (frame->kind == FH_FRAME_REPLY && self->sent != NULL) ||
         (frame->kind == FH_FRAME_INPUT && request_take (self->request, frame));
}

/* Else the only frame that can come is a stop. */
static void
handle_backend (struct sender *self)
{
  struct fh_frame frame;
  int result;

  control_channel_receive (self->control);
  while ((result = control_channel_next (self->control, &frame)) > 0)
    {
      if (frame.kind == FH_FRAME_STOP)
        self->is_stopped = true;
      else if (!is_late (self, &frame))
        {
          result = -1;
          break;
        }
    }
  if (result < 0)
    {
      self->is_protocol_broken = true;
      self->control->closed = true;
    }
}

static bool
is_wanted (void *data)
{
  struct sender *self = data;

  handle_backend (self);
  return !self->control->closed && !self->is_stopped;
}

/* Sends until little is pending. False if no more is wanted. */
static bool
pass_on (struct sender *self)
{
  const uint64_t began_us = clock_now_us ();
  bool goes_on;

  control_channel_flush (self->control);
  while ((goes_on = is_wanted (self)) && control_channel_pending (self->control) >= PENDING_BYTES)
    {
      struct pollfd fds[2] = {
        { .fd = self->control->in, .events = POLLIN },
        { .fd = self->control->out, .events = POLLOUT },
      };

      clock_poll_until (fds, 2, NEVER);
      control_channel_flush (self->control);
    }
  self->walk.deadline_us += clock_now_us () - began_us;
  return goes_on;
}

static ssize_t
read_some (int fd, void *buffer, size_t size)
{
  ssize_t n;

  do
    n = read (fd, buffer, size);
  while (n < 0 && errno == EINTR);
  return n;
}

static uint8_t piece[FH_RESULT_PIECE_MAX];

static bool
is_later (const struct timespec *time, const struct timespec *than)
{
  return time->tv_sec > than->tv_sec ||
         (time->tv_sec == than->tv_sec && time->tv_nsec > than->tv_nsec);
}

/* In a shared folder, files from before are not the program's. A program can set a file's times,
 * but not that of its last change (inode (7), ctime) nor its birth, which not every file system
 * stores. */
static bool
is_older (const struct timespec *since, const struct stat *status)
{
  return since != NULL && is_later (since, &status->st_ctim);
}

static bool
was_born_before (const struct sender *self,
                 const struct timespec *since,
                 const struct result_entry *entry)
{
  struct statx status;
  struct timespec born;

  if (since == NULL ||
      statx (self->walk.folder, entry->name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &status) < 0 ||
      !(status.stx_mask & STATX_BTIME))
    return false;
  born.tv_sec = status.stx_btime.tv_sec;
  born.tv_nsec = status.stx_btime.tv_nsec;
  return is_later (since, &born);
}

/* If a file is shorter than announced, or takes too long, its content stays short; the backend then
 * drops it. */
static bool
send_content (struct sender *self, int fd, uint64_t size)
{
  while (size > 0)
    {
      ssize_t n = read_some (fd, piece, size < sizeof piece ? (size_t) size : sizeof piece);

      if (n <= 0 || clock_now_us () >= self->walk.deadline_us)
        {
          self->walk.missing.is_incomplete = true;
          return true;
        }
      fh_result_piece_encode (piece, (size_t) n, &self->control->pending);
      size -= (uint64_t) n;
      if (!pass_on (self))
        return false;
    }
  return true;
}

/* `fd`: of its content, or -1. False if no more is wanted. */
static bool
send_file (struct sender *self, const struct result_entry *entry, int fd, bool is_changed)
{
  const uint64_t size = (uint64_t) entry->status.st_size;
  const bool has_content = fd >= 0 && size <= FH_RESULT_FILE_MAX && size <= self->room;
  struct fh_result_file file = {
    .path = (char *) entry->path,
    .kind = entry->kind,
    .size = entry->kind == FH_WIRE_RESULT_REGULAR ? size : 0,
  };

  if (entry->kind == FH_WIRE_RESULT_REGULAR && entry->status.st_mode & S_IXUSR)
    file.flags |= FH_RESULT_IS_PROGRAM;
  if (is_changed)
    file.flags |= FH_RESULT_IS_CHANGED;
  if (has_content)
    {
      file.flags |= FH_RESULT_HAS_CONTENT;
      self->room -= size;
    }
  self->n_sent++;
  fh_result_file_encode (&file, &self->control->pending);
  return pass_on (self) && (!has_content || send_content (self, fd, size));
}

/* FNV-1a. A program that makes two paths the same hides a file of its own. */
static uint64_t
hash_of (const char *path)
{
  uint64_t hash = UINT64_C (14695981039346656037);

  for (; *path != '\0'; path++)
    hash = (hash ^ (uint8_t) *path) * UINT64_C (1099511628211);
  return hash;
}

/* Returns what was sent of this path, or a free place; NULL if there is none left. */
static struct sent_file *
find_sent (struct sent_files *sent, const char *path)
{
  const uint64_t hash = hash_of (path);

  for (size_t i = 0; i < sent->n; i++)
    {
      if (sent->files[i].path == hash)
        return &sent->files[i];
    }
  if (sent->n == FH_RESULT_FILES_MAX)
    return NULL;
  sent->files[sent->n] = (struct sent_file){ .path = hash };
  return &sent->files[sent->n];
}

static bool
is_same (const struct sent_file *sent, const struct stat *status)
{
  return sent->inode == (uint64_t) status->st_ino && sent->size == (uint64_t) status->st_size &&
         sent->changed.tv_sec == status->st_ctim.tv_sec &&
         sent->changed.tv_nsec == status->st_ctim.tv_nsec;
}

/* Also as executable as it was. */
static bool
is_same_file (const struct workspace_file *before, const struct result_entry *entry, int fd)
{
  return before->is_program == ((entry->status.st_mode & S_IXUSR) != 0) &&
         workspace_is_same (before, fd, (uint64_t) entry->status.st_size);
}

static bool
is_as_sent (const struct sender *self, const struct result_entry *entry, int fd)
{
  const struct workspace_file *before = workspace_find (self->before, entry->path);

  return before != NULL && fd >= 0 && is_same_file (before, entry, fd);
}

/* Returns a time that every earlier change of a file precedes and that no later one does. File
 * systems take times from a coarse clock, which advances every 1 to 10 ms; since Linux 6.13 some
 * take the exact time for a file that was looked at. The exact time of now, once the coarse clock
 * has passed it, separates both. This is worth waiting for only if files may be known by time
 * alone; if the clock stands still for too long, a file may be sent twice, but none is missed. */
static struct timespec
time_of_look (const struct sent_files *sent)
{
  const struct timespec pause = { .tv_nsec = 500000 };
  struct timespec begun;
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &begun);
  clock_gettime (CLOCK_REALTIME_COARSE, &now);
  for (int i = 0; i < 200 && sent->n > FH_RESULT_FILES_MAX / 2 && !is_later (&now, &begun); i++)
    {
      nanosleep (&pause, NULL);
      clock_gettime (CLOCK_REALTIME_COARSE, &now);
    }
  return now;
}

/* Sends what is new in a workspace in which a program still runs. Files that the list has no place
 * for are known by the time of their last change. */
static bool
send_news (struct sender *self, struct result_entry *entry)
{
  struct sent_file *sent = find_sent (self->sent, entry->path);
  const struct timespec *since = sent != NULL ? self->since : &self->sent->since;
  const bool is_known = sent != NULL && sent < self->sent->files + self->sent->n;
  const bool was_sent = workspace_find (self->before, entry->path) != NULL;
  bool goes_on = true;
  int fd = -1;

  if (is_known ? is_same (sent, &entry->status)
               : (sent == NULL || !was_sent) && is_older (since, &entry->status))
    return true;
  if (self->n_sent == FH_RESULT_FILES_MAX)
    {
      result_walk_leave_out (&self->walk);
      return true;
    }
  if (entry->kind == FH_WIRE_RESULT_REGULAR)
    fd = result_walk_open (&self->walk, entry);
  if (sent != NULL)
    {
      sent->inode = (uint64_t) entry->status.st_ino;
      sent->size = (uint64_t) entry->status.st_size;
      sent->changed = entry->status.st_ctim;
      self->sent->n += !is_known;
    }
  if (is_known || !is_as_sent (self, entry, fd))
    goes_on =
        send_file (self, entry, fd, is_known || was_sent || was_born_before (self, since, entry));
  if (fd >= 0)
    close (fd);
  return goes_on;
}

static bool
is_as_before (const struct sender *self,
              const struct workspace_file *before,
              const struct result_entry *entry,
              int fd)
{
  if (fd < 0)
    return false;
  return before != NULL ? is_same_file (before, entry, fd)
                        : project_layer_repeats (&self->layer, entry, fd, self->walk.deadline_us);
}

/* The policy's own files are sent after the others. */
static bool
send_gone_file (struct sender *self, const char *path, bool is_own)
{
  const struct fh_result_file file = { .path = (char *) path, .kind = FH_WIRE_RESULT_GONE };

  if (!is_own && workspace_find (self->before, path) != NULL)
    return true;
  if (self->n_gone == FH_RESULT_FILES_MAX)
    {
      result_walk_leave_out (&self->walk);
      return true;
    }
  self->n_gone++;
  fh_result_file_encode (&file, &self->control->pending);
  return pass_on (self);
}

/* Sends as gone what a project folder has and the layer above it hides. */
static bool
send_hidden (struct sender *self, const struct result_entry *above)
{
  struct result_walk *walk = &self->hidden;
  struct result_entry entry;
  bool goes_on = true;

  if (!self->sends_gone || !project_layer_hides (&self->layer, above))
    return true;
  if (project_layer_find (&self->layer, above->path) == PROJECT_FILE)
    return send_gone_file (self, above->path, false);
  result_walk_begin_at (walk, self->layer.below, above->path, self->walk.deadline_us);
  walk->is_wanted = is_wanted;
  walk->data = self;
  while (goes_on && result_walk_next (walk, &entry))
    {
      if (!project_layer_is_deleted (&self->layer, &entry.status) &&
          project_layer_lacks (&self->layer, entry.path, &walk->missing.is_incomplete))
        goes_on = send_gone_file (self, entry.path, false);
      walk->deadline_us = self->walk.deadline_us;
    }
  result_walk_end (walk);
  self->walk.missing.n_left_out += walk->missing.n_left_out;
  self->walk.missing.is_incomplete |= walk->missing.is_incomplete;
  return goes_on;
}

/* Tells an empty folder, so that the next block of an answer finds it, too. */
static bool
send_folder (struct sender *self, const struct result_entry *entry)
{
  const struct fh_result_file file = { .path = (char *) entry->path,
                                       .kind = FH_WIRE_RESULT_FOLDER };

  if (self->n_folders == FH_RESULT_FILES_MAX)
    return true;
  self->n_folders++;
  fh_result_file_encode (&file, &self->control->pending);
  return pass_on (self);
}

static bool
send_entry (struct sender *self, struct result_entry *entry)
{
  const struct workspace_file *before = workspace_find (self->before, entry->path);
  const bool is_full = self->n_sent == FH_RESULT_FILES_MAX;
  bool goes_on;
  bool was_there;
  int fd = -1;

  if (entry->kind == FH_WIRE_RESULT_FOLDER)
    return send_folder (self, entry);
  goes_on = self->layer.below < 0 || send_hidden (self, entry);
  if (!goes_on || entry->kind == RESULT_WALK_FOLDER ||
      project_layer_is_deleted (&self->layer, &entry->status))
    return goes_on;
  if (before == NULL &&
      (is_older (self->since, &entry->status) || workspace_is_aside (self->before, entry->path)))
    return true;
  if (entry->kind == FH_WIRE_RESULT_REGULAR && (!is_full || before != NULL))
    fd = result_walk_open (&self->walk, entry);
  was_there = before != NULL || was_born_before (self, self->since, entry) ||
              project_layer_find (&self->layer, entry->path) == PROJECT_FILE;
  /* Its change time is about the same, so compare the bytes. */
  if (!is_as_before (self, before, entry, fd))
    {
      if (is_full)
        result_walk_leave_out (&self->walk);
      else
        goes_on = send_file (self, entry, fd, was_there);
    }
  if (fd >= 0)
    close (fd);
  return goes_on;
}

static void
send_gone (struct sender *self)
{
  bool goes_on = self->walk.root >= 0 && is_wanted (self);

  for (size_t i = 0; goes_on && i < self->before->n_files; i++)
    {
      const char *path = self->before->files[i].name;

      /* A folder that is still empty is told as such, and others come with their files. */
      if (self->before->files[i].is_folder)
        continue;
      if (project_layer_lacks (&self->layer, path, &self->walk.missing.is_incomplete))
        goes_on = send_gone_file (self, path, true);
    }
}

bool
result_files_send (struct control_channel *control,
                   int folder,
                   int below,
                   struct request *request,
                   const struct timespec *since,
                   struct sent_files *sent)
{
  static struct sender self;
  struct result_entry entry;
  struct timespec look = { 0 };

  self.control = control;
  self.request = request;
  self.before = &request->workspace;
  self.since = since;
  self.sent = sent;
  self.layer = (struct project_layer){ .above = folder, .below = below };
  self.sends_gone = request->policy->flags & FH_POLICY_TELL_GONE;
  self.n_sent = self.n_gone = self.n_folders = 0;
  self.room = FH_RESULT_CONTENT_MAX;
  self.is_stopped = self.is_protocol_broken = false;
  if (sent != NULL)
    look = time_of_look (sent);
  result_walk_begin (&self.walk, folder, clock_now_us () + RESULT_FILES_TIME_US);
  self.walk.is_wanted = is_wanted;
  self.walk.data = &self;
  self.walk.tells_folders = below >= 0;
  self.walk.tells_empty = since == NULL && sent == NULL;
  while (result_walk_next (&self.walk, &entry) &&
         (sent != NULL ? send_news (&self, &entry) : send_entry (&self, &entry)))
    continue;
  result_walk_end (&self.walk);
  if (sent != NULL)
    sent->since = look;
  if (self.sends_gone)
    send_gone (&self);
  if (self.is_stopped)
    self.walk.missing.is_incomplete = true;
  fh_results_end_encode (&self.walk.missing, &control->pending);
  return !self.is_protocol_broken;
}
