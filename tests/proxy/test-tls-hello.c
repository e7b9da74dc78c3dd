/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls-hello.h"

#include <glib.h>
#include <string.h>

static void
put (GByteArray *bytes, const char *text, gsize size)
{
  g_byte_array_append (bytes, (const guint8 *) text, (guint) size);
}

/* `inner` behind a length of `width` bytes. */
static void
put_sized (GByteArray *bytes, guint width, const GByteArray *inner)
{
  for (guint i = width; i > 0; i--)
    {
      guint8 byte = (guint8) (inner->len >> (8 * (i - 1)));

      g_byte_array_append (bytes, &byte, 1);
    }
  g_byte_array_append (bytes, inner->data, inner->len);
}

/* The extension that names a host. */
static GByteArray *
name_extension (const char *name, gsize size)
{
  g_autoptr (GByteArray) host = g_byte_array_new ();
  g_autoptr (GByteArray) list = g_byte_array_new ();
  g_autoptr (GByteArray) extension = g_byte_array_new ();
  GByteArray *bytes = g_byte_array_new ();

  put (host, name, size);
  put (list, "\0", 1);
  put_sized (list, 2, host);
  put_sized (extension, 2, list);
  put (bytes, "\0\0", 2);
  put_sized (bytes, 2, extension);
  return bytes;
}

/* The message without records around it. */
static GByteArray *
make_message (const GByteArray *extensions)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  GByteArray *message = g_byte_array_new ();

  put (body, "\3\3", 2);
  for (guint i = 0; i < 4; i++)
    put (body, "randomly", 8);
  put (body, "\4sess", 5);
  put (body, "\0\2\x13\1", 4);
  put (body, "\1\0", 2);
  if (extensions != NULL)
    put_sized (body, 2, extensions);
  put (message, "\1", 1);
  put_sized (message, 3, body);
  return message;
}

/* In records that hold at most `most` bytes each. */
static GByteArray *
make_records (const GByteArray *message, guint most)
{
  GByteArray *records = g_byte_array_new ();

  for (guint at = 0; at < message->len; at += most)
    {
      g_autoptr (GByteArray) piece = g_byte_array_new ();

      g_byte_array_append (piece, message->data + at, MIN (most, message->len - at));
      put (records, "\x16\3\1", 3);
      put_sized (records, 2, piece);
    }
  return records;
}

static GByteArray *
make_hello (const char *name, guint most)
{
  g_autoptr (GByteArray) extensions = g_byte_array_new ();
  g_autoptr (GByteArray) extension = name_extension (name, strlen (name));
  g_autoptr (GByteArray) message = NULL;

  put (extensions, "\0\x17\0\0", 4);
  g_byte_array_append (extensions, extension->data, extension->len);
  put (extensions, "\0\x2b\0\3\2\3\4", 7);
  message = make_message (extensions);
  return make_records (message, most);
}

static enum tls_hello
read_message (const GByteArray *extensions, char name[TLS_NAME_SIZE])
{
  g_autoptr (GByteArray) message = make_message (extensions);
  g_autoptr (GByteArray) records = make_records (message, 16384);

  return tls_hello_read (records->data, records->len, name);
}

static void
test_names (void)
{
  char name[TLS_NAME_SIZE];

  /* However it is cut into records. */
  for (guint most = 1; most < 100; most++)
    {
      g_autoptr (GByteArray) hello = make_hello ("Host.Example", most);

      g_assert_cmpint (tls_hello_read (hello->data, hello->len, name), ==, TLS_HELLO_COMPLETE);
      g_assert_cmpstr (name, ==, "host.example");
    }
}

static void
test_pieces (void)
{
  g_autoptr (GByteArray) hello = make_hello ("host.example", 40);
  char name[TLS_NAME_SIZE];
  guint size = hello->len;

  for (guint i = 0; i < size; i++)
    g_assert_cmpint (tls_hello_read (hello->data, i, name), ==, TLS_HELLO_UNFINISHED);
  put (hello, "early data or anything", 22);
  g_assert_cmpint (tls_hello_read (hello->data, hello->len, name), ==, TLS_HELLO_COMPLETE);
  g_assert_cmpstr (name, ==, "host.example");
}

static void
test_without_a_name (void)
{
  g_autoptr (GByteArray) none = g_byte_array_new ();
  char name[TLS_NAME_SIZE];

  g_assert_cmpint (read_message (NULL, name), ==, TLS_HELLO_COMPLETE);
  g_assert_cmpstr (name, ==, "");
  g_assert_cmpint (read_message (none, name), ==, TLS_HELLO_COMPLETE);
  g_assert_cmpstr (name, ==, "");
}

static void
test_hostile_names (void)
{
  static const struct
  {
    const char *name;
    gsize size;
  } cases[] = { { "", 0 }, { "a\0b", 3 }, { "a b", 3 }, { "a\n", 2 }, { "\xc3\xa9", 2 } };
  g_autofree char *too_long = g_strnfill (TLS_NAME_SIZE, 'a');
  char name[TLS_NAME_SIZE];

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) extension = name_extension (cases[i].name, cases[i].size);

      g_assert_cmpint (read_message (extension, name), ==, TLS_HELLO_NONE);
    }
  for (gsize size = TLS_NAME_SIZE - 1; size <= TLS_NAME_SIZE; size++)
    {
      g_autoptr (GByteArray) extension = name_extension (too_long, size);

      g_assert_cmpint (read_message (extension, name),
                       ==,
                       size < TLS_NAME_SIZE ? TLS_HELLO_COMPLETE : TLS_HELLO_NONE);
    }
}

