/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request-head.h"

#include <glib.h>
#include <string.h>

static gboolean
parse (struct request_head *head, const char *text)
{
  const size_t size = request_head_size (text, strlen (text));

  g_test_message ("%s", text);
  g_assert_cmpint (size, >, 0);
  return request_head_parse (head, text, size);
}

static void
test_size (void)
{
  g_assert_cmpint (request_head_size ("", 0), ==, 0);
  g_assert_cmpint (request_head_size ("GET\r\n\r", 6), ==, 0);
  g_assert_cmpint (request_head_size ("GET\n\nbody", 9), ==, 0);
  g_assert_cmpint (request_head_size ("GET\r\n\r\nbody\r\n\r\n", 15), ==, 7);
}

static void
test_targets (void)
{
  static const struct
  {
    const char *line;
    const char *name;
    uint16_t port;
    const char *path;
    gboolean is_tunnel;
  } cases[] = {
    { "GET http://example.com/a?b HTTP/1.1", "example.com", 80, "/a?b", FALSE },
    { "GET http://EXAMPLE.com HTTP/1.0", "example.com", 80, "", FALSE },
    { "PUT HTTP://example.com:443?q@r HTTP/1.1", "example.com", 443, "?q@r", FALSE },
    { "GET http://[2606:4700::1111]:81/ HTTP/1.1", "2606:4700::1111", 81, "/", FALSE },
    { "GET http://[::FFFF:1.2.3.4]/ HTTP/1.1", "::ffff:1.2.3.4", 80, "/", FALSE },
    { "CONNECT example.com:443 HTTP/1.1", "example.com", 443, "", TRUE },
    { "CONNECT [::1]:80 HTTP/1.1", "::1", 80, "", TRUE },
    /* an unknown method */
    { "connect http://example.com/ HTTP/1.1", "example.com", 80, "/", FALSE },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (cases[i].line, "\r\n\r\n", NULL);
      struct request_head head;

      g_assert_true (parse (&head, text));
      g_assert_cmpstr (head.host.name, ==, cases[i].name);
      g_assert_cmpint (head.host.port, ==, cases[i].port);
      g_assert_cmpmem (head.path.at, head.path.size, cases[i].path, strlen (cases[i].path));
      g_assert_cmpint (head.is_tunnel, ==, cases[i].is_tunnel);
      g_assert_true (request_head_agrees (&head));
    }
}

static void
test_not_understood (void)
{
  static const char *const lines[] = {
    "",
    "GET",
    "GET http://example.com/",
    "GET /path HTTP/1.1",
    "GET * HTTP/1.1",
    "GET https://example.com/ HTTP/1.1",
    "GET http:example.com HTTP/1.1",
    "GET http:// HTTP/1.1",
    "GET http://user@example.com/ HTTP/1.1",
    "GET http://example.com#x HTTP/1.1",
    "GET http://example.com\\x HTTP/1.1",
    "GET http://exa_mple%2ecom/ HTTP/1.1",
    "GET http://[::1/ HTTP/1.1",
    "GET http://[::1]x/ HTTP/1.1",
    "GET http://[example.com]/ HTTP/1.1",
    "GET http://[]/ HTTP/1.1",
    "GET http://::1/ HTTP/1.1",
    "GET http://example.com:0/ HTTP/1.1",
    "GET http://example.com:65536/ HTTP/1.1",
    "GET http://example.com:+80/ HTTP/1.1",
    "GET http://example.com:80 80/ HTTP/1.1",
    "GET http://example.com/ HTTP/1.2",
    "GET http://example.com/ HTTP/1.1 ",
    " GET http://example.com/ HTTP/1.1",
    "G:T http://example.com/ HTTP/1.1",
    "GET http://example.com/\001 HTTP/1.1",
    "GET http://example.com/\xc3\xa9 HTTP/1.1",
    "CONNECT example.com HTTP/1.1",
    "CONNECT example.com:443/ HTTP/1.1",
    "CONNECT user@example.com:443 HTTP/1.1",
    "GET http://example.com/ HTTP/1.1\r\n Host: example.com",
    "GET http://example.com/ HTTP/1.1\r\nHost : example.com",
    "GET http://example.com/ HTTP/1.1\r\nHost",
    "GET http://example.com/ HTTP/1.1\r\n: value",
    "GET http://example.com/ HTTP/1.1\r\nHost:",
    "GET http://example.com/ HTTP/1.1\r\nHost: a, b",
    "GET http://example.com/ HTTP/1.1\r\nHost: a\r\nhost: a",
    "GET http://example.com/ HTTP/1.1\r\nX: a\nHost: a",
    "GET http://example.com/ HTTP/1.1\r\nX: a\rHost: a",
    "GET http://example.com/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1",
    "GET http://example.com/ HTTP/1.1\r\nContent-Length: 1, 1",
    "GET http://example.com/ HTTP/1.1\r\nContent-Length: 0x1",
    "GET http://example.com/ HTTP/1.1\r\nContent-Length:",
    "GET http://example.com/ HTTP/1.1\r\nContent-Length: 18446744073709551617",
    "GET http://example.com/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *text = g_strconcat (lines[i], "\r\n\r\n", NULL);
      struct request_head head;

      g_assert_false (parse (&head, text));
    }
}

