/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/controls-bar.h"

#include "controls/options-window.h"
#include "parts/limit-row.h"
#include "widget-test.h"

typedef struct
{
  FhOptions *options;
  FhControlsBar *bar;
  GtkWindow *window;
} Fixture;

/* The window of all options; NULL while it is closed. */
static GtkWindow *
find_options (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (FH_IS_OPTIONS_WINDOW (window))
        return window;
    }
  return NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->options = fh_options_new ();
  fixture->bar = g_object_new (FH_TYPE_CONTROLS_BAR, NULL);
  fh_controls_bar_set_options (fixture->bar, fixture->options);
  fixture->window = widget_test_window (GTK_WIDGET (fixture->bar), 600, 400);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  GtkWidget *bar = g_object_ref (GTK_WIDGET (fixture->bar));

  gtk_window_destroy (fixture->window);
  widget_test_finalize (bar);
  g_assert_null (find_options ());
  widget_test_finalize (fixture->options);
}

static gboolean
shows (Fixture *fixture, const char *text)
{
  return widget_test_find_label (GTK_WIDGET (fixture->bar), text) != NULL;
}

/* Each button shows its value. */
static void
test_values (Fixture *fixture, gconstpointer data)
{
  const char *const before[] = { "Python", "30 s", "512 MiB", "This Computer" };
  const char *const after[] = { "Bash", "2 min", "No memory limit", "plain:1" };

  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    g_assert_true (shows (fixture, before[i]));
  g_object_set (fixture->options, "project", "/home/me/a project", NULL);
  fh_controls_bar_set_is_answer (FH_CONTROLS_BAR (fixture->bar), TRUE);
  g_assert_true (shows (fixture, "This Computer (a project)"));
  g_assert_true (shows (fixture, "Answer"));
  g_object_set (fixture->options, "project", NULL, NULL);
  fh_controls_bar_set_is_answer (FH_CONTROLS_BAR (fixture->bar), FALSE);
  g_object_set (fixture->options,
                "language",
                "bash",
                "limits-wall-ms",
                (guint64) 120000,
                "limits-memory-bytes",
                (guint64) 0,
                "in-container",
                TRUE,
                "container-image",
                "plain:1",
                NULL);
  widget_test_settle ();
  for (guint i = 0; i < G_N_ELEMENTS (after); i++)
    g_assert_true (shows (fixture, after[i]));
  g_assert_false (shows (fixture, "30 s"));
}

static void
test_choice (Fixture *fixture, gconstpointer data)
{
  GtkWidget *button = widget_test_find (GTK_WIDGET (fixture->bar), GTK_TYPE_MENU_BUTTON);
  guint64 value;

  g_assert_true (gtk_widget_activate_action (button, "controls.time", "t", (guint64) 5000));
  g_object_get (fixture->options, "limits-wall-ms", &value, NULL);
  g_assert_cmpuint (value, ==, 5000);
  g_assert_true (gtk_widget_activate_action (button, "controls.memory", "t", (guint64) 1 << 30));
  g_object_get (fixture->options, "limits-memory-bytes", &value, NULL);
  g_assert_cmpuint (value, ==, (guint64) 1 << 30);
  g_assert_true (shows (fixture, "5 s"));
  g_assert_true (shows (fixture, "1 GiB"));
}

/* Any other is typed into the menu; Enter closes it. */
static void
test_other (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;
  GtkWidget *entry;
  guint64 value;

  fh_controls_bar_open (fixture->bar, "time");
  FH_AWAIT_TRUE (widget_test_find (GTK_WIDGET (fixture->bar), FH_TYPE_LIMIT_ROW) != NULL);
  row = widget_test_find (GTK_WIDGET (fixture->bar), FH_TYPE_LIMIT_ROW);
  entry = widget_test_find (row, GTK_TYPE_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "soon");
  g_signal_emit_by_name (entry, "activate");
  g_assert_true (gtk_widget_get_mapped (row));
  gtk_editable_set_text (GTK_EDITABLE (entry), "7 s");
  g_signal_emit_by_name (entry, "activate");
  FH_AWAIT_TRUE (!gtk_widget_get_mapped (row));
  g_object_get (fixture->options, "limits-wall-ms", &value, NULL);
  g_assert_cmpuint (value, ==, 7000);
  g_assert_true (shows (fixture, "7 s"));
}

