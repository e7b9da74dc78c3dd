/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gtksourceview/gtksource.h>

#include "application-private.h"
#include "parts/about.h"
#include "preferences/preferences-window.h"

static void
new_window_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_window_open_new (fh_application_open_window (FH_APPLICATION (user_data)));
}

static void
preferences_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhApplication *self = FH_APPLICATION (user_data);
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (self));
  GtkWidget *window = fh_preferences_window_new (fh_services_get_settings (self->services));

  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_present (GTK_WINDOW (window));
}

static void
about_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhApplication *self = FH_APPLICATION (user_data);
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autofree char *guards = fh_protection_dup_report (fh_services_get_protection (self->services));
  g_autofree char *debug_info = g_strdup_printf ("Fumehood %s\n"
                                                 "GTK %u.%u.%u\n"
                                                 "libadwaita %u.%u.%u\n"
                                                 "GtkSourceView %u.%u.%u\n"
                                                 "GLib %u.%u.%u\n\n"
                                                 "Guards\n%s",
                                                 FH_VERSION,
                                                 gtk_get_major_version (),
                                                 gtk_get_minor_version (),
                                                 gtk_get_micro_version (),
                                                 adw_get_major_version (),
                                                 adw_get_minor_version (),
                                                 adw_get_micro_version (),
                                                 gtk_source_get_major_version (),
                                                 gtk_source_get_minor_version (),
                                                 gtk_source_get_micro_version (),
                                                 glib_major_version,
                                                 glib_minor_version,
                                                 glib_micro_version,
                                                 guards);

  fh_about_present (parent, debug_info);
}

/* Each window asks about what still runs in it; the last one that closes ends the app. */
static void
quit_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  g_autoptr (GList) windows =
      g_list_copy (gtk_application_get_windows (GTK_APPLICATION (user_data)));

  for (GList *link = windows; link != NULL; link = link->next)
    gtk_window_close (GTK_WINDOW (link->data));
}

static void
show_page_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  const char *page_id = g_variant_get_string (target, NULL);

  for (GList *link = gtk_application_get_windows (GTK_APPLICATION (user_data)); link != NULL;
       link = link->next)
    {
      if (FH_IS_WINDOW (link->data) && fh_window_show_page (FH_WINDOW (link->data), page_id))
        {
          gtk_window_present (GTK_WINDOW (link->data));
          return;
        }
    }
}

static void
zoom_in_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_text_size_zoom (fh_services_get_settings (FH_APPLICATION (user_data)->services), 1);
}

static void
zoom_out_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_text_size_zoom (fh_services_get_settings (FH_APPLICATION (user_data)->services), -1);
}

static void
zoom_reset_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  fh_text_size_zoom (fh_services_get_settings (FH_APPLICATION (user_data)->services), 0);
}

void
fh_application_init_actions (FhApplication *self)
{
  const GActionEntry entries[] = {
    { .name = "new-window", .activate = new_window_cb },
    { .name = "preferences", .activate = preferences_cb },
    { .name = "about", .activate = about_cb },
    { .name = "quit", .activate = quit_cb },
    { .name = "show-page", .activate = show_page_cb, .parameter_type = "s" },
    { .name = "zoom-in", .activate = zoom_in_cb },
    { .name = "zoom-out", .activate = zoom_out_cb },
    { .name = "zoom-reset", .activate = zoom_reset_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
