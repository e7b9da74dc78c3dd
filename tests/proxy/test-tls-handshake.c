/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls-handshake.h"

#include <glib.h>
#include <string.h>

#define NAME "host.example"

/* What stands for random bytes where another hello is asked for: SHA-256 of "HelloRetryRequest". */
static GByteArray *
make_answer (bool is_retry)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  GByteArray *answer = g_byte_array_new ();
  guint8 random[32];
  gsize size = sizeof random;

  g_checksum_update (sum, (const guint8 *) (is_retry ? "HelloRetryRequest" : "other"), -1);
  g_checksum_get_digest (sum, random, &size);
  g_byte_array_append (answer, (const guint8 *) "\x16\3\3\0\x2a\2\0\0\x26\3\3", 11);
  g_byte_array_append (answer, random, sizeof random);
  g_byte_array_append (answer, (const guint8 *) "\0\x13\1\0", 4);
  return answer;
}

/* A hello with one name, and a second extension of any type that says nothing. */
static GByteArray *
make_hello (const char *name, guint16 type)
{
  const guint8 length = (guint8) strlen (name);
  GByteArray *hello = g_byte_array_new ();
  const guint8 sizes[] = {
    0x16, 3, 1, 0, (guint8) (length + 60), 1, 0, 0, (guint8) (length + 56), 3, 3,
  };
  const guint8 behind[] = {
    0,
    0,
    2,
    0x13,
    1,
    1,
    0,
    0,
    (guint8) (length + 13),
    0,
    0,
    0,
    (guint8) (length + 5),
    0,
    (guint8) (length + 3),
    0,
    0,
    length,
  };
  const guint8 last[] = { (guint8) (type >> 8), (guint8) type, 0, 0 };

  g_byte_array_append (hello, sizes, sizeof sizes);
  for (int i = 0; i < 4; i++)
    g_byte_array_append (hello, (const guint8 *) "randomly", 8);
  g_byte_array_append (hello, behind, sizeof behind);
  g_byte_array_append (hello, (const guint8 *) name, length);
  g_byte_array_append (hello, last, sizeof last);
  return hello;
}

/* In pieces of `most` bytes. */
static bool
program_says (struct tls_handshake *handshake, const GByteArray *bytes, gsize most)
{
  for (gsize at = 0; at < bytes->len; at += most)
    {
      if (!tls_handshake_of_program (handshake, bytes->data + at, MIN (most, bytes->len - at)))
        return false;
    }
  return true;
}

static bool
program_says_text (struct tls_handshake *handshake, const char *text, gsize size)
{
  return tls_handshake_of_program (handshake, (const guint8 *) text, size);
}

static void
host_says (struct tls_handshake *handshake, const GByteArray *bytes, gsize most)
{
  for (gsize at = 0; at < bytes->len; at += most)
    tls_handshake_of_host (handshake, bytes->data + at, MIN (most, bytes->len - at));
}

/* One that has said the first hello and been asked for another. */
static struct tls_handshake *
asked_again (gsize most)
{
  struct tls_handshake *handshake = g_new (struct tls_handshake, 1);
  g_autoptr (GByteArray) hello = make_hello (NAME, 23);
  g_autoptr (GByteArray) retry = make_answer (true);

  tls_handshake_init (handshake, NAME);
  g_assert_true (program_says (handshake, hello, most));
  g_assert_cmpint (handshake->stage, ==, TLS_STAGE_ANSWER);
  host_says (handshake, retry, most);
  g_assert_cmpint (handshake->stage, ==, TLS_STAGE_HELLO);
  return handshake;
}

static void
test_answered (void)
{
  g_autoptr (GByteArray) hello = make_hello (NAME, 23);
  g_autoptr (GByteArray) answer = make_answer (false);

  for (gsize most = 1; most <= 100; most += 9)
    {
      struct tls_handshake handshake;

      tls_handshake_init (&handshake, NAME);
      g_assert_true (program_says (&handshake, hello, most));
      g_assert_true (program_says_text (&handshake, "\x14\3\3\0\1\1", 6));
      g_assert_true (program_says_text (&handshake, "\x17\3\3\0\4data\x15\3\3\0\2\1\0", 16));
      host_says (&handshake, answer, most);
      g_assert_cmpint (handshake.stage, ==, TLS_STAGE_SETTLED);
      /* From now on it is theirs. */
      g_assert_true (program_says_text (&handshake, "anything", 8));
    }
}

/* Whole and in pieces, the first hello and the second: nothing follows it in its record. */
static void
test_more_in_the_record (void)
{
  g_autoptr (GByteArray) hello = make_hello (NAME, 23);

  hello->data[4] += 2;
  g_byte_array_append (hello, (const guint8 *) "\1\0", 2);
  for (gsize most = 1; most <= 200; most += 9)
    {
      g_autofree struct tls_handshake *handshake = asked_again (most);

      g_assert_false (program_says (handshake, hello, most));
      tls_handshake_init (handshake, NAME);
      g_assert_false (program_says (handshake, hello, most));
    }
}

static void
test_second_hello (void)
{
  g_autoptr (GByteArray) same = make_hello ("HOST.example", 23);

  for (gsize most = 1; most <= 100; most += 9)
    {
      g_autofree struct tls_handshake *handshake = asked_again (most);

      g_assert_true (program_says_text (handshake, "\x14\3\3\0\1\1", 6));
      g_assert_true (program_says (handshake, same, most));
      g_assert_cmpint (handshake->stage, ==, TLS_STAGE_SETTLED);
    }
}

