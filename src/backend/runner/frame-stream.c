/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame-stream.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/socket.h>
#include <unistd.h>

#include "main-source.h"
#include "wire-policy.h"

/* Frames as they are (kind 0), or a file or another payload, to be cut into frames. */
typedef struct
{
  enum fh_frame_kind kind;
  FhRunFile *file; /* nullable */
  GBytes *bytes;
  gsize at;
} OutgoingItem;

/* `fd` is -1 once the stream has ended or was closed. Memory is bounded by one frame each way,
 * besides the queue. */
struct _FhFrameStream
{
  int fd;
  FhFrameFunc frame;
  gpointer frame_data;
  FhFrameStreamEndFunc end;
  gpointer end_data;
  GSource *input;
  GSource *output;
  gsize share;      /* bytes left to read before painting */
  GSource *renewal; /* of a used-up share */
  struct fh_frame_reader reader;
  GQueue outgoing;
  struct fh_buffer pending; /* encoded and partly sent */
  gsize sent;
  gboolean peer_gone;
  gboolean is_reading;
  gboolean is_late; /* the next turn comes after painting */
  gboolean is_held; /* nothing is sent */
};

G_STATIC_ASSERT ((int) FH_RUN_FILE_REGULAR == (int) FH_FILE_REGULAR);
G_STATIC_ASSERT ((int) FH_RUN_FILE_REMOVED == (int) FH_FILE_REMOVED);
G_STATIC_ASSERT ((int) FH_RUN_FILE_FOLDER == (int) FH_FILE_FOLDER);
G_STATIC_ASSERT ((int) FH_RUN_FILE_LINK == (int) FH_FILE_LINK);

#define MAX_PENDING (FH_FRAME_HEADER_SIZE + (gsize) FH_FRAME_MAX_PAYLOAD)
/* Frames are sent together up to so many bytes, besides what is in front of their payload. */
#define MAX_TOGETHER (MAX_PENDING / 4)

static void
outgoing_item_free (gpointer data)
{
  OutgoingItem *item = data;

  g_clear_pointer (&item->file, fh_run_file_free);
  g_bytes_unref (item->bytes);
  g_free (item);
}

static void
clear (gpointer data)
{
  FhFrameStream *self = data;

  fh_frame_reader_clear (&self->reader);
  fh_buffer_clear (&self->pending);
}

static void
release (FhFrameStream *self)
{
  g_rc_box_release_full (self, clear);
}

static GSource *
watch_fd (FhFrameStream *self, GIOCondition condition, int priority, GUnixFDSourceFunc func)
{
  GSource *source = g_unix_fd_source_new (self->fd, condition);

  g_source_set_priority (source, priority);
  /* GLib then leaves the source in the loop while it is called. It would take it out and put it
   * back otherwise, which wakes the loop up for nothing after each frame. */
  g_source_set_can_recurse (source, TRUE);
  return fh_source_attach (source, G_SOURCE_FUNC (func), self, NULL);
}

static void
finish (FhFrameStream *self, gboolean is_broken)
{
  if (self->fd < 0)
    return;
  fh_frame_stream_close (self);
  self->end (is_broken, self->end_data);
}

/* FALSE when a frame ended the stream. */
static gboolean
handle_frames (FhFrameStream *self)
{
  struct fh_frame frame;
  int got;

  while ((got = fh_frame_reader_next (&self->reader, &frame)) > 0)
    {
      gboolean is_valid = self->frame (&frame, self->frame_data);

      if (self->fd < 0)
        return FALSE;
      if (!is_valid)
        {
          got = -1;
          break;
        }
    }
  if (got < 0)
    finish (self, TRUE);
  return self->fd >= 0;
}

/* Reads until the socket is empty, the turn is over or the stream ended. Returns the number of
 * bytes. The caller holds a reference. */
static gsize
read_turn (FhFrameStream *self)
{
  gsize taken = 0;

  while (taken < FH_FRAME_STREAM_TURN)
    {
      gsize room;
      uint8_t *space = fh_frame_reader_space (&self->reader, &room);
      const gsize wanted = MIN (room, FH_FRAME_STREAM_TURN - taken);
      ssize_t n = recv (self->fd, space, wanted, 0);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN && !self->peer_gone)
        break;
      if (n <= 0)
        {
          finish (self, FALSE);
          break;
        }
      taken += (gsize) n;
      fh_frame_reader_filled (&self->reader, (gsize) n);
      /* Less than there was room for is all that there is. */
      if (!handle_frames (self) || ((gsize) n < wanted && !self->peer_gone))
        break;
    }
  return taken;
}

