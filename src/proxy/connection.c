/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "connection.h"

#include "host-connection.h"
#include "relay.h"
#include "request-head.h"
#include "tls-hello.h"
#include "wire-proxy.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Time limit for a complete head. */
#define HEAD_MS 10000

/* Time limit for look-up and connection, enforced by SIGALRM. */
#define HOST_SECONDS 60

/* If the connection is closed while the client still sends, it loses the refusal. */
#define LINGER_MS 1000

/* Room for record headers, and for what came after the request's head. */
#define HELLO_SIZE (TLS_HELLO_MAX + REQUEST_HEAD_MAX)

static const char established[] = "HTTP/1.1 200 Connection established\r\n\r\n";

/* Fatal alerts, RFC 8446 §6: unrecognized_name, as from a server without such a name, and
 * access_denied. */
static const char unrecognized_name[] = { 21, 3, 3, 0, 2, 2, 112 };
static const char access_denied[] = { 21, 3, 3, 0, 2, 2, 49 };

/* Reported instead of a name that only the host can read. */
static const char encrypted_name[] = "a host name that is encrypted (ECH)";

struct refusal
{
  const char *status;
  const char *sentence;
};

static const struct refusal too_slow = { "408 Request Timeout",
                                         "The request did not arrive within 10 seconds." };
static const struct refusal too_large = { "431 Request Header Fields Too Large",
                                          "The request head is larger than 8 KiB." };
static const struct refusal not_understood = { "400 Bad Request", "The request is invalid." };
static const struct refusal no_length = { "411 Length Required",
                                          "A request with a body needs a Content-Length." };
static const struct refusal not_allowed = { "403 Forbidden",
                                            "This host is not allowed for this run." };
static const struct refusal other_host = { "403 Forbidden",
                                           "The Host field does not match the request." };
static const struct refusal other_port = { "403 Forbidden", "Only ports 80 and 443 are allowed." };
static const struct refusal private_host = {
  "403 Forbidden",
  "This name has a private address, which is not allowed."
};
static const struct refusal near_host = {
  "403 Forbidden",
  "This name has an address of this computer or its local network, which is not allowed."
};
static const struct refusal unchecked_host = {
  "403 Forbidden",
  "This computer's addresses could not be listed, so no host is allowed."
};
static const struct refusal unknown_host = { "502 Bad Gateway", "The host was not found." };
static const struct refusal unreachable_host = { "502 Bad Gateway",
                                                 "The host could not be reached." };

static int64_t
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);
  return now.tv_sec * INT64_C (1000) + now.tv_nsec / 1000000;
}

static void
send_all (int fd, const char *bytes, size_t size)
{
  while (size > 0)
    {
      ssize_t sent = send (fd, bytes, size, MSG_NOSIGNAL);

      if (sent < 0 && errno != EINTR)
        return;
      if (sent > 0)
        {
          bytes += sent;
          size -= (size_t) sent;
        }
    }
}

/* Waits a moment until the other end has read everything. */
static void
linger (int fd)
{
  const int64_t end = now_ms () + LINGER_MS;
  char rest[4096];

  shutdown (fd, SHUT_WR);
  while (now_ms () < end)
    {
      struct pollfd ready = { .fd = fd, .events = POLLIN };

      if (poll (&ready, 1, LINGER_MS) != 1 || recv (fd, rest, sizeof rest, MSG_DONTWAIT) <= 0)
        return;
    }
}

static void
refuse (const struct connection *self, const struct refusal *refusal)
{
  char text[512];
  int size = snprintf (text,
                       sizeof text,
                       "HTTP/1.1 %s\r\n"
                       "Content-Type: text/plain\r\n"
                       "Content-Length: %zu\r\n"
                       "Connection: close\r\n"
                       "\r\n"
                       "%s\n",
                       refusal->status,
                       strlen (refusal->sentence) + 1,
                       refusal->sentence);

  send_all (self->client, text, (size_t) size);
  linger (self->client);
}

static void
report_text (const struct connection *self, bool is_refused, const char *text, size_t size)
{
  struct fh_proxy_report report = { .is_refused = is_refused };

  if (size >= sizeof report.object)
    size = sizeof report.object - 1;
  memcpy (report.object, text, size);
  send (self->report, &report, sizeof report, MSG_NOSIGNAL);
}

