/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "own-network.h"

#include <arpa/inet.h>
#include <glib.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

/* An interface's address, as getifaddrs (3) tells it. */
typedef struct
{
  const char *address;
  const char *mask; /* NULL: none is told */
  const char *peer;
} Line;

static const struct sockaddr *
read_address (const char *text, struct sockaddr_storage *storage)
{
  struct sockaddr_in *v4 = (struct sockaddr_in *) storage;
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *) storage;

  if (text == NULL)
    return NULL;
  memset (storage, 0, sizeof *storage);
  storage->ss_family = strchr (text, ':') != NULL ? AF_INET6 : AF_INET;
  g_assert_cmpint (
      inet_pton (storage->ss_family,
                 text,
                 storage->ss_family == AF_INET ? (void *) &v4->sin_addr : (void *) &v6->sin6_addr),
      ==,
      1);
  return (const struct sockaddr *) storage;
}

static bool
has (const Line *line, const char *address)
{
  static const struct sockaddr link = { .sa_family = AF_PACKET };
  struct sockaddr_storage storages[4];
  struct ifaddrs one = {
    .ifa_flags = line->peer != NULL ? IFF_POINTOPOINT : 0,
    .ifa_addr = (struct sockaddr *) read_address (line->address, &storages[0]),
    .ifa_netmask = (struct sockaddr *) read_address (line->mask, &storages[1]),
    .ifa_dstaddr = (struct sockaddr *) read_address (line->peer, &storages[2]),
  };
  /* What is no address of the internet is passed over. */
  struct ifaddrs nothing = { .ifa_next = &one };
  struct ifaddrs first = { .ifa_next = &nothing, .ifa_addr = (struct sockaddr *) &link };

  return own_network_has (&first, read_address (address, &storages[3]));
}

static void
test_addresses (void)
{
  static const Line server = { "8.8.4.4", "255.255.255.255", NULL };
  static const Line server_6 = { "2001:4860::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL };
  static const Line bare = { "8.8.4.4", NULL, NULL };

  g_assert_true (has (&server, "8.8.4.4"));
  g_assert_false (has (&server, "8.8.4.5"));
  g_assert_true (has (&bare, "8.8.4.4"));
  g_assert_false (has (&bare, "8.8.4.5"));
  g_assert_true (has (&server_6, "2001:4860::1"));
  g_assert_false (has (&server_6, "2001:4860::2"));
  g_assert_false (has (&server_6, "8.8.4.4"));
}

static void
test_neighbours (void)
{
  static const Line link = { "185.199.108.1", "255.255.252.0", NULL };
  static const Line link_6 = { "2a00:1450::1", "ffff:ffff:ffff:ffff::", NULL };

  g_assert_true (has (&link, "185.199.111.255"));
  g_assert_true (has (&link, "185.199.108.0"));
  g_assert_false (has (&link, "185.199.112.0"));
  g_assert_false (has (&link, "185.199.107.255"));
  g_assert_true (has (&link_6, "2a00:1450::ffff:1:2:3"));
  g_assert_false (has (&link_6, "2a00:1450:0:1::1"));
}

/* Of an IPv6 address that stands for one of IPv4. */
static void
test_stand_ins (void)
{
  static const Line link = { "8.8.4.4", "255.255.255.0", NULL };

  g_assert_true (has (&link, "::ffff:8.8.4.9"));
  g_assert_true (has (&link, "64:ff9b::8.8.4.9"));
  g_assert_true (has (&link, "2002:808:409::1"));
  g_assert_false (has (&link, "::ffff:8.8.5.9"));
  g_assert_false (has (&link, "64:ff9b::8.8.5.9"));
  g_assert_false (has (&link, "2003:808:409::1"));
}

/* A link to one peer, such as a VPN's, whose mask may be empty. */
static void
test_peers (void)
{
  static const Line tunnel = { "8.8.4.4", "255.255.255.255", "9.9.9.9" };
  static const Line empty = { "8.8.4.4", "0.0.0.0", "9.9.9.9" };
  static const Line wide = { "8.8.4.4", "255.255.255.0", "9.9.9.9" };

  for (const Line *const *line = (const Line *const[]){ &tunnel, &empty, NULL }; *line != NULL;
       line++)
    {
      g_assert_true (has (*line, "8.8.4.4"));
      g_assert_true (has (*line, "9.9.9.9"));
      g_assert_false (has (*line, "8.8.4.5"));
      g_assert_false (has (*line, "9.9.9.8"));
    }
  g_assert_true (has (&wide, "9.9.9.8"));
  g_assert_false (has (&wide, "9.9.8.9"));
}

static void
test_no_interfaces (void)
{
  struct sockaddr_storage storage;

  g_assert_false (own_network_has (NULL, read_address ("8.8.4.4", &storage)));
}

static void
test_loops (void)
{
  static const char *const addresses[] = { "127.0.0.1", "::1" };
  int pair[2];

  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      struct sockaddr_storage storage;
      const struct sockaddr *address = read_address (addresses[i], &storage);
      socklen_t size = sizeof storage;
      int server = socket (address->sa_family, SOCK_STREAM, 0);
      int client = socket (address->sa_family, SOCK_STREAM, 0);

      /* Without a peer it cannot be known. */
      g_assert_true (own_network_is_loop (client));
      g_assert_cmpint (bind (server, address, sizeof storage), ==, 0);
      g_assert_cmpint (listen (server, 1), ==, 0);
      g_assert_cmpint (getsockname (server, (struct sockaddr *) &storage, &size), ==, 0);
      g_assert_cmpint (connect (client, address, size), ==, 0);
      g_assert_true (own_network_is_loop (client));
      close (client);
      close (server);
    }
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
  g_assert_true (own_network_is_loop (pair[0]));
  close (pair[0]);
  close (pair[1]);
}

/* Both ends are this computer's, but not the same address: only the interfaces tell. */
static void
test_two_ends (void)
{
  struct sockaddr_storage storage;
  struct sockaddr_storage other;
  const struct sockaddr *address = read_address ("127.0.0.1", &storage);
  socklen_t size = sizeof storage;
  int server = socket (AF_INET, SOCK_STREAM, 0);
  int client = socket (AF_INET, SOCK_STREAM, 0);

  g_assert_cmpint (bind (server, address, sizeof (struct sockaddr_in)), ==, 0);
  g_assert_cmpint (listen (server, 1), ==, 0);
  g_assert_cmpint (getsockname (server, (struct sockaddr *) &storage, &size), ==, 0);
  g_assert_cmpint (bind (client, read_address ("127.0.0.2", &other), sizeof (struct sockaddr_in)),
                   ==,
                   0);
  g_assert_cmpint (connect (client, address, size), ==, 0);
  g_assert_false (own_network_is_loop (client));
  close (client);
  close (server);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/own-network/addresses", test_addresses);
  g_test_add_func ("/own-network/neighbours", test_neighbours);
  g_test_add_func ("/own-network/stand-ins", test_stand_ins);
  g_test_add_func ("/own-network/peers", test_peers);
  g_test_add_func ("/own-network/no-interfaces", test_no_interfaces);
  g_test_add_func ("/own-network/loops", test_loops);
  g_test_add_func ("/own-network/two-ends", test_two_ends);
  return g_test_run ();
}
