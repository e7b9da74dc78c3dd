/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tab/tab.h"

#include "approval/approval-dialog.h"
#include "editor/editor-view.h"
#include "fake-docker.h"
#include "page-fixture.h"
#include "run-driver.h"

static void
set_up (PageFixture *fixture, gconstpointer data)
{
  fake_docker_begin ();
  page_fixture_set_up (fixture, data);
}

static void
tear_down (PageFixture *fixture, gconstpointer data)
{
  page_fixture_tear_down (fixture, data);
  fake_docker_end ();
}

static FhOptions *
get_options (PageFixture *fixture)
{
  return fh_tab_get_options (fixture->page);
}

static gboolean
is_known (gpointer data)
{
  FhProtection *protection = fh_tab_get_protection (((PageFixture *) data)->page);

  return protection != NULL && fh_protection_get_state (protection) != FH_PROTECTION_CHECKING;
}

static gboolean
lacks_image (gpointer data)
{
  FhProtection *protection = fh_tab_get_protection (((PageFixture *) data)->page);

  return fh_protection_get_state (protection) == FH_PROTECTION_UNKNOWN;
}

/* What protects the next run is told of the place where it will happen, and not of options that
 * cannot be used. */
static void
test_protection (PageFixture *fixture, gconstpointer data)
{
  FhProtection *here = fh_probes_get_here (fh_services_get_probes (fixture->services));
  g_autoptr (FhProtection) known = NULL;

  fake_docker_set ("images", "other:1");
  g_object_set (get_options (fixture), "in-container", TRUE, "container-image", "missing:1", NULL);
  g_assert_true (fh_tab_is_in_container (fixture->page));
  FH_AWAIT_TRUE (lacks_image (fixture));
  g_assert_true (fh_tab_may_run (fixture->page));
  g_assert_null (fh_protection_get_advice (fh_tab_get_protection (fixture->page)));
  known = g_object_ref (fh_tab_get_protection (fixture->page));
  g_object_set (get_options (fixture), "container-gpus", "--all", NULL);
  FH_AWAIT_TRUE (fh_tab_get_protection (fixture->page) != known);
  g_object_set (get_options (fixture), "in-container", FALSE, NULL);
  g_assert_true (fh_tab_get_protection (fixture->page) == here);
  FH_AWAIT_TRUE (is_known (fixture));
}

static gboolean
is_over (gpointer data)
{
  return fh_tab_get_result (((PageFixture *) data)->page) != NULL;
}

/* Each place has a backend of its own; what keeps runs from this computer is no matter for the
 * other. Without its engine nothing is run, and the reason is told. */
static void
test_run (PageFixture *fixture, gconstpointer data)
{
  FhRunResult *result;
  g_autofree char *advice = NULL;

  fake_docker_set ("down", "");
  fake_backend_set_probe (fixture->backend, FALSE, "No.");
  fh_tab_check_guards (fixture->page);
  page_fixture_type (fixture, "print(1)\n");
  g_object_set (get_options (fixture),
                "in-container",
                TRUE,
                "container-engine",
                FH_ENGINE_DOCKER,
                NULL);
  fh_tab_run (fixture->page);
  FH_AWAIT_TRUE (is_over (fixture));
  result = fh_tab_get_result (fixture->page);
  g_test_message ("%s", fh_run_result_get_parts (result)->sentence);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, !=, FH_RUN_STATUS_OK);
  advice = fh_run_result_dup_advice (result);
  g_assert_nonnull (strstr (advice, "systemctl start docker"));
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
  widget_test_wait_for_label (GTK_WIDGET (fixture->page),
                              "In a container: " FH_CONTAINER_DEFAULT_IMAGE " (Docker)");
  fake_backend_set_probe (fixture->backend, TRUE, NULL);
  g_object_set (get_options (fixture), "in-container", FALSE, NULL);
  fh_tab_check_guards (fixture->page);
  FH_AWAIT_TRUE (is_known (fixture));
  fh_tab_run (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  fake_backend_finish (fixture->backend, 0);
}

/* An image that is on its way is shown where the run is, and Stop ends that, too. */
static void
test_pull (PageFixture *fixture, gconstpointer data)
{
  fake_docker_set ("pull", "slow");
  page_fixture_type (fixture, "print(1)\n");
  g_object_set (get_options (fixture), "in-container", TRUE, "container-image", "missing:1", NULL);
  fh_tab_run (fixture->page);
  widget_test_wait_for_label (GTK_WIDGET (fixture->page), "Pulling missing:1: ");
  g_assert_cmpint (fh_tab_get_run_state (fixture->page), ==, FH_RUN_PREPARING);
  widget_test_screenshot (GTK_WIDGET (fixture->window), "container-run-pull");
  fh_tab_stop (fixture->page);
  FH_AWAIT_TRUE (is_over (fixture));
  g_assert_cmpint (fh_run_result_get_parts (fh_tab_get_result (fixture->page))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
}

/* A past run that is shown brings its place and its choices with it. */
static void
test_again (PageFixture *fixture, gconstpointer data)
{
  const FhContainerOptions options = { .image = "plain", .network = "bridge", .is_kept = TRUE };
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhRunRequest) request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .container = &options,
      },
      NULL);
  g_autoptr (FhRun) run = fh_run_new (request, "container");
  g_autoptr (FhRunOptions) shown = NULL;

  fh_run_started (run);
  widget_test_finish (run, 0);
  fh_tab_show_result (fixture->page, request, fh_run_get_result (run));
  widget_test_wait_for_label (GTK_WIDGET (fixture->page), "In a container: plain");
  g_assert_true (fh_tab_is_in_container (fixture->page));
  shown = fh_options_dup_values (get_options (fixture));
  g_assert_cmpstr (shown->container.image, ==, "plain");
  g_assert_cmpstr (shown->container.network, ==, "bridge");
  g_assert_true (shown->container.is_kept);
}

