/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "connection.h"

#include "descriptor.h"
#include "own-network.h"
#include "public-address.h"
#include "relay.h"
#include "request-head.h"
#include "tls-hello.h"
#include "wire-proxy.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

#define MAX_ADDRESSES 8

/* Per address. */
#define CONNECT_MS 10000

struct host_addresses
{
  size_t n;
  struct
  {
    struct sockaddr_storage address;
    socklen_t size;
  } addresses[MAX_ADDRESSES];
};

/* Returns NULL if there are some, or why not. */
static const struct refusal *
keep_public (struct host_addresses *kept,
             const struct addrinfo *found,
             const struct ifaddrs *interfaces)
{
  const struct refusal *refusal = &private_host;

  for (; found != NULL && kept->n < MAX_ADDRESSES; found = found->ai_next)
    {
      if (found->ai_addrlen > sizeof kept->addresses[0].address ||
          !public_address_is (found->ai_addr))
        continue;
      if (own_network_has (interfaces, found->ai_addr))
        {
          refusal = &near_host;
          continue;
        }
      memcpy (&kept->addresses[kept->n].address, found->ai_addr, found->ai_addrlen);
      kept->addresses[kept->n++].size = found->ai_addrlen;
    }
  return kept->n > 0 ? NULL : refusal;
}

/* Addresses change, so read them each time. There is always one of the loopback. */
static const struct refusal *
keep_far (struct host_addresses *kept, const struct addrinfo *found)
{
  struct ifaddrs *interfaces = NULL;
  const struct refusal *refusal = &unchecked_host;

  if (getifaddrs (&interfaces) == 0 && interfaces != NULL)
    refusal = keep_public (kept, found, interfaces);
  freeifaddrs (interfaces);
  return refusal;
}

/* Looks the name up once: the proxy connects to the addresses that were checked here, even if the
 * name's change. NULL if there are allowed ones. */
static const struct refusal *
look_up (const char *name, uint16_t port, struct host_addresses **addresses)
{
  const struct addrinfo hints = { .ai_family = AF_UNSPEC,
                                  .ai_socktype = SOCK_STREAM,
                                  .ai_flags = AI_NUMERICSERV };
  const struct refusal *refusal = &unknown_host;
  struct addrinfo *found;
  char service[8];

  snprintf (service, sizeof service, "%u", port);
  if (getaddrinfo (name, service, &hints, &found) != 0)
    return refusal;
  *addresses = calloc (1, sizeof **addresses);
  if (*addresses != NULL)
    refusal = keep_far (*addresses, found);
  freeaddrinfo (found);
  if (refusal == NULL)
    return NULL;
  free (*addresses);
  *addresses = NULL;
  return refusal;
}

static int
connect_to (const struct sockaddr_storage *address, socklen_t size)
{
  fh_autofd int fd = socket (address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct pollfd ready = { .fd = fd, .events = POLLOUT };
  int error = 0;
  socklen_t error_size = sizeof error;

  if (fd < 0)
    return -1;
  if (connect (fd, (const struct sockaddr *) address, size) == 0 ||
      (errno == EINPROGRESS && poll (&ready, 1, CONNECT_MS) == 1 &&
       getsockopt (fd, SOL_SOCKET, SO_ERROR, &error, &error_size) == 0 && error == 0))
    return fh_steal_fd (&fd);
  return -1;
}

/* Connects to one of them and frees them. NULL if `fd` is set. */
static const struct refusal *
connect_host (struct host_addresses *addresses, int *fd)
{
  const struct refusal *refusal = &unreachable_host;

  *fd = -1;
  for (size_t i = 0; i < addresses->n && *fd < 0; i++)
    {
      *fd = connect_to (&addresses->addresses[i].address, addresses->addresses[i].size);
      if (*fd >= 0 && own_network_is_loop (*fd))
        {
          fh_clear_fd (fd);
          refusal = &near_host;
        }
    }
  free (addresses);
  return *fd >= 0 ? NULL : refusal;
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

/* False if it does not exist or does not answer. */
static bool
is_forbidden (const struct refusal *refusal)
{
  return refusal == &private_host || refusal == &near_host || refusal == &unchecked_host;
}

/* Returns a socket, or -1 if the request was refused. */
static int
open_host (const struct connection *self, const struct request_head *head)
{
  const struct refusal *refusal = judge (self, head);
  const bool is_refused = refusal != NULL;
  struct host_addresses *addresses = NULL;
  int fd = -1;

  if (!is_refused)
    refusal = look_up (head->host.name, head->host.port, &addresses);
  report_host (self, is_refused || is_forbidden (refusal), &head->host);
  if (!request_head_agrees (head))
    report_host (self, true, &head->host_field);
  if (addresses != NULL)
    {
      refusal = connect_host (addresses, &fd);
      if (is_forbidden (refusal))
        report_host (self, true, &head->host);
    }
  if (refusal != NULL)
    refuse (self, refusal);
  return fd;
}

/* Waits for more bytes until the time `end`. Returns 0 if that is over, -1 at the end of the
 * connection, else 1, even if nothing has come yet. */
static int
receive (const struct connection *self, void *bytes, size_t capacity, size_t *size, int64_t end)
{
  struct pollfd ready = { .fd = self->client, .events = POLLIN };
  const int64_t left = end - now_ms ();
  ssize_t n;

  if (left <= 0 || poll (&ready, 1, (int) left) == 0)
    return 0;
  n = recv (self->client, (char *) bytes + *size, capacity - *size, MSG_DONTWAIT);
  if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
    return -1;
  *size += n > 0 ? (size_t) n : 0;
  return 1;
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
      const int result = receive (self, bytes, REQUEST_HEAD_MAX, &size, end);

      if (result == 0)
        refuse (self, &too_slow);
      if (result <= 0)
        return 0;
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
      if (receive (self, bytes, HELLO_SIZE, &size, end) <= 0)
        return 0;
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
