/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/examples.h"

#include "fake-backend.h"
#include "fake-services.h"
#include "widget-test.h"
#include "window/window.h"

/* How many items of a menu activate win.example. */
static guint
count_examples (GMenuModel *menu)
{
  guint count = 0;

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };
      g_autofree char *action = NULL;

      g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action);
      if (g_strcmp0 (action, "win.example") == 0)
        count++;
      for (guint j = 0; j < G_N_ELEMENTS (links); j++)
        {
          g_autoptr (GMenuModel) linked = g_menu_model_get_item_link (menu, i, links[j]);

          count += linked != NULL ? count_examples (linked) : 0;
        }
    }
  return count;
}

/* The same below a widget. */
static guint
count_examples_below (GtkWidget *widget)
{
  guint count = 0;

  if (GTK_IS_MENU_BUTTON (widget) && gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)))
    count += count_examples (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count += count_examples_below (child);
  return count;
}

/* Beside the output, in a window of the usual size. */
#define VISIBLE 52

/* The first example is what people see first: nothing of it is clipped. */
static void
assert_narrow (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, VISIBLE);
}

static void
test_examples (void)
{
  char *folder = fake_folder_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  FhServices *services = fake_services_new (backend, folder);
  FhWindow *window = fh_window_new (NULL, services);
  FhTabs *tabs = fh_window_get_tabs (window);
  guint n_examples = 0;

  gtk_window_present (GTK_WINDOW (window));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (window)));
  for (const FhExample *example = fh_examples_list (); example->file_name != NULL; example++)
    {
      g_autofree char *text = NULL;

      n_examples++;
      g_action_group_activate_action (G_ACTION_GROUP (window),
                                      "example",
                                      g_variant_new_string (example->file_name));
      /* It replaces the one before, which was not touched. */
      g_assert_cmpuint (fh_tabs_get_n_pages (tabs), ==, 1);
      g_assert_cmpstr (fh_snippet_page_get_title (fh_tabs_get_page (tabs)), ==, example->title);
      text = fh_snippet_page_dup_text (fh_tabs_get_page (tabs));
      g_assert_cmpuint (strlen (text), >, 100);
      g_assert_null (strstr (text, "SPDX"));
      if (example == fh_examples_list ())
        assert_narrow (text);
    }
  /* In the main menu, and in what an empty tab offers. */
  g_assert_cmpuint (count_examples_below (GTK_WIDGET (window)), ==, 2 * n_examples);
  gtk_window_destroy (GTK_WINDOW (window));
  fh_drafts_flush (fh_services_get_drafts (services));
  FH_AWAIT_TRUE (G_OBJECT (services)->ref_count == 1);
  g_assert_finalize_object (services);
  fake_folder_free (folder);
}

static gboolean
has_resource (const char *folder, const char *name)
{
  g_autofree char *path = g_strconcat ("/io/github/fumehood/Fumehood/", folder, "/", name, NULL);

  return g_resources_get_info (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
}

static void
test_exhibits (void)
{
  for (const FhExhibit *exhibit = fh_exhibit_list (); exhibit->file_name != NULL; exhibit++)
    {
      g_autofree char *stem = g_strndup (exhibit->file_name, strcspn (exhibit->file_name, "."));
      g_autofree char *picture = g_strconcat (stem, ".svg", NULL);

      g_assert_true (has_resource ("exhibits", exhibit->file_name));
      g_assert_true (has_resource ("pictures", picture));
    }
}

WIDGET_TESTS ({ "/app/examples", test_examples }, { "/app/examples/exhibits", test_exhibits });
