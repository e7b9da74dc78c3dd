/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/options-window.h"

#include "controls/guards-group.h"
#include "controls/interpreter-row.h"
#include "controls/options.h"
#include "controls/presets-row.h"
#include "option-samples.h"
#include "parts/limit-row.h"
#include "widget-test.h"

typedef struct
{
  FhOptions *options;
  GtkWidget *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->options = fh_options_new ();
  fixture->window = fh_options_window_new (fixture->options);
  gtk_window_present (GTK_WINDOW (fixture->window));
  widget_test_settle ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (g_object_ref (fixture->window)));
  widget_test_finalize (fixture->window);
  widget_test_finalize (fixture->options);
}

/* The nth widget of this type, from 0; the presets and the guards are looked at by their own
 * tests. */
static GtkWidget *
find_nth (GtkWidget *root, GType type, guint *n)
{
  if (FH_IS_GUARDS_GROUP (root) || FH_IS_PRESETS_ROW (root))
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
  GtkWidget *found = find_nth (fixture->window, type, &n);

  g_assert_nonnull (found);
  return found;
}

static guint64
get_limit (Fixture *fixture, guint n)
{
  guint64 value;

  g_object_get (get (fixture, FH_TYPE_LIMIT_ROW, n), "value", &value, NULL);
  return value;
}

/* The first switch is that for notebooks. */
#define HISTORY_SWITCH  1
#define FILES_SWITCH    2
#define LANGUAGE_ROW    0
#define PRESET_ROW      2 /* behind the interpreters */
#define CPU_ROW         1
#define DISK_ROW        3
#define INTERPRETER_ROW 0 /* of an image */
#define ARGUMENTS_ROW   1

static void
test_shows_options (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (get_limit (fixture, CPU_ROW), ==, 0);
  g_assert_cmpuint (get_limit (fixture, DISK_ROW), ==, (guint64) 256 << 20);
  g_object_set (fixture->options,
                "limits-cpu-ms",
                (guint64) 1500,
                "limits-disk-bytes",
                (guint64) 0,
                "standard-input",
                "hello",
                "arguments",
                "-v",
                "no-history",
                TRUE,
                NULL);
  g_assert_cmpuint (get_limit (fixture, CPU_ROW), ==, 1500);
  g_assert_cmpuint (get_limit (fixture, DISK_ROW), ==, 0);
  g_assert_cmpstr (
      gtk_editable_get_text (GTK_EDITABLE (get (fixture, ADW_TYPE_ENTRY_ROW, ARGUMENTS_ROW))),
      ==,
      "-v");
  g_assert_false (gtk_switch_get_active (get (fixture, GTK_TYPE_SWITCH, HISTORY_SWITCH)));
  {
    g_autofree char *text = widget_test_text (get (fixture, GTK_TYPE_TEXT_VIEW, 0));

    g_assert_cmpstr (text, ==, "hello");
  }
}

/* A quote that is not closed is said while it is typed, and not only when it is run. */
static void
test_marks_arguments (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = get (fixture, ADW_TYPE_ENTRY_ROW, ARGUMENTS_ROW);

  g_assert_false (gtk_widget_has_css_class (row, "error"));
  gtk_editable_set_text (GTK_EDITABLE (row), "a 'b");
  g_assert_true (gtk_widget_has_css_class (row, "error"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (row), "The arguments cannot be used: "));
  gtk_editable_set_text (GTK_EDITABLE (row), "a 'b'");
  g_assert_false (gtk_widget_has_css_class (row, "error"));
  g_assert_null (gtk_widget_get_tooltip_text (row));
}