typedef struct
{
  const char *key;
  const char *value;
  const char *name; /* of the widget */
} Shown;

static const Shown shown[] = {
  { "guards.allow_hosts", "example.com", "guards-allow-hosts" },
  { "guards.without", "network", "without-network" },
  { "guards.without", "system-calls", "without-system-calls" },
  { "guards.imports", "", "guards-imports" },
  { "guards.max_operations", "", "guards-max-operations" },
  { "limits.processes", "", "limits-processes" },
  { "limits.wall_ms", "", "limits-wall-ms" },
  { "limits.memory_bytes", "", "limits-memory-bytes" },
};

static void
test_opens (Fixture *fixture, gconstpointer data)
{
  GtkWindow *window;

  fh_controls_bar_open (fixture->bar, "options");
  window = find_options ();
  g_assert_nonnull (window);
  g_assert_true (gtk_window_get_transient_for (window) == fixture->window);
  fh_controls_bar_open (fixture->bar, "options");
  g_assert_true (find_options () == window);
  gtk_window_close (window);
  FH_AWAIT_TRUE (find_options () == NULL);
  /* A tab that ends takes its options along. */
  fh_controls_bar_open (fixture->bar, "options");
  g_assert_nonnull (find_options ());
}

/* The widget of that name if the focus is in it. */
static GtkWidget *
find_focus (GtkWindow *window, const char *name)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  while (focus != NULL && !g_str_equal (gtk_widget_get_name (focus), name))
    focus = gtk_widget_get_parent (focus);
  return focus;
}

/* The one control that an attempt is about is opened and has the focus, wherever it is. */
static void
test_show (Fixture *fixture, gconstpointer data)
{
  const Shown *option = data;
  GtkWindow *window;
  GtkWidget *focus;

  g_object_set (fixture->options, "limit-imports", TRUE, NULL);
  fh_controls_bar_show_option (fixture->bar, option->key, option->value);
  window = find_options () != NULL ? find_options () : fixture->window;
  FH_AWAIT_TRUE (find_focus (window, option->name) != NULL);
  focus = find_focus (window, option->name);
  g_assert_true (gtk_widget_get_mapped (focus));
  if (window == fixture->window)
    gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER)));
  widget_test_settle ();
}

/* Whether it has just the room that it wants, or just what its icon needs. */
static gboolean
has_no_hole (GtkWidget *button)
{
  int least, wanted;
  graphene_rect_t bounds;

  gtk_widget_measure (button, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
  g_assert_true (gtk_widget_compute_bounds (button, button, &bounds));
  return (int) bounds.size.width == least || (int) bounds.size.width == wanted;
}

static void
test_narrow (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (fixture->bar));
  GtkWidget *options = gtk_widget_get_first_child (row);
  GtkWidget *place = gtk_widget_get_last_child (row);
  int least, wanted;

  gtk_widget_measure (row, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
  for (int width = wanted; width >= least; width -= 8)
    {
      gtk_window_set_default_size (fixture->window, width, 400);
      FH_AWAIT_TRUE (gtk_widget_get_width (row) == width);
      g_assert_true (has_no_hole (options));
      g_assert_true (has_no_hole (place));
    }
}

int
main (int argc, char *argv[])
{
  if (!widget_test_init (&argc, &argv))
    return 77;
  g_test_add ("/app/controls-bar/values", Fixture, NULL, set_up, test_values, tear_down);
  g_test_add ("/app/controls-bar/choice", Fixture, NULL, set_up, test_choice, tear_down);
  g_test_add ("/app/controls-bar/other", Fixture, NULL, set_up, test_other, tear_down);
  g_test_add ("/app/controls-bar/opens", Fixture, NULL, set_up, test_opens, tear_down);
  g_test_add ("/app/controls-bar/narrow", Fixture, NULL, set_up, test_narrow, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      g_autofree char *path = g_strconcat ("/app/controls-bar/show/", shown[i].name, NULL);

      g_test_add (path, Fixture, &shown[i], set_up, test_show, tear_down);
    }
  return g_test_run ();
}