static void
test_zero_bytes (void)
{
  static const char line[] = "GET http://example.com\0.evil/ HTTP/1.1\r\n\r\n";
  static const char field[] = "GET http://example.com/ HTTP/1.1\r\nX: a\0b\r\n\r\n";
  struct request_head head;

  g_assert_false (request_head_parse (&head, line, sizeof line - 1));
  g_assert_false (request_head_parse (&head, field, sizeof field - 1));
}

static void
test_long_names (void)
{
  g_autofree char *longest = g_strnfill (REQUEST_HOST_SIZE - 1, 'a');
  g_autofree char *fits = g_strdup_printf ("CONNECT %s:443 HTTP/1.1\r\n\r\n", longest);
  g_autofree char *too_long = g_strdup_printf ("CONNECT a%s:443 HTTP/1.1\r\n\r\n", longest);
  struct request_head head;

  g_assert_true (parse (&head, fits));
  g_assert_cmpstr (head.host.name, ==, longest);
  g_assert_false (parse (&head, too_long));
}

static void
test_agreement (void)
{
  static const struct
  {
    const char *text;
    gboolean agrees;
  } cases[] = {
    { "GET http://a.example/ HTTP/1.1\r\nHost: A.example\r\n\r\n", TRUE },
    { "GET http://a.example/ HTTP/1.1\r\nHost:a.example:80 \t\r\n\r\n", TRUE },
    { "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", TRUE },
    { "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:80\r\n\r\n", FALSE },
    { "GET http://a.example/ HTTP/1.1\r\nHost: a.example.\r\n\r\n", FALSE },
    { "GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\n\r\n", FALSE },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct request_head head;

      g_assert_true (parse (&head, cases[i].text));
      g_assert_cmpint (request_head_agrees (&head), ==, cases[i].agrees);
    }
}

static void
test_rewriting (void)
{
  static const struct
  {
    const char *before;
    const char *after;
  } cases[] = {
    { "GET http://A.example HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n" },
    { "GET http://a.example:443?q HTTP/1.0\r\nX-One: 1\r\n\r\n",
      "GET /?q HTTP/1.0\r\nHost: a.example:443\r\nX-One: 1\r\nConnection: close\r\n\r\n" },
    { "POST http://[2606::1]/p HTTP/1.1\r\nhost: [2606::1]\r\nConnection: keep-alive, X-One\r\n"
      "Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic c2VjcmV0\r\nKeep-Alive: 5\r\n"
      "TE: trailers\r\nTrailer: a\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\nContent-Length: 5\r\n"
      "X-Two:  two  \r\n\r\n",
      "POST /p HTTP/1.1\r\nHost: [2606::1]\r\nContent-Length: 5\r\nX-Two:  two  \r\n"
      "Connection: close\r\n\r\n" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char text[REQUEST_REWRITTEN_MAX];
      struct request_head head;

      g_assert_true (parse (&head, cases[i].before));
      g_assert_cmpmem (text,
                       request_head_rewrite (&head, text),
                       cases[i].after,
                       strlen (cases[i].after));
    }
}

static void
test_bodies (void)
{
  struct request_head head;

  g_assert_true (parse (&head, "GET http://a.example/ HTTP/1.1\r\n\r\n"));
  g_assert_cmpint (head.body_size, ==, 0);
  g_assert_true (parse (&head, "GET http://a.example/ HTTP/1.1\r\ncontent-length: 0070\r\n\r\n"));
  g_assert_cmpint (head.body_size, ==, 70);
  g_assert_false (head.is_chunked);
  g_assert_true (
      parse (&head, "GET http://a.example/ HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n"));
  g_assert_true (head.is_chunked);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request-head/size", test_size);
  g_test_add_func ("/request-head/targets", test_targets);
  g_test_add_func ("/request-head/not-understood", test_not_understood);
  g_test_add_func ("/request-head/zero-bytes", test_zero_bytes);
  g_test_add_func ("/request-head/long-names", test_long_names);
  g_test_add_func ("/request-head/agreement", test_agreement);
  g_test_add_func ("/request-head/rewriting", test_rewriting);
  g_test_add_func ("/request-head/bodies", test_bodies);
  return g_test_run ();
}
