/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-changes.h"

#include <string.h>

#include "folder-changes.h"
#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"

#define DIGEST "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"

static const FhFolderPlace place = {
  .path = "/home/\xff/p",
  .device = G_MAXUINT64,
  .inode = 7,
  .born_us = 1700000000000001,
};

static FhFolderChange *
change_new (FhFolderChangeFacts facts)
{
  FhFolderChange *change = fh_folder_change_new (&facts);

  g_assert_nonnull (change);
  return change;
}

static void
add (FhFolderChanges *changes, FhFolderChangeFacts facts)
{
  g_autoptr (FhFolderChange) change = change_new (facts);

  fh_folder_changes_add (changes, change);
}

static void
test_impossible (void)
{
  const FhFolderChangeFacts impossible[] = {
    { .path = "../x" },
    { .path = "/x" },
    { .path = "a//b" },
    { .path = "" },
    { .path = "x", .old_sha256 = DIGEST },
    { .path = "x", .kind = FH_FOLDER_CHANGE_CHANGED },
    { .path = "x", .kind = FH_FOLDER_CHANGE_DELETED },
    { .path = "x", .kind = FH_FOLDER_CHANGE_CHANGED, .old_sha256 = "12" },
    { .path = "x", .kind = FH_FOLDER_CHANGE_CHANGED, .old_sha256 = DIGEST "0" },
    { .path = "x",
      .kind = FH_FOLDER_CHANGE_DELETED,
      .old_sha256 = "B94D27B9934D3E08A52E52D7DA7DABFAC484EFE37A5380EE9088F7ACE2EFCDE9" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (impossible); i++)
    g_assert_null (fh_folder_change_new (&impossible[i]));
}

/* What may be applied, and what "all" includes. */
static void
test_choice (void)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("x", 1);
  const struct
  {
    FhFolderChangeFacts facts;
    gboolean applicable;
    gboolean in_all;
    const char *letter;
  } cases[] = {
    { { .path = "a.txt", .content = content }, TRUE, TRUE, "A" },
    { { .path = "a.txt" }, FALSE, FALSE, "A" },
    { { .path = "a", .kind = FH_FOLDER_CHANGE_CHANGED, .old_sha256 = DIGEST, .content = content },
      TRUE,
      TRUE,
      "M" },
    { { .path = "a", .kind = FH_FOLDER_CHANGE_DELETED, .old_sha256 = DIGEST }, TRUE, TRUE, "D" },
    { { .path = ".envrc", .content = content }, TRUE, FALSE, "A" },
    { { .path = ".envrc", .kind = FH_FOLDER_CHANGE_DELETED, .old_sha256 = DIGEST },
      TRUE,
      FALSE,
      "D" },
    { { .path = "Makefile", .content = content }, TRUE, TRUE, "A" },
    { { .path = ".git/hooks/x", .content = content }, FALSE, FALSE, "A" },
    { { .path = "a\nb", .content = content }, TRUE, FALSE, "A" },
    { { .path = "a\u202eb", .content = content }, TRUE, FALSE, "A" },
    { { .path = "a\xff", .content = content }, TRUE, FALSE, "A" },
    { { .path = "l", .problem = FH_FOLDER_CHANGE_LINK, .content = content }, FALSE, FALSE, "A" },
    { { .path = "s", .problem = FH_FOLDER_CHANGE_SPECIAL }, FALSE, FALSE, "A" },
    { { .path = "t", .problem = FH_FOLDER_CHANGE_TOO_LARGE }, FALSE, FALSE, "A" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FhFolderChange) change = change_new (cases[i].facts);

      g_assert_true (fh_folder_change_is_applicable (change) == cases[i].applicable);
      g_assert_true (fh_folder_change_is_in_all (change) == cases[i].in_all);
      g_assert_cmpstr (fh_folder_change_get_letter (change), ==, cases[i].letter);
      g_assert_true (cases[i].in_all || fh_folder_change_get_remark (change) != NULL ||
                     cases[i].facts.content == NULL);
      g_assert_true (g_utf8_validate (fh_folder_change_get_facts (change)->name, -1, NULL));
    }
}

