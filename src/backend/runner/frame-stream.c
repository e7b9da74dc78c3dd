/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame-stream.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire-policy.h"

/* What waits to be sent: frames as they are (kind is 0), or a file or the standard input, which are
 * cut into frames. */
typedef struct
{
  enum fh_frame_kind kind;
  char *name; /* of a file; else NULL */
  GBytes *bytes;
  gsize at;
} Parcel;

/* Open from fh_frame_stream_new until the end was told or fh_frame_stream_close; fd is -1 after
 * that. Memory is bounded by one frame each way besides what the caller gave to be sent. */
struct _FhFrameStream
{
  GObject parent_instance;

  int fd;
  const FhFrameListener *listener;
  gpointer user_data;
  GSource *input;
  GSource *output;
  struct fh_frame_reader reader;
  GQueue parcels;
  struct fh_buffer pending; /* encoded and partly sent */
  gsize sent;
  gboolean peer_gone;
};

G_DEFINE_FINAL_TYPE (FhFrameStream, fh_frame_stream, G_TYPE_OBJECT)

#define MAX_PENDING (FH_FRAME_HEADER_SIZE + (gsize) FH_FRAME_MAX_PAYLOAD)

static void
parcel_free (gpointer data)
{
  Parcel *parcel = data;

  g_free (parcel->name);
  g_bytes_unref (parcel->bytes);
  g_free (parcel);
}

static void
stop_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
start_source (FhFrameStream *self,
              GSource **source,
              GIOCondition condition,
              int priority,
              GUnixFDSourceFunc func)
{
  *source = g_unix_fd_source_new (self->fd, condition);
  g_source_set_priority (*source, priority);
  g_source_set_callback (*source, G_SOURCE_FUNC (func), self, NULL);
  g_source_attach (*source, g_main_context_get_thread_default ());
}

static void
finish (FhFrameStream *self, FhFrameStreamEnd how)
{
  const FhFrameListener *listener = self->listener;

  if (self->fd < 0)
    return;
  fh_frame_stream_close (self);
  listener->end (how, self->user_data);
}

/* FALSE when the stream was ended by what arrived. */
static gboolean
take_frames (FhFrameStream *self)
{
  struct fh_frame frame;
  int got;

  while ((got = fh_frame_reader_next (&self->reader, &frame)) > 0)
    {
      gboolean sensible = self->listener->frame (&frame, self->user_data);

      if (self->fd < 0)
        return FALSE;
      if (!sensible)
        {
          got = -1;
          break;
        }
    }
  if (got < 0)
    finish (self, FH_FRAME_STREAM_BROKEN);
  return self->fd >= 0;
}

/* Reads until there is nothing more, the turn is over, or the stream ended. */
static void
read_turn (FhFrameStream *self)
{
  G_GNUC_UNUSED g_autoptr (FhFrameStream) alive = g_object_ref (self);
  gsize taken = 0;

  while (taken < FH_FRAME_STREAM_TURN)
    {
      gsize room;
      uint8_t *space = fh_frame_reader_space (&self->reader, &room);
      ssize_t n = recv (self->fd, space, MIN (room, FH_FRAME_STREAM_TURN - taken), 0);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN && !self->peer_gone)
        return;
      if (n <= 0)
        {
          finish (self, FH_FRAME_STREAM_ENDED);
          return;
        }
      taken += (gsize) n;
      fh_frame_reader_filled (&self->reader, (gsize) n);
      if (!take_frames (self))
        return;
    }
}

static gboolean
readable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  read_turn (FH_FRAME_STREAM (user_data));
  return G_SOURCE_CONTINUE;
}

/* Reading goes on until the other side's last words were heard, so a failed write only empties
 * the queue: the end is told by the reader. */
static void
drop_parcels (FhFrameStream *self)
{
  g_queue_clear_full (&self->parcels, parcel_free);
  fh_buffer_clear (&self->pending);
  self->sent = 0;
}

/* Appends the next piece of a parcel; returns its size. */
static gsize
encode_piece (FhFrameStream *self, const Parcel *parcel, const guint8 *data, gsize size)
{
  struct fh_file_piece piece = { .path = parcel->name, .data = data };
  gsize offset;

  switch ((guint) parcel->kind)
    {
    case FH_FRAME_FILE:
      piece.size = MIN (size, (gsize) FH_FILE_PIECE_MAX);
      fh_file_piece_encode (&piece, &self->pending);
      return piece.size;
    case FH_FRAME_INPUT:
      size = MIN (size, (gsize) FH_FRAME_MAX_PAYLOAD);
      offset = fh_frame_begin (&self->pending, FH_FRAME_INPUT);
      fh_buffer_put_raw (&self->pending, data, size);
      fh_frame_end (&self->pending, offset);
      return size;
    default:
      size = MIN (size, MAX_PENDING);
      fh_buffer_put_raw (&self->pending, data, size);
      return size;
    }
}

