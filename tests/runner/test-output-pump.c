/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-pump.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct fixture
{
  struct control_channel control;
  struct output_pump pump;
  int backend;
  int guest;
};

static void
set_up (struct fixture *fixture, const void *limit)
{
  int sockets[2];
  int pipes[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, sockets), ==, 0);
  g_assert_cmpint (pipe2 (pipes, O_NONBLOCK), ==, 0);
  g_assert_true (control_channel_init (&fixture->control, sockets[0], sockets[0]));
  fixture->backend = sockets[1];
  fixture->guest = pipes[1];
  output_pump_init (&fixture->pump, pipes[0], FH_WIRE_STDERR, GPOINTER_TO_SIZE (limit));
}

static void
tear_down (struct fixture *fixture, const void *limit)
{
  output_pump_close (&fixture->pump);
  close (fixture->control.in);
  close (fixture->backend);
  if (fixture->guest >= 0)
    close (fixture->guest);
  control_channel_clear (&fixture->control);
}

static void
assert_frame (struct fixture *fixture, const char *text, uint64_t time_us)
{
  struct fh_frame_reader reader;
  struct fh_frame frame;
  struct fh_output output;
  size_t room;
  uint8_t *space;

  g_assert_true (fh_frame_reader_init (&reader));
  space = fh_frame_reader_space (&reader, &room);
  control_channel_flush (&fixture->control);
  fh_frame_reader_filled (&reader, (size_t) recv (fixture->backend, space, room, MSG_DONTWAIT));
  g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, 1);
  g_assert_cmpint (frame.kind, ==, FH_FRAME_OUTPUT);
  g_assert_true (fh_output_decode (&output, frame.payload, frame.size));
  g_assert_cmpint (output.stream, ==, FH_WIRE_STDERR);
  g_assert_cmpuint (output.time_us, ==, time_us);
  g_assert_cmpmem (output.data, output.size, text, strlen (text));
  g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, 0);
  fh_frame_reader_clear (&reader);
}

static void
test_move (struct fixture *fixture, const void *limit)
{
  g_assert_false (output_pump_move (&fixture->pump, &fixture->control, 1));
  g_assert_cmpuint (control_channel_pending (&fixture->control), ==, 0);
  g_assert_cmpint (write (fixture->guest, "text", 4), ==, 4);
  output_pump_move (&fixture->pump, &fixture->control, 77);
  assert_frame (fixture, "text", 77);
  close (fixture->guest);
  fixture->guest = -1;
  g_assert_false (output_pump_move (&fixture->pump, &fixture->control, 99));
  g_assert_cmpint (fixture->pump.fd, ==, -1);
  g_assert_cmpuint (fixture->pump.total, ==, 4);
  g_assert_false (fixture->pump.over_limit);
}

static void
test_lines (struct fixture *fixture, const void *limit)
{
  g_assert_false (fixture->pump.is_in_line);
  g_assert_cmpint (write (fixture->guest, "one\ntwo", 7), ==, 7);
  output_pump_move (&fixture->pump, &fixture->control, 1);
  g_assert_true (fixture->pump.is_in_line);
  g_assert_false (output_pump_move (&fixture->pump, &fixture->control, 1));
  g_assert_true (fixture->pump.is_in_line);
  g_assert_cmpint (write (fixture->guest, "\n", 1), ==, 1);
  output_pump_move (&fixture->pump, &fixture->control, 1);
  g_assert_false (fixture->pump.is_in_line);
}

static void
test_limit (struct fixture *fixture, const void *limit)
{
  g_assert_cmpint (write (fixture->guest, "abc", 3), ==, 3);
  output_pump_move (&fixture->pump, &fixture->control, 1);
  assert_frame (fixture, "abc", 1);
  g_assert_false (fixture->pump.over_limit);
  g_assert_cmpint (write (fixture->guest, "defgh", 5), ==, 5);
  output_pump_move (&fixture->pump, &fixture->control, 2);
  assert_frame (fixture, "de", 2);
  g_assert_true (fixture->pump.over_limit);
  g_assert_cmpint (write (fixture->guest, "ij", 2), ==, 2);
  output_pump_move (&fixture->pump, &fixture->control, 3);
  g_assert_cmpuint (control_channel_pending (&fixture->control), ==, 0);
  g_assert_cmpuint (fixture->pump.total, ==, 10);
}

static void
test_exactly_the_limit (struct fixture *fixture, const void *limit)
{
  g_assert_cmpint (write (fixture->guest, "abcde", 5), ==, 5);
  output_pump_move (&fixture->pump, &fixture->control, 1);
  assert_frame (fixture, "abcde", 1);
  g_assert_false (fixture->pump.over_limit);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/output-pump/move", struct fixture, NULL, set_up, test_move, tear_down);
  g_test_add ("/output-pump/lines", struct fixture, NULL, set_up, test_lines, tear_down);
  g_test_add ("/output-pump/limit",
              struct fixture,
              GSIZE_TO_POINTER (5),
              set_up,
              test_limit,
              tear_down);
  g_test_add ("/output-pump/exactly-the-limit",
              struct fixture,
              GSIZE_TO_POINTER (5),
              set_up,
              test_exactly_the_limit,
              tear_down);
  return g_test_run ();
}
