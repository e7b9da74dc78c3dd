/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/run-button.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

/* Two buttons in one place, so that screen readers and tests find "Run" and "Stop" by name. */
struct _FhRunButton
{
  AdwBin parent_instance;

  FhRunState state;

  GtkStack *stack;
  GtkWidget *run;
  GtkWidget *stop;
  AdwButtonContent *stop_content;
  GtkImage *stop_icon;
};

G_DEFINE_FINAL_TYPE (FhRunButton, fh_run_button, ADW_TYPE_BIN)

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
  fh_set_accessible_label (self->stop, stop_label);
  gtk_widget_set_tooltip_text (self->stop,
                               stopping ? _ ("End the Program at Once (Shift+F5)")
                                        : _ ("Stop the Program (Shift+F5)"));
}

static void
fh_run_button_class_init (FhRunButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  fh_set_template (widget_class, "controls/run-button.ui");
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

void
fh_run_button_set_state (FhRunButton *self, FhRunState state)
{
  g_return_if_fail (FH_IS_RUN_BUTTON (self));

  self->state = state;
  update (self);
}
