/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-record.h"

#include <string.h>

#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"

typedef struct
{
  const char *text;
  char *string;
  GStrv strings;
  GBytes *bytes;
  gboolean is_on;
  guint word;
  guint count;
  guint64 large;
  int number;
  gint64 wide;
  double real;
  guint block;
  guint left;
} Record;

#define MEMBER(name, kind, member) FH_JSON_MEMBER (Record, name, kind, member)

static const char *const words[] = { "", "one", "two", NULL };

static const FhJsonMember members[] = {
  { MEMBER ("text", TEXT, text), .flags = FH_JSON_NULLABLE },
  { MEMBER ("string", STRING, string) },
  { MEMBER ("strings", STRINGS, strings), .maximum = 2, .flags = FH_JSON_NEW },
  { MEMBER ("bytes", BYTES, bytes), .flags = FH_JSON_NULLABLE },
  { MEMBER ("on", BOOL, is_on) },
  { MEMBER ("word", WORD, word), .words = words, .flags = FH_JSON_NULLABLE },
  { MEMBER ("count", COUNT, count) },
  { MEMBER ("large", COUNT, large), .maximum = G_MAXINT64 / 2 },
  { MEMBER ("number", INT, number), .flags = FH_JSON_NULLABLE, .none = -1 },
  { MEMBER ("wide", INT, wide) },
  { MEMBER ("real", DOUBLE, real), .flags = FH_JSON_WRITTEN },
  { MEMBER ("block", COUNT, block), .flags = FH_JSON_SPARSE },
  { MEMBER ("left", COUNT, left), .flags = FH_JSON_WITH_LAST },
  { NULL },
};

static const char full[] =
    "{\"text\":\"ü\",\"string\":{\"base64\":\"/w==\"},\"strings\":[\"a\",\"b\"],\"bytes\":\"x\","
    "\"on\":true,\"word\":\"two\",\"count\":4294967295,\"large\":5,\"number\":0,\"wide\":-5,"
    "\"real\":1.5,\"block\":3,\"left\":0}";
static const char bare[] =
    "{\"text\":null,\"string\":\"s\",\"strings\":[],\"bytes\":null,\"on\":false,\"word\":null,"
    "\"count\":0,\"large\":0,\"number\":null,\"wide\":0,\"real\":0.0}";

static gboolean
reread (const char *text, char **again, GError **error)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1000, NULL);
  g_autoptr (JsonObject) copy = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), copy);
  Record record = { .real = strstr (text, "1.5") != NULL ? 1.5 : 0 };
  gboolean ok = fh_json_read_record (object, members, &record, error);

  if (ok)
    fh_json_write_record (copy, members, &record);
  *again = fh_json_to_text (node, FALSE);
  fh_json_clear_record (members, &record);
  g_assert_null (record.string);
  g_assert_null (record.bytes);
  return ok;
}

static void
test_both_ways (void)
{
  static const char *const texts[] = { full, bare };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *again = NULL;

      g_assert_true (reread (texts[i], &again, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (again, ==, texts[i]);
    }
}

static void
test_members_that_are_new (void)
{
  static const char text[] = "{\"text\":\"\",\"string\":\"s\",\"bytes\":\"\",\"on\":false,"
                             "\"word\":\"one\",\"count\":0,\"large\":0,\"number\":7,\"wide\":0}";
  g_autoptr (GError) error = NULL;
  g_autofree char *again = NULL;

  g_assert_true (reread (text, &again, &error));
  g_assert_no_error (error);
}

/* Every member in turn has a value that is none for it, or is not there. */
static void
test_refused (void)
{
  static const struct
  {
    const char *member;
    const char *value; /* NULL: taken away */
  } cases[] = {
    { "text", "1" },       { "text", NULL },
    { "string", "null" },  { "string", "{\"base64\":\"AA==\"}" },
    { "string", NULL },    { "strings", "[1]" },
    { "strings", "null" }, { "strings", "[\"a\",\"b\",\"c\"]" },
    { "bytes", "5" },      { "on", "1" },
    { "word", "\"\"" },    { "word", "\"three\"" },
    { "count", "-1" },     { "count", "4294967296" },
    { "count", "null" },   { "large", "9223372036854775807" },
    { "number", "-1" },    { "number", "2147483648" },
    { "wide", "1.5" },     { "block", "\"3\"" },
    { "left", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonObject) object = fh_json_guard_parse (full, strlen (full), 1000, NULL);
      g_autoptr (GError) error = NULL;
      Record record = { 0 };

      g_test_message ("%s: %s", cases[i].member, cases[i].value);
      json_object_remove_member (object, cases[i].member);
      if (cases[i].value != NULL)
        json_object_set_member (object, cases[i].member, json_from_string (cases[i].value, NULL));
      g_assert_false (fh_json_read_record (object, members, &record, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i].member));
      fh_json_clear_record (members, &record);
    }
}

static gboolean
count_element (JsonObject *element, gpointer list, GError **error)
{
  *(guint *) list += json_object_get_size (element);
  return TRUE;
}

static void
test_list (void)
{
  static const char text[] = "{\"good\":[{\"a\":1},{\"b\":2}],\"bad\":[{},1]}";
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1000, NULL);
  guint n = 0;

  g_assert_true (fh_json_read_list (object, "good", 2, count_element, &n, NULL));
  g_assert_cmpuint (n, ==, 2);
  g_assert_false (fh_json_read_list (object, "good", 1, count_element, &n, NULL));
  g_assert_false (fh_json_read_list (object, "bad", 2, count_element, &n, NULL));
  g_assert_false (fh_json_read_list (object, "none", 2, count_element, &n, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-record/both-ways", test_both_ways);
  g_test_add_func ("/json-record/members-that-are-new", test_members_that_are_new);
  g_test_add_func ("/json-record/refused", test_refused);
  g_test_add_func ("/json-record/list", test_list);
  return g_test_run ();
}