static gboolean
renew_cb (gpointer user_data)
{
  FhFrameStream *self = user_data;

  g_clear_pointer (&self->renewal, g_source_unref);
  self->share = FH_FRAME_STREAM_SHARE;
  g_source_set_priority (self->input, FH_FRAME_STREAM_SHARE_PRIORITY);
  return G_SOURCE_REMOVE;
}

static void
use_share (FhFrameStream *self, gsize size)
{
  self->share -= MIN (size, self->share);
  if (self->share > 0 || self->renewal != NULL)
    return;
  g_source_set_priority (self->input, FH_FRAME_STREAM_PRIORITY);
  self->renewal = g_timeout_source_new (FH_FRAME_STREAM_SHARE_MS);
  g_source_set_priority (self->renewal, FH_FRAME_STREAM_SHARE_PRIORITY);
  fh_source_attach (self->renewal, renew_cb, self, NULL);
}

static gboolean
readable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  FhFrameStream *self = user_data;
  gsize taken;

  /* Somebody runs a loop while a frame is handled, which is still in the reader. */
  if (self->is_reading)
    return G_SOURCE_CONTINUE;
  if (self->is_late && self->renewal == NULL)
    g_source_set_priority (self->input, FH_FRAME_STREAM_SHARE_PRIORITY);
  self->is_late = FALSE;
  g_rc_box_acquire (self);
  self->is_reading = TRUE;
  taken = read_turn (self);
  self->is_reading = FALSE;
  if (self->input != NULL && !self->peer_gone)
    use_share (self, taken);
  release (self);
  return G_SOURCE_CONTINUE;
}

/* A failed write only empties the queue: the peer's last frames are still to be read, and reading
 * finds the end of the stream. */
static void
drop_outgoing (FhFrameStream *self)
{
  g_queue_clear_full (&self->outgoing, outgoing_item_free);
  fh_buffer_clear (&self->pending);
  self->sent = 0;
}

static gsize
encode_file_piece (FhFrameStream *self, const FhRunFile *file, const guint8 *data, gsize size)
{
  const struct fh_file_piece piece = {
    .path = file->path,
    .kind = (guint8) file->kind,
    .is_in_tmp = file->is_in_tmp,
    .is_there = file->is_there,
    .mode = file->mode & FH_FILE_MODE_MAX,
    .modified_us = MIN (file->modified_us, FH_FILE_TIME_MAX),
    .data = data,
    .size = MIN (size, (gsize) FH_FILE_PIECE_MAX),
  };

  fh_file_piece_encode (&piece, &self->pending);
  return piece.size;
}

/* Appends the next piece of an item; returns its size. */
static gsize
encode_piece (FhFrameStream *self, const OutgoingItem *item, const guint8 *data, gsize size)
{
  switch ((guint) item->kind)
    {
    case FH_FRAME_FILE:
      return encode_file_piece (self, item->file, data, size);
    case 0:
      size = MIN (size, MAX_PENDING);
      fh_buffer_put_raw (&self->pending, data, size);
      return size;
    default:
      size = MIN (size, (gsize) FH_FRAME_MAX_PAYLOAD);
      fh_frame_put (&self->pending, item->kind, data, size);
      return size;
    }
}

static void
encode_item (FhFrameStream *self, OutgoingItem *item)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (item->bytes, &size);

  /* C forbids to add even 0 to NULL, which the bytes of an empty file are. */
  item->at += encode_piece (self, item, size > 0 ? data + item->at : NULL, size - item->at);
  if (item->at == size)
    outgoing_item_free (g_queue_pop_head (&self->outgoing));
}

static gboolean
encode_next (FhFrameStream *self)
{
  OutgoingItem *item = g_queue_peek_head (&self->outgoing);

  if (item == NULL)
    return FALSE;
  self->pending.size = 0;
  self->sent = 0;
  do
    {
      encode_item (self, item);
      item = g_queue_peek_head (&self->outgoing);
    }
  while (item != NULL &&
         self->pending.size + g_bytes_get_size (item->bytes) - item->at <= MAX_TOGETHER);
  return !self->pending.failed;
}

/* TRUE when there is more to send than the socket takes now. */
static gboolean
write_turn (FhFrameStream *self)
{
  while (self->sent < self->pending.size || encode_next (self))
    {
      ssize_t n = send (self->fd,
                        self->pending.data + self->sent,
                        self->pending.size - self->sent,
                        MSG_NOSIGNAL);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN)
        return TRUE;
      if (n < 0)
        break;
      self->sent += (gsize) n;
    }
  drop_outgoing (self);
  return FALSE;
}