static void
test_two_names (void)
{
  g_autoptr (GByteArray) twice = name_extension ("one.example", 11);
  g_autoptr (GByteArray) second = name_extension ("two.example", 11);
  g_autoptr (GByteArray) list = g_byte_array_new ();
  char name[TLS_NAME_SIZE];

  g_byte_array_append (twice, second->data, second->len);
  g_assert_cmpint (read_message (twice, name), ==, TLS_HELLO_NONE);
  put (list, "\0\0\0\x0a\0\x08\0\0\1a\0\0\1b", 14);
  g_assert_cmpint (read_message (list, name), ==, TLS_HELLO_NONE);
}

/* What only the host can read may name another one, whatever stands outside; before or behind. */
static void
test_encrypted (void)
{
  static const char *const extensions[] = { "\xfe\x0d\0\4grea", "\xff\xce\0\4esni" };
  char name[TLS_NAME_SIZE];

  for (gsize i = 0; i < G_N_ELEMENTS (extensions); i++)
    {
      g_autoptr (GByteArray) before = g_byte_array_new ();
      g_autoptr (GByteArray) behind = name_extension ("host.example", 12);

      put (before, extensions[i], 8);
      g_byte_array_append (before, behind->data, behind->len);
      put (behind, extensions[i], 8);
      g_assert_cmpint (read_message (before, name), ==, TLS_HELLO_ENCRYPTED);
      g_assert_cmpint (read_message (behind, name), ==, TLS_HELLO_ENCRYPTED);
      put (behind, extensions[i], 8);
      g_assert_cmpint (read_message (behind, name), ==, TLS_HELLO_NONE);
    }
}

static void
test_twice (void)
{
  g_autoptr (GByteArray) extensions = name_extension ("host.example", 12);
  char name[TLS_NAME_SIZE];

  put (extensions, "\0\x17\0\0\x17\0\0\0", 8);
  g_assert_cmpint (read_message (extensions, name), ==, TLS_HELLO_COMPLETE);
  put (extensions, "\0\x17\0\0", 4);
  g_assert_cmpint (read_message (extensions, name), ==, TLS_HELLO_NONE);
}

/* As tls-handshake.c has it: the message, and nothing else. */
static void
test_messages (void)
{
  g_autoptr (GByteArray) hello = make_hello ("host.example", 16384);
  char name[TLS_NAME_SIZE];

  for (guint size = 0; size < hello->len - 5; size++)
    g_assert_cmpint (tls_hello_parse (hello->data + 5, size, name), ==, TLS_HELLO_UNFINISHED);
  g_assert_cmpint (tls_hello_parse (hello->data + 5, hello->len - 5, name), ==, TLS_HELLO_COMPLETE);
  put (hello, "x", 1);
  g_assert_cmpint (tls_hello_parse (hello->data + 5, hello->len - 5, name), ==, TLS_HELLO_NONE);
  hello->data[4]++;
  g_assert_cmpint (tls_hello_read (hello->data, hello->len, name), ==, TLS_HELLO_COMPLETE);
  g_assert_cmpint (tls_hello_parse ((const guint8 *) "\2", 1, name), ==, TLS_HELLO_NONE);
}

static void
test_something_else (void)
{
  static const char *const texts[] = {
    "GET / HTTP/1.1\r\n",       "SSH-2.0-OpenSSH\r\n",
    "\x16\2\1\1\1\1",           /* the version of another protocol */
    "\x16\3\1\1\1\2\1\1\1",     /* what a server says */
    "\x15\3\1\1\1\2",           /* an alert */
    "\x16\3\1\xff\xff",         /* a record that is too large */
    "\x16\3\1\1\1\1\xff\1\1\1", /* a message that is too large */
  };
  g_autoptr (GByteArray) hello = make_hello ("host.example", 16384);
  char name[TLS_NAME_SIZE];

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpint (tls_hello_read ((const guint8 *) texts[i], strlen (texts[i]), name),
                     ==,
                     TLS_HELLO_NONE);
  g_assert_cmpint (tls_hello_read ((const guint8 *) "\x16\3\1\0\0", 5, name), ==, TLS_HELLO_NONE);
  /* The extensions end one byte before the message. */
  hello->data[5 + 4 + 2 + 32 + 5 + 4 + 2 + 1]--;
  g_assert_cmpint (tls_hello_read (hello->data, hello->len, name), ==, TLS_HELLO_NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tls-hello/names", test_names);
  g_test_add_func ("/tls-hello/pieces", test_pieces);
  g_test_add_func ("/tls-hello/without-a-name", test_without_a_name);
  g_test_add_func ("/tls-hello/hostile-names", test_hostile_names);
  g_test_add_func ("/tls-hello/two-names", test_two_names);
  g_test_add_func ("/tls-hello/encrypted", test_encrypted);
  g_test_add_func ("/tls-hello/twice", test_twice);
  g_test_add_func ("/tls-hello/messages", test_messages);
  g_test_add_func ("/tls-hello/something-else", test_something_else);
  return g_test_run ();
}
