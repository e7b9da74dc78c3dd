/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/switch-row.h"

#include "parts/calls.h"

struct _FhSwitchRow
{
  AdwActionRow parent_instance;

  GtkSwitch *button;
};

G_DEFINE_FINAL_TYPE (FhSwitchRow, fh_switch_row, ADW_TYPE_ACTION_ROW)

static GParamSpec *active_property;

static void
active_cb (FhSwitchRow *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), active_property);
}

static void
fh_switch_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, fh_switch_row_get_active (FH_SWITCH_ROW (object)));
}

static void
fh_switch_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  fh_switch_row_set_active (FH_SWITCH_ROW (object), g_value_get_boolean (value));
}

static void
fh_switch_row_class_init (FhSwitchRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = fh_switch_row_get_property;
  object_class->set_property = fh_switch_row_set_property;

  active_property = g_param_spec_boolean ("active", NULL, NULL, FALSE, FH_PARAM_WRITE);
  g_object_class_install_property (object_class, 1, active_property);
}

static void
fh_switch_row_init (FhSwitchRow *self)
{
  self->button = GTK_SWITCH (gtk_switch_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->button));
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), GTK_WIDGET (self->button));
  fh_connect (self->button, "notify::active", active_cb, self);
}

gboolean
fh_switch_row_get_active (FhSwitchRow *self)
{
  g_return_val_if_fail (FH_IS_SWITCH_ROW (self), FALSE);

  return gtk_switch_get_active (self->button);
}

void
fh_switch_row_set_active (FhSwitchRow *self, gboolean active)
{
  g_return_if_fail (FH_IS_SWITCH_ROW (self));

  gtk_switch_set_active (self->button, active);
}
