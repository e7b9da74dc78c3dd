/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "relay.h"

#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REFUSED 3

/* The test is client and host at once; the relay is a child. */
typedef struct
{
  int client;
  int host;
  pid_t pid;
  _Atomic uint64_t *total;
  struct tls_handshake *handshake; /* NULL in most */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->total =
      mmap (NULL, sizeof *self->total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self->total != MAP_FAILED);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  munmap ((void *) self->total, sizeof *self->total);
}

static void
start (Fixture *self, bool has_limit, uint64_t limit, const char *first)
{
  int clients[2];
  int hosts[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, clients), ==, 0);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, hosts), ==, 0);
  self->client = clients[0];
  self->host = hosts[0];
  self->pid = fork ();
  g_assert_cmpint (self->pid, >=, 0);
  if (self->pid == 0)
    {
      const struct relay relay = { .client = clients[1],
                                   .host = hosts[1],
                                   .has_limit = has_limit,
                                   .limit = limit,
                                   .total = self->total,
                                   .handshake = self->handshake };

      close (clients[0]);
      close (hosts[0]);
      _exit (relay_run (&relay, first, strlen (first)) ? 0 : REFUSED);
    }
  close (clients[1]);
  close (hosts[1]);
}

/* The relay has ended by itself. */
static void
finish_with (Fixture *self, int code)
{
  int status;

  g_assert_cmpint (waitpid (self->pid, &status, 0), ==, self->pid);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == code);
  if (self->client >= 0)
    close (self->client);
  if (self->host >= 0)
    close (self->host);
}

static void
finish (Fixture *self)
{
  finish_with (self, 0);
}

static void
say (int fd, const char *text)
{
  g_assert_cmpint (send (fd, text, strlen (text), MSG_NOSIGNAL), ==, strlen (text));
}

static void
assert_hears (int fd, const char *text)
{
  char heard[100];
  ssize_t size = recv (fd, heard, strlen (text), MSG_WAITALL);

  g_assert_cmpmem (heard, size, text, strlen (text));
}

static void
assert_ended (int fd)
{
  char byte;

  g_assert_cmpint (recv (fd, &byte, 1, 0), ==, 0);
}

static void
test_both_ways (Fixture *self, gconstpointer data)
{
  start (self, false, 0, "first ");
  say (self->client, "second");
  assert_hears (self->host, "first second");
  say (self->host, "answer");
  assert_hears (self->client, "answer");
  shutdown (self->client, SHUT_WR);
  assert_ended (self->host);
  /* Who has said everything can still listen. */
  say (self->host, "more");
  assert_hears (self->client, "more");
  shutdown (self->host, SHUT_WR);
  assert_ended (self->client);
  finish (self);
  g_assert_cmpint (atomic_load (self->total),
                   ==,
                   strlen ("second"
                           "answer"
                           "more"));
}

static void
test_limit (Fixture *self, gconstpointer data)
{
  start (self, true, 8, "12345");
  say (self->client, "6789");
  assert_hears (self->host, "12345678");
  say (self->client, "GET /secret");
  say (self->host, "response");
  assert_hears (self->client, "response");
  shutdown (self->host, SHUT_WR);
  finish (self);
}

static void
test_limit_within_what_was_said (Fixture *self, gconstpointer data)
{
  char rest[10];

  start (self, true, 3, "12345");
  assert_hears (self->host, "123");
  shutdown (self->host, SHUT_WR);
  g_assert_cmpint (waitpid (self->pid, NULL, 0), ==, self->pid);
  g_assert_cmpint (recv (self->host, rest, sizeof rest, 0), ==, 0);
  close (self->client);
  close (self->host);
}

/* More than fits into all buffers between the two. */
static void
test_much (Fixture *self, gconstpointer data)
{
  const size_t size = 20 * 1024 * 1024;
  g_autofree char *sent = g_malloc (size);
  g_autofree char *heard = g_malloc (size);
  pid_t sender;

  for (size_t i = 0; i < size; i++)
    sent[i] = (char) (i * 7 + i / 251);
  start (self, false, 0, "");
  sender = fork ();
  if (sender == 0)
    {
      size_t done = 0;

      while (done < size)
        done += (size_t) send (self->host, sent + done, size - done, MSG_NOSIGNAL);
      _exit (0);
    }
  close (self->host);
  self->host = -1;
  g_usleep (20000);
  g_assert_cmpint (recv (self->client, heard, size, MSG_WAITALL), ==, size);
  g_assert_true (memcmp (sent, heard, size) == 0);
  assert_ended (self->client);
  shutdown (self->client, SHUT_WR);
  waitpid (sender, NULL, 0);
  finish (self);
}

static void
test_one_side_vanishes (Fixture *self, gconstpointer data)
{
  start (self, false, 0, "words that are not read");
  close (self->host);
  self->host = -1;
  assert_ended (self->client);
  close (self->client);
  self->client = -1;
  finish (self);

  start (self, true, 0, "");
  close (self->client);
  self->client = -1;
  say (self->host, "unread");
  shutdown (self->host, SHUT_WR);
  finish (self);
}

/* What must not be passed on ends it, and what came before has arrived. */
static void
test_handshake (Fixture *self, gconstpointer data)
{
  struct tls_handshake handshake;

  self->handshake = &handshake;
  tls_handshake_init (&handshake, "host.example");
  handshake.stage = TLS_STAGE_ANSWER;
  start (self, false, 0, "\x17\3\3\1\1");
  say (self->client, "early");
  assert_hears (self->host, "\x17\3\3\1\1early");
  say (self->host, "no TLS at all");
  assert_hears (self->client, "no TLS at all");
  say (self->client, "it is theirs now");
  assert_hears (self->host, "it is theirs now");
  shutdown (self->client, SHUT_WR);
  shutdown (self->host, SHUT_WR);
  finish (self);

  start (self, false, 0, "\x17\3\3\1\1");
  assert_hears (self->host, "\x17\3\3\1\1");
  say (self->client, "early");
  assert_hears (self->host, "early");
  for (int i = 0; i < 252; i++)
    say (self->client, "x");
  say (self->client, "\x16\3\3\1\1hello");
  finish_with (self, REFUSED);

  start (self, false, 0, "what is no record");
  finish_with (self, REFUSED);
}

static void
test_all_that_a_run_may_carry (Fixture *self, gconstpointer data)
{
  atomic_store (self->total, RELAY_MAX_BYTES - 5);
  start (self, false, 0, "");
  say (self->client, "1234");
  assert_hears (self->host, "1234");
  say (self->client, "5678");
  assert_hears (self->host, "5678");
  assert_ended (self->host);
  finish (self);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  ADD ("/relay/both-ways", test_both_ways);
  ADD ("/relay/limit", test_limit);
  ADD ("/relay/limit-within-what-was-said", test_limit_within_what_was_said);
  ADD ("/relay/much", test_much);
  ADD ("/relay/one-side-vanishes", test_one_side_vanishes);
  ADD ("/relay/handshake", test_handshake);
  ADD ("/relay/all-that-a-run-may-carry", test_all_that_a_run_may_carry);
#undef ADD
  return g_test_run ();
}
