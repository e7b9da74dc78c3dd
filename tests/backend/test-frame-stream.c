/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other end of each stream is a plain socket in the hand of the test. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frame-stream.h"
#include "wire-policy.h"

typedef struct
{
  FhFrameStream *stream;
  int peer;
  GString *heard; /* the kinds of the frames, then how it ended */
  gsize bytes;
  gboolean close_at_first;
} Fixture;

static gboolean
frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_string_append_printf (fixture->heard, "%u ", frame->kind);
  fixture->bytes += frame->size;
  if (fixture->close_at_first)
    fh_frame_stream_close (fixture->stream);
  return frame->kind != 99;
}

static void
end_cb (gboolean is_broken, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_string_append (fixture->heard, is_broken ? "broken" : "ended");
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  int pair[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  g_assert_cmpint (fcntl (pair[0], F_SETFL, O_NONBLOCK), ==, 0);
  g_assert_cmpint (fcntl (pair[1], F_SETFL, O_NONBLOCK), ==, 0);
  fixture->peer = pair[1];
  fixture->heard = g_string_new (NULL);
  fixture->stream = fh_frame_stream_new (pair[0], frame_cb, fixture, end_cb, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fh_frame_stream_free (fixture->stream);
  if (fixture->peer >= 0)
    close (fixture->peer);
  g_string_free (fixture->heard, TRUE);
}

static void
turn (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
say (Fixture *fixture, const void *bytes, gsize size)
{
  g_assert_cmpint (send (fixture->peer, bytes, size, MSG_NOSIGNAL), ==, (gssize) size);
}

static void
test_pieces (Fixture *fixture, gconstpointer data)
{
  const char bytes[] = "\3\0\0\0\21\0\0\0abc\0\0\0\0\22\0\0\0";

  for (gsize i = 0; i < sizeof bytes - 1; i++)
    {
      say (fixture, bytes + i, 1);
      turn ();
    }
  g_assert_cmpstr (fixture->heard->str, ==, "17 18 ");
  g_assert_cmpuint (fixture->bytes, ==, 3);
}

static void
test_end (Fixture *fixture, gconstpointer data)
{
  say (fixture, "\0\0\0\0\21\0\0\0\5\0\0\0", 12);
  close (fixture->peer);
  fixture->peer = -1;
  turn ();
  /* What came whole is heard, the rest is not. */
  g_assert_cmpstr (fixture->heard->str, ==, "17 ended");
}

static void
test_broken (Fixture *fixture, gconstpointer data)
{
  say (fixture, "\xff\xff\xff\xff\21\0\0\0", 8);
  turn ();
  g_assert_cmpstr (fixture->heard->str, ==, "broken");
  /* Our end is closed. */
  g_assert_cmpint (send (fixture->peer, "x", 1, MSG_NOSIGNAL), ==, -1);
}

static void
test_refused_frame (Fixture *fixture, gconstpointer data)
{
  say (fixture, "\0\0\0\0\x63\0\0\0\0\0\0\0\21\0\0\0", 16);
  turn ();
  g_assert_cmpstr (fixture->heard->str, ==, "99 broken");
}

static void
test_close_while_hearing (Fixture *fixture, gconstpointer data)
{
  fixture->close_at_first = TRUE;
  say (fixture, "\0\0\0\0\21\0\0\0\0\0\0\0\22\0\0\0", 16);
  turn ();
  g_assert_cmpstr (fixture->heard->str, ==, "17 ");
}

static void
test_peer_gone (Fixture *fixture, gconstpointer data)
{
  /* The other end stays open, as when a child of a dead runner holds it. */
  say (fixture, "\0\0\0\0\21\0\0\0", 8);
  fh_frame_stream_set_peer_gone (fixture->stream);
  turn ();
  g_assert_cmpstr (fixture->heard->str, ==, "17 ended");
}

/* A large file is cut into frames of the right size, in order, while the other side reads slowly,
 * and what was given later comes later. */
static void
test_file (Fixture *fixture, gconstpointer data)
{
  const gsize size = ((gsize) 1 << 20) + 7;
  g_autofree guint8 *content = g_malloc (size);
  g_autoptr (GBytes) file = NULL;
  g_autoptr (GBytes) start = g_bytes_new_static ("\0\0\0\0\3\0\0\0", 8);
  g_autoptr (GByteArray) arrived = g_byte_array_new ();
  struct fh_frame_reader reader;
  gboolean started = FALSE;

  for (gsize i = 0; i < size; i++)
    content[i] = (guint8) (i * 31);
  file = g_bytes_new (content, size);
  fh_frame_stream_send_file (fixture->stream,
                             &(FhRunFile){ .path = (char *) "main.py", .content = file });
  fh_frame_stream_send (fixture->stream, start);
  g_assert_true (fh_frame_reader_init (&reader));
  while (!started)
    {
      struct fh_frame frame;
      gsize room;
      guint8 *space = fh_frame_reader_space (&reader, &room);
      gssize n = recv (fixture->peer, space, MIN (room, 50000), 0);

      turn ();
      if (n < 0)
        {
          g_assert_cmpint (errno, ==, EAGAIN);
          continue;
        }
      fh_frame_reader_filled (&reader, (gsize) n);
      while (fh_frame_reader_next (&reader, &frame) > 0)
        {
          struct fh_file_piece piece;

          started = frame.kind == FH_FRAME_RUN;
          if (started)
            break;
          g_assert_true (fh_file_piece_decode (&piece, frame.payload, frame.size));
          g_assert_cmpstr (piece.path, ==, "main.py");
          g_byte_array_append (arrived, piece.data, (guint) piece.size);
          free (piece.path);
        }
    }
  g_assert_cmpmem (arrived->data, arrived->len, content, size);
  fh_frame_reader_clear (&reader);
}

/* The reader first stops and then goes: no signal, and what it wrote last is still read. */
static void
test_hold (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) large = g_bytes_new_take (g_malloc0 (300 << 10), 300 << 10);
  const FhRunFile file = { .path = (char *) "a", .content = large };
  char bytes[64];

  fh_frame_stream_hold (fixture->stream, TRUE);
  fh_frame_stream_send_frame (fixture->stream, FH_FRAME_STOP, NULL);
  fh_frame_stream_send_frame (fixture->stream, FH_FRAME_RUN, NULL);
  turn ();
  g_assert_cmpint (recv (fixture->peer, bytes, sizeof bytes, 0), ==, -1);
  fh_frame_stream_hold (fixture->stream, FALSE);
  g_assert_cmpint (recv (fixture->peer, bytes, sizeof bytes, 0), ==, 2 * FH_FRAME_HEADER_SIZE);
  g_assert_cmpint (bytes[4], ==, FH_FRAME_STOP);
  g_assert_cmpint (bytes[FH_FRAME_HEADER_SIZE + 4], ==, FH_FRAME_RUN);

  /* A frame that is too long to go along with the others follows them. */
  fh_frame_stream_hold (fixture->stream, TRUE);
  fh_frame_stream_send_frame (fixture->stream, FH_FRAME_STOP, NULL);
  fh_frame_stream_send_file (fixture->stream, &file);
  fh_frame_stream_hold (fixture->stream, FALSE);
  g_assert_cmpint (recv (fixture->peer, bytes, FH_FRAME_HEADER_SIZE, 0), ==, FH_FRAME_HEADER_SIZE);
  g_assert_cmpint (bytes[4], ==, FH_FRAME_STOP);
  g_assert_cmpint (recv (fixture->peer, bytes, FH_FRAME_HEADER_SIZE, 0), ==, FH_FRAME_HEADER_SIZE);
  g_assert_cmpint (bytes[4], ==, FH_FRAME_FILE);

  fh_frame_stream_hold (fixture->stream, TRUE);
  fh_frame_stream_close (fixture->stream);
  fh_frame_stream_hold (fixture->stream, FALSE);
}

static void
test_peer_leaves_early (Fixture *fixture, gconstpointer data)
{
  g_autofree guint8 *content = g_malloc0 (4 << 20);
  g_autoptr (GBytes) file = g_bytes_new (content, 4 << 20);

  fh_frame_stream_send_file (fixture->stream,
                             &(FhRunFile){ .path = (char *) "main.py", .content = file });
  say (fixture, "\0\0\0\0\25\0\0\0", 8);
  close (fixture->peer);
  fixture->peer = -1;
  turn ();
  g_assert_cmpstr (fixture->heard->str, ==, "21 ended");
  fh_frame_stream_send (fixture->stream, file);
}

/* One turn takes a bounded amount, so that others get theirs. */
static void
test_turns (Fixture *fixture, gconstpointer data)
{
  const gsize size = 60008;
  g_autofree guint8 *block = g_malloc0 (size);
  gsize at = 0;
  gsize most = 0;

  memcpy (block, "\x60\xea\0\0\22\0\0\0", 8);
  while (fixture->bytes < ((gsize) 2 << 20))
    {
      gsize before = fixture->bytes;
      gssize n;

      while ((n = send (fixture->peer, block + at, size - at, MSG_NOSIGNAL)) > 0)
        at = (at + (gsize) n) % size;
      g_main_context_iteration (NULL, FALSE);
      most = MAX (most, fixture->bytes - before);
    }
  g_assert_null (strstr (fixture->heard->str, "broken"));
  g_assert_cmpuint (most, >, 0);
  g_assert_cmpuint (most, <=, FH_FRAME_STREAM_TURN + size);
}

/* Something that never lets lower priorities have a turn, as painting a flood does. */
static gboolean
paint_cb (gpointer data)
{
  ++*(guint *) data;
  return G_SOURCE_CONTINUE;
}

/* The end is heard behind all the output that is on its way, however busy the loop is. */
static void
test_share (Fixture *fixture, gconstpointer data)
{
  const gsize size = 60008;
  g_autofree guint8 *block = g_malloc0 (size);
  guint frames = 0;
  guint painting = g_idle_add_full (G_PRIORITY_HIGH_IDLE + 20, paint_cb, &frames, NULL);
  gsize sent = 0;

  memcpy (block, "\x60\xea\0\0\22\0\0\0", 8);
  /* More than one share, so that it has to be renewed. */
  while (sent < 2 * FH_FRAME_STREAM_SHARE + size || sent % size != 0)
    {
      gssize n = send (fixture->peer, block + sent % size, size - sent % size, MSG_NOSIGNAL);

      if (n > 0)
        sent += (gsize) n;
      else
        g_main_context_iteration (NULL, TRUE);
    }
  say (fixture, "\0\0\0\0\25\0\0\0", 8);
  while (strstr (fixture->heard->str, "21 ") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fixture->bytes, ==, sent / size * (size - 8));
  /* Others had their turns as well. */
  g_assert_cmpuint (frames, >, 0);
  g_source_remove (painting);
}

/* One turn comes after painting, the others before it. */
static void
test_let_paint (Fixture *fixture, gconstpointer data)
{
  guint frames = 0;
  guint painting = g_idle_add_full (G_PRIORITY_HIGH_IDLE + 20, paint_cb, &frames, NULL);

  say (fixture, "\0\0\0\0\22\0\0\0", 8);
  g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->heard->str, ==, "18 ");
  g_assert_cmpuint (frames, ==, 0);
  fh_frame_stream_let_paint (fixture->stream);
  say (fixture, "\0\0\0\0\23\0\0\0", 8);
  g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->heard->str, ==, "18 ");
  g_assert_cmpuint (frames, ==, 1);
  g_source_remove (painting);
  g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->heard->str, ==, "18 19 ");

  painting = g_idle_add_full (G_PRIORITY_HIGH_IDLE + 20, paint_cb, &frames, NULL);
  say (fixture, "\0\0\0\0\22\0\0\0", 8);
  g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->heard->str, ==, "18 19 18 ");
  g_assert_cmpuint (frames, ==, 1);
  g_source_remove (painting);
}

