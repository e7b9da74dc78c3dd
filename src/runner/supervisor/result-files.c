/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-files.h"

#include "clock.h"
#include "descriptor.h"
#include "project-layer.h"
#include "result-walk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* If more is pending, wait for the backend. */
#define PENDING_BYTES (512u * 1024)
/* Looking through one of both folders takes no longer; waiting for the backend does not count. */
#define TIME_US 2000000
/* XDG_CACHE_HOME is there in /tmp. Programs make their caches anew if they find none. */
#define CACHE ".cache"

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
  uint32_t n_handed; /* what is sent only for another run */
  bool hands_on;
  bool is_in_tmp; /* that is walked, for another run */
  bool is_partly_handed_on;
  char target[FH_FILE_LINK_MAX + 1]; /* of the link that was told last */
  size_t target_size;                /* 0: not known, or not wanted */
  uint64_t file_max;                 /* for the content of one file */
  uint64_t room;                     /* for all contents */
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

/* Beside frames that are late, only a stop can come. */
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

/* What another run gets takes time by its size, which the disk limit bounds. */
static bool
is_too_late (const struct sender *self)
{
  return !self->hands_on && clock_now_us () >= self->walk.deadline_us;
}

/* If a file is shorter than announced, or takes too long, its content stays short; the backend then
 * drops it. */
static bool
send_content (struct sender *self, int fd, uint64_t size)
{
  const uint64_t began_us = clock_now_us ();

  while (size > 0)
    {
      ssize_t n = read_some (fd, piece, size < sizeof piece ? (size_t) size : sizeof piece);

      if (n <= 0 || is_too_late (self))
        {
          self->walk.missing.is_incomplete = true;
          return true;
        }
      fh_frame_put (&self->control->pending, FH_FRAME_RESULT_PIECE, piece, (size_t) n);
      size -= (uint64_t) n;
      if (!pass_on (self))
        return false;
    }
  if (self->hands_on)
    self->walk.deadline_us += clock_now_us () - began_us;
  return true;
}

static bool
send_target (struct sender *self)
{
  fh_frame_put (&self->control->pending, FH_FRAME_RESULT_PIECE, self->target, self->target_size);
  return pass_on (self);
}

/* In another run the link is to lead to the same place. */
static void
read_target (struct sender *self, const struct result_entry *entry)
{
  ssize_t n = -1;

  if (self->hands_on && entry->kind == FH_WIRE_RESULT_LINK)
    {
      n = readlinkat (self->walk.folder, entry->name, self->target, sizeof self->target);
      self->is_partly_handed_on |= n <= 0 || n > FH_FILE_LINK_MAX;
    }
  self->target_size = n > 0 && n <= FH_FILE_LINK_MAX ? (size_t) n : 0;
}

static uint64_t
modified_us (const struct stat *status)
{
  const int64_t seconds = status->st_mtim.tv_sec;
  const uint64_t last = FH_FILE_TIME_MAX / 1000000;

  if (seconds < 0 || (uint64_t) seconds >= last)
    return 0;
  return (uint64_t) seconds * 1000000 + (uint64_t) status->st_mtim.tv_nsec / 1000;
}

static struct fh_result_file
describe (struct sender *self, const struct result_entry *entry, bool is_changed)
{
  struct fh_result_file file = { .path = (char *) entry->path, .kind = entry->kind };

  if (entry->kind == FH_WIRE_RESULT_REGULAR)
    {
      file.size = (uint64_t) entry->status.st_size;
      file.mode = entry->status.st_mode & FH_FILE_MODE_MAX;
      file.modified_us = modified_us (&entry->status);
      if (entry->status.st_mode & S_IXUSR)
        file.flags |= FH_RESULT_IS_PROGRAM;
    }
  if (entry->kind == FH_WIRE_RESULT_LINK)
    file.size = self->target_size;
  if (is_changed)
    file.flags |= FH_RESULT_IS_CHANGED;
  if (self->is_in_tmp)
    file.flags |= FH_RESULT_IS_IN_TMP;
  return file;
}

