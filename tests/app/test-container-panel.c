/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/container-panel.h"

#include <adwaita.h>

#include "controls/image-row.h"
#include "fake-docker.h"
#include "option-samples.h"
#include "parts/lines-row.h"
#include "widget-test.h"

typedef struct
{
  FhOptions *options;
  FhContainerPanel *panel;
  GtkWindow *window;
} Fixture;

static void
expand_all (GtkWidget *widget)
{
  if (ADW_IS_EXPANDER_ROW (widget))
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    expand_all (child);
}

/* As wide as in the popover. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  fake_docker_begin ();
  fake_docker_set ("images", "python:3-slim\nother:1\n");
  fixture->options = fh_options_new ();
  fixture->panel = g_object_new (FH_TYPE_CONTAINER_PANEL, NULL);
  fh_container_panel_set_options (fixture->panel, fixture->options);
  fixture->window = widget_test_window (GTK_WIDGET (fixture->panel), 340, 1000);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  GtkWidget *panel = g_object_ref (GTK_WIDGET (fixture->panel));

  gtk_window_destroy (fixture->window);
  widget_test_finalize (panel);
  widget_test_finalize (fixture->options);
  fake_docker_end ();
}

/* The widget of this type in the row with this title. */
static gpointer
find_in_row (Fixture *fixture, const char *title, GType type)
{
  GtkWidget *label;

  widget_test_wait_for_label (GTK_WIDGET (fixture->panel), title);
  label = widget_test_find_label (GTK_WIDGET (fixture->panel), title);
  return widget_test_find (gtk_widget_get_ancestor (label, ADW_TYPE_PREFERENCES_ROW), type);
}

static GtkButton *
find_button (GtkWidget *root, const char *label)
{
  if (GTK_IS_BUTTON (root) && gtk_widget_get_mapped (root) &&
      g_strcmp0 (gtk_button_get_label (GTK_BUTTON (root)), label) == 0)
    return GTK_BUTTON (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkButton *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
click (Fixture *fixture, const char *label)
{
  GtkWidget *panel = GTK_WIDGET (fixture->panel);

  /* Its row may be there before it is shown. */
  FH_AWAIT_TRUE (find_button (panel, label) != NULL);
  g_signal_emit_by_name (find_button (panel, label), "clicked");
}

static void
wait_for (Fixture *fixture, const char *text)
{
  widget_test_wait_for_label (GTK_WIDGET (fixture->panel), text);
}

/* An engine is asked only when a container is chosen. */
static void
test_place (Fixture *fixture, gconstpointer data)
{
  GtkToggleButton *here =
      GTK_TOGGLE_BUTTON (widget_test_find (GTK_WIDGET (fixture->panel), GTK_TYPE_TOGGLE_BUTTON));
  GtkToggleButton *container = GTK_TOGGLE_BUTTON (gtk_widget_get_next_sibling (GTK_WIDGET (here)));

  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-here");
  g_assert_null (widget_test_find_label (GTK_WIDGET (fixture->panel), "Container Options"));
  widget_test_wait (600);
  g_assert_cmpuint (fake_docker_count_calls (""), ==, 0);
  gtk_toggle_button_set_active (container, TRUE);
  g_assert_true (fh_options_is_in_container (fixture->options));
  wait_for (fixture, "The image is on this computer");
  wait_for (fixture, "Docker 20.10.24");
  wait_for (fixture, "No network, no access to your files");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-present");
  g_object_set (fixture->options, "in-container", FALSE, NULL);
  g_assert_true (gtk_toggle_button_get_active (here));
  g_assert_false (gtk_toggle_button_get_active (container));
}

static void
test_suggestions (Fixture *fixture, gconstpointer data)
{
  g_autofree char *image = NULL;
  GtkWidget *row;
  GtkWidget *label;

  g_object_set (fixture->options, "in-container", TRUE, "container-image", "python:3-slim", NULL);
  wait_for (fixture, "The image is on this computer");
  row = widget_test_find (GTK_WIDGET (fixture->panel), FH_TYPE_IMAGE_ROW);
  g_assert_cmpuint (fake_docker_count_calls ("image ls"), ==, 0);
  gtk_menu_button_popup (GTK_MENU_BUTTON (widget_test_find (row, GTK_TYPE_MENU_BUTTON)));
  FH_AWAIT_TRUE (widget_test_find_label (row, "other:1") != NULL);
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-suggestions");
  label = widget_test_find_label (row, "other:1");
  g_signal_emit_by_name (gtk_widget_get_ancestor (label, GTK_TYPE_LIST_BOX_ROW), "activate");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "other:1");
  image = option_samples_get_text (fixture->options, "container-image");
  g_assert_cmpstr (image, ==, "other:1");
  wait_for (fixture, "The image is on this computer");
}

static void
test_pull (Fixture *fixture, gconstpointer data)
{
  fake_docker_set ("pull", "slow");
  g_object_set (fixture->options, "in-container", TRUE, "container-image", "missing:1", NULL);
  wait_for (fixture, "The image will be pulled first");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-missing");
  click (fixture, "_Pull");
  wait_for (fixture, "Pulling the image…");
  wait_for (fixture, "layers");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-pull");
  click (fixture, "_Cancel");
  wait_for (fixture, "The image will be pulled first");
  fake_docker_set ("pull", "missing");
  click (fixture, "_Pull");
  wait_for (fixture, "manifest unknown");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-pull-failed");
  fake_docker_set ("pull", "works");
  click (fixture, "Try _Again");
  wait_for (fixture, "The image is on this computer");
}

static void
test_trouble (Fixture *fixture, gconstpointer data)
{
  fake_docker_set ("down", "");
  g_object_set (fixture->options, "in-container", TRUE, "container-engine", FH_ENGINE_DOCKER, NULL);
  wait_for (fixture, "systemctl start docker");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-trouble");
  fake_docker_set ("down", NULL);
  click (fixture, "Check _Again");
  wait_for (fixture, "The image is on this computer");
}

/* None, or the usual one. One with a name comes from elsewhere, and stays until another is chosen.
 */
static void
test_network (Fixture *fixture, gconstpointer data)
{
  g_autofree char *none = NULL;
  g_autofree char *other = NULL;
  AdwComboRow *row;

  g_object_set (fixture->options, "in-container", TRUE, NULL);
  expand_all (GTK_WIDGET (fixture->panel));
  row = find_in_row (fixture, "Network", ADW_TYPE_COMBO_ROW);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 0);
  adw_combo_row_set_selected (row, 1);
  wait_for (fixture, "the network “bridge”");
  g_assert_cmpuint (g_list_model_get_n_items (adw_combo_row_get_model (row)), ==, 2);
  g_object_set (fixture->options, "container-network", "lab", NULL);
  wait_for (fixture, "the network “lab”");
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 2);
  g_object_set (fixture->options, "container-network", "other", NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 2);
  other = option_samples_get_text (fixture->options, "container-network");
  g_assert_cmpstr (other, ==, "other");
  adw_combo_row_set_selected (row, 0);
  none = option_samples_get_text (fixture->options, "container-network");
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpuint (g_list_model_get_n_items (adw_combo_row_get_model (row)), ==, 2);
}