static gboolean
encode_next (FhFrameStream *self)
{
  Parcel *parcel = g_queue_peek_head (&self->parcels);
  const guint8 *data;
  gsize size;

  if (parcel == NULL)
    return FALSE;
  data = g_bytes_get_data (parcel->bytes, &size);
  self->pending.size = 0;
  self->sent = 0;
  parcel->at += encode_piece (self, parcel, data + parcel->at, size - parcel->at);
  if (parcel->at == size)
    parcel_free (g_queue_pop_head (&self->parcels));
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
  drop_parcels (self);
  return FALSE;
}

static gboolean
writable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  FhFrameStream *self = FH_FRAME_STREAM (user_data);

  if (write_turn (self))
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->output, g_source_unref);
  return G_SOURCE_REMOVE;
}

static void
enqueue (FhFrameStream *self, enum fh_frame_kind kind, const char *name, GBytes *bytes)
{
  Parcel *parcel = g_new0 (Parcel, 1);

  parcel->kind = kind;
  parcel->name = g_strdup (name);
  parcel->bytes = g_bytes_ref (bytes);
  g_queue_push_tail (&self->parcels, parcel);
  if (self->output == NULL && write_turn (self))
    start_source (self, &self->output, G_IO_OUT, G_PRIORITY_DEFAULT, writable_cb);
}

static void
fh_frame_stream_dispose (GObject *object)
{
  fh_frame_stream_close (FH_FRAME_STREAM (object));

  G_OBJECT_CLASS (fh_frame_stream_parent_class)->dispose (object);
}

static void
fh_frame_stream_finalize (GObject *object)
{
  FhFrameStream *self = FH_FRAME_STREAM (object);

  fh_frame_reader_clear (&self->reader);
  fh_buffer_clear (&self->pending);

  G_OBJECT_CLASS (fh_frame_stream_parent_class)->finalize (object);
}

static void
fh_frame_stream_class_init (FhFrameStreamClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_frame_stream_dispose;
  object_class->finalize = fh_frame_stream_finalize;
}

static void
fh_frame_stream_init (FhFrameStream *self)
{
  self->fd = -1;
  g_queue_init (&self->parcels);
  fh_buffer_init (&self->pending, MAX_PENDING);
}

FhFrameStream *
fh_frame_stream_new (int fd, const FhFrameListener *listener, gpointer user_data)
{
  FhFrameStream *self;

  g_return_val_if_fail (fd >= 0, NULL);
  g_return_val_if_fail (listener != NULL, NULL);

  self = g_object_new (FH_TYPE_FRAME_STREAM, NULL);
  self->fd = fd;
  self->listener = listener;
  self->user_data = user_data;
  if (!fh_frame_reader_init (&self->reader))
    g_error ("Out of memory");
  start_source (self,
                &self->input,
                G_IO_IN | G_IO_HUP | G_IO_ERR,
                FH_FRAME_STREAM_PRIORITY,
                readable_cb);
  return self;
}

void
fh_frame_stream_send (FhFrameStream *self, GBytes *frames)
{
  g_return_if_fail (FH_IS_FRAME_STREAM (self));
  g_return_if_fail (frames != NULL && g_bytes_get_size (frames) > 0);

  if (self->fd >= 0)
    enqueue (self, 0, NULL, frames);
}

void
fh_frame_stream_send_file (FhFrameStream *self, const char *name, GBytes *content)
{
  g_return_if_fail (FH_IS_FRAME_STREAM (self));
  g_return_if_fail (name != NULL && content != NULL);

  if (self->fd >= 0)
    enqueue (self, FH_FRAME_FILE, name, content);
}

void
fh_frame_stream_send_input (FhFrameStream *self, GBytes *standard_input)
{
  g_return_if_fail (FH_IS_FRAME_STREAM (self));
  g_return_if_fail (standard_input != NULL);

  if (self->fd >= 0 && g_bytes_get_size (standard_input) > 0)
    enqueue (self, FH_FRAME_INPUT, NULL, standard_input);
}

static gboolean
peer_gone_cb (gpointer user_data)
{
  read_turn (FH_FRAME_STREAM (user_data));
  return G_SOURCE_CONTINUE;
}

void
fh_frame_stream_set_peer_gone (FhFrameStream *self)
{
  g_return_if_fail (FH_IS_FRAME_STREAM (self));

  if (self->fd < 0 || self->peer_gone)
    return;
  /* An idle source in place of the watch: it reads on in turns of the same size and priority,
   * and also when the socket says nothing because another process still holds its other end. */
  self->peer_gone = TRUE;
  stop_source (&self->input);
  self->input = g_idle_source_new ();
  g_source_set_priority (self->input, FH_FRAME_STREAM_PRIORITY);
  g_source_set_callback (self->input, peer_gone_cb, self, NULL);
  g_source_attach (self->input, g_main_context_get_thread_default ());
}

void
fh_frame_stream_close (FhFrameStream *self)
{
  g_return_if_fail (FH_IS_FRAME_STREAM (self));

  if (self->fd < 0)
    return;
  stop_source (&self->input);
  stop_source (&self->output);
  drop_parcels (self);
  close (g_steal_fd (&self->fd));
}
