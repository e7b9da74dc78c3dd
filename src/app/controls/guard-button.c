/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/guard-button.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _FhGuardButton
{
  GtkWidget parent_instance;

  FhProtection *protection;

  GtkMenuButton *button;
  GtkLabel *title;
  GtkLabel *reason;
  GtkLabel *advice;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (FhGuardButton, fh_guard_button, GTK_TYPE_WIDGET)

static const char *
level_icon_name (FhGuardLevel level)
{
  switch (level)
    {
    case FH_GUARD_LEVEL_ACTIVE:
      return "emblem-ok-symbolic";
    case FH_GUARD_LEVEL_DEGRADED:
      return "dialog-warning-symbolic";
    case FH_GUARD_LEVEL_UNAVAILABLE:
    case FH_GUARD_LEVEL_OFF:
    default:
      return "action-unavailable-symbolic";
    }
}

static const char *
level_class (FhGuardLevel level)
{
  switch (level)
    {
    case FH_GUARD_LEVEL_ACTIVE:
      return "success";
    case FH_GUARD_LEVEL_DEGRADED:
      return "warning";
    case FH_GUARD_LEVEL_UNAVAILABLE:
    case FH_GUARD_LEVEL_OFF:
    default:
      return "error";
    }
}

static const char *
level_word (FhGuardLevel level)
{
  switch (level)
    {
    case FH_GUARD_LEVEL_ACTIVE:
      return _ ("Active");
    case FH_GUARD_LEVEL_DEGRADED:
      return _ ("Weaker than usual");
    case FH_GUARD_LEVEL_UNAVAILABLE:
      return _ ("Not available");
    case FH_GUARD_LEVEL_OFF:
    default:
      return _ ("Switched off");
    }
}

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  FhGuardState *guard = FH_GUARD_STATE (item);
  FhGuardLevel level = fh_guard_state_get_level (guard);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (level_icon_name (level));
  g_autofree char *sentence = g_markup_escape_text (fh_guard_state_get_sentence (guard), -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), fh_guard_state_get_title (guard));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), sentence);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_widget_set_tooltip_text (icon, level_word (level));
  gtk_widget_add_css_class (icon, level_class (level));
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  level_word (level),
                                  -1);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  /* What it is made of, for those who want to know. */
  gtk_widget_set_tooltip_text (row, fh_guard_state_get_layers (guard));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  return row;
}

static void
show_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
}

static void
update (FhGuardButton *self)
{
  const char *title = fh_protection_get_title (self->protection);
  g_autofree char *tooltip = g_strdup_printf (_ ("What Protects You Now: %s"), title);
  gboolean refused = fh_protection_get_state (self->protection) == FH_PROTECTION_REFUSED;
  GListModel *guards = fh_protection_get_guards (self->protection);

  gtk_menu_button_set_icon_name (self->button, fh_protection_get_icon_name (self->protection));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), tooltip);
  if (refused)
    gtk_widget_add_css_class (GTK_WIDGET (self->button), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->button), "error");
  gtk_label_set_text (self->title, title);
  show_text (self->reason, fh_protection_get_reason (self->protection));
  show_text (self->advice, fh_protection_get_advice (self->protection));
  gtk_widget_set_visible (GTK_WIDGET (self->list), g_list_model_get_n_items (guards) > 0);
}

static void
fh_guard_button_dispose (GObject *object)
{
  FhGuardButton *self = FH_GUARD_BUTTON (object);

  if (self->protection != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->protection);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_GUARD_BUTTON);

  G_OBJECT_CLASS (fh_guard_button_parent_class)->dispose (object);
}

static void
fh_guard_button_class_init (FhGuardButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_guard_button_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/controls/guard-button.ui");
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, button);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, title);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, reason);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, advice);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, list);
}

static void
fh_guard_button_init (FhGuardButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
fh_guard_button_new (void)
{
  return g_object_new (FH_TYPE_GUARD_BUTTON, NULL);
}

void
fh_guard_button_set_protection (FhGuardButton *self, FhProtection *protection)
{
  g_return_if_fail (FH_IS_GUARD_BUTTON (self));
  g_return_if_fail (FH_IS_PROTECTION (protection));
  g_return_if_fail (self->protection == NULL);

  self->protection = g_object_ref (protection);
  gtk_list_box_bind_model (self->list,
                           fh_protection_get_guards (protection),
                           create_row,
                           NULL,
                           NULL);
  g_signal_connect_object (protection,
                           "notify::state",
                           G_CALLBACK (update),
                           self,
                           G_CONNECT_SWAPPED);
  update (self);
}

void
fh_guard_button_popup (FhGuardButton *self)
{
  g_return_if_fail (FH_IS_GUARD_BUTTON (self));

  gtk_menu_button_popup (self->button);
}