/* What no row can give is told, and goes only when the user says so. */
static void
test_given (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunOptions) values = NULL;
  g_autoptr (FhRunOptions) after = NULL;
  GtkWidget *row;

  g_object_set (fixture->options, "in-container", TRUE, NULL);
  expand_all (GTK_WIDGET (fixture->panel));
  g_assert_null (widget_test_find_label (GTK_WIDGET (fixture->panel), "From a Past Run"));
  g_object_set (fixture->options,
                "container-work-dir",
                "/home/me/Project",
                "container-volumes",
                "/srv/data:/data\n/srv/more:/more",
                "container-init",
                "pip install numpy",
                NULL);
  wait_for (fixture, "/home/me/Project — the program can change");
  wait_for (fixture, "Volumes: /srv/data:/data\n/srv/more:/more");
  wait_for (fixture, "Set-up command: pip install numpy");
  wait_for (fixture, "2 volumes");
  values = fh_options_dup_values (fixture->options);
  g_assert_cmpstr (values->container.work_dir, ==, "/home/me/Project");
  g_assert_cmpstr (values->container.volumes[1], ==, "/srv/more:/more");
  g_assert_cmpstr (values->container.init, ==, "pip install numpy");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-given");
  row = gtk_widget_get_ancestor (
      widget_test_find_label (GTK_WIDGET (fixture->panel), "From a Past Run"),
      ADW_TYPE_PREFERENCES_ROW);
  g_signal_emit_by_name (widget_test_find (row, GTK_TYPE_BUTTON), "clicked");
  after = fh_options_dup_values (fixture->options);
  g_assert_null (after->container.work_dir);
  g_assert_true (fh_run_option_is_default (fh_run_option_find ("container.volumes"), after));
  g_assert_null (after->container.init);
  g_assert_null (widget_test_find_label (GTK_WIDGET (fixture->panel), "From a Past Run"));
}

static void
test_options (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunOptions) values = NULL;
  FhLinesRow *variables;

  g_object_set (fixture->options, "in-container", TRUE, NULL);
  expand_all (GTK_WIDGET (fixture->panel));
  variables = find_in_row (fixture, "Environment Variables", FH_TYPE_LINES_ROW);
  g_object_set (variables, "text", "A=1\nB=2", NULL);
  gtk_switch_set_active (find_in_row (fixture, "Run as Root", GTK_TYPE_SWITCH), TRUE);
  values = fh_options_dup_values (fixture->options);
  g_assert_cmpstr (values->container.environment[1], ==, "B=2");
  g_assert_true (values->container.is_root);
  wait_for (fixture, "the root user");
  /* What cannot be used is said. */
  g_object_set (variables, "text", "no value", NULL);
  wait_for (fixture, "“no value” is not a variable");
  g_object_set (fixture->options, "container-environment", "C=3", NULL);
  g_assert_null (widget_test_find_label (GTK_WIDGET (fixture->panel), "is not a variable"));
}

static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->options,
                "in-container",
                TRUE,
                "container-kept",
                TRUE,
                "container-network",
                "bridge",
                NULL);
  expand_all (GTK_WIDGET (fixture->panel));
  g_assert_null (widget_test_find_label (GTK_WIDGET (fixture->panel), "fumehood-0123"));
  fh_container_panel_show_container (fixture->panel,
                                     "fumehood-01234567-89ab-cdef-0123-456789abcdef",
                                     "The container is ready");
  wait_for (fixture, "The container is ready");
  wait_for (fixture, "fumehood-0123");
  gtk_window_set_default_size (fixture->window, 340, 1400);
  widget_test_settle ();
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-panel-options");
  fh_container_panel_show_container (fixture->panel, NULL, NULL);
  g_assert_null (widget_test_find_label (GTK_WIDGET (fixture->panel), "fumehood-0123"));
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/app/container-panel/place", test_place },
                      { "/app/container-panel/suggestions", test_suggestions },
                      { "/app/container-panel/pull", test_pull },
                      { "/app/container-panel/trouble", test_trouble },
                      { "/app/container-panel/network", test_network },
                      { "/app/container-panel/given", test_given },
                      { "/app/container-panel/options", test_options },
                      { "/app/container-panel/kept", test_kept });
