/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-channel.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct fixture
{
  struct control_channel control;
  struct guest_channel *channel;
  int guest;
  int null;
};

static const uint8_t greeting[] = "\x05\0\0\0\x01main";

static void
set_up (struct fixture *fixture, const void *data)
{
  int sockets[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, sockets), ==, 0);
  fixture->null = open ("/dev/null", O_RDWR);
  g_assert_true (control_channel_init (&fixture->control, fixture->null, fixture->null));
  fixture->channel = g_new0 (struct guest_channel, 1);
  fixture->guest = sockets[1];
  guest_channel_init (fixture->channel, sockets[0]);
  guest_channel_greet (fixture->channel, greeting, sizeof greeting - 1);
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  guest_channel_close (fixture->channel);
  g_free (fixture->channel);
  if (fixture->guest >= 0)
    close (fixture->guest);
  control_channel_clear (&fixture->control);
  close (fixture->null);
}

static void
say (struct fixture *fixture, const void *bytes, size_t size)
{
  g_assert_cmpint (write (fixture->guest, bytes, size), ==, (ssize_t) size);
  guest_channel_move (fixture->channel, &fixture->control);
}

/* Takes what was to be sent to the backend: frames without their headers, joined by "|". */
static char *
heard (struct fixture *fixture)
{
  GString *text = g_string_new (NULL);
  struct fh_buffer *pending = &fixture->control.pending;

  for (size_t at = 0; at < pending->size;)
    {
      struct fh_cursor cursor;
      uint32_t size;

      fh_cursor_init (&cursor, pending->data + at, pending->size - at);
      size = fh_cursor_u32 (&cursor);
      g_assert_cmpint (fh_cursor_u16 (&cursor), ==, FH_FRAME_GUEST);
      g_string_append_len (text, (const char *) pending->data + at + FH_FRAME_HEADER_SIZE, size);
      g_string_append_c (text, '|');
      at += FH_FRAME_HEADER_SIZE + size;
    }
  pending->size = 0;
  return g_string_free (text, FALSE);
}

