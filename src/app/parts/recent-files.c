/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/recent-files.h"

#include "parts/calls.h"

#define MAX_SHOWN 8

void
fh_recent_files_add (GFile *file)
{
  g_autofree char *uri = NULL;

  g_return_if_fail (G_IS_FILE (file));

  uri = g_file_get_uri (file);
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
}

static int
newest_first (gconstpointer first, gconstpointer second)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) second),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) first));
}

static gboolean
is_ours (GtkRecentInfo *info)
{
  return gtk_recent_info_has_application (info, g_get_application_name ());
}

static GMenuModel *
new_list (const char *action)
{
  GMenu *list = g_menu_new ();
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());

  items = g_list_sort (items, newest_first);
  for (GList *link = items; link != NULL; link = link->next)
    {
      if (g_menu_model_get_n_items (G_MENU_MODEL (list)) == MAX_SHOWN || !is_ours (link->data))
        continue;
      fh_menu_append_plain (list,
                            gtk_recent_info_get_display_name (link->data),
                            action,
                            gtk_recent_info_get_uri (link->data));
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  return G_MENU_MODEL (list);
}

/* A menu that follows the list. */
typedef struct
{
  GMenu *menu;
  char *title;
  char *action;
  gboolean is_shown;
} Following;

static void
following_free (gpointer data, GClosure *closure)
{
  Following *following = data;

  g_object_unref (following->menu);
  g_free (following->title);
  g_free (following->action);
  g_free (following);
}

static void
changed_cb (GtkRecentManager *manager, gpointer user_data)
{
  Following *following = user_data;
  g_autoptr (GMenuModel) list = new_list (following->action);

  if (following->is_shown)
    g_menu_remove (following->menu, 0);
  following->is_shown = g_menu_model_get_n_items (list) > 0;
  if (following->is_shown)
    g_menu_insert_submenu (following->menu, 0, following->title, list);
}

void
fh_recent_files_fill (GMenu *menu, const char *title, const char *action, GObject *owner)
{
  GtkRecentManager *manager = gtk_recent_manager_get_default ();
  Following *following;
  GClosure *closure;

  g_return_if_fail (G_IS_MENU (menu));
  g_return_if_fail (title != NULL && action != NULL);
  g_return_if_fail (G_IS_OBJECT (owner));

  following = g_new0 (Following, 1);
  following->menu = g_object_ref (menu);
  following->title = g_strdup (title);
  following->action = g_strdup (action);
  closure = g_cclosure_new (G_CALLBACK (changed_cb), following, following_free);
  g_object_watch_closure (owner, closure);
  g_signal_connect_closure (manager, "changed", closure, FALSE);
  changed_cb (manager, following);
}