static void
test_other_second_hellos (void)
{
  static const struct
  {
    const char *name;
    guint16 type;
    enum tls_hello last;
  } cases[] = {
    { "other.example", 23, TLS_HELLO_COMPLETE },
    { NAME, 0xfe0d, TLS_HELLO_ENCRYPTED },
    { NAME, 0xffce, TLS_HELLO_ENCRYPTED },
    { NAME, 0, TLS_HELLO_NONE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) other = make_hello (cases[i].name, cases[i].type);

      for (gsize most = 1; most <= 100; most += 9)
        {
          g_autofree struct tls_handshake *handshake = asked_again (most);

          g_assert_false (program_says (handshake, other, most));
          g_assert_cmpint (handshake->last, ==, cases[i].last);
        }
    }
}

/* All of it is let through but the last byte, without which it is no hello. */
static void
test_unfinished (void)
{
  g_autofree struct tls_handshake *handshake = asked_again (1000);
  g_autoptr (GByteArray) other = make_hello ("other.example", 23);
  const guint8 last = other->data[other->len - 1];

  g_byte_array_set_size (other, other->len - 1);
  g_assert_true (program_says (handshake, other, 7));
  g_assert_false (tls_handshake_of_program (handshake, &last, 1));
  g_assert_cmpstr (handshake->said, ==, "other.example");
}

static void
test_too_early (void)
{
  g_autoptr (GByteArray) hello = make_hello (NAME, 23);
  struct tls_handshake handshake;

  tls_handshake_init (&handshake, NAME);
  g_assert_true (program_says (&handshake, hello, 50));
  g_assert_false (program_says (&handshake, hello, 50));
  /* In the record of the first one. */
  tls_handshake_init (&handshake, NAME);
  hello->data[4]++;
  g_byte_array_append (hello, (const guint8 *) "\1", 1);
  g_assert_false (program_says (&handshake, hello, 1000));
  tls_handshake_init (&handshake, NAME);
  g_assert_false (program_says (&handshake, hello, 1));
}

static void
test_what_is_no_record (void)
{
  static const char *const texts[] = { "GET / HTTP/1.1\r\n",
                                       "\x17\2\1\0\1 ",
                                       "\x17\3\3\xff\xff ",
                                       "\x18\3\3\0\1 " };
  g_autoptr (GByteArray) hello = make_hello (NAME, 23);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      struct tls_handshake handshake;

      tls_handshake_init (&handshake, NAME);
      g_assert_true (program_says (&handshake, hello, 1000));
      g_assert_false (program_says_text (&handshake, texts[i], i == 0 ? 16 : 6));
    }
}

/* A host that warns, knows no TLS, or says something else first. */
static void
test_other_answers (void)
{
  static const struct
  {
    const char *text;
    gsize size;
    enum tls_stage stage;
  } cases[] = {
    { "\x15\3\3\0\2\1\x70", 7, TLS_STAGE_ANSWER },
    { "HTTP/1.1 400", 12, TLS_STAGE_SETTLED },
    { "\x16\3\3\0\4\0\0\0\0", 9, TLS_STAGE_SETTLED },
    { "\x17\3\3\0\1 ", 6, TLS_STAGE_SETTLED },
    { "\x16\3", 2, TLS_STAGE_ANSWER },
    { "\x16\3\3\0\4\2\0\0\0", 9, TLS_STAGE_ANSWER },
  };
  g_autoptr (GByteArray) hello = make_hello (NAME, 23);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct tls_handshake handshake;

      tls_handshake_init (&handshake, NAME);
      g_assert_true (program_says (&handshake, hello, 1000));
      tls_handshake_of_host (&handshake, (const guint8 *) cases[i].text, cases[i].size);
      g_assert_cmpint (handshake.stage, ==, cases[i].stage);
    }
}

/* An answer in two records, behind a warning. */
static void
test_answer_in_pieces (void)
{
  g_autoptr (GByteArray) hello = make_hello (NAME, 23);
  g_autoptr (GByteArray) retry = make_answer (true);
  g_autoptr (GByteArray) pieces = g_byte_array_new ();
  struct tls_handshake handshake;

  g_byte_array_append (pieces, (const guint8 *) "\x15\3\3\0\2\1\x70\x16\3\3\0\x0a", 12);
  g_byte_array_append (pieces, retry->data + 5, 10);
  g_byte_array_append (pieces, (const guint8 *) "\x16\3\3\0\x20", 5);
  g_byte_array_append (pieces, retry->data + 15, 32);
  for (gsize most = 1; most < 60; most++)
    {
      tls_handshake_init (&handshake, NAME);
      g_assert_true (program_says (&handshake, hello, 1000));
      host_says (&handshake, pieces, most);
      g_assert_cmpint (handshake.stage, ==, TLS_STAGE_HELLO);
      g_assert_true (handshake.is_second);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tls-handshake/answered", test_answered);
  g_test_add_func ("/tls-handshake/second-hello", test_second_hello);
  g_test_add_func ("/tls-handshake/more-in-the-record", test_more_in_the_record);
  g_test_add_func ("/tls-handshake/other-second-hellos", test_other_second_hellos);
  g_test_add_func ("/tls-handshake/unfinished", test_unfinished);
  g_test_add_func ("/tls-handshake/too-early", test_too_early);
  g_test_add_func ("/tls-handshake/what-is-no-record", test_what_is_no_record);
  g_test_add_func ("/tls-handshake/other-answers", test_other_answers);
  g_test_add_func ("/tls-handshake/answer-in-pieces", test_answer_in_pieces);
  return g_test_run ();
}
