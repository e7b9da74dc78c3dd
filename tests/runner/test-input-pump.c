/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-pump.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct fixture
{
  struct input_store store;
  struct input_pump pump;
  int guest;
};

static void
set_up (struct fixture *fixture, gconstpointer data)
{
  int guest[2];

  g_assert_cmpint (pipe2 (guest, O_NONBLOCK), ==, 0);
  fixture->guest = guest[0];
  fixture->pump.to = guest[1];
}

static void
tear_down (struct fixture *fixture, gconstpointer data)
{
  input_pump_close (&fixture->pump);
  input_store_clear (&fixture->store);
  if (fixture->guest >= 0)
    close (fixture->guest);
}

static void
begin (struct fixture *fixture, const char *text, gsize times)
{
  for (gsize i = 0; i < times; i++)
    g_assert_true (input_store_add (&fixture->store, text, strlen (text)));
  input_pump_init (&fixture->pump, &fixture->store, fixture->pump.to);
}

static void
turn (struct input_pump *pump)
{
  struct pollfd fd;

  input_pump_prepare (pump, &fd);
  g_assert_cmpint (poll (&fd, 1, 100), >=, 0);
  input_pump_move (pump, &fd);
}

static void
test_everything_and_the_end (struct fixture *fixture, gconstpointer data)
{
  char buffer[16];

  begin (fixture, "text", 1);
  turn (&fixture->pump);
  g_assert_cmpint (read (fixture->guest, buffer, sizeof buffer), ==, 4);
  g_assert_cmpmem (buffer, 4, "text", 4);
  g_assert_cmpint (read (fixture->guest, buffer, sizeof buffer), ==, 0);
  g_assert_cmpint (fixture->pump.to, ==, -1);
}

static void
test_no_input (struct fixture *fixture, gconstpointer data)
{
  char buffer[1];

  begin (fixture, "", 0);
  turn (&fixture->pump);
  g_assert_cmpint (read (fixture->guest, buffer, sizeof buffer), ==, 0);
}

static void
test_guest_does_not_read (struct fixture *fixture, gconstpointer data)
{
  begin (fixture, "0123456789abcdef", 64 * 1024);
  for (int i = 0; i < 5; i++)
    turn (&fixture->pump);
  /* The pipe is full: it waits. */
  g_assert_cmpint (fixture->pump.to, >=, 0);
  close (g_steal_fd (&fixture->guest));
  turn (&fixture->pump);
  g_assert_cmpint (fixture->pump.to, ==, -1);
}

static void
test_input_that_stays (struct fixture *fixture, gconstpointer data)
{
  char buffer[8];

  fixture->store.is_open = true;
  begin (fixture, "one", 1);
  for (int i = 0; i < 2; i++)
    turn (&fixture->pump);
  g_assert_false (input_pump_is_dry (&fixture->pump));
  g_assert_cmpint (read (fixture->guest, buffer, sizeof buffer), ==, 3);
  g_assert_true (input_pump_is_dry (&fixture->pump));

  g_assert_true (input_store_add (&fixture->store, "two", 3));
  g_assert_false (input_pump_is_dry (&fixture->pump));
  turn (&fixture->pump);
  g_assert_cmpint (read (fixture->guest, buffer, sizeof buffer), ==, 3);
  g_assert_cmpmem (buffer, 3, "two", 3);

  fixture->store.is_open = false;
  turn (&fixture->pump);
  g_assert_cmpint (read (fixture->guest, buffer, sizeof buffer), ==, 0);
  g_assert_false (input_pump_is_dry (&fixture->pump));
}

static void
test_nobody_reads_what_stays (struct fixture *fixture, gconstpointer data)
{
  fixture->store.is_open = true;
  begin (fixture, "", 0);
  close (g_steal_fd (&fixture->guest));
  turn (&fixture->pump);
  g_assert_cmpint (fixture->pump.to, ==, -1);
  g_assert_false (input_pump_is_dry (&fixture->pump));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
#define ADD(path, test) g_test_add (path, struct fixture, NULL, set_up, test, tear_down)
  ADD ("/input-pump/everything-and-the-end", test_everything_and_the_end);
  ADD ("/input-pump/no-input", test_no_input);
  ADD ("/input-pump/guest-does-not-read", test_guest_does_not_read);
  ADD ("/input-pump/input-that-stays", test_input_that_stays);
  ADD ("/input-pump/nobody-reads-what-stays", test_nobody_reads_what_stays);
  return g_test_run ();
}