static void
report_host (const struct connection *self, bool is_refused, const struct request_host *host)
{
  const bool is_address = strchr (host->name, ':') != NULL;
  char text[REQUEST_HOST_SIZE + 16];
  int size = snprintf (text,
                       sizeof text,
                       is_address ? "[%s]:%u" : "%s:%u",
                       host->name,
                       (unsigned int) host->port);

  report_text (self, is_refused, text, (size_t) size);
}

/* Reports the name as the program wrote it, with the tunnel's port. */
static void
report_name (const struct connection *self, const char *name, uint16_t port)
{
  char text[TLS_NAME_SIZE + 16];
  int size = snprintf (text, sizeof text, "%s:%u", name, (unsigned int) port);

  report_text (self, true, text, (size_t) size);
}

/* Refuses a hello in a tunnel that is not for the tunnel's host, or could be for another. */
static void
report_hello (const struct connection *self,
              const struct request_host *host,
              enum tls_hello hello,
              const char *name)
{
  report_host (self, true, host);
  if (hello == TLS_HELLO_ENCRYPTED)
    report_text (self, true, encrypted_name, sizeof encrypted_name - 1);
  else if (name[0] != '\0' && strcmp (name, host->name) != 0)
    report_name (self, name, host->port);
}

static bool
is_allowed (const struct connection *self, const char *name)
{
  for (size_t i = 0; self->hosts[i] != NULL; i++)
    {
      if (strcmp (self->hosts[i], name) == 0)
        return true;
    }
  return false;
}

/* NULL if the request may be looked up. */
static const struct refusal *
judge (const struct connection *self, const struct request_head *head)
{
  if (!is_allowed (self, head->host.name))
    return &not_allowed;
  if (!request_head_agrees (head))
    return &other_host;
  if (head->host.port != 80 && head->host.port != 443)
    return &other_port;
  return head->is_chunked && !head->is_tunnel ? &no_length : NULL;
}

/* NULL for HOST_CONNECTED. */
static const struct refusal *
refusal_of (enum host_answer answer)
{
  switch (answer)
    {
    case HOST_CONNECTED:
      return NULL;
    case HOST_UNKNOWN:
      return &unknown_host;
    case HOST_PRIVATE:
      return &private_host;
    case HOST_NEAR:
      return &near_host;
    case HOST_UNCHECKED:
      return &unchecked_host;
    case HOST_UNREACHABLE:
      break;
    }
  return &unreachable_host;
}

/* False if it does not exist or does not answer. */
static bool
is_forbidden (enum host_answer answer)
{
  return answer == HOST_PRIVATE || answer == HOST_NEAR || answer == HOST_UNCHECKED;
}

/* Returns a socket, or -1 if the request was refused. */
static int
open_host (const struct connection *self, const struct request_head *head)
{
  const struct refusal *refusal = judge (self, head);
  struct host_addresses *addresses = NULL;
  enum host_answer answer = HOST_UNREACHABLE;
  int fd = -1;

  if (refusal == NULL)
    answer = host_look_up (head->host.name, head->host.port, &addresses);
  report_host (self, refusal != NULL || is_forbidden (answer), &head->host);
  if (!request_head_agrees (head))
    report_host (self, true, &head->host_field);
  if (addresses != NULL)
    {
      answer = host_connect (addresses, &fd);
      if (is_forbidden (answer))
        report_host (self, true, &head->host);
    }
  if (refusal == NULL)
    refusal = refusal_of (answer);
  if (refusal != NULL)
    refuse (self, refusal);
  return fd;
}

/* Returns the number of bytes read, including those after the head; 0 if there is no request.
 * `head_size` is set when the head is complete. */