/* Where the pencil of a row that can be edited ends, in the window. */
static float
pencil_end (Fixture *fixture, guint n)
{
  GtkWidget *row = get (fixture, ADW_TYPE_ENTRY_ROW, n);
  graphene_rect_t place;
  float end = 0;

  for (GtkWidget *box = gtk_widget_get_last_child (gtk_widget_get_first_child (row));
       box != NULL && end == 0;
       box = gtk_widget_get_prev_sibling (box))
    {
      if (GTK_IS_IMAGE (box) && gtk_widget_get_mapped (box) &&
          gtk_widget_compute_bounds (box, GTK_WIDGET (fixture->window), &place))
        end = place.origin.x + place.size.width;
    }
  return end;
}

/* The sign of a problem takes no room while there is none. */
static void
test_pencils (Fixture *fixture, gconstpointer data)
{
  FH_AWAIT_TRUE (pencil_end (fixture, ARGUMENTS_ROW) > 0);
  g_assert_cmpfloat (pencil_end (fixture, ARGUMENTS_ROW),
                     ==,
                     pencil_end (fixture, ARGUMENTS_ROW + 1));
}

static void
test_changes_options (Fixture *fixture, gconstpointer data)
{
  GtkTextView *view = get (fixture, GTK_TYPE_TEXT_VIEW, 0);
  g_autoptr (FhRunOptions) values = NULL;
  g_autofree char *arguments = NULL;
  g_autofree char *input = NULL;

  g_object_set (get (fixture, FH_TYPE_LIMIT_ROW, CPU_ROW), "value", (guint64) 100, NULL);
  gtk_editable_set_text (GTK_EDITABLE (get (fixture, ADW_TYPE_ENTRY_ROW, ARGUMENTS_ROW)),
                         "a 'b c'");
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (view), "1\n2\n", -1);
  gtk_switch_set_active (get (fixture, GTK_TYPE_SWITCH, HISTORY_SWITCH), FALSE);
  gtk_switch_set_active (get (fixture, GTK_TYPE_SWITCH, FILES_SWITCH), FALSE);
  values = fh_options_dup_values (fixture->options);
  arguments = option_samples_get_text (fixture->options, "arguments");
  input = option_samples_get_text (fixture->options, "standard-input");
  g_assert_cmpuint (values->limits.cpu_ms, ==, 100);
  g_assert_cmpstr (arguments, ==, "a 'b c'");
  g_assert_cmpstr (input, ==, "1\n2\n");
  g_assert_true (values->no_history);
  g_assert_true (values->guards.no_files);
}

static void
test_language (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = get (fixture, ADW_TYPE_COMBO_ROW, LANGUAGE_ROW);
  const FhLanguage *languages = fh_language_list ();

  adw_combo_row_set_selected (row, 1);
  g_assert_true (fh_options_get_language (fixture->options) == &languages[1]);
  fh_options_set_language (fixture->options, &languages[2]);
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
      g_autoptr (FhRunOptions) values = NULL;

      adw_combo_row_set_selected (row, i);
      values = fh_options_dup_values (fixture->options);
      g_assert_true (fh_run_limits_equal (&values->limits, &presets[i].limits));
      g_assert_cmpuint (get_limit (fixture, CPU_ROW), ==, presets[i].limits.cpu_ms);
      g_assert_cmpuint (adw_combo_row_get_selected (row), ==, i);
    }
  /* Any other limit is "Custom", and choosing that changes nothing. */
  g_object_set (get (fixture, FH_TYPE_LIMIT_ROW, CPU_ROW), "value", (guint64) 1234, NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, count);
  g_assert_cmpuint (get_limit (fixture, CPU_ROW), ==, 1234);
  /* So is a limit that is set elsewhere. */
  adw_combo_row_set_selected (row, 1);
  g_object_set (fixture->options, "limits-wall-ms", (guint64) 1234, NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, count);
}

/* Every limit of the table has a row. */
static void
test_more_limits (Fixture *fixture, gconstpointer data)
{
  guint n;
  const FhRunOption *options = fh_run_option_list (&n);
  guint n_limits = 0;

  for (guint i = 0; i < n; i++)
    n_limits += g_str_has_prefix (options[i].key, "limits.");
  for (guint i = 0; i < n_limits; i++)
    {
      FhLimitRow *row = get (fixture, FH_TYPE_LIMIT_ROW, i);
      guint64 value;

      g_object_set (row, "value", (guint64) 2000 + i, NULL);
      g_object_get (fixture->options,
                    fh_options_property (fh_limit_row_get_option (row)),
                    &value,
                    NULL);
      g_assert_cmpuint (value, ==, 2000 + i);
    }
}

