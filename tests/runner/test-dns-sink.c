/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dns-sink.h"

#include <arpa/inet.h>
#include <glib.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define A    1
#define AAAA 28

typedef struct
{
  struct dns_sink sink;
  struct attempt_list attempts;
  struct sockaddr_in address;
  int client;
} Fixture;

static int
make_socket (void)
{
  const struct sockaddr_in address = { .sin_family = AF_INET,
                                       .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = socket (AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (bind (fd, (const struct sockaddr *) &address, sizeof address), ==, 0);
  return fd;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  int fd = make_socket ();
  socklen_t size = sizeof self->address;

  getsockname (fd, (struct sockaddr *) &self->address, &size);
  dns_sink_init (&self->sink, fd);
  g_assert_true (attempt_list_init (&self->attempts));
  self->client = make_socket ();
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  dns_sink_close (&self->sink);
  attempt_list_clear (&self->attempts);
  close (self->client);
}

/* A name of one label. */
static void
ask_from (Fixture *self, int client, const char *name, uint8_t type)
{
  uint8_t message[64] = { 0, 7, 1, 0, 0, 1 };
  const size_t length = strlen (name);

  message[12] = (uint8_t) length;
  memcpy (message + 13, name, length);
  message[13 + length + 2] = type;
  message[13 + length + 4] = 1;
  sendto (client,
          message,
          13 + length + 5,
          0,
          (struct sockaddr *) &self->address,
          sizeof self->address);
}

static void
ask (Fixture *self, const char *name, uint8_t type)
{
  ask_from (self, self->client, name, type);
}

static guint
count_answers (Fixture *self)
{
  uint8_t answer[DNS_MESSAGE_MAX];
  guint n = 0;

  while (recv (self->client, answer, sizeof answer, MSG_DONTWAIT) > 0)
    n++;
  return n;
}

static void
assert_attempt (Fixture *self, guint number, const char *name, guint count)
{
  const struct fh_attempt *attempt = &self->attempts.kept[number].attempt;

  g_assert_cmpstr (attempt->object, ==, name);
  g_assert_cmpstr (attempt->operation, ==, "look up");
  g_assert_cmpstr (attempt->layer, ==, "dns");
  g_assert_cmpint (attempt->guard, ==, FH_WIRE_GUARD_NETWORK);
  g_assert_cmpint (attempt->verdict, ==, FH_WIRE_DENIED);
  g_assert_cmpint (attempt->count, ==, count);
}

static void
test_both_halves_are_one (Fixture *self, gconstpointer data)
{
  ask (self, "one", A);
  ask (self, "one", AAAA);
  ask (self, "one", AAAA);
  ask (self, "one", A);
  ask (self, "two", A);
  ask (self, "one", A);
  ask (self, "one", A);
  dns_sink_move (&self->sink, &self->attempts, 5);
  g_assert_cmpint (count_answers (self), ==, 7);
  g_assert_cmpint (self->attempts.n, ==, 2);
  assert_attempt (self, 0, "one", 4);
  assert_attempt (self, 1, "two", 1);
  g_assert_cmpint (self->attempts.kept[0].attempt.time_us, ==, 5);
}

static void
test_other_ports_are_others (Fixture *self, gconstpointer data)
{
  int other = make_socket ();

  ask (self, "one", A);
  ask_from (self, other, "one", AAAA);
  dns_sink_move (&self->sink, &self->attempts, 0);
  assert_attempt (self, 0, "one", 2);
  close (other);
}

static void
test_what_is_no_question (Fixture *self, gconstpointer data)
{
  static const uint8_t bytes[600] = { 0 };
  const size_t sizes[] = { 0, 1, 12, sizeof bytes };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    sendto (self->client,
            bytes,
            sizes[i],
            0,
            (struct sockaddr *) &self->address,
            sizeof self->address);
  dns_sink_move (&self->sink, &self->attempts, 0);
  g_assert_cmpint (count_answers (self), ==, 2);
  g_assert_cmpint (self->attempts.n, ==, 0);
}

/* However many wait, a turn is short and a period has its end; then it goes on. */
static void
test_flood (Fixture *self, gconstpointer data)
{
  guint turns = 0;
  struct pollfd fd;

  self->sink.period_end_us = UINT64_MAX - 1;
  while (self->sink.rests_until_us == UINT64_MAX && turns < 50)
    {
      for (int i = 0; i < 40; i++)
        ask (self, "flood", A);
      dns_sink_move (&self->sink, &self->attempts, 0);
      g_assert_cmpint (self->sink.taken, <=, 32 * (turns + 1));
      turns++;
    }
  g_assert_cmpint (self->sink.taken, ==, 250);
  g_assert_cmpint (turns, ==, 8);
  dns_sink_prepare (&self->sink, &fd);
  g_assert_cmpint (fd.fd, ==, -1);
  self->sink.period_end_us = 0;
  dns_sink_move (&self->sink, &self->attempts, 0);
  g_assert_cmpint (self->sink.taken, ==, 32);
  dns_sink_prepare (&self->sink, &fd);
  g_assert_cmpint (fd.fd, ==, self->sink.fd);
}

static void
test_without_a_socket (void)
{
  struct dns_sink sink;
  struct attempt_list attempts;
  struct pollfd fd;

  g_assert_true (attempt_list_init (&attempts));
  dns_sink_init (&sink, -1);
  dns_sink_prepare (&sink, &fd);
  g_assert_cmpint (fd.fd, ==, -1);
  dns_sink_move (&sink, &attempts, 0);
  g_assert_cmpint (attempts.n, ==, 0);
  dns_sink_close (&sink);
  attempt_list_clear (&attempts);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  ADD ("/dns-sink/both-halves-are-one", test_both_halves_are_one);
  ADD ("/dns-sink/other-ports-are-others", test_other_ports_are_others);
  ADD ("/dns-sink/what-is-no-question", test_what_is_no_question);
  ADD ("/dns-sink/flood", test_flood);
#undef ADD
  g_test_add_func ("/dns-sink/without-a-socket", test_without_a_socket);
  return g_test_run ();
}