/* `fd`: of its content, or -1. False if no more is wanted. */
static bool
send_file (struct sender *self, const struct result_entry *entry, int fd, bool is_changed)
{
  struct fh_result_file file = describe (self, entry, is_changed);
  const bool is_link = entry->kind == FH_WIRE_RESULT_LINK;
  const bool has_content =
      (is_link ? file.size > 0 : fd >= 0 && file.size <= self->file_max) && file.size <= self->room;

  if (has_content)
    {
      file.flags |= FH_RESULT_HAS_CONTENT;
      self->room -= file.size;
    }
  else if (is_link)
    file.size = 0;
  if (self->is_in_tmp)
    self->n_handed++;
  else
    self->n_sent++;
  fh_result_file_encode (&file, &self->control->pending);
  self->is_partly_handed_on |= self->is_in_tmp && !has_content;
  if (!pass_on (self))
    return false;
  if (!has_content)
    return true;
  return is_link ? send_target (self) : send_content (self, fd, file.size);
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

/* True if another run would find it as this one did: make (1) compares times. */
static bool
is_handed_back (const struct workspace_file *before, const struct stat *status)
{
  return before->mode == (status->st_mode & FH_FILE_MODE_MAX) &&
         (before->modified_us == 0 || before->modified_us == modified_us (status));
}

/* The same file is also as executable as it was. */
static bool
is_same_file (const struct sender *self,
              const struct workspace_file *before,
              const struct result_entry *entry,
              int fd)
{
  const mode_t differs = (before->mode ^ entry->status.st_mode) & S_IXUSR;

  return differs == 0 && (!self->hands_on || is_handed_back (before, &entry->status)) &&
         workspace_is_same (before, fd, (uint64_t) entry->status.st_size);
}

static bool
is_as_sent (const struct sender *self, const struct result_entry *entry, int fd)
{
  const struct workspace_file *before = workspace_find (self->before, entry->path, false);

  return before != NULL && fd >= 0 && is_same_file (self, before, entry, fd);
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
  const bool was_sent = workspace_find (self->before, entry->path, false) != NULL;
  fh_autofd int fd = -1;

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
  return (!is_known && is_as_sent (self, entry, fd)) ||
         send_file (self, entry, fd, is_known || was_sent || was_born_before (self, since, entry));
}

static bool
is_as_before (const struct sender *self,
              const struct workspace_file *before,
              const struct result_entry *entry,
              int fd)
{
  if (before != NULL && entry->kind == FH_WIRE_RESULT_LINK)
    return workspace_is_same_link (before, self->target, self->target_size);
  if (fd < 0)
    return false;
  return before != NULL ? is_same_file (self, before, entry, fd)
                        : project_layer_repeats (&self->layer, entry, fd, self->walk.deadline_us);
}

/* The policy's own files are sent after the others. */
static bool
send_gone_file (struct sender *self, const char *path, bool is_own)
{
  const struct fh_result_file file = {
    .path = (char *) path,
    .kind = FH_WIRE_RESULT_GONE,
    .flags = self->is_in_tmp ? FH_RESULT_IS_IN_TMP : 0,
  };

  if (!is_own && workspace_find (self->before, path, false) != NULL)
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

/* True if one more can be sent for another run. */
static bool
can_hand_on (struct sender *self)
{
  if (self->n_handed < FH_RESULT_FILES_MAX)
    return true;
  self->is_partly_handed_on = true;
  return false;
}

/* Tells an empty folder. */
static bool
send_folder (struct sender *self, const struct result_entry *entry)
{
  const struct fh_result_file file = describe (self, entry, false);

  if (!can_hand_on (self))
    return true;
  self->n_handed++;
  fh_result_file_encode (&file, &self->control->pending);
  return pass_on (self);
}

/* Sends what lies in /tmp, unless it was put there and is as it was. Pipes, sockets and devices
 * mean nothing without the processes that made them. */
static bool
send_tmp_entry (struct sender *self, struct result_entry *entry)
{
  const struct workspace_file *before = workspace_find (self->before, entry->path, true);
  fh_autofd int fd = -1;

  if (entry->kind == FH_WIRE_RESULT_FOLDER)
    return send_folder (self, entry);
  if (entry->kind == FH_WIRE_RESULT_SPECIAL)
    return before == NULL || send_gone_file (self, entry->path, true);
  if (entry->kind == FH_WIRE_RESULT_REGULAR)
    fd = result_walk_open (&self->walk, entry);
  read_target (self, entry);
  if ((before != NULL && is_as_before (self, before, entry, fd)) || !can_hand_on (self))
    return true;
  return send_file (self, entry, fd, before != NULL);
}

static bool
send_entry (struct sender *self, struct result_entry *entry)
{
  const struct workspace_file *before = workspace_find (self->before, entry->path, false);
  const bool is_full = self->n_sent == FH_RESULT_FILES_MAX;
  fh_autofd int fd = -1;
  bool goes_on;
  bool was_there;

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
  read_target (self, entry);
  was_there = before != NULL || was_born_before (self, self->since, entry) ||
              project_layer_find (&self->layer, entry->path) == PROJECT_FILE;
  /* Its change time is about the same, so compare the bytes. */
  if (is_as_before (self, before, entry, fd))
    return true;
  if (!is_full)
    return send_file (self, entry, fd, was_there);
  result_walk_leave_out (&self->walk);
  return true;
}

static void
send_gone (struct sender *self)
{
  bool goes_on = self->sends_gone && self->walk.root >= 0 && is_wanted (self);

  for (size_t i = 0; goes_on && i < self->before->n_files; i++)
    {
      const struct workspace_file *file = &self->before->files[i];

      /* A folder that is still empty is told as such, and others come with their files. */
      if (file->is_in_tmp != self->is_in_tmp || file->kind == FH_FILE_FOLDER)
        continue;
      if (project_layer_lacks (&self->layer, file->name, &self->walk.missing.is_incomplete))
        goes_on = send_gone_file (self, file->name, true);
    }
}

static void
begin_walk (struct sender *self, int folder)
{
  result_walk_begin (&self->walk, folder, clock_now_us () + TIME_US);
  self->walk.is_wanted = is_wanted;
  self->walk.data = self;
  self->walk.tells_empty = self->hands_on;
}

static void
send_workspace (struct sender *self, const struct result_folders *folders)
{
  struct timespec look = { 0 };
  struct result_entry entry;

  self->layer = (struct project_layer){ .above = folders->workspace, .below = folders->below };
  if (self->sent != NULL)
    look = time_of_look (self->sent);
  begin_walk (self, folders->workspace);
  self->walk.tells_folders = folders->below >= 0;
  while (result_walk_next (&self->walk, &entry) &&
         (self->sent != NULL ? send_news (self, &entry) : send_entry (self, &entry)))
    continue;
  result_walk_end (&self->walk);
  if (self->sent != NULL)
    self->sent->since = look;
  send_gone (self);
}

static void
send_tmp (struct sender *self, int tmp)
{
  struct result_entry entry;

  self->is_in_tmp = true;
  self->layer = (struct project_layer){ .above = tmp, .below = -1 };
  begin_walk (self, tmp);
  self->walk.skips = CACHE;
  while (result_walk_next (&self->walk, &entry) && send_tmp_entry (self, &entry))
    continue;
  result_walk_end (&self->walk);
  send_gone (self);
  self->is_partly_handed_on |=
      self->walk.missing.is_incomplete || self->walk.missing.n_left_out > 0;
}

/* Files with holes can be larger than the disk limit. */
static uint64_t
handed_on_max (const struct fh_policy *policy)
{
  return policy->disk_bytes > 0 && policy->disk_bytes < FH_HANDED_ON_MAX ? policy->disk_bytes
                                                                         : FH_HANDED_ON_MAX;
}

bool
result_files_send (struct control_channel *control,
                   const struct result_folders *folders,
                   struct request *request,
                   const struct timespec *since,
                   struct sent_files *sent)
{
  static struct sender self;
  struct fh_results_end missing;

  self.control = control;
  self.request = request;
  self.before = &request->workspace;
  self.since = since;
  self.sent = sent;
  self.sends_gone = request->policy->flags & FH_POLICY_TELL_GONE;
  self.hands_on = request->hands_on && since == NULL && sent == NULL;
  self.n_sent = self.n_gone = self.n_handed = 0;
  self.file_max = self.hands_on ? handed_on_max (request->policy) : FH_RESULT_FILE_MAX;
  self.room = self.hands_on ? self.file_max : FH_RESULT_CONTENT_MAX;
  self.is_in_tmp = self.is_partly_handed_on = false;
  self.is_stopped = self.is_protocol_broken = false;
  send_workspace (&self, folders);
  missing = self.walk.missing;
  if (self.hands_on)
    send_tmp (&self, folders->tmp);
  missing.is_partly_handed_on = self.is_partly_handed_on;
  if (self.is_stopped)
    missing.is_incomplete = true;
  fh_results_end_encode (&missing, &control->pending);
  return !self.is_protocol_broken;
}
