/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dns-question.h"

#include <glib.h>
#include <string.h>

/* A query with the number 0x1234 that wants recursion. */
#define HEADER "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"
#define A_IN   "\x00\x01\x00\x01"

#define PARSE(question, text)                                                                      \
  dns_question_parse ((question), (const uint8_t *) (text), sizeof (text) - 1)

static void
test_names (void)
{
  struct dns_question question;

  g_assert_true (PARSE (&question, HEADER "\3key\4evil\3com\0" A_IN));
  g_assert_cmpstr (question.name, ==, "key.evil.com");
  g_assert_cmpint (question.type, ==, DNS_TYPE_A);
  g_assert_cmpint (question.end, ==, 12 + 14 + 4);

  g_assert_true (PARSE (&question, HEADER "\0\0\x1c\0\1"));
  g_assert_cmpstr (question.name, ==, ".");
  g_assert_cmpint (question.type, ==, DNS_TYPE_AAAA);
}

static void
test_hostile_names (void)
{
  struct dns_question question;

  g_assert_true (PARSE (&question, HEADER "\4a.b\\\2\0\n\6<b> \xff\x7f\0" A_IN));
  g_assert_cmpstr (question.name, ==, "a\\.b\\\\.\\000\\010.<b>\\032\\255\\127");
  /* Nothing but printable ASCII comes out, whatever goes in. */
  for (const char *at = question.name; *at != '\0'; at++)
    g_assert_true (*at > 0x20 && *at < 0x7f);
}

/* The header, labels of 63 bytes and one last label, the root and the type. */
static GByteArray *
make_query (guint n_labels, guint last, uint8_t byte)
{
  GByteArray *query = g_byte_array_new ();

  g_byte_array_append (query, (const guint8 *) HEADER, 12);
  for (guint i = 0; i <= n_labels; i++)
    {
      guint8 length = (guint8) (i < n_labels ? 63 : last);

      g_byte_array_append (query, &length, 1);
      for (guint j = 0; j < length; j++)
        g_byte_array_append (query, &byte, 1);
    }
  g_byte_array_append (query, (const guint8 *) "\0" A_IN, 5);
  return query;
}

static void
test_longest_name (void)
{
  struct dns_question question;
  g_autoptr (GByteArray) longest = make_query (3, 61, 0xff);
  g_autoptr (GByteArray) too_long = make_query (3, 62, 'a');
  g_autoptr (GByteArray) long_label = make_query (0, 64, 'a');

  /* 255 bytes on the wire */
  g_assert_true (dns_question_parse (&question, longest->data, longest->len));
  g_assert_cmpint (strlen (question.name), ==, (3 * 63 + 61) * 4 + 3);
  g_assert_cmpint (strlen (question.name), <, sizeof question.name);
  g_assert_false (dns_question_parse (&question, too_long->data, too_long->len));
  g_assert_false (dns_question_parse (&question, long_label->data, long_label->len));
}

static void
test_what_is_no_question (void)
{
  static const struct
  {
    const char *bytes;
    size_t size;
  } cases[] = {
#define CASE(text) { text, sizeof (text) - 1 }
    CASE (""),
    CASE ("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00"),
    CASE (HEADER),
    CASE (HEADER "\3ke"),
    CASE (HEADER "\3key"),
    CASE (HEADER "\3key\0"),
    CASE (HEADER "\3key\0\0\1\0"),
    /* pointers, to itself and elsewhere; the two reserved kinds of labels */
    CASE (HEADER "\xc0\x0c" A_IN),
    CASE (HEADER "\3key\xc0\x0c" A_IN),
    CASE (HEADER "\x40" A_IN),
    CASE (HEADER "\x80" A_IN),
    /* a response, another operation, no question, two questions */
    CASE ("\x12\x34\x81\x00\x00\x01\x00\x00\x00\x00\x00\x00\3key\0" A_IN),
    CASE ("\x12\x34\x29\x00\x00\x01\x00\x00\x00\x00\x00\x00\3key\0" A_IN),
    CASE ("\x12\x34\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\3key\0" A_IN),
    CASE ("\x12\x34\x01\x00\x00\x02\x00\x00\x00\x00\x00\x00\3key\0" A_IN "\3key\0" A_IN),
#undef CASE
  };
  struct dns_question question;
  uint8_t too_large[DNS_MESSAGE_MAX + 1] = HEADER "\0" A_IN;

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%zu", i);
      g_assert_false (
          dns_question_parse (&question, (const uint8_t *) cases[i].bytes, cases[i].size));
    }
  g_assert_true (dns_question_parse (&question, too_large, DNS_MESSAGE_MAX));
  g_assert_false (dns_question_parse (&question, too_large, sizeof too_large));
}

static void
test_no_such_name (void)
{
  /* With an EDNS record, which the answer leaves out. */
  static const char query[] = "\x12\x34\x01\x20\x00\x01\x00\x00\x00\x00\x00\x01"
                              "\3key\0" A_IN "\0\0\x29\4\xd0\0\0\0\0\0\0";
  static const char expected[] = "\x12\x34\x81\x83\x00\x01\x00\x00\x00\x00\x00\x00"
                                 "\3key\0" A_IN;
  struct dns_question question;
  uint8_t answer[DNS_MESSAGE_MAX];
  size_t size;

  g_assert_true (PARSE (&question, query));
  size = dns_answer_write (answer, (const uint8_t *) query, sizeof query - 1, &question);
  g_assert_cmpmem (answer, size, expected, sizeof expected - 1);
}

static void
test_not_understood (void)
{
  static const uint8_t two[12] = { 1, 2, 0x01, 0, 0, 2 };
  static const uint8_t notify[12] = { 1, 2, 0x21, 0, 0, 1 };
  static const uint8_t response[12] = { 1, 2, 0x81, 0, 0, 1 };
  uint8_t answer[DNS_MESSAGE_MAX];

  g_assert_cmpint (dns_answer_write (answer, two, sizeof two, NULL), ==, 12);
  g_assert_cmpmem (answer, 12, "\1\2\x81\x81\0\0\0\0\0\0\0\0", 12);
  g_assert_cmpint (dns_answer_write (answer, notify, sizeof notify, NULL), ==, 12);
  g_assert_cmpmem (answer, 12, "\1\2\xa1\x84\0\0\0\0\0\0\0\0", 12);
  g_assert_cmpint (dns_answer_write (answer, two, 11, NULL), ==, 0);
  g_assert_cmpint (dns_answer_write (answer, response, sizeof response, NULL), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dns-question/names", test_names);
  g_test_add_func ("/dns-question/hostile-names", test_hostile_names);
  g_test_add_func ("/dns-question/longest-name", test_longest_name);
  g_test_add_func ("/dns-question/what-is-no-question", test_what_is_no_question);
  g_test_add_func ("/dns-question/no-such-name", test_no_such_name);
  g_test_add_func ("/dns-question/not-understood", test_not_understood);
  return g_test_run ();
}