static size_t
read_head (const struct connection *self, char bytes[REQUEST_HEAD_MAX], size_t *head_size)
{
  const int64_t end = now_ms () + HEAD_MS;
  size_t size = 0;

  while ((*head_size = request_head_size (bytes, size)) == 0 && size < REQUEST_HEAD_MAX)
    {
      struct pollfd ready = { .fd = self->client, .events = POLLIN };
      const int64_t left = end - now_ms ();
      ssize_t n;

      if (left <= 0 || poll (&ready, 1, (int) left) == 0)
        {
          refuse (self, &too_slow);
          return 0;
        }
      n = recv (self->client, bytes + size, REQUEST_HEAD_MAX - size, MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        return 0;
      size += n > 0 ? (size_t) n : 0;
    }
  if (*head_size == 0)
    refuse (self, &too_large);
  return *head_size > 0 ? size : 0;
}

/* Everything after the hello is encrypted, so check that it is TLS and for the host that the tunnel
 * was made to, as many names share one address. `size` bytes are there already. Returns the number
 * of bytes in the end, or 0 if it is something else. */
static size_t
read_hello (const struct connection *self,
            const struct request_host *host,
            uint8_t bytes[HELLO_SIZE],
            size_t size)
{
  const int64_t end = now_ms () + HEAD_MS;
  char name[TLS_NAME_SIZE];
  enum tls_hello hello;

  while ((hello = tls_hello_read (bytes, size, name)) == TLS_HELLO_UNFINISHED && size < HELLO_SIZE)
    {
      struct pollfd ready = { .fd = self->client, .events = POLLIN };
      const int64_t left = end - now_ms ();
      ssize_t n;

      if (left <= 0 || poll (&ready, 1, (int) left) == 0)
        return 0;
      n = recv (self->client, bytes + size, HELLO_SIZE - size, MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        return 0;
      size += n > 0 ? (size_t) n : 0;
    }
  if (hello == TLS_HELLO_COMPLETE && strcmp (name, host->name) == 0)
    return size;
  if (hello == TLS_HELLO_COMPLETE)
    send_all (self->client, unrecognized_name, sizeof unrecognized_name);
  if (hello == TLS_HELLO_ENCRYPTED)
    send_all (self->client, access_denied, sizeof access_denied);
  report_hello (self, host, hello, hello == TLS_HELLO_COMPLETE ? name : "");
  return 0;
}

/* Responds to a request without a tunnel, whatever follows the request. */
static void
carry_request (const struct connection *self,
               const struct request_head *head,
               int host,
               const char *body,
               size_t size)
{
  static char rewritten[REQUEST_REWRITTEN_MAX];
  const struct relay relay = {
    .client = self->client,
    .host = host,
    .has_limit = true,
    .limit = head->body_size,
    .total = self->total,
  };

  send_all (host, rewritten, request_head_rewrite (head, rewritten));
  relay_run (&relay, body, size);
}

static void
carry_tunnel (const struct connection *self,
              const struct request_head *head,
              int host,
              const char *first,
              size_t size)
{
  static uint8_t hello[HELLO_SIZE];
  static struct tls_handshake handshake;
  const struct relay relay = {
    .client = self->client,
    .host = host,
    .total = self->total,
    .handshake = &handshake,
  };

  tls_handshake_init (&handshake, head->host.name);
  memcpy (hello, first, size);
  send_all (self->client, established, sizeof established - 1);
  size = read_hello (self, &head->host, hello, size);
  if (size > 0 && !relay_run (&relay, (const char *) hello, size))
    report_hello (self, &head->host, handshake.last, handshake.said);
}

void
connection_serve (const struct connection *self)
{
  static char bytes[REQUEST_HEAD_MAX];
  struct request_head head;
  size_t head_size;
  int host;
  size_t size = read_head (self, bytes, &head_size);

  if (size == 0)
    return;
  if (!request_head_parse (&head, bytes, head_size))
    {
      if (head.target.size > 0)
        report_text (self, true, head.target.at, head.target.size);
      else
        report_text (self, true, "?", 1);
      refuse (self, &not_understood);
      return;
    }
  alarm (HOST_SECONDS);
  host = open_host (self, &head);
  alarm (0);
  if (host < 0)
    return;
  if (head.is_tunnel)
    carry_tunnel (self, &head, host, bytes + head_size, size - head_size);
  else
    carry_request (self, &head, host, bytes + head_size, size - head_size);
  linger (self->client);
}
