/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-list.h"

#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct fixture
{
  struct control_channel control;
  struct attempt_list list;
  struct fh_frame_reader reader;
  int backend;
};

static void
set_up (struct fixture *fixture, const void *data)
{
  int sockets[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, sockets), ==, 0);
  g_assert_true (control_channel_init (&fixture->control, sockets[0], sockets[0]));
  g_assert_true (attempt_list_init (&fixture->list));
  g_assert_true (fh_frame_reader_init (&fixture->reader));
  fixture->backend = sockets[1];
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  close (fixture->control.in);
  close (fixture->backend);
  control_channel_clear (&fixture->control);
  attempt_list_clear (&fixture->list);
  fh_frame_reader_clear (&fixture->reader);
}

static void
add (struct fixture *fixture, enum fh_wire_verdict verdict, const char *object)
{
  const struct fh_attempt attempt = {
    .guard = FH_WIRE_GUARD_FILESYSTEM,
    .verdict = (uint8_t) verdict,
    .error = 2,
    .time_us = 77,
    .process = 5,
    .layer = "mount",
    .operation = "open",
    .object = object,
    .command = "python3",
  };

  attempt_list_add (&fixture->list, &attempt);
}

/* The next frame that was sent; false when there is none. */
static bool
next_frame (struct fixture *fixture, struct fh_frame *frame)
{
  int result;

  while ((result = fh_frame_reader_next (&fixture->reader, frame)) == 0)
    {
      size_t room;
      uint8_t *space = fh_frame_reader_space (&fixture->reader, &room);
      ssize_t n;

      control_channel_flush (&fixture->control);
      n = recv (fixture->backend, space, room, MSG_DONTWAIT);
      if (n <= 0)
        return false;
      fh_frame_reader_filled (&fixture->reader, (size_t) n);
    }
  return result == 1;
}

static void
assert_told (struct fixture *fixture, uint32_t id, uint32_t count, const char *object)
{
  struct fh_frame frame;
  struct fh_attempt attempt;

  g_assert_true (next_frame (fixture, &frame));
  g_assert_cmpint (frame.kind, ==, FH_FRAME_ATTEMPT);
  g_assert_true (fh_attempt_decode (&attempt, frame.payload, frame.size));
  g_assert_cmpuint (attempt.id, ==, id);
  g_assert_cmpuint (attempt.count, ==, count);
  g_assert_cmpstr (attempt.object, ==, object);
  g_assert_cmpstr (attempt.layer, ==, "mount");
  g_assert_cmpstr (attempt.operation, ==, "open");
  g_assert_cmpstr (attempt.command, ==, "python3");
  g_assert_cmpuint (attempt.time_us, ==, 77);
  fh_attempt_clear (&attempt);
}

static void
assert_nothing_told (struct fixture *fixture)
{
  struct fh_frame frame;

  g_assert_false (next_frame (fixture, &frame));
}

static void
test_same_is_counted (struct fixture *fixture, const void *data)
{
  add (fixture, FH_WIRE_HIDDEN, "/a");
  add (fixture, FH_WIRE_HIDDEN, "/a");
  add (fixture, FH_WIRE_DENIED, "/a");
  add (fixture, FH_WIRE_HIDDEN, "/b");
  attempt_list_send (&fixture->list, &fixture->control);
  assert_told (fixture, 0, 2, "/a");
  assert_told (fixture, 1, 1, "/a");
  assert_told (fixture, 2, 1, "/b");
  attempt_list_send (&fixture->list, &fixture->control);
  attempt_list_conclude (&fixture->list, &fixture->control);
  assert_nothing_told (fixture);
}

