/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of the report that data/guest/look.py prints, and what is told of it. */
#include "code-look.h"

#include <string.h>

#include "fh-test.h"
#include "look-reason.h"
#include "run-error.h"

#define BLOCK(rows) "{\"blocks\":[{\"depth\":\"parsed\",\"left_out\":0,\"rows\":[" rows "]}]}"
#define ROW(kind, reason, line, name)                                                              \
  "{\"kind\":\"" kind "\",\"reason\":\"" reason "\",\"line\":" line ",\"name\":\"" name "\"}"

static GPtrArray *
new_blocks (const char *language, const char *code, guint line)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  FhAnswerBlock *block = fh_answer_block_new (fh_language_lookup (language), code);

  block->line = line;
  g_ptr_array_add (blocks, block);
  return blocks;
}

static void
test_good (void)
{
  g_autoptr (GPtrArray) blocks = new_blocks ("python", "a\nb\nc\n", 11);
  g_autoptr (GPtrArray) looks = fh_code_look_parse (
      BLOCK (
          "{\"kind\":\"import\",\"reason\":\"import\",\"line\":1,\"name\":\"os\","
          "\"reaches\":[\"processes\",\"files\"]}," ROW (
              "call",
              "deletes-files",
              "3",
              "os.remove") "," ROW ("call",
                                    "starts-program",
                                    "2",
                                    "x\\u202e\\n") "," ROW ("package",
                                                            "installs",
                                                            "999999",
                                                            "p") "," ROW ("sign", "bidi", "0", "")),
      blocks);
  const FhCodeLook *look;
  const FhLookFinding *finding;
  g_autofree char *summary = NULL;
  g_autofree char *text = NULL;

  g_assert_nonnull (looks);
  g_assert_cmpuint (looks->len, ==, 1);
  look = looks->pdata[0];
  g_assert_cmpint (look->depth, ==, FH_LOOK_PARSED);
  g_assert_cmpuint (look->n_lines, ==, 3);
  g_assert_cmpuint (look->findings->len, ==, 5);
  /* By kind, then line; lines are those of the whole text, and within the block. */
  finding = look->findings->pdata[0];
  g_assert_cmpint (finding->kind, ==, FH_LOOK_SIGN);
  g_assert_cmpuint (finding->line, ==, 11);
  finding = look->findings->pdata[1];
  g_assert_cmpstr (finding->reason, ==, "starts-program");
  g_assert_cmpuint (finding->line, ==, 12);
  g_assert_cmpstr (finding->name, ==, "x\\u202e\\n");
  finding = look->findings->pdata[3];
  g_assert_cmpuint (finding->line, ==, 13);
  finding = look->findings->pdata[4];
  g_assert_cmpuint (finding->reaches, ==, 1u << FH_LOOK_PROCESSES | 1u << FH_LOOK_FILES);

  summary = fh_code_look_dup_summary (look);
  g_assert_cmpstr (summary,
                   ==,
                   "1 sign that it is hard to read; 2 calls worth a look; installs 1 package; "
                   "imports that reach processes, files");
  text = fh_code_look_dup_text (look);
  g_assert_nonnull (strstr (text, "\n  13: os.remove: deletes files\n"));
  g_assert_nonnull (strstr (text, "Imports:\n  11: os: processes, files\n"));
}

