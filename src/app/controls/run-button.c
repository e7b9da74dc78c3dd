/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/run-button.h"

#include <adwaita.h>
#include <glib/gi18n.h>

enum
{
  PROP_STATE = 1,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* Two buttons in one place, so that a screen reader and a test find "Run" and "Stop" by name. */
struct _FhRunButton
{
  GtkWidget parent_instance;

  FhRunState state;

  GtkStack *stack;
  GtkWidget *run;
  GtkWidget *stop;
  AdwButtonContent *stop_content;
  GtkImage *stop_icon;
};

G_DEFINE_FINAL_TYPE (FhRunButton, fh_run_button, GTK_TYPE_WIDGET)

static void
update (FhRunButton *self)
{
  gboolean stopping = self->state == FH_RUN_STOPPING;
  const char *icon_name = stopping ? "process-stop-symbolic" : "media-playback-stop-symbolic";
  const char *stop_label = stopping ? _ ("Force Stop") : _ ("Stop");

  gtk_stack_set_visible_child (self->stack,
                               self->state == FH_RUN_FINISHED ? self->run : self->stop);
  adw_button_content_set_label (self->stop_content, stop_label);
  adw_button_content_set_icon_name (self->stop_content, icon_name);
  gtk_image_set_from_icon_name (self->stop_icon, icon_name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stop),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  stop_label,
                                  -1);
  gtk_widget_set_tooltip_text (self->stop,
                               stopping ? _ ("End the Program at Once (Shift+F5)")
                                        : _ ("Stop the Program (Shift+F5)"));
}

static void
fh_run_button_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhRunButton *self = FH_RUN_BUTTON (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_int (value, (int) self->state);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_run_button_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhRunButton *self = FH_RUN_BUTTON (object);

  switch (id)
    {
    case PROP_STATE:
      fh_run_button_set_state (self, (FhRunState) g_value_get_int (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_run_button_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), FH_TYPE_RUN_BUTTON);

  G_OBJECT_CLASS (fh_run_button_parent_class)->dispose (object);
}

static void
fh_run_button_class_init (FhRunButtonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_run_button_dispose;
  object_class->get_property = fh_run_button_get_property;
  object_class->set_property = fh_run_button_set_property;

  properties[PROP_STATE] = g_param_spec_int ("state",
                                             NULL,
                                             NULL,
                                             FH_RUN_PREPARING,
                                             FH_RUN_FINISHED,
                                             FH_RUN_FINISHED,
                                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/controls/run-button.ui");
  gtk_widget_class_bind_template_child (widget_class, FhRunButton, stack);
  gtk_widget_class_bind_template_child (widget_class, FhRunButton, run);
  gtk_widget_class_bind_template_child (widget_class, FhRunButton, stop);
  gtk_widget_class_bind_template_child (widget_class, FhRunButton, stop_content);
  gtk_widget_class_bind_template_child (widget_class, FhRunButton, stop_icon);
}

static void
fh_run_button_init (FhRunButton *self)
{
  self->state = FH_RUN_FINISHED;
  gtk_widget_init_template (GTK_WIDGET (self));
  update (self);
}

GtkWidget *
fh_run_button_new (void)
{
  return g_object_new (FH_TYPE_RUN_BUTTON, NULL);
}

void
fh_run_button_set_state (FhRunButton *self, FhRunState state)
{
  g_return_if_fail (FH_IS_RUN_BUTTON (self));

  self->state = state;
  update (self);
}
