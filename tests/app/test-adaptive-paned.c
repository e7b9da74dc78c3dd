/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/adaptive-paned.h"

#include "widget-test.h"

static GtkWidget *
new_child (int width, int height)
{
  GtkWidget *child = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_set_size_request (child, width, height);
  return child;
}

static FhAdaptivePaned *
new_paned (void)
{
  return g_object_new (FH_TYPE_ADAPTIVE_PANED,
                       "start-child",
                       new_child (100, 50),
                       "end-child",
                       new_child (120, 60),
                       "narrow-width",
                       400,
                       "split-wide",
                       0.25,
                       "split-narrow",
                       0.75,
                       NULL);
}

static GtkPaned *
get_inner (FhAdaptivePaned *paned)
{
  return GTK_PANED (gtk_widget_get_first_child (GTK_WIDGET (paned)));
}

static void
test_minimum (void)
{
  FhAdaptivePaned *paned = g_object_ref_sink (new_paned ());
  int minimum;

  gtk_widget_measure (GTK_WIDGET (paned),
                      GTK_ORIENTATION_HORIZONTAL,
                      -1,
                      &minimum,
                      NULL,
                      NULL,
                      NULL);
  g_assert_cmpint (minimum, ==, 120);
  gtk_widget_measure (GTK_WIDGET (paned),
                      GTK_ORIENTATION_VERTICAL,
                      200,
                      &minimum,
                      NULL,
                      NULL,
                      NULL);
  g_assert_cmpint (minimum, >=, 110);
  gtk_widget_measure (GTK_WIDGET (paned),
                      GTK_ORIENTATION_VERTICAL,
                      800,
                      &minimum,
                      NULL,
                      NULL,
                      NULL);
  g_assert_cmpint (minimum, ==, 60);
  widget_test_finalize (paned);
}

static gboolean
is_narrow (FhAdaptivePaned *paned)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (get_inner (paned))) ==
         GTK_ORIENTATION_VERTICAL;
}

/* It turns after the layout. */
static void
resize (FhAdaptivePaned *paned, int width, int height)
{
  GtkWidget *widget = GTK_WIDGET (paned);

  gtk_window_set_default_size (GTK_WINDOW (gtk_widget_get_root (widget)), width, height);
  FH_AWAIT_TRUE (gtk_widget_get_width (widget) == width &&
                 gtk_widget_get_height (widget) == height);
  widget_test_settle ();
}

static void
assert_shape (FhAdaptivePaned *paned, gboolean narrow, int position)
{
  FH_AWAIT_TRUE (is_narrow (paned) == narrow &&
                 ABS (gtk_paned_get_position (get_inner (paned)) - position) <= 1);
}

static void
assert_splits (FhAdaptivePaned *paned, double wide, double narrow)
{
  double split_wide;
  double split_narrow;

  g_object_get (paned, "split-wide", &split_wide, "split-narrow", &split_narrow, NULL);
  g_assert_cmpfloat_with_epsilon (split_wide, wide, 0.01);
  g_assert_cmpfloat_with_epsilon (split_narrow, narrow, 0.01);
}

/* Each way keeps its own share, whatever sizes come between. */
static void
test_turns (void)
{
  FhAdaptivePaned *paned = new_paned ();
  GtkWindow *window = widget_test_window (GTK_WIDGET (paned), 800, 400);

  resize (paned, 800, 400);
  assert_shape (paned, FALSE, 200);
  resize (paned, 300, 400);
  assert_shape (paned, TRUE, 300);
  resize (paned, 300, 200);
  assert_shape (paned, TRUE, 138); /* the lower child needs its 60 */
  resize (paned, 399, 800);
  assert_shape (paned, TRUE, 600);
  resize (paned, 400, 800);
  assert_shape (paned, FALSE, 100);
  resize (paned, 1000, 300);
  assert_shape (paned, FALSE, 250);
  assert_splits (paned, 0.25, 0.75);
  gtk_window_destroy (window);
}

/* What the user does with the handle is kept for the way it was done. */
static void
test_drag (void)
{
  FhAdaptivePaned *paned = new_paned ();
  GtkWindow *window = widget_test_window (GTK_WIDGET (paned), 800, 400);

  resize (paned, 800, 400);
  gtk_paned_set_position (get_inner (paned), 400);
  assert_splits (paned, 0.5, 0.75);
  resize (paned, 300, 400);
  assert_shape (paned, TRUE, 300);
  gtk_paned_set_position (get_inner (paned), 100);
  assert_splits (paned, 0.5, 0.25);
  resize (paned, 1000, 400);
  assert_shape (paned, FALSE, 500);
  gtk_window_destroy (window);
}

/* Children that do not fit beside each other turn it even above the given width. */
static void
test_large_children (void)
{
  FhAdaptivePaned *paned = new_paned ();
  GtkWindow *window = widget_test_window (GTK_WIDGET (paned), 800, 400);

  g_object_set (paned, "end-child", new_child (390, 50), NULL);
  resize (paned, 450, 400);
  FH_AWAIT_TRUE (is_narrow (paned));
  resize (paned, 600, 400);
  FH_AWAIT_TRUE (!is_narrow (paned));
  gtk_window_destroy (window);
}

/* In a real window, turning in the middle of a layout must not upset GTK. */
static void
test_window (void)
{
  FhAdaptivePaned *paned = new_paned ();
  GtkWindow *window = widget_test_window (GTK_WIDGET (paned), 800, 400);

  g_assert_false (is_narrow (paned));
  gtk_window_set_default_size (window, 300, 500);
  FH_AWAIT_TRUE (is_narrow (paned));
  FH_AWAIT_TRUE (ABS (gtk_paned_get_position (get_inner (paned)) - 375) <= 1);
  g_object_set (paned, "split-narrow", 0.5, NULL);
  FH_AWAIT_TRUE (ABS (gtk_paned_get_position (get_inner (paned)) - 250) <= 1);
  gtk_window_destroy (window);
}

WIDGET_TESTS ({ "/app/adaptive-paned/minimum", test_minimum },
              { "/app/adaptive-paned/turns", test_turns },
              { "/app/adaptive-paned/drag", test_drag },
              { "/app/adaptive-paned/large-children", test_large_children },
              { "/app/adaptive-paned/window", test_window });
