/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tab/tab.h"

#include "fake-services.h"
#include "option-samples.h"
#include "widget-test.h"

/* Each option of the table, chosen in a tab: after a crash, when its run is opened from the
 * history, and when that is run again, it is as it was. All in one tab, since making one for each
 * takes most of the time: what is to come back is set to its default before. */

typedef struct
{
  char *folder;
  FakeBackend *backend;
  FhServices *services;
  FhTab *page;
  GtkWindow *window;
  FhRunOptions *defaults;
} Fixture;

static Fixture fixture_of_all;

static FhRunOptions *
dup_values (Fixture *fixture)
{
  return fh_options_dup_values (fh_tab_get_options (fixture->page));
}

static void
set_up (Fixture *fixture)
{
  /* A run in a container is then recorded as one that could not start, without any process. */
  g_setenv ("FH_DOCKER", "/nonexistent/docker", TRUE);
  g_setenv ("FH_PODMAN", "/nonexistent/podman", TRUE);
  fixture->folder = fake_folder_new ();
  g_setenv ("XDG_RUNTIME_DIR", fixture->folder, TRUE);
  fixture->backend = fake_backend_new ();
  fixture->services = fake_services_new (fixture->backend, fixture->folder);
  fixture->page = FH_TAB (fh_tab_new (fixture->services));
  /* It is never shown: drawing is not what this is about. */
  fixture->window = GTK_WINDOW (gtk_window_new ());
  gtk_window_set_child (fixture->window, GTK_WIDGET (fixture->page));
  fixture->defaults = dup_values (fixture);
}

static gboolean
is_idle (gpointer data)
{
  return !fh_recorder_get_busy (fh_services_get_recorder (((Fixture *) data)->services));
}

static void
tear_down (Fixture *fixture)
{
  FhTab *page = g_object_ref (fixture->page);

  fh_run_options_free (fixture->defaults);
  gtk_window_destroy (fixture->window);
  widget_test_finalize (page);
  fake_services_free (fixture->services);
  g_object_unref (fixture->backend);
  fake_folder_free (fixture->folder);
}

/* Whether a run is kept is not a part of it. */
static void
assert_values (Fixture *fixture, const FhRunOptions *expected, gboolean in_history)
{
  g_autoptr (FhRunOptions) values = dup_values (fixture);

  if (in_history)
    values->no_history = expected->no_history;
  g_assert_true (fh_run_options_equal (values, expected));
}

/* As the next start finds it: in another object for the same folder. */
static FhDraft *
load_draft (Fixture *fixture, GPtrArray **owner)
{
  g_autofree char *path = g_build_filename (fixture->folder, "drafts", NULL);
  g_autoptr (FhDrafts) drafts = fh_drafts_new (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = FH_AWAIT (fh_drafts_load_async (drafts, NULL, FH_RESULT));
  *owner = fh_drafts_load_finish (drafts, result, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((*owner)->len, ==, 1);
  return g_ptr_array_index (*owner, 0);
}

/* A container cannot be made here, which is recorded all the same. */
static void
run (Fixture *fixture)
{
  const guint n_runs = fake_backend_get_n_runs (fixture->backend);

  fh_tab_run (fixture->page);
  if (fake_backend_get_n_runs (fixture->backend) > n_runs)
    fake_backend_finish (fixture->backend, 0);
  FH_AWAIT_TRUE (fh_tab_get_result (fixture->page) != NULL);
  FH_AWAIT_TRUE (is_idle (fixture));
}

static void
load_last_run (Fixture *fixture, FhRunRequest **request, FhRunResult **result)
{
  FhHistory *history = fh_services_get_history (fixture->services);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list (history, NULL, 0, 1, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 1);
  fh_history_load (history,
                   fh_history_entry_get_id (g_ptr_array_index (entries, 0)),
                   NULL,
                   request,
                   result,
                   &error);
  g_assert_no_error (error);
}

static void
test_option (gconstpointer data)
{
  Fixture *fixture = &fixture_of_all;
  FhOptions *options = fh_tab_get_options (fixture->page);
  g_autoptr (FhRunOptions) chosen = NULL;
  g_autoptr (GPtrArray) owner = NULL;
  g_autoptr (FhRunRequest) first = NULL;
  g_autoptr (FhRunRequest) again = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (FhRunResult) other_result = NULL;
  const FhDraft *draft;

  fh_tab_set_text (fixture->page, "x", NULL, fh_language_lookup ("python"));
  fh_options_set_values (options, fixture->defaults);
  g_assert_true (option_samples_set (options, data));
  chosen = dup_values (fixture);
  g_assert_false (fh_run_option_is_default (data, chosen));
  fh_tab_save_draft (fixture->page);
  fh_drafts_flush (fh_services_get_drafts (fixture->services));
  draft = load_draft (fixture, &owner);
  run (fixture);

  fh_options_set_values (options, fixture->defaults);
  fh_tab_set_draft (fixture->page, draft);
  assert_values (fixture, chosen, FALSE);
  if (chosen->no_history)
    return;
  load_last_run (fixture, &first, &result);
  fh_options_set_values (options, fixture->defaults);
  fh_tab_show_result (fixture->page, first, result);
  assert_values (fixture, chosen, TRUE);
  run (fixture);
  load_last_run (fixture, &again, &other_result);
  g_assert_true (fh_run_options_equal (fh_run_request_get_parts (first)->options,
                                       fh_run_request_get_parts (again)->options));
}

int
main (int argc, char *argv[])
{
  guint n;
  const FhRunOption *row = fh_run_option_list (&n);
  int result;

  if (!widget_test_init (&argc, &argv))
    return 77;
  for (; n > 0; n--, row++)
    {
      g_autoptr (FhOptions) options = fh_options_new ();
      g_autofree char *path = g_strdup_printf ("/app/every-option/%s", row->key);

      if (option_samples_set (options, row))
        g_test_add_data_func (path, row, test_option);
    }
  set_up (&fixture_of_all);
  result = g_test_run ();
  tear_down (&fixture_of_all);
  return result;
}
