/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/program-text.h"

#include <gtksourceview/gtksource.h>

#include "fake-services.h"
#include "files/files-view.h"
#include "widget-test.h"
#include "window/window.h"

/* At no character one may be inserted. */
static void
check_hyphens (GtkTextBuffer *buffer)
{
  GtkTextIter iter;

  gtk_text_buffer_get_start_iter (buffer, &iter);
  for (; !gtk_text_iter_is_end (&iter); gtk_text_iter_forward_char (&iter))
    {
      g_autoptr (GSList) tags = gtk_text_iter_get_tags (&iter);
      gboolean may_have = TRUE;

      for (GSList *link = tags; link != NULL; link = link->next)
        {
          gboolean is_set, value;

          g_object_get (link->data, "insert-hyphens-set", &is_set, "insert-hyphens", &value, NULL);
          may_have = is_set ? value : may_have;
        }
      g_assert_false (may_have);
    }
}

/* Texts that are code: directions of the view and of what scrolls it. Returns how many there are.
 */
static guint
check_views (GtkWidget *root)
{
  guint count = 0;

  if (GTK_IS_TEXT_VIEW (root) && !gtk_text_view_get_editable (GTK_TEXT_VIEW (root)))
    count++;
  if (GTK_SOURCE_IS_VIEW (root))
    count++;
  if (count > 0)
    {
      GtkWidget *scroller = gtk_widget_get_ancestor (root, GTK_TYPE_SCROLLED_WINDOW);
      GtkWidget *bar = gtk_scrolled_window_get_hscrollbar (GTK_SCROLLED_WINDOW (scroller));

      g_assert_cmpint (gtk_widget_get_direction (root), ==, GTK_TEXT_DIR_LTR);
      g_assert_cmpint (gtk_widget_get_direction (scroller), ==, GTK_TEXT_DIR_LTR);
      g_assert_cmpint (gtk_widget_get_direction (bar), ==, GTK_TEXT_DIR_LTR);
      check_hyphens (gtk_text_view_get_buffer (GTK_TEXT_VIEW (root)));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count += check_views (child);
  return count;
}

/* The window turns round, the code in it does not. */
static void
test_window (void)
{
  g_autofree char *folder = fake_folder_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  FhServices *services = fake_services_new (backend, folder);
  FhWindow *window = fh_window_new (NULL, services);
  int minimum;

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 600);
  fh_window_open_text (window, "def greet():\n    print('hello')\n", NULL, NULL, TRUE);
  gtk_window_present (GTK_WINDOW (window));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (window)));
  fake_backend_write (backend, FH_STREAM_STDOUT, "hello\n    indented (in brackets)\n");
  fake_backend_write (backend, FH_STREAM_STDERR, "  File \"main.py\", line 1\n");
  fake_backend_finish (backend, 1);
  widget_test_settle ();
  g_assert_cmpint (gtk_widget_get_direction (GTK_WIDGET (window)), ==, GTK_TEXT_DIR_RTL);
  /* The source, and the output together and by streams. */
  g_assert_cmpuint (check_views (GTK_WIDGET (window)), ==, 4);
  widget_test_screenshot (GTK_WIDGET (window), "window-right-to-left");
  g_action_group_change_action_state (G_ACTION_GROUP (window),
                                      "show-history",
                                      g_variant_new_boolean (TRUE));
  widget_test_settle ();
  widget_test_screenshot (GTK_WIDGET (window), "history-right-to-left");
  gtk_widget_measure (GTK_WIDGET (window),
                      GTK_ORIENTATION_HORIZONTAL,
                      -1,
                      &minimum,
                      NULL,
                      NULL,
                      NULL);
  g_assert_cmpint (minimum, <=, 360);

  g_object_ref (window);
  gtk_window_destroy (GTK_WINDOW (window));
  widget_test_finalize (window);
  fake_services_free (services);
  fake_folder_free (g_steal_pointer (&folder));
}

/* The text of a file that a program left does not turn round either. */
static void
test_file (void)
{
  GtkWidget *files = g_object_ref_sink (g_object_new (FH_TYPE_FILES_VIEW, NULL));

  g_assert_cmpuint (check_views (files), ==, 1);
  widget_test_finalize (files);
}

int
main (int argc, char *argv[])
{
  if (!widget_test_init (&argc, &argv))
    return 77;
  g_object_set (gtk_settings_get_default (), "gtk-decoration-layout", "appmenu:close", NULL);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  g_test_add_func ("/app/program-text/window", test_window);
  g_test_add_func ("/app/program-text/file", test_file);
  return g_test_run ();
}