static void
assert_heard (struct fixture *fixture, const char *expected)
{
  g_autofree char *text = heard (fixture);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_greeting (struct fixture *fixture, const void *data)
{
  char buffer[64];

  guest_channel_move (fixture->channel, &fixture->control);
  g_assert_cmpint (recv (fixture->guest, buffer, sizeof buffer, MSG_DONTWAIT),
                   ==,
                   sizeof greeting - 1);
  g_assert_cmpmem (buffer, sizeof greeting - 1, greeting, sizeof greeting - 1);
}

static void
test_messages (struct fixture *fixture, const void *data)
{
  say (fixture,
       "\x03\0\0\0\x20"
       "ab"
       "\x02\0\0\0\x21"
       "c",
       13);
  assert_heard (fixture,
                "\x20"
                "ab|\x21"
                "c|");
  say (fixture, "\x03\0", 2);
  assert_heard (fixture, "");
  say (fixture, "\0\0\x22", 3);
  assert_heard (fixture, "");
  say (fixture, "de", 2);
  assert_heard (fixture,
                "\x22"
                "de|");
  g_assert_false (fixture->channel->is_out_of_memory);
}

static void
test_out_of_memory (struct fixture *fixture, const void *data)
{
  say (fixture, "\x01\0\0\0\x10", 5);
  g_assert_true (fixture->channel->is_out_of_memory);
}

static void
test_nonsense (struct fixture *fixture, const void *data)
{
  say (fixture, "\0\0\0\0", 4);
  say (fixture, "\x01\0\0\0\x10", 5);
  assert_heard (fixture, "");
  g_assert_true (fixture->channel->is_ignored);
  g_assert_false (fixture->channel->is_out_of_memory);
}

static void
test_too_long (struct fixture *fixture, const void *data)
{
  say (fixture, "\x01\0\x01\0", 4);
  g_assert_true (fixture->channel->is_ignored);
}

static void
test_too_many (struct fixture *fixture, const void *data)
{
  g_autofree char *message = g_malloc0 (1004);
  size_t passed = 0;

  memcpy (message, "\xe8\x03\0\0", 4);
  for (int i = 0; i < 100; i++)
    {
      say (fixture, message, 1004);
      passed += fixture->control.pending.size > 0;
      fixture->control.pending.size = 0;
    }
  g_assert_cmpuint (passed, ==, GUEST_CHANNEL_MAX_BYTES / 1000);
}

static void
test_end (struct fixture *fixture, const void *data)
{
  close (fixture->guest);
  fixture->guest = -1;
  guest_channel_move (fixture->channel, &fixture->control);
  g_assert_cmpint (fixture->channel->fd, ==, -1);
}

/* A message with the number of a cell: `text` has at most nine bytes. */
static void
say_of_cell (struct fixture *fixture, uint8_t kind, uint8_t cell, const char *text)
{
  uint8_t message[18] = { (uint8_t) (5 + strlen (text)), 0, 0, 0, kind, cell };

  memcpy (message + 9, text, strlen (text));
  say (fixture, message, 9 + strlen (text));
}

static void
test_cells (struct fixture *fixture, const void *data)
{
  struct guest_channel *channel = fixture->channel;
  uint8_t received[32];

  channel->greeting_size = 0;
  guest_channel_keep (channel);
  say_of_cell (fixture, FH_GUEST_ANSWER, 1, "early");
  guest_channel_begin_cell (channel);
  say_of_cell (fixture, FH_GUEST_ANSWER, 1, "asked?");
  channel->cell = 1;
  say_of_cell (fixture, FH_GUEST_ANSWER, 2, "other");
  say_of_cell (fixture, FH_GUEST_REPLY, 1, "no");
  g_assert_cmpuint (fixture->control.pending.size, ==, 0);
  guest_channel_reply (channel, "r", 1);
  g_assert_true (guest_channel_has_replies (channel));
  g_assert_false (channel->is_calling);
  say_of_cell (fixture, FH_GUEST_CALL, 1, "c");
  g_assert_true (channel->is_calling);
  g_assert_false (guest_channel_has_replies (channel));
  g_assert_cmpint (read (fixture->guest, received, sizeof received), ==, 5);
  g_assert_cmpmem (received, 5, "\1\0\0\0r", 5);
  g_assert_false (channel->has_answered);
  guest_channel_reply (channel, "r\1\0\0\0\1piece", 11);
  g_assert_true (channel->is_calling);
  guest_channel_reply (channel, "r\1\0\0\0\0rest", 10);
  g_assert_false (channel->is_calling);
  say_of_cell (fixture, FH_GUEST_ANSWER, 1, "end");
  say_of_cell (fixture, FH_GUEST_ANSWER, 1, "twice");
  g_assert_true (channel->has_answered);
  g_assert_cmpuint (fixture->control.pending.size, ==, 2 * (FH_FRAME_HEADER_SIZE + 5) + 1 + 3);
  guest_channel_begin_cell (channel);
  g_assert_false (channel->has_answered || channel->is_broken);
  channel->cell = 2;
  say (fixture, "\0\0\0\0", 4);
  g_assert_true (channel->is_broken);
}

/* What a cell does not read is bounded. */
static void
test_too_many_replies (struct fixture *fixture, const void *data)
{
  static const uint8_t reply[FH_FRAME_MAX_PAYLOAD];

  guest_channel_keep (fixture->channel);
  for (int i = 0; i < 30; i++)
    guest_channel_reply (fixture->channel, reply, sizeof reply);
  g_assert_false (fixture->channel->is_broken);
  for (int i = 0; i < 10; i++)
    guest_channel_reply (fixture->channel, reply, sizeof reply);
  g_assert_true (fixture->channel->is_broken);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, struct fixture, NULL, set_up, function, tear_down)
  ADD ("/guest-channel/greeting", test_greeting);
  ADD ("/guest-channel/messages", test_messages);
  ADD ("/guest-channel/out-of-memory", test_out_of_memory);
  ADD ("/guest-channel/nonsense", test_nonsense);
  ADD ("/guest-channel/too-long", test_too_long);
  ADD ("/guest-channel/too-many", test_too_many);
  ADD ("/guest-channel/end", test_end);
  ADD ("/guest-channel/cells", test_cells);
  ADD ("/guest-channel/too-many-replies", test_too_many_replies);
  return g_test_run ();
}