/* As a user sees it, and no wider than the narrowest window. */
static void
test_looks (Fixture *fixture, gconstpointer data)
{
  GtkWidget *page = get (fixture, ADW_TYPE_PREFERENCES_PAGE, 0);
  int width;

  gtk_widget_measure (page, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, 360);
  widget_test_screenshot (fixture->window, "options");
  /* Limits that cannot be used. */
  for (guint i = DISK_ROW; i < DISK_ROW + 4; i++)
    {
      GtkWidget *row = get (fixture, FH_TYPE_LIMIT_ROW, i);

      gtk_editable_set_text (GTK_EDITABLE (widget_test_find (row, GTK_TYPE_ENTRY)), "500 x");
    }
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 560, 2100);
  widget_test_settle ();
  widget_test_screenshot (fixture->window, "options-problem");
}

static gboolean
shows (Fixture *fixture, const char *text)
{
  return widget_test_find_label (fixture->window, text) != NULL;
}

/* Rows are found by the beginnings of their words and of those of their group. */
static void
test_search (Fixture *fixture, gconstpointer data)
{
  GtkEditable *entry = get (fixture, GTK_TYPE_SEARCH_ENTRY, 0);

  gtk_search_bar_set_search_mode (get (fixture, GTK_TYPE_SEARCH_BAR, 0), TRUE);
  gtk_editable_set_text (entry, "MEM lim");
  FH_AWAIT_TRUE (!shows (fixture, "Notebook Lines"));
  g_assert_true (shows (fixture, "Memory"));
  g_assert_false (shows (fixture, "Program"));
  /* A word of the row's explanation, in a group that the search before had hidden. */
  gtk_editable_set_text (entry, "notebooks");
  FH_AWAIT_TRUE (shows (fixture, "Notebook Lines") && !shows (fixture, "Arguments"));
  g_assert_false (shows (fixture, "Memory"));
  widget_test_screenshot (fixture->window, "options-search");
  gtk_editable_set_text (entry, "potatoes");
  FH_AWAIT_TRUE (shows (fixture, "No Matches"));
  gtk_editable_set_text (entry, "");
  FH_AWAIT_TRUE (shows (fixture, "Notebook Lines"));
  g_assert_true (shows (fixture, "Memory"));
}

/* What cannot be used stops the run with the sentence that the row shows. */
static void
test_problem (Fixture *fixture, gconstpointer data)
{
  FhLimitRow *row = get (fixture, FH_TYPE_LIMIT_ROW, DISK_ROW);
  GtkWidget *entry;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = NULL;

  entry = widget_test_find (GTK_WIDGET (row), GTK_TYPE_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "5 potatoes");
  g_assert_null (option_samples_build (fixture->options, "x", &error));
  g_assert_cmpstr (error->message, ==, fh_limit_row_get_problem (row));
  gtk_editable_set_text (GTK_EDITABLE (entry), "64 MiB");
  request = option_samples_build (fixture->options, "x", NULL);
  g_assert_nonnull (request);
  g_assert_cmpuint (fh_run_request_get_parts (request)->limits.disk_bytes, ==, (guint64) 64 << 20);
}

static GtkWidget *
get_guards (GtkWidget *window)
{
  GtkWidget *guards = widget_test_find (window, FH_TYPE_GUARDS_GROUP);

  adw_expander_row_set_expanded (
      ADW_EXPANDER_ROW (widget_test_find (guards, ADW_TYPE_EXPANDER_ROW)),
      TRUE);
  return guards;
}