/* Whatever is not as it should be spoils the whole. */
static void
test_bad (void)
{
  g_autoptr (GPtrArray) blocks = new_blocks ("python", "a\n", 1);
  g_autofree char *long_name = g_strnfill (401, 'n');
  g_autofree char *long_row = g_strdup_printf (BLOCK (ROW ("call", "eval", "1", "%s")), long_name);
  const char *const bad[] = {
    "",
    "null",
    "[]",
    "{}",
    "{\"blocks\":[]}",
    "{\"blocks\":[1]}",
    "{\"blocks\":[{}]}",
    "{\"blocks\":[{\"depth\":\"parsed\",\"left_out\":0}]}",
    "{\"blocks\":[{\"depth\":\"deep\",\"left_out\":0,\"rows\":[]}]}",
    "{\"blocks\":[{\"depth\":\"parsed\",\"left_out\":-1,\"rows\":[]}]}",
    "{\"blocks\":[{\"depth\":\"text\",\"left_out\":0,\"rows\":[]},"
    "{\"depth\":\"text\",\"left_out\":0,\"rows\":[]}]}",
    BLOCK ("1"),
    BLOCK (ROW ("call", "no-such", "1", "x")),
    BLOCK (ROW ("sign", "deletes-files", "1", "x")),
    BLOCK (ROW ("verdict", "deletes-files", "1", "x")),
    BLOCK (ROW ("call", "deletes-files", "-1", "x")),
    BLOCK (ROW ("call", "deletes-files", "1.5", "x")),
    BLOCK (ROW ("call", "deletes-files", "99999999999", "x")),
    BLOCK (ROW ("call", "deletes-files", "1", "\\u0000")),
    BLOCK (ROW ("import", "import", "1", "no reaches")),
    BLOCK ("{\"kind\":\"import\",\"reason\":\"import\",\"line\":1,\"name\":\"os\","
           "\"reaches\":[\"minds\"]}"),
    BLOCK ("{\"kind\":\"call\",\"reason\":\"deletes-files\",\"line\":1}"),
    BLOCK ("") "x",
    long_row,
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GPtrArray) looks = fh_code_look_parse (bad[i], blocks);

      if (looks != NULL)
        g_error ("accepted: %s", bad[i]);
    }
}

static void
test_too_many_rows (void)
{
  g_autoptr (GPtrArray) blocks = new_blocks ("sh", "a\n", 1);
  g_autoptr (GString) rows = g_string_new (ROW ("call", "deletes-files", "1", "x"));
  g_autofree char *report = NULL;
  g_autoptr (GPtrArray) looks = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append (rows, "," ROW ("call", "deletes-files", "1", "x"));
  report = g_strdup_printf (BLOCK ("%s"), rows->str);
  looks = fh_code_look_parse (report, blocks);
  g_assert_null (looks);
}

static void
test_without_findings (void)
{
  g_autoptr (GPtrArray) blocks = new_blocks ("javascript", "", 1);
  g_autoptr (GPtrArray) looks =
      fh_code_look_parse ("{\"blocks\":[{\"depth\":\"text\",\"left_out\":7,\"rows\":[]}]}", blocks);
  g_autofree char *summary = NULL;
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) object = NULL;

  g_assert_nonnull (looks);
  summary = fh_code_look_dup_summary (looks->pdata[0]);
  g_assert_cmpstr (summary, ==, "Fumehood cannot look into JavaScript yet");
  text = fh_code_look_dup_text (looks->pdata[0]);
  g_assert_cmpstr (text, ==, "Fumehood cannot look into JavaScript yet.\nand 7 more\n");
  object = fh_code_look_to_json (looks->pdata[0]);
  g_assert_cmpstr (json_object_get_string_member (object, "depth"), ==, "text");
  g_assert_true (json_object_get_null_member (object, "syntax_error"));
}

static void
test_request (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *code = g_strnfill (FH_CODE_LOOK_MAX + 1, 'x');
  g_autoptr (GPtrArray) small = new_blocks ("bash", "ls\n", 1);
  g_autoptr (GPtrArray) large = new_blocks ("bash", code, 1);
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *input;

  options->guards.tier = FH_TIER_UNPROTECTED;
  options->guards.without = 1u << FH_GUARD_NETWORK;
  request = fh_code_look_new_request (small, options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fh_run_request_get_parts (request)->guards->tier, ==, FH_TIER_AUTO);
  g_assert_cmpuint (fh_run_request_get_parts (request)->guards->without, ==, 0);
  g_assert_cmpuint (fh_run_request_get_parts (request)->limits.wall_ms, >, 0);
  g_assert_cmpuint (fh_run_request_get_parts (request)->limits.wall_ms, <=, 120000);
  input = fh_run_request_get_parts (request)->standard_input;
  g_assert_cmpmem (g_bytes_get_data (input, NULL), g_bytes_get_size (input), "bash 3\nls\n", 10);

  g_assert_null (fh_code_look_new_request (large, options, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

FH_TESTS ({ "/code-look/good", test_good },
          { "/code-look/bad", test_bad },
          { "/code-look/too-many-rows", test_too_many_rows },
          { "/code-look/without-findings", test_without_findings },
          { "/code-look/request", test_request });
