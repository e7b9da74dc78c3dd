/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/options-panel.h"

#include "controls/container-panel.h"
#include "controls/guards-panel.h"
#include "controls/interpreter-row.h"
#include "parts/limit-row.h"
#include "widget-test.h"

typedef struct
{
  FhRunOptions *options;
  GtkWidget *panel;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->options = fh_run_options_new ();
  fixture->panel = fh_options_panel_new ();
  fh_options_panel_set_options (FH_OPTIONS_PANEL (fixture->panel), fixture->options);
  fixture->window = widget_test_window (fixture->panel, 380, 700);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  GtkWidget *panel = g_object_ref (fixture->panel);

  gtk_window_destroy (fixture->window);
  widget_test_wait (50);
  g_assert_finalize_object (panel);
  g_assert_finalize_object (fixture->options);
}

/* The nth widget of this type, from 0; the panels of guards and of the container are looked at by
 * their own tests. */
static GtkWidget *
find_nth (GtkWidget *root, GType type, guint *n)
{
  if (FH_IS_GUARDS_PANEL (root) || FH_IS_CONTAINER_PANEL (root))
    return NULL;
  if (g_type_is_a (G_OBJECT_TYPE (root), type) && (*n)-- == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_nth (child, type, n);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gpointer
get (Fixture *fixture, GType type, guint n)
{
  GtkWidget *found = find_nth (fixture->panel, type, &n);

  g_assert_nonnull (found);
  return found;
}

static guint64
get_limit (Fixture *fixture, guint n)
{
  return fh_limit_row_get_value (get (fixture, FH_TYPE_LIMIT_ROW, n));
}

#define LANGUAGE_ROW    0
#define PRESET_ROW      2 /* behind the interpreters */
#define TIME_ROW        0
#define MEMORY_ROW      1
#define INTERPRETER_ROW 0 /* of an image */
#define ARGUMENTS_ROW   1

static void
test_shows_options (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (get_limit (fixture, TIME_ROW), ==, 30000);
  g_assert_cmpuint (get_limit (fixture, MEMORY_ROW), ==, (guint64) 512 << 20);
  g_object_set (fixture->options,
                "time-limit",
                (guint64) 1500,
                "memory-limit",
                (guint64) 0,
                "standard-input",
                "hello",
                "arguments",
                "-v",
                "keep",
                FALSE,
                NULL);
  g_assert_cmpuint (get_limit (fixture, TIME_ROW), ==, 1500);
  g_assert_cmpuint (get_limit (fixture, MEMORY_ROW), ==, 0);
  g_assert_cmpstr (
      gtk_editable_get_text (GTK_EDITABLE (get (fixture, ADW_TYPE_ENTRY_ROW, ARGUMENTS_ROW))),
      ==,
      "-v");
  g_assert_false (gtk_switch_get_active (get (fixture, GTK_TYPE_SWITCH, 0)));
  {
    g_autofree char *text = widget_test_text (get (fixture, GTK_TYPE_TEXT_VIEW, 0));

    g_assert_cmpstr (text, ==, "hello");
  }
}

static void
test_changes_options (Fixture *fixture, gconstpointer data)
{
  GtkTextView *view = get (fixture, GTK_TYPE_TEXT_VIEW, 0);
  FhRunLimits limits;

  fh_limit_row_set_value (get (fixture, FH_TYPE_LIMIT_ROW, TIME_ROW), 100);
  gtk_editable_set_text (GTK_EDITABLE (get (fixture, ADW_TYPE_ENTRY_ROW, ARGUMENTS_ROW)),
                         "a 'b c'");
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (view), "1\n2\n", -1);
  gtk_switch_set_active (get (fixture, GTK_TYPE_SWITCH, 0), FALSE);
  limits = fh_run_options_get_limits (fixture->options);
  g_assert_cmpuint (limits.wall_ms, ==, 100);
  g_assert_cmpstr (fh_run_options_get_arguments (fixture->options), ==, "a 'b c'");
  g_assert_cmpstr (fh_run_options_get_standard_input (fixture->options), ==, "1\n2\n");
  g_assert_false (fh_run_options_get_keep (fixture->options));
}

static void
test_language (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = get (fixture, ADW_TYPE_COMBO_ROW, LANGUAGE_ROW);
  const FhLanguage *const *languages = fh_language_list ();

  adw_combo_row_set_selected (row, 1);
  g_assert_true (fh_run_options_get_language (fixture->options) == languages[1]);
  fh_run_options_set_language (fixture->options, languages[2]);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 2);
}