/* What a dead runner has left is read before anything is painted. */
static void
test_last_words (Fixture *fixture, gconstpointer data)
{
  guint frames = 0;
  guint painting = g_idle_add_full (G_PRIORITY_HIGH_IDLE + 20, paint_cb, &frames, NULL);

  for (int i = 0; i < 5; i++)
    say (fixture, "\0\0\0\0\22\0\0\0", 8);
  fh_frame_stream_set_peer_gone (fixture->stream);
  while (strstr (fixture->heard->str, "ended") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (fixture->heard->str, ==, "18 18 18 18 18 ended");
  g_assert_cmpuint (frames, ==, 0);
  g_source_remove (painting);
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/frame-stream/pieces", test_pieces);
  ADD ("/frame-stream/end", test_end);
  ADD ("/frame-stream/broken", test_broken);
  ADD ("/frame-stream/refused-frame", test_refused_frame);
  ADD ("/frame-stream/close-while-hearing", test_close_while_hearing);
  ADD ("/frame-stream/peer-gone", test_peer_gone);
  ADD ("/frame-stream/file", test_file);
  ADD ("/frame-stream/hold", test_hold);
  ADD ("/frame-stream/peer-leaves-early", test_peer_leaves_early);
  ADD ("/frame-stream/turns", test_turns);
  ADD ("/frame-stream/share", test_share);
  ADD ("/frame-stream/let-paint", test_let_paint);
  ADD ("/frame-stream/last-words", test_last_words);
  return g_test_run ();
}
