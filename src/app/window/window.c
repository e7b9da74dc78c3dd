/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/window.h"

/* The window only puts the parts together. */
struct _FhWindow
{
  AdwApplicationWindow parent_instance;
};

G_DEFINE_FINAL_TYPE (FhWindow, fh_window, ADW_TYPE_APPLICATION_WINDOW)

static void
fh_window_class_init (FhWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fumehood/Fumehood/window/window.ui");
}

static void
fh_window_init (FhWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

FhWindow *
fh_window_new (GtkApplication *application)
{
  g_return_val_if_fail (GTK_IS_APPLICATION (application), NULL);

  return g_object_new (FH_TYPE_WINDOW, "application", application, NULL);
}
