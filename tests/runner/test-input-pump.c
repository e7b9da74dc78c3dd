/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-pump.h"

#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <unistd.h>

static void
turn (struct input_pump *pump)
{
  struct pollfd fds[2];

  input_pump_prepare (pump, fds);
  g_assert_cmpint (poll (fds, 2, 100), >=, 0);
  input_pump_move (pump, fds);
}

static void
test_everything_and_the_end_are_passed_on (void)
{
  struct input_pump *pump = g_new0 (struct input_pump, 1);
  int source[2], guest[2];
  char buffer[16];

  g_assert_cmpint (pipe (source), ==, 0);
  g_assert_cmpint (pipe2 (guest, O_NONBLOCK), ==, 0);
  input_pump_init (pump, source[0], guest[1]);
  g_assert_cmpint (write (source[1], "text", 4), ==, 4);
  turn (pump);
  g_assert_cmpint (read (guest[0], buffer, sizeof buffer), ==, 4);
  g_assert_cmpmem (buffer, 4, "text", 4);
  turn (pump);
  g_assert_cmpint (read (guest[0], buffer, sizeof buffer), ==, -1);
  close (source[1]);
  turn (pump);
  g_assert_cmpint (read (guest[0], buffer, sizeof buffer), ==, 0);
  g_assert_cmpint (pump->to, ==, -1);
  close (source[0]);
  close (guest[0]);
  g_free (pump);
}

static void
test_guest_does_not_read (void)
{
  struct input_pump *pump = g_new0 (struct input_pump, 1);
  int zero = open ("/dev/zero", O_RDONLY);
  struct pollfd fds[2];
  int guest[2];

  g_assert_cmpint (pipe2 (guest, O_NONBLOCK), ==, 0);
  input_pump_init (pump, zero, guest[1]);
  for (int i = 0; i < 5; i++)
    turn (pump);
  /* Full: nothing more is read before it is empty again. */
  input_pump_prepare (pump, fds);
  g_assert_cmpint (fds[0].fd, ==, -1);
  g_assert_cmpint (fds[1].events, ==, POLLOUT);
  close (guest[0]);
  turn (pump);
  g_assert_cmpint (pump->to, ==, -1);
  close (zero);
  g_free (pump);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/input-pump/everything-and-the-end", test_everything_and_the_end_are_passed_on);
  g_test_add_func ("/input-pump/guest-does-not-read", test_guest_does_not_read);
  return g_test_run ();
}
