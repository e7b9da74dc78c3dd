/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/file-dialogs.h"

#include "widget-test.h"

/* What a dialog told, how often, and the window that is to go with the answer. */
typedef struct
{
  GtkWindow *window; /* nullable */
  guint n_answers;
  guint code;
} Answer;

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_null (fh_file_dialogs_finish_open (result, &error));
  g_assert_true (error->domain == G_IO_ERROR);
  answer->code = (guint) error->code;
  answer->n_answers++;
  if (answer->window != NULL)
    gtk_window_destroy (g_steal_pointer (&answer->window));
}

static void
ask (GtkWidget *widget, Answer *answer)
{
  fh_file_dialogs_show_async (widget,
                              GTK_FILE_CHOOSER_ACTION_OPEN,
                              "Open",
                              NULL,
                              NULL,
                              answered_cb,
                              answer);
}

static GtkWidget *
show (Answer *answer)
{
  GtkWidget *label = gtk_label_new ("here");

  answer->window = widget_test_window (label, 300, 200);
  ask (label, answer);
  return label;
}

static GtkDialog *
find_dialog (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *link = windows; link != NULL; link = link->next)
    {
      if (GTK_IS_FILE_CHOOSER_DIALOG (link->data))
        return link->data;
    }
  return NULL;
}

/* The answer closes the window, which is no second answer. */
static void
test_answer_closes_the_window (void)
{
  Answer answer = { 0 };

  show (&answer);
  FH_AWAIT_TRUE (find_dialog () != NULL);
  widget_test_settle ();
  gtk_dialog_response (find_dialog (), GTK_RESPONSE_CANCEL);
  FH_AWAIT_TRUE (answer.n_answers > 0);
  widget_test_settle ();
  g_assert_cmpuint (answer.n_answers, ==, 1);
  g_assert_cmpuint (answer.code, ==, G_IO_ERROR_CANCELLED);
}

static void
test_window_is_closed (void)
{
  Answer answer = { 0 };

  show (&answer);
  FH_AWAIT_TRUE (find_dialog () != NULL);
  gtk_window_destroy (g_steal_pointer (&answer.window));
  FH_AWAIT_TRUE (answer.n_answers > 0);
  widget_test_settle ();
  g_assert_cmpuint (answer.n_answers, ==, 1);
  g_assert_cmpuint (answer.code, ==, G_IO_ERROR_CANCELLED);
}

WIDGET_TESTS ({ "/file-dialogs/answer-closes-the-window", test_answer_closes_the_window },
              { "/file-dialogs/window-is-closed", test_window_is_closed });