static gboolean
writable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  FhFrameStream *self = user_data;

  if (write_turn (self))
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->output, g_source_unref);
  return G_SOURCE_REMOVE;
}

static void
flush (FhFrameStream *self)
{
  if (self->fd >= 0 && !self->is_held && self->output == NULL && write_turn (self))
    self->output = watch_fd (self, G_IO_OUT, G_PRIORITY_DEFAULT, writable_cb);
}

/* `file` is nullable. */
static void
enqueue (FhFrameStream *self, enum fh_frame_kind kind, GBytes *bytes, const FhRunFile *file)
{
  OutgoingItem *item;

  if (self->fd < 0)
    return;
  item = g_new0 (OutgoingItem, 1);
  item->kind = kind;
  item->bytes = g_bytes_ref (bytes);
  item->file = file != NULL ? fh_run_file_copy (file) : NULL;
  g_queue_push_tail (&self->outgoing, item);
  flush (self);
}

void
fh_frame_stream_hold (FhFrameStream *self, gboolean is_held)
{
  self->is_held = is_held;
  flush (self);
}

void
fh_frame_stream_free (FhFrameStream *self)
{
  if (self == NULL)
    return;
  fh_frame_stream_close (self);
  release (self);
}

FhFrameStream *
fh_frame_stream_new (int fd,
                     FhFrameFunc frame,
                     gpointer frame_data,
                     FhFrameStreamEndFunc end,
                     gpointer end_data)
{
  FhFrameStream *self = g_rc_box_new0 (FhFrameStream);

  self->fd = fd;
  self->share = FH_FRAME_STREAM_SHARE;
  g_queue_init (&self->outgoing);
  fh_buffer_init (&self->pending, MAX_PENDING);
  self->frame = frame;
  self->frame_data = frame_data;
  self->end = end;
  self->end_data = end_data;
  if (!fh_frame_reader_init (&self->reader))
    g_error ("Out of memory");
  self->input =
      watch_fd (self, G_IO_IN | G_IO_HUP | G_IO_ERR, FH_FRAME_STREAM_SHARE_PRIORITY, readable_cb);
  return self;
}

void
fh_frame_stream_send (FhFrameStream *self, GBytes *frames)
{
  enqueue (self, 0, frames, NULL);
}

void
fh_frame_stream_send_frame (FhFrameStream *self, enum fh_frame_kind kind, GBytes *payload)
{
  g_autoptr (GBytes) nothing = g_bytes_new_static (NULL, 0);

  enqueue (self, kind, payload != NULL ? payload : nothing, NULL);
}

void
fh_frame_stream_send_file (FhFrameStream *self, const FhRunFile *file)
{
  enqueue (self, FH_FRAME_FILE, file->content, file);
}

void
fh_frame_stream_send_input (FhFrameStream *self, GBytes *standard_input)
{
  if (g_bytes_get_size (standard_input) > 0)
    enqueue (self, FH_FRAME_INPUT, standard_input, NULL);
}

static gboolean
peer_gone_cb (gpointer user_data)
{
  FhFrameStream *self = g_rc_box_acquire (user_data);

  read_turn (self);
  release (self);
  return G_SOURCE_CONTINUE;
}

void
fh_frame_stream_let_paint (FhFrameStream *self)
{
  if (self->input == NULL || self->peer_gone)
    return;
  self->is_late = TRUE;
  g_source_set_priority (self->input, FH_FRAME_STREAM_PRIORITY);
}

void
fh_frame_stream_set_peer_gone (FhFrameStream *self)
{
  if (self->fd < 0 || self->peer_gone)
    return;
  /* An idle source instead of the watch reads on, in turns of the same size, even when the socket
   * is never ready because another process holds the peer's end. */
  self->peer_gone = TRUE;
  fh_source_clear (&self->input);
  fh_source_clear (&self->renewal);
  self->input = g_idle_source_new ();
  g_source_set_priority (self->input, FH_FRAME_STREAM_SHARE_PRIORITY);
  fh_source_attach (self->input, peer_gone_cb, self, NULL);
}

void
fh_frame_stream_close (FhFrameStream *self)
{
  if (self->fd < 0)
    return;
  fh_source_clear (&self->input);
  fh_source_clear (&self->output);
  fh_source_clear (&self->renewal);
  drop_outgoing (self);
  close (g_steal_fd (&self->fd));
}