/* Where a tab runs is a part of its draft, whatever cannot be used of it. */
static void
test_draft (PageFixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = NULL;
  g_autofree char *environment = NULL;

  page_fixture_type (fixture, "x");
  g_object_set (get_options (fixture),
                "in-container",
                TRUE,
                "container-image",
                "plain",
                "interpreter-inside",
                "python3.9",
                "container-environment",
                "A=1",
                "container-gpus",
                "--all",
                NULL);
  draft = fh_tab_dup_draft (fixture->page);
  g_assert_cmpstr (draft->options->container.image, ==, "plain");
  g_assert_cmpstr (draft->options->interpreter, ==, "python3.9");
  g_object_set (get_options (fixture), "in-container", FALSE, "container-environment", "", NULL);
  fh_tab_set_draft (fixture->page, draft);
  g_assert_true (fh_tab_is_in_container (fixture->page));
  g_object_get (get_options (fixture), "container-environment", &environment, NULL);
  g_assert_cmpstr (environment, ==, "A=1");
  g_object_set (get_options (fixture), "in-container", FALSE, NULL);
  widget_test_settle ();
}

static GtkWidget *
find_question (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (FH_IS_APPROVAL_DIALOG (window))
        return window;
    }
  return NULL;
}

/* Of a block: it tells what the answer runs with, whatever is chosen for the next run meanwhile. */
static void
test_question (PageFixture *fixture, gconstpointer data)
{
  FhSettings *settings = fh_services_get_settings (fixture->services);
  GtkWidget *question;

  g_object_set (settings, "block-policies", "python=ask", NULL);
  page_fixture_type (fixture, "Look:\n\n```python\nprint(1)\n```\n\n```python\nprint(2)\n```\n");
  g_object_set (get_options (fixture), "guards-without", 1u << FH_GUARD_NETWORK, NULL);
  fh_tab_run (fixture->page);
  for (guint block = 0; block < 2; block++)
    {
      FH_AWAIT_TRUE (find_question () != NULL);
      question = find_question ();
      widget_test_wait_for_label (question, "Some Guards Are Switched Off · with network · Time: ");
      widget_test_wait_for_label (question, "; Switched Off: Network");
      g_assert_null (widget_test_find_label (question, "Container: "));
      g_object_set (get_options (fixture), "in-container", TRUE, NULL);
      g_signal_emit_by_name (question, "answered", FH_APPROVAL_ONCE, "");
      gtk_window_destroy (GTK_WINDOW (question));
      FH_AWAIT_TRUE (fake_backend_get_n_runs (fixture->backend) == block + 1);
      fake_backend_finish (fixture->backend, 0);
    }
  g_object_set (settings, "block-policies", "", NULL);
}

static GtkWidget *
find_in_windows (const char *text)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  GtkWidget *found = NULL;

  for (GList *link = windows; link != NULL && found == NULL; link = link->next)
    found = widget_test_find_label (link->data, text);
  return found;
}

/* "Run again without": of all guards that will be off, not only of the chosen one. */
static void
test_without (PageFixture *fixture, gconstpointer data)
{
  GtkWidget *label;

  page_fixture_type (fixture, "print(1)\n");
  g_object_set (get_options (fixture), "guards-without", 1u << FH_GUARD_DISK, NULL);
  fh_tab_run (fixture->page);
  fake_backend_finish (fixture->backend, 0);
  fh_tab_run_without (fixture->page, FH_GUARD_NETWORK);
  FH_AWAIT_TRUE (find_in_windows ("The program is run once more") != NULL);
  label = find_in_windows ("The program is run once more");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), "the internet"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), "may fill the disk"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), "These guards are off"));
  gtk_window_close (GTK_WINDOW (gtk_widget_get_root (label)));
  widget_test_settle ();
}

static GtkWidget *
find_chooser (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *link = windows; link != NULL; link = link->next)
    if (GTK_IS_FILE_CHOOSER (link->data))
      return link->data;
  return NULL;
}

/* The name of a block is as safe among the user's files as that of a file that a program left. */
static void
test_save_as (PageFixture *fixture, gconstpointer data)
{
  GtkWidget *editor;
  g_autofree char *name = NULL;

  if (g_getenv ("FH_SANITIZED") != NULL)
    {
      g_test_skip ("GTK's file chooser leaks what it was about to show");
      return;
    }
  page_fixture_type (fixture, "Look:\n\n```sh\n# filename: x/.bash\u202erc\necho\n```\n");
  editor = widget_test_find (GTK_WIDGET (fixture->page), FH_TYPE_EDITOR_VIEW);
  g_signal_emit_by_name (fh_editor_view_get_blocks (FH_EDITOR_VIEW (editor)),
                         "command",
                         1,
                         "save-as",
                         "");
  FH_AWAIT_TRUE (find_chooser () != NULL);
  name = gtk_file_chooser_get_current_name (GTK_FILE_CHOOSER (find_chooser ()));
  g_assert_cmpstr (name, ==, "_.bash_rc");
}

WIDGET_FIXTURE_TESTS (PageFixture,
                      set_up,
                      tear_down,
                      { "/app/tab-container/protection", test_protection },
                      { "/app/tab-container/run", test_run },
                      { "/app/tab-container/pull", test_pull },
                      { "/app/tab-container/again", test_again },
                      { "/app/tab-container/draft", test_draft },
                      { "/app/tab-container/question", test_question },
                      { "/app/tab-container/without", test_without },
                      { "/app/tab-container/save-as", test_save_as });
