/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the monkey has found, done on purpose. */
#include "fake-services.h"
#include "parts/message-dialogs.h"
#include "widget-test.h"
#include "window/window.h"

typedef struct
{
  char *folder;
  FakeBackend *backend;
  FhServices *services;
  FhWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fake_folder_new ();
  fixture->backend = fake_backend_new ();
  fixture->services = fake_services_new (fixture->backend, fixture->folder);
  fixture->window = g_object_ref (fh_window_new (NULL, fixture->services));
  gtk_window_present (GTK_WINDOW (fixture->window));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  widget_test_finalize (fixture->window);
  fake_services_free (fixture->services);
  g_object_unref (fixture->backend);
  fake_folder_free (fixture->folder);
}

#if !ADW_CHECK_VERSION(1, 5, 0)
static GtkWindow *
find_question (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window))
        return window;
    }
  return NULL;
}

/* The answer ends the window, while the question is still in use by the key that answered it. */
static void
test_question_outlives_window (Fixture *fixture, gconstpointer data)
{
  FhWindow *other = g_object_ref (fh_window_new (NULL, fixture->services));
  GtkWindow *question;
  GtkWidget *stop;

  gtk_window_present (GTK_WINDOW (other));
  fh_window_open_text (other, "x", NULL, NULL, TRUE);
  gtk_window_close (GTK_WINDOW (other));
  FH_AWAIT_TRUE (find_question () != NULL);
  question = g_object_ref (find_question ());
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (question)));
  stop = widget_test_find_label (GTK_WIDGET (question), "Stop and Close");
  g_signal_emit_by_name (gtk_widget_get_ancestor (stop, GTK_TYPE_BUTTON), "clicked");
  widget_test_finalize (other);
  g_assert_null (gtk_window_get_transient_for (question));
  widget_test_finalize (question);
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  g_assert_cmpstr (answer, ==, "cancel");
  *(gboolean *) data = TRUE;
}

/* It goes with its window, which what waited for an answer kept in memory. */
static void
test_question_without_answer (Fixture *fixture, gconstpointer data)
{
  const FhMessageChoice choices[] = { { "go", "Go", FALSE }, { NULL } };
  FhWindow *other = g_object_ref (fh_window_new (NULL, fixture->services));
  gboolean is_answered = FALSE;

  gtk_window_present (GTK_WINDOW (other));
  fh_message_dialogs_ask_async (GTK_WIDGET (other), "?", "", choices, NULL, asked_cb, &is_answered);
  FH_AWAIT_TRUE (find_question () != NULL);
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (find_question ())));
  gtk_window_destroy (find_question ());
  gtk_window_destroy (GTK_WINDOW (other));
  FH_AWAIT_TRUE (is_answered);
  widget_test_finalize (other);
}
#endif

/* As when the key that closes both was pressed in the dialog, which lives until it was handled. */
static void
test_dialog_outlives_window (Fixture *fixture, gconstpointer data)
{
  FhWindow *other = fh_window_new (NULL, fixture->services);
  GtkWindow *dialog = g_object_ref (GTK_WINDOW (gtk_window_new ()));

  gtk_window_set_transient_for (dialog, GTK_WINDOW (other));
  gtk_window_set_destroy_with_parent (dialog, TRUE);
  gtk_window_present (dialog);
  g_object_ref (other);
  gtk_window_destroy (GTK_WINDOW (other));
  widget_test_finalize (other);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (dialog)));
  g_assert_null (gtk_window_get_transient_for (dialog));
  widget_test_finalize (dialog);
}

/* The buttons of its pages were less wide than nothing. */
static void
test_overlay (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/fumehood/Fumehood/gtk/help-overlay.ui");
  GtkWindow *overlay = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  gtk_window_present (overlay);
  FH_AWAIT_TRUE (gtk_widget_get_width (GTK_WIDGET (overlay)) > 0);
  gtk_window_destroy (overlay);
}

/* NULL if there is none with that icon. */
static GtkWidget *
find_button (GtkWidget *root, const char *icon)
{
  if (GTK_IS_BUTTON (root) && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (root)), icon) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, icon);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* A button that is activated by key is clicked when a new run has begun, and it is hidden. */
static void
test_copy_of_nothing (Fixture *fixture, gconstpointer data)
{
  FhTab *page;
  GtkWidget *copy;

  fh_window_open_text (fixture->window, "print (1)", NULL, NULL, TRUE);
  page = fh_tabs_get_page (fh_window_get_tabs (fixture->window));
  FH_AWAIT_TRUE (fh_tab_get_run_state (page) == FH_RUN_RUNNING);
  fake_backend_finish (fixture->backend, 0);
  copy = find_button (GTK_WIDGET (page), "edit-copy-symbolic");
  g_assert_nonnull (copy);
  FH_AWAIT_TRUE (gtk_widget_get_mapped (copy));
  fh_tab_run (page);
  FH_AWAIT_TRUE (!gtk_widget_is_visible (copy));
  g_signal_emit_by_name (copy, "clicked");
  fake_backend_finish (fixture->backend, 0);
}

/* A past run replaces the untouched tab that has the focus. */
static void
test_focus_is_replaced (Fixture *fixture, gconstpointer data)
{
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);
  FhTabs *tabs = fh_window_get_tabs (fixture->window);
  FhTab *fresh;

  fh_window_open_text (fixture->window, "print (1)", NULL, NULL, TRUE);
  FH_AWAIT_TRUE (fh_tab_get_run_state (fh_tabs_get_page (tabs)) == FH_RUN_RUNNING);
  fake_backend_finish (fixture->backend, 0);
  FH_AWAIT_TRUE (!fh_recorder_get_busy (fh_services_get_recorder (fixture->services)));
  g_action_group_activate_action (actions, "new-tab", NULL);
  FH_AWAIT_TRUE (fh_tabs_get_n_pages (tabs) == 2);
  widget_test_settle ();
  fresh = fh_tabs_get_page (tabs);
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                                         GTK_WIDGET (fresh)));
  g_action_group_activate_action (actions, "history-show", g_variant_new_int64 (1));
  FH_AWAIT_TRUE (fh_tabs_get_page (tabs) != fresh);
  widget_test_settle ();
  g_assert_cmpuint (fh_tabs_get_n_pages (tabs), ==, 2);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/monkey/found/overlay", test_overlay },
#if !ADW_CHECK_VERSION(1, 5, 0)
    { "/monkey/found/question-outlives-window", test_question_outlives_window },
    { "/monkey/found/question-without-answer", test_question_without_answer },
#endif
    { "/monkey/found/focus-is-replaced", test_focus_is_replaced },
    { "/monkey/found/copy-of-nothing", test_copy_of_nothing },
    { "/monkey/found/dialog-outlives-window", test_dialog_outlives_window },
  };

  if (!widget_test_init (&argc, &argv))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