/* One that was let through is not told as perhaps in vain, nor the other way round. */
static void
test_uncertain_is_told_apart (struct fixture *fixture, const void *data)
{
  struct fh_attempt attempt = {
    .verdict = FH_WIRE_OBSERVED,
    .layer = "mount",
    .operation = "open",
    .object = "/a",
    .command = "python3",
    .time_us = 77,
  };

  attempt_list_add (&fixture->list, &attempt);
  attempt.flags = FH_ATTEMPT_IS_UNCERTAIN;
  attempt_list_add (&fixture->list, &attempt);
  attempt_list_add (&fixture->list, &attempt);
  attempt_list_send (&fixture->list, &fixture->control);
  assert_told (fixture, 0, 1, "/a");
  assert_told (fixture, 1, 2, "/a");
}

static void
test_counts_wait (struct fixture *fixture, const void *data)
{
  add (fixture, FH_WIRE_HIDDEN, "/a");
  attempt_list_send (&fixture->list, &fixture->control);
  assert_told (fixture, 0, 1, "/a");
  g_assert_cmpuint (fixture->list.next_us, ==, UINT64_MAX);
  add (fixture, FH_WIRE_HIDDEN, "/a");
  attempt_list_send (&fixture->list, &fixture->control);
  assert_nothing_told (fixture);
  g_assert_cmpuint (fixture->list.next_us, <, UINT64_MAX);
  add (fixture, FH_WIRE_HIDDEN, "/a");
  fixture->list.next_us = 0;
  attempt_list_send (&fixture->list, &fixture->control);
  assert_told (fixture, 0, 3, "/a");
  g_assert_cmpuint (fixture->list.next_us, ==, UINT64_MAX);
  add (fixture, FH_WIRE_HIDDEN, "/a");
  attempt_list_conclude (&fixture->list, &fixture->control);
  assert_told (fixture, 0, 4, "/a");
  assert_nothing_told (fixture);
}

static void
test_places (struct fixture *fixture, const void *data)
{
  struct fh_frame frame;
  uint64_t dropped;
  unsigned int n = 0;
  char name[32];

  for (int i = 0; i < FH_ATTEMPTS_MAX; i++)
    {
      g_snprintf (name, sizeof name, "/observed/%d", i);
      add (fixture, FH_WIRE_OBSERVED, name);
    }
  g_assert_cmpuint (fixture->list.n, ==, ATTEMPTS_OBSERVED_MAX);
  for (int i = 0; i < FH_ATTEMPTS_MAX; i++)
    {
      g_snprintf (name, sizeof name, "/denied/%d", i);
      add (fixture, FH_WIRE_DENIED, name);
    }
  g_assert_cmpuint (fixture->list.n, ==, ATTEMPTS_OF_SUBJECT_MAX);
  add (fixture, FH_WIRE_DENIED, "/denied/0");
  attempt_list_conclude (&fixture->list, &fixture->control);
  while (next_frame (fixture, &frame) && frame.kind == FH_FRAME_ATTEMPT)
    n++;
  g_assert_cmpuint (n, ==, ATTEMPTS_OF_SUBJECT_MAX);
  g_assert_cmpint (frame.kind, ==, FH_FRAME_ATTEMPTS_DROPPED);
  g_assert_true (fh_attempts_dropped_decode (&dropped, frame.payload, frame.size));
  g_assert_cmpuint (dropped, ==, 2 * FH_ATTEMPTS_MAX - ATTEMPTS_OF_SUBJECT_MAX);
}