/* A text that cannot be used is not kept when the window is closed: the value is what it was. */
static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  GtkWidget *window = fh_options_window_new (options);
  Fixture other = { .options = options, .window = window };
  GtkWidget *row = get (&other, FH_TYPE_LIMIT_ROW, DISK_ROW);
  GtkWidget *guards_row = widget_test_find (get_guards (window), FH_TYPE_LIMIT_ROW);

  gtk_editable_set_text (GTK_EDITABLE (widget_test_find (row, GTK_TYPE_ENTRY)), "5 potatoes");
  gtk_editable_set_text (GTK_EDITABLE (widget_test_find (guards_row, GTK_TYPE_ENTRY)), "many");
  g_assert_null (option_samples_build (options, "x", NULL));
  gtk_window_destroy (GTK_WINDOW (window));
  request = option_samples_build (options, "x", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fh_run_request_get_parts (request)->limits.disk_bytes, ==, (guint64) 256 << 20);
}

/* The default, what is here, and "Other…". */
static void
test_interpreters (Fixture *fixture, gconstpointer data)
{
  FhInterpreterRow *row = get (fixture, FH_TYPE_INTERPRETER_ROW, 0);
  GListModel *model;
  guint count;
  g_autofree char *path = NULL;
  g_autofree char *none = NULL;

  model = adw_combo_row_get_model (ADW_COMBO_ROW (row));
  FH_AWAIT_TRUE (g_list_model_get_n_items (model) > 2);
  count = g_list_model_get_n_items (model);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 1);
  path = option_samples_get_text (fixture->options, "interpreter");
  g_assert_true (g_path_is_absolute (path));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 0);
  none = option_samples_get_text (fixture->options, "interpreter");
  g_assert_cmpstr (none, ==, "");
  /* One that the list does not have joins it. */
  g_object_set (fixture->options, "interpreter", "/opt/odd/python", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, count + 1);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, count - 1);
}

/* The interpreters of this computer are not those of an image: each place has a row of its own. */
static void
test_place (Fixture *fixture, gconstpointer data)
{
  GtkWidget *here = get (fixture, FH_TYPE_INTERPRETER_ROW, 0);
  GtkWidget *inside = get (fixture, ADW_TYPE_ENTRY_ROW, INTERPRETER_ROW);
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (gtk_widget_get_visible (here));
  g_assert_false (gtk_widget_get_visible (inside));
  g_object_set (fixture->options, "interpreter", "/opt/odd/python", NULL);
  g_object_set (fixture->options, "in-container", TRUE, "container-image", "plain", NULL);
  g_assert_false (gtk_widget_get_visible (here));
  g_assert_true (gtk_widget_get_visible (inside));
  gtk_editable_set_text (GTK_EDITABLE (inside), " python3.12 ");
  request = option_samples_build (fixture->options, "x", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fh_run_request_get_parts (request)->interpreter, ==, "python3.12");
  g_assert_cmpstr (fh_run_request_get_parts (request)->container->image, ==, "plain");
  g_object_set (fixture->options, "in-container", FALSE, NULL);
  g_clear_object (&request);
  request = option_samples_build (fixture->options, "x", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fh_run_request_get_parts (request)->interpreter, ==, "/opt/odd/python");
  g_assert_null (fh_run_request_get_parts (request)->container);
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/app/options-window/shows-options", test_shows_options },
                      { "/app/options-window/changes-options", test_changes_options },
                      { "/app/options-window/marks-arguments", test_marks_arguments },
                      { "/app/options-window/pencils", test_pencils },
                      { "/app/options-window/language", test_language },
                      { "/app/options-window/presets", test_presets },
                      { "/app/options-window/more-limits", test_more_limits },
                      { "/app/options-window/looks", test_looks },
                      { "/app/options-window/search", test_search },
                      { "/app/options-window/problem", test_problem },
                      { "/app/options-window/closed", test_closed },
                      { "/app/options-window/interpreters", test_interpreters },
                      { "/app/options-window/place", test_place });