static void
test_program (void)
{
  g_autoptr (FhFolderChange) change = change_new ((FhFolderChangeFacts){
      .path = "tool",
      .kind = FH_FOLDER_CHANGE_DELETED,
      .old_sha256 = DIGEST,
      .was_program = TRUE,
  });

  g_assert_cmpint (fh_folder_change_get_facts (change)->execution, ==, FH_EXECUTES_BY_COMMAND);
  g_assert_nonnull (fh_folder_change_get_remark (change));
}

static void
test_order (void)
{
  g_autoptr (FhFolderChanges) changes = fh_folder_changes_new (&place);
  const char *const paths[] = { "b", "a/b", "c", "a", "b", "\xff" };
  const char *const sorted[] = { "a", "a/b", "b", "c", "\xff" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    add (changes, (FhFolderChangeFacts){ .path = paths[i] });
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (changes)), ==, G_N_ELEMENTS (sorted));
  for (guint i = 0; i < G_N_ELEMENTS (sorted); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (changes, i);

      g_assert_cmpstr (fh_folder_change_get_facts (change)->path, ==, sorted[i]);
      g_assert_true (fh_folder_changes_find (changes, sorted[i]) == change);
    }
  g_assert_null (fh_folder_changes_find (changes, "aa"));
  g_assert_null (fh_folder_changes_get (changes, 5));
}

static FhFolderChanges *
all_kinds (void)
{
  FhFolderChanges *changes = fh_folder_changes_new (&place);
  char *hidden[] = { (char *) ".git", (char *) "l\xff", NULL };

  add (changes, (FhFolderChangeFacts){ .path = "new\n", .new_size = 3, .is_program = TRUE });
  add (changes,
       (FhFolderChangeFacts){ .path = "changed",
                              .kind = FH_FOLDER_CHANGE_CHANGED,
                              .old_size = 11,
                              .new_size = 2,
                              .old_sha256 = DIGEST,
                              .was_program = TRUE });
  add (changes,
       (FhFolderChangeFacts){ .path = "gone",
                              .kind = FH_FOLDER_CHANGE_DELETED,
                              .old_sha256 = DIGEST });
  add (changes, (FhFolderChangeFacts){ .path = "link", .problem = FH_FOLDER_CHANGE_LINK });
  add (changes, (FhFolderChangeFacts){ .path = ".git/x" });
  fh_folder_changes_set_hidden (changes, hidden, 3);
  fh_folder_changes_set_left_out (changes, 4, 5);
  return changes;
}

static FhFolderChangeProblem
problem_of (FhFolderChanges *changes, const char *path)
{
  return fh_folder_change_get_facts (fh_folder_changes_find (changes, path))->problem;
}

/* Only a file of that path and size has the content of a change. */
static void
test_contents (void)
{
  g_autoptr (FhFolderChanges) changes = all_kinds ();
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GBytes) content = g_bytes_new_static ("abc", 3);
  const char *const paths[] = { "new\n", "changed", "link", "gone" };
  g_autoptr (FhFolderChanges) joined = NULL;
  g_autoptr (FhFolderChanges) again = NULL;
  g_autoptr (FhResultFiles) none = fh_result_files_new ();

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (FhResultFile) file = fh_result_file_new (
          &(FhResultFileFacts){ .path = paths[i], .size = 3, .content = content });

      fh_result_files_add (files, file);
    }
  joined = fh_folder_changes_with_files (changes, files);
  g_assert_cmpint (problem_of (joined, "new\n"), ==, FH_FOLDER_CHANGE_FINE);
  g_assert_cmpint (problem_of (joined, "changed"), ==, FH_FOLDER_CHANGE_NOT_KEPT);
  g_assert_cmpint (problem_of (joined, "gone"), ==, FH_FOLDER_CHANGE_FINE);
  g_assert_cmpint (problem_of (joined, "link"), ==, FH_FOLDER_CHANGE_LINK);
  g_assert_cmpint (problem_of (joined, ".git/x"), ==, FH_FOLDER_CHANGE_VERSION_CONTROL);
  g_assert_cmpuint (fh_folder_changes_get_facts (joined)->n_cached, ==, 4);
  again = fh_folder_changes_with_files (joined, none);
  g_assert_cmpint (problem_of (again, "new\n"), ==, FH_FOLDER_CHANGE_NOT_KEPT);
  g_clear_object (&joined);
  joined = fh_folder_changes_with_files (again, files);
  g_assert_cmpint (problem_of (joined, "new\n"), ==, FH_FOLDER_CHANGE_FINE);
}

