/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/notice-bar.h"

#include "parts/calls.h"
#include "parts/wrap-layout.h"

enum
{
  PROP_TEXT = 1,
  PROP_ICON_NAME,
  PROP_BUTTON_LABEL,
  PROP_ACTION_NAME,
  PROP_ACTION_TARGET,
  PROP_CLOSABLE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* The label keeps its text while the bar is being hidden, so that it does not shrink first. */
struct _FhNoticeBar
{
  AdwBin parent_instance;

  char *text;

  GtkRevealer *revealer;
  GtkImage *icon;
  GtkLabel *label;
  GtkWidget *buttons;
  GtkButton *button;
  GtkWidget *close_button;
};

G_DEFINE_FINAL_TYPE (FhNoticeBar, fh_notice_bar, ADW_TYPE_BIN)

static void
show_buttons (FhNoticeBar *self)
{
  gtk_widget_set_visible (self->buttons,
                          gtk_widget_get_visible (GTK_WIDGET (self->button)) ||
                              gtk_widget_get_visible (self->close_button));
}

static void
set_button_label (FhNoticeBar *self, const char *label)
{
  gtk_button_set_label (self->button, label != NULL ? label : "");
  gtk_widget_set_visible (GTK_WIDGET (self->button), label != NULL);
}

static void
fh_notice_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhNoticeBar *self = FH_NOTICE_BAR (object);

  if (id == PROP_TEXT)
    fh_notice_bar_set_text (self, g_value_get_string (value));
  else if (id == PROP_ICON_NAME)
    gtk_image_set_from_icon_name (self->icon, g_value_get_string (value));
  else if (id == PROP_BUTTON_LABEL)
    set_button_label (self, g_value_get_string (value));
  else if (id == PROP_ACTION_NAME)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), g_value_get_string (value));
  else if (id == PROP_ACTION_TARGET)
    gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->button),
                                            g_value_get_variant (value));
  else
    gtk_widget_set_visible (self->close_button, g_value_get_boolean (value));
  show_buttons (self);
}

/* A screen reader must not find a notice that is out of sight. */
static void
revealed_cb (FhNoticeBar *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->revealer),
                          gtk_revealer_get_child_revealed (self->revealer) || self->text != NULL);
}

static void
close_cb (FhNoticeBar *self)
{
  fh_notice_bar_set_text (self, NULL);
}

static void
fh_notice_bar_finalize (GObject *object)
{
  FhNoticeBar *self = FH_NOTICE_BAR (object);

  g_free (self->text);

  G_OBJECT_CLASS (fh_notice_bar_parent_class)->finalize (object);
}

static void
fh_notice_bar_class_init (FhNoticeBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = FH_PARAM_SET;

  object_class->finalize = fh_notice_bar_finalize;
  object_class->set_property = fh_notice_bar_set_property;

  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);
  properties[PROP_ICON_NAME] = g_param_spec_string ("icon-name", NULL, NULL, NULL, flags);
  properties[PROP_BUTTON_LABEL] = g_param_spec_string ("button-label", NULL, NULL, NULL, flags);
  properties[PROP_ACTION_NAME] = g_param_spec_string ("action-name", NULL, NULL, NULL, flags);
  properties[PROP_ACTION_TARGET] =
      g_param_spec_variant ("action-target", NULL, NULL, G_VARIANT_TYPE_ANY, NULL, flags);
  properties[PROP_CLOSABLE] = g_param_spec_boolean ("closable", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (FH_TYPE_WRAP_LAYOUT);
  fh_set_template (widget_class, "parts/notice-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FhNoticeBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, FhNoticeBar, icon);
  gtk_widget_class_bind_template_child (widget_class, FhNoticeBar, label);
  gtk_widget_class_bind_template_child (widget_class, FhNoticeBar, buttons);
  gtk_widget_class_bind_template_child (widget_class, FhNoticeBar, button);
  gtk_widget_class_bind_template_child (widget_class, FhNoticeBar, close_button);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
}

static void
fh_notice_bar_init (FhNoticeBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_connect (self->revealer, "notify::child-revealed", revealed_cb, self);
  revealed_cb (self);
}

void
fh_notice_bar_set_text (FhNoticeBar *self, const char *text)
{
  g_return_if_fail (FH_IS_NOTICE_BAR (self));

  if (!fh_set_str (&self->text, text))
    return;
  if (text != NULL)
    gtk_label_set_text (self->label, text);
  fh_set_accessible_label (self, text != NULL ? text : "");
  revealed_cb (self);
  gtk_revealer_set_reveal_child (self->revealer, text != NULL);
}
