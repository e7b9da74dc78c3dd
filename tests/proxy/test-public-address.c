/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "public-address.h"

#include <arpa/inet.h>
#include <glib.h>
#include <string.h>

static gboolean
is_public (const char *text)
{
  struct sockaddr_in v4 = { .sin_family = AF_INET };
  struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

  g_test_message ("%s", text);
  if (inet_pton (AF_INET, text, &v4.sin_addr) == 1)
    return public_address_is ((struct sockaddr *) &v4);
  g_assert_cmpint (inet_pton (AF_INET6, text, &v6.sin6_addr), ==, 1);
  return public_address_is ((struct sockaddr *) &v6);
}

static void
test_public (void)
{
  static const char *const addresses[] = {
    "1.1.1.1",        "8.8.8.8",         "9.255.255.255",   "11.0.0.0",
    "93.184.216.34",  "100.63.255.255",  "100.128.0.0",     "126.255.255.255",
    "128.0.0.0",      "169.253.255.255", "169.255.0.0",     "172.15.255.255",
    "172.32.0.0",     "192.0.1.0",       "192.0.3.0",       "192.88.98.255",
    "192.88.100.0",   "192.167.255.255", "192.169.0.0",     "198.17.255.255",
    "198.20.0.0",     "198.51.99.255",   "198.51.101.0",    "203.0.112.255",
    "203.0.114.0",    "223.255.255.255", "2606:4700::1111", "2001:4860:4860::8888",
    "2a00:1450::1",   "2400:cb00::1",    "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8",
    "2002:808:808::", "2001:200::1",     "3fff:1000::1",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (addresses); i++)
    g_assert_true (is_public (addresses[i]));
}

static void
test_not_public (void)
{
  static const char *const addresses[] = {
    /* the first and the last of each range */
    "0.0.0.0",         "0.255.255.255",   "10.0.0.0",        "10.255.255.255", "100.64.0.0",
    "100.127.255.255", "127.0.0.1",       "127.255.255.255", "169.254.0.0",    "169.254.169.254",
    "172.16.0.0",      "172.31.255.255",  "192.0.0.0",       "192.0.2.255",    "192.88.99.1",
    "192.168.0.0",     "192.168.255.255", "198.18.0.0",      "198.19.255.255", "198.51.100.7",
    "203.0.113.7",     "224.0.0.1",       "239.255.255.255", "240.0.0.0",      "255.255.255.255",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (addresses); i++)
    g_assert_false (is_public (addresses[i]));
}

static void
test_not_public_v6 (void)
{
  static const char *const addresses[] = {
    "::",
    "::1",
    "fc00::1",
    "fdff::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:db8::1",
    "3fff:fff::1",
    "4000::1",
    "64:ff9b:1::1",
    /* IPv4 in the clothes of IPv6 */
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::192.168.1.1",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
    "2002:a9fe:a9fe::",
    "fe80::5efe:8.8.8.8",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (addresses); i++)
    g_assert_false (is_public (addresses[i]));
}

static void
test_other_families (void)
{
  const struct sockaddr address = { .sa_family = AF_UNIX };

  g_assert_false (public_address_is (&address));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/public-address/public", test_public);
  g_test_add_func ("/public-address/not-public", test_not_public);
  g_test_add_func ("/public-address/not-public-v6", test_not_public_v6);
  g_test_add_func ("/public-address/other-families", test_other_families);
  return g_test_run ();
}