static void
test_presets (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = get (fixture, ADW_TYPE_COMBO_ROW, PRESET_ROW);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);

  for (guint i = 0; i < count; i++)
    {
      FhRunLimits limits;

      adw_combo_row_set_selected (row, i);
      limits = fh_run_options_get_limits (fixture->options);
      g_assert_true (fh_run_limits_equal (&limits, &presets[i].limits));
      g_assert_cmpuint (get_limit (fixture, TIME_ROW), ==, presets[i].limits.wall_ms);
      g_assert_cmpuint (adw_combo_row_get_selected (row), ==, i);
    }
  /* Any other limit is "Custom", and choosing that changes nothing. */
  fh_limit_row_set_value (get (fixture, FH_TYPE_LIMIT_ROW, TIME_ROW), 1234);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, count);
  g_assert_cmpuint (get_limit (fixture, TIME_ROW), ==, 1234);
}

/* What cannot be used stops the run with the sentence that the row shows. */
static void
test_problem (Fixture *fixture, gconstpointer data)
{
  FhLimitRow *row = get (fixture, FH_TYPE_LIMIT_ROW, MEMORY_ROW);
  GtkWidget *entry = widget_test_find (GTK_WIDGET (row), GTK_TYPE_ENTRY);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = NULL;

  gtk_editable_set_text (GTK_EDITABLE (entry), "5 potatoes");
  g_assert_null (fh_run_options_build_request (fixture->options, "x", NULL, FH_TIER_AUTO, &error));
  g_assert_cmpstr (error->message, ==, fh_limit_row_get_problem (row));
  gtk_editable_set_text (GTK_EDITABLE (entry), "64");
  request = fh_run_options_build_request (fixture->options, "x", NULL, FH_TIER_AUTO, NULL);
  g_assert_nonnull (request);
  g_assert_cmpuint (fh_run_request_get_limits (request)->memory_bytes, ==, (guint64) 64 << 20);
}

static gboolean
has_choices (gpointer data)
{
  return g_list_model_get_n_items (adw_combo_row_get_model (data)) > 2;
}

/* The default, what is here, and "Other…". */
static void
test_interpreters (Fixture *fixture, gconstpointer data)
{
  FhInterpreterRow *row = get (fixture, FH_TYPE_INTERPRETER_ROW, 0);
  GListModel *model;
  guint count;

  widget_test_wait_until (has_choices, row);
  model = adw_combo_row_get_model (ADW_COMBO_ROW (row));
  count = g_list_model_get_n_items (model);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 1);
  g_assert_nonnull (fh_run_options_get_interpreter (fixture->options));
  g_assert_true (g_path_is_absolute (fh_run_options_get_interpreter (fixture->options)));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 0);
  g_assert_null (fh_run_options_get_interpreter (fixture->options));
  /* One that the list does not have joins it. */
  g_object_set (fixture->options, "interpreter", "/opt/odd/python", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, count + 1);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, count - 1);
}

/* The interpreters of this computer are not those of an image: each place has a row of its own. */
static void
test_place (Fixture *fixture, gconstpointer data)
{
  FhContainerChoice *choice = fh_run_options_get_container (fixture->options);
  GtkWidget *here = get (fixture, FH_TYPE_INTERPRETER_ROW, 0);
  GtkWidget *inside = get (fixture, ADW_TYPE_ENTRY_ROW, INTERPRETER_ROW);
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (gtk_widget_get_visible (here));
  g_assert_false (gtk_widget_get_visible (inside));
  g_object_set (fixture->options, "interpreter", "/opt/odd/python", NULL);
  g_object_set (choice, "in-container", TRUE, "image", "plain", NULL);
  g_assert_false (gtk_widget_get_visible (here));
  g_assert_true (gtk_widget_get_visible (inside));
  gtk_editable_set_text (GTK_EDITABLE (inside), " python3.12 ");
  request = fh_run_options_build_request (fixture->options, "x", NULL, FH_TIER_AUTO, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fh_run_request_get_interpreter (request), ==, "python3.12");
  g_assert_cmpstr (fh_run_request_get_container (request)->image, ==, "plain");
  g_object_set (choice, "in-container", FALSE, NULL);
  g_clear_object (&request);
  request = fh_run_options_build_request (fixture->options, "x", NULL, FH_TIER_AUTO, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fh_run_request_get_interpreter (request), ==, "/opt/odd/python");
  g_assert_null (fh_run_request_get_container (request));
}

int
main (int argc, char *argv[])
{
  const struct
  {
    const char *path;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/app/options-panel/shows-options", test_shows_options },
    { "/app/options-panel/changes-options", test_changes_options },
    { "/app/options-panel/language", test_language },
    { "/app/options-panel/presets", test_presets },
    { "/app/options-panel/problem", test_problem },
    { "/app/options-panel/interpreters", test_interpreters },
    { "/app/options-panel/place", test_place },
  };

  if (!widget_test_init (&argc, &argv))
    return 77;
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
