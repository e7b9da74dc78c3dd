/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-address.h"

#include <arpa/inet.h>
#include <glib.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

union any
{
  struct sockaddr_storage storage;
  struct sockaddr_in ipv4;
  struct sockaddr_in6 ipv6;
  struct sockaddr_un local;
};

static void
assert_ipv4 (const char *text, const char *shown, bool is_loopback, bool is_any)
{
  union any from = { .ipv4 = { .sin_family = AF_INET, .sin_port = htons (443) } };
  struct address address;

  g_assert_cmpint (inet_pton (AF_INET, text, &from.ipv4.sin_addr), ==, 1);
  g_assert_true (address_read (&address, &from.storage, sizeof from.ipv4));
  g_assert_cmpstr (address.text, ==, shown);
  g_assert_cmpint (address.is_loopback, ==, is_loopback);
  g_assert_cmpint (address.is_any, ==, is_any);
  g_assert_cmpuint (address.port, ==, 443);
}

static void
test_ipv4 (void)
{
  assert_ipv4 ("1.1.1.1", "1.1.1.1:443", false, false);
  assert_ipv4 ("127.0.0.1", "127.0.0.1:443", true, false);
  assert_ipv4 ("127.9.9.9", "127.9.9.9:443", true, false);
  assert_ipv4 ("0.0.0.0", "0.0.0.0:443", false, true);
  assert_ipv4 ("255.255.255.255", "255.255.255.255:443", false, false);
}

static void
assert_ipv6 (const char *text, const char *shown, bool is_loopback, bool is_any)
{
  union any from = { .ipv6 = { .sin6_family = AF_INET6, .sin6_port = htons (80) } };
  struct address address;

  g_assert_cmpint (inet_pton (AF_INET6, text, &from.ipv6.sin6_addr), ==, 1);
  g_assert_true (address_read (&address, &from.storage, sizeof from.ipv6));
  g_assert_cmpstr (address.text, ==, shown);
  g_assert_cmpint (address.is_loopback, ==, is_loopback);
  g_assert_cmpint (address.is_any, ==, is_any);
}

static void
test_ipv6 (void)
{
  assert_ipv6 ("2606:4700::1111", "[2606:4700::1111]:80", false, false);
  assert_ipv6 ("::1", "[::1]:80", true, false);
  assert_ipv6 ("::", "[::]:80", false, true);
  assert_ipv6 ("::ffff:127.0.0.1", "[::ffff:127.0.0.1]:80", true, false);
  assert_ipv6 ("::ffff:10.0.0.1", "[::ffff:10.0.0.1]:80", false, false);
}

static void
test_unix (void)
{
  union any from = { .local = { .sun_family = AF_UNIX } };
  const size_t head = offsetof (struct sockaddr_un, sun_path);
  struct address address;

  strcpy (from.local.sun_path, "/run/bus");
  g_assert_true (address_read (&address, &from.storage, sizeof from.local));
  g_assert_cmpstr (address.text, ==, "/run/bus");
  g_assert_true (address_read (&address, &from.storage, head + 4));
  g_assert_cmpstr (address.text, ==, "/run");
  memcpy (from.local.sun_path, "\0a\0b", 4);
  g_assert_true (address_read (&address, &from.storage, head + 4));
  g_assert_cmpstr (address.text, ==, "@a@b");
  memset (from.local.sun_path, 'x', sizeof from.local.sun_path);
  g_assert_true (address_read (&address, &from.storage, sizeof from.storage));
  g_assert_cmpuint (strlen (address.text), ==, sizeof from.local.sun_path);
}

static void
test_nonsense (void)
{
  union any from = { .ipv4 = { .sin_family = AF_INET } };
  struct address address;

  for (size_t size = 0; size < sizeof from.ipv4; size++)
    g_assert_false (address_read (&address, &from.storage, size));
  from.ipv6.sin6_family = AF_INET6;
  g_assert_false (address_read (&address, &from.storage, sizeof from.ipv4));
  from.local.sun_family = AF_UNIX;
  g_assert_false (address_read (&address, &from.storage, offsetof (struct sockaddr_un, sun_path)));
  from.local.sun_family = AF_UNSPEC;
  g_assert_false (address_read (&address, &from.storage, sizeof from.storage));
  from.local.sun_family = 0xffff;
  g_assert_false (address_read (&address, &from.storage, sizeof from.storage));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attempt-address/ipv4", test_ipv4);
  g_test_add_func ("/attempt-address/ipv6", test_ipv6);
  g_test_add_func ("/attempt-address/unix", test_unix);
  g_test_add_func ("/attempt-address/nonsense", test_nonsense);
  return g_test_run ();
}
