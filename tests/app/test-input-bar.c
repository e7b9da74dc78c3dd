/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/input-bar.h"

#include "run-driver.h"
#include "widget-test.h"

/* A program that waits takes the keyboard from the output, but never from what someone types in. */
static void
test_focus (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("input ()", 8);
  g_autoptr (FhRunRequest) request =
      fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                               .source = source,
                                               .limits = FH_RUN_LIMITS_DEFAULT,
                                               .input_stays = TRUE },
                          NULL);
  g_autoptr (FhRun) run = fh_run_new (request, "native");
  FhLiveInput *input = fh_run_get_input (run);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *search = gtk_search_entry_new ();
  GtkWidget *output = gtk_text_view_new ();
  GtkWidget *editor = gtk_text_view_new ();
  FhInputBar *bar = g_object_new (FH_TYPE_INPUT_BAR, NULL);
  GtkWidget *const from[] = { search, editor, output };
  GtkWindow *window;

  gtk_text_view_set_editable (GTK_TEXT_VIEW (output), FALSE);
  gtk_box_append (GTK_BOX (box), search);
  gtk_box_append (GTK_BOX (box), editor);
  gtk_box_append (GTK_BOX (box), output);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (bar));
  window = widget_test_window (box, 400, 300);
  fh_input_bar_set_run (bar, run);
  for (guint i = 0; i < G_N_ELEMENTS (from); i++)
    {
      GtkWidget *focus;

      fh_live_input_set_open (input, TRUE);
      gtk_widget_grab_focus (from[i]);
      fh_live_input_set_waiting (input, TRUE);
      widget_test_settle ();
      g_assert_true (gtk_widget_get_visible (GTK_WIDGET (bar)));
      focus = gtk_root_get_focus (GTK_ROOT (window));
      g_assert_true (gtk_widget_is_ancestor (focus, GTK_WIDGET (bar)) == (from[i] == output));
      fh_live_input_set_waiting (input, FALSE);
      fh_live_input_set_open (input, FALSE);
      widget_test_settle ();
    }
  gtk_window_destroy (window);
}

WIDGET_TESTS ({ "/app/input-bar/focus", test_focus });
