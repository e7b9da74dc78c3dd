/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "application.h"

#include <gtksourceview/gtksource.h>

#include "settings.h"
#include "window/window.h"

/* The one running app: it owns what all windows share. */
struct _FhApplication
{
  AdwApplication parent_instance;

  FhSettings *settings;
};

G_DEFINE_FINAL_TYPE (FhApplication, fh_application, ADW_TYPE_APPLICATION)

static void
fh_application_startup (GApplication *application)
{
  FhApplication *self = FH_APPLICATION (application);

  G_APPLICATION_CLASS (fh_application_parent_class)->startup (application);

  gtk_source_init ();
  gtk_window_set_default_icon_name (FH_APP_ID);
  self->settings = fh_settings_new ();
}

static void
fh_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window == NULL)
    window = GTK_WINDOW (fh_window_new (GTK_APPLICATION (application)));
  gtk_window_present (window);
}

static void
fh_application_dispose (GObject *object)
{
  FhApplication *self = FH_APPLICATION (object);

  g_clear_object (&self->settings);

  G_OBJECT_CLASS (fh_application_parent_class)->dispose (object);
}

static void
fh_application_class_init (FhApplicationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  object_class->dispose = fh_application_dispose;
  application_class->startup = fh_application_startup;
  application_class->activate = fh_application_activate;
}

static void
fh_application_init (FhApplication *self)
{
}

FhApplication *
fh_application_new (void)
{
  return g_object_new (FH_TYPE_APPLICATION, "application-id", FH_APP_ID, NULL);
}