/* A thousand files do not hide a key, an address or a system call, nor those what comes last. */
static void
test_places_of_subjects (struct fixture *fixture, const void *data)
{
  struct fh_attempt attempt = { .verdict = FH_WIRE_DENIED, .layer = "mount", .command = "" };
  char name[32];

  attempt.object = name;
  for (int i = 0; i < 2 * FH_ATTEMPTS_MAX; i++)
    {
      g_snprintf (name, sizeof name, "/denied/%d", i);
      add (fixture, FH_WIRE_DENIED, name);
    }
  attempt.operation = "connect";
  attempt.guard = FH_WIRE_GUARD_NETWORK;
  for (int i = 0; i < FH_ATTEMPTS_MAX; i++)
    {
      g_snprintf (name, sizeof name, "192.0.2.1:%d", i);
      attempt_list_add (&fixture->list, &attempt);
    }
  add (fixture, FH_WIRE_HIDDEN, "~/.ssh/id_rsa");
  add (fixture, FH_WIRE_HIDDEN, "/home/ada/.aws/credentials");
  add (fixture, FH_WIRE_HIDDEN, "~/not/a.ssh/key");
  attempt.guard = FH_WIRE_GUARD_SYSTEM_CALLS;
  attempt.operation = "ptrace";
  g_strlcpy (name, "TRACEME", sizeof name);
  attempt_list_add (&fixture->list, &attempt);
  g_assert_cmpuint (fixture->list.n_of[ATTEMPT_SUBJECT_FILES], ==, ATTEMPTS_OF_SUBJECT_MAX);
  g_assert_cmpuint (fixture->list.n_of[ATTEMPT_SUBJECT_NETWORK], ==, ATTEMPTS_OF_SUBJECT_MIN);
  g_assert_cmpuint (fixture->list.n_of[ATTEMPT_SUBJECT_SECRETS], ==, 2);
  g_assert_cmpuint (fixture->list.n_of[ATTEMPT_SUBJECT_SYSTEM], ==, 1);
  g_assert_cmpstr (fixture->list.kept[fixture->list.n - 1].object, ==, "TRACEME");
}

static void
test_long_strings (struct fixture *fixture, const void *data)
{
  g_autofree char *longest = g_strnfill (FH_ATTEMPT_OBJECT_MAX, 'x');
  g_autofree char *too_long = g_strnfill (FH_ATTEMPT_OBJECT_MAX * 4, 'x');

  add (fixture, FH_WIRE_HIDDEN, too_long);
  add (fixture, FH_WIRE_HIDDEN, longest);
  attempt_list_send (&fixture->list, &fixture->control);
  assert_told (fixture, 0, 2, longest);
  assert_nothing_told (fixture);
}

static void
test_slow_backend (struct fixture *fixture, const void *data)
{
  static uint8_t much[2 * 1024 * 1024];

  add (fixture, FH_WIRE_HIDDEN, "/a");
  fh_buffer_put_raw (&fixture->control.pending, much, sizeof much);
  attempt_list_send (&fixture->list, &fixture->control);
  g_assert_cmpuint (control_channel_pending (&fixture->control), ==, sizeof much);
  fixture->control.pending.size = 0;
  attempt_list_send (&fixture->list, &fixture->control);
  assert_told (fixture, 0, 1, "/a");
}

static void
test_off (void)
{
  struct attempt_list list = { .next_us = UINT64_MAX };
  struct control_channel control = { .in = -1 };
  const struct fh_attempt attempt = { .operation = "open", .object = "", .command = "" };

  attempt_list_add (&list, &attempt);
  attempt_list_send (&list, &control);
  attempt_list_conclude (&list, &control);
  g_assert_cmpuint (list.n, ==, 0);
  g_assert_cmpuint (list.dropped, ==, 0);
  g_assert_cmpuint (control_channel_pending (&control), ==, 0);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (struct fixture *, const void *);
  } tests[] = {
    { "/attempt-list/same-is-counted", test_same_is_counted },
    { "/attempt-list/uncertain-is-told-apart", test_uncertain_is_told_apart },
    { "/attempt-list/counts-wait", test_counts_wait },
    { "/attempt-list/places", test_places },
    { "/attempt-list/places-of-subjects", test_places_of_subjects },
    { "/attempt-list/long-strings", test_long_strings },
    { "/attempt-list/slow-backend", test_slow_backend },
  };

  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, struct fixture, NULL, set_up, tests[i].test, tear_down);
  g_test_add_func ("/attempt-list/off", test_off);
  return g_test_run ();
}