static char *
to_text (FhFolderChanges *changes)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  fh_folder_changes_add_to_json (changes, object);
  return fh_json_to_text (node, FALSE);
}

static FhFolderChanges *
from_text (const char *text, GError **error)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1 << 20, NULL);
  FhFolderChanges *changes;

  g_assert_nonnull (object);
  g_assert_true (fh_folder_changes_from_json (object, &changes, error) ==
                 (error == NULL || *error == NULL));
  return changes;
}

static void
test_json (void)
{
  g_autoptr (FhFolderChanges) changes = all_kinds ();
  g_autofree char *text = to_text (changes);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhFolderChanges) back = from_text (text, &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  again = to_text (back);
  g_assert_cmpstr (again, ==, text);
  g_assert_cmpstr (fh_folder_changes_get_facts (back)->place.path, ==, place.path);
  g_assert_true (fh_folder_changes_get_facts (back)->place.device == G_MAXUINT64);
  g_assert_true (fh_folder_changes_get_facts (back)->place.born_us == place.born_us);
  g_assert_cmpstr (fh_folder_changes_get_facts (back)->hidden[1], ==, "l\xff");
  g_assert_cmpuint (fh_folder_changes_get_facts (back)->n_hidden, ==, 3);
  g_clear_object (&back);
  back = from_text ("{}", NULL);
  g_assert_null (back);
}

/* Each is one word away from what is written. */
static void
test_bad_json (void)
{
  static const struct
  {
    const char *from;
    const char *to;
  } bad[] = {
    { "\"path\":\"gone\"", "\"path\":\"../gone\"" },
    { "\"path\":\"gone\"", "\"path\":null" },
    { "\"kind\":\"deleted\"", "\"kind\":\"burnt\"" },
    { "\"old_sha256\":\"" DIGEST "\"", "\"old_sha256\":\"x\"" },
    { "\"problem\":\"link\"", "\"problem\":\"x\"" },
    { "\"n_cached\":4", "\"n_cached\":-4" },
    { "\"hidden\":[", "\"hidden\":[7," },
    { "\"inode\":7", "\"inode\":\"7\"" },
    { "\"changes\":[", "\"changes\":[null," },
    { "\"was_program\":true", "\"was_program\":1" },
  };
  g_autoptr (FhFolderChanges) changes = all_kinds ();
  g_autofree char *text = to_text (changes);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GString) broken = g_string_new (text);
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (g_string_replace (broken, bad[i].from, bad[i].to, 1), ==, 1);
      g_assert_null (from_text (broken->str, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folder-changes/impossible", test_impossible);
  g_test_add_func ("/folder-changes/choice", test_choice);
  g_test_add_func ("/folder-changes/program", test_program);
  g_test_add_func ("/folder-changes/order", test_order);
  g_test_add_func ("/folder-changes/contents", test_contents);
  g_test_add_func ("/folder-changes/json", test_json);
  g_test_add_func ("/folder-changes/bad-json", test_bad_json);
  return g_test_run ();
}
