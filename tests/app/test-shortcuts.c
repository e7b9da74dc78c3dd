/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shortcuts.h"

#include "fake-services.h"
#include "widget-test.h"
#include "window/window.h"

/* Keys that widgets or GTK itself answer; the help tells about them all the same. */
static const char *const built_in[] = {
  "F10", "<Control>question", "<Shift>Return", "<Control><Shift>B", "<Control><Shift>P",
};

static void
collect (GtkWidget *widget, GHashTable *keys)
{
  if (GTK_IS_SHORTCUTS_SHORTCUT (widget))
    {
      g_autofree char *text = NULL;
      g_auto (GStrv) words = NULL;

      g_object_get (widget, "accelerator", &text, NULL);
      words = g_strsplit (text, " ", -1);
      for (guint i = 0; words[i] != NULL; i++)
        g_hash_table_add (keys, g_strdup (words[i]));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, keys);
}

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/* Everything the help shows works, and every action of the table is in the help. */
static void
test_help_overlay (void)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/fumehood/Fumehood/gtk/help-overlay.ui");
  GtkWidget *overlay = GTK_WIDGET (gtk_builder_get_object (builder, "help_overlay"));
  g_autoptr (GHashTable) shown = new_set ();
  GHashTableIter iter;
  gpointer key;

  g_assert_true (GTK_IS_SHORTCUTS_WINDOW (overlay));
  collect (overlay, shown);
  for (const FhShortcut *shortcut = fh_shortcuts_list (); shortcut->action != NULL; shortcut++)
    {
      g_test_message ("%s", shortcut->action);
      g_assert_true (g_hash_table_contains (shown, shortcut->keys[0]));
      for (guint i = 0; shortcut->keys[i] != NULL; i++)
        g_hash_table_remove (shown, shortcut->keys[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (built_in); i++)
    g_assert_true (g_hash_table_remove (shown, built_in[i]));
  g_hash_table_iter_init (&iter, shown);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_error ("the help shows %s, which does nothing", (const char *) key);
  gtk_window_destroy (GTK_WINDOW (overlay));
}

/* Both helps hold the same groups and keys: which one is shown depends on libadwaita's age. Only
 * the older one has pages, whose titles are left out. */
static char *
dup_contents (const char *path)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("<object class=\"\\w+\"><property name=\"title\"[^>]*>([^<]*)</property>"
                   "(?:<property name=\"accelerator\">([^<]*))?",
                   0,
                   0,
                   NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  GString *text = g_string_new (NULL);

  g_assert_nonnull (bytes);
  g_regex_match_full (regex,
                      g_bytes_get_data (bytes, NULL),
                      (gssize) g_bytes_get_size (bytes),
                      0,
                      0,
                      &match,
                      NULL);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *title = g_match_info_fetch (match, 1);
      g_autofree char *keys = g_match_info_fetch (match, 2);

      g_string_append_printf (text, "%s\n%s\n", title, keys != NULL ? keys : "");
    }
  return g_string_free (text, FALSE);
}

static void
test_both_helps (void)
{
  g_autofree char *overlay = dup_contents ("/io/github/fumehood/Fumehood/gtk/help-overlay.ui");
  g_autofree char *dialog = dup_contents ("/io/github/fumehood/Fumehood/shortcuts-dialog.ui");

  g_assert_cmpstr (overlay, !=, "");
  g_assert_cmpstr (overlay, ==, dialog);
}

static void
test_keys_are_valid_and_unique (void)
{
  g_autoptr (GHashTable) seen = new_set ();

  for (const FhShortcut *shortcut = fh_shortcuts_list (); shortcut->action != NULL; shortcut++)
    {
      g_assert_nonnull (shortcut->keys[0]);
      for (guint i = 0; shortcut->keys[i] != NULL; i++)
        {
          guint key;
          GdkModifierType modifiers;

          g_assert_true (gtk_accelerator_parse (shortcut->keys[i], &key, &modifiers));
          g_assert_true (g_hash_table_add (seen, gtk_accelerator_name (key, modifiers)));
        }
    }
}

/* A key for an action that does not exist would do nothing, silently. */
static void
test_window_actions_exist (void)
{
  char *folder = fake_folder_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  FhServices *services = fake_services_new (backend, folder);
  FhWindow *window = fh_window_new (NULL, services);

  for (const FhShortcut *shortcut = fh_shortcuts_list (); shortcut->action != NULL; shortcut++)
    {
      if (g_str_has_prefix (shortcut->action, "win."))
        {
          g_autoptr (GVariant) target = NULL;
          g_autofree char *name = NULL;

          g_test_message ("%s", shortcut->action);
          g_assert_true (g_action_parse_detailed_name (shortcut->action, &name, &target, NULL));
          g_assert_true (
              g_action_group_has_action (G_ACTION_GROUP (window), name + strlen ("win.")));
        }
    }
  gtk_window_destroy (GTK_WINDOW (window));
  fake_services_free (services);
  fake_folder_free (folder);
}

WIDGET_TESTS ({ "/app/shortcuts/help-overlay", test_help_overlay },
              { "/app/shortcuts/both-helps", test_both_helps },
              { "/app/shortcuts/keys-are-valid-and-unique", test_keys_are_valid_and_unique },
              { "/app/shortcuts/window-actions-exist", test_window_actions_exist });
