/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/recent-files.h"

#include "widget-test.h"

/* Other tests of this build use the same list at the same time. */
static char *
new_name (void)
{
  g_autofree char *unique = g_uuid_string_random ();

  return g_strconcat (unique, "_<b>.py", NULL);
}

/* The target of the item with that label in the submenu; NULL if there is none. (transfer full) */
static char *
find_target (GMenuModel *menu, const char *label)
{
  g_autoptr (GMenuModel) recent = NULL;

  if (g_menu_model_get_n_items (menu) == 0)
    return NULL;
  recent = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SUBMENU);
  g_assert_cmpint (g_menu_model_get_n_items (recent), <=, 8);
  for (int i = 0; i < g_menu_model_get_n_items (recent); i++)
    {
      g_autofree char *found = NULL;
      char *target = NULL;

      g_menu_model_get_item_attribute (recent, i, G_MENU_ATTRIBUTE_LABEL, "s", &found);
      g_menu_model_get_item_attribute (recent, i, G_MENU_ATTRIBUTE_TARGET, "s", &target);
      if (g_strcmp0 (found, label) == 0)
        return target;
      g_free (target);
    }
  return NULL;
}

/* A file that was added is offered; an underscore in its name is no mnemonic. */
static void
test_add (void)
{
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autofree char *name = new_name ();
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (file);
  char *target = NULL;

  fh_recent_files_fill (menu, "Recent", "win.open-recent", owner);
  g_assert_null (find_target (G_MENU_MODEL (menu), label));
  g_assert_true (g_file_set_contents (path, "print(1)\n", -1, NULL));
  fh_recent_files_add (file);
  FH_AWAIT_TRUE ((target = find_target (G_MENU_MODEL (menu), label)) != NULL);
  g_assert_cmpstr (target, ==, uri);
  g_free (target);
  g_assert_true (g_file_delete (file, NULL, NULL));
}

/* Files of other programs are not offered, and a menu whose owner is gone stays as it is. */
static void
test_others (void)
{
  GtkRecentManager *manager = gtk_recent_manager_get_default ();
  const GtkRecentData data = {
    .mime_type = (char *) "text/plain",
    .app_name = (char *) "Another Program",
    .app_exec = (char *) "another",
  };
  GObject *owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autofree char *name = new_name ();
  g_autofree char *uri = g_strconcat ("file:///nowhere/", name, NULL);
  int n_items;

  fh_recent_files_fill (menu, "Recent", "win.open-recent", owner);
  n_items = g_menu_model_get_n_items (G_MENU_MODEL (menu));
  g_assert_true (gtk_recent_manager_add_full (manager, uri, &data));
  FH_AWAIT_TRUE (gtk_recent_manager_has_item (manager, uri));
  g_signal_emit_by_name (manager, "changed");
  g_assert_cmpint (g_menu_model_get_n_items (G_MENU_MODEL (menu)), ==, n_items);
  widget_test_finalize (owner);
  g_menu_remove_all (menu);
  g_signal_emit_by_name (manager, "changed");
  g_assert_cmpint (g_menu_model_get_n_items (G_MENU_MODEL (menu)), ==, 0);
}

WIDGET_TESTS ({ "/app/recent-files/add", test_add }, { "/app/recent-files/others", test_others });
