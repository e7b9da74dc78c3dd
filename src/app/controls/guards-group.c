/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/guards-group.h"

#include <glib/gi18n.h>

#include "controls/option-rows.h"
#include "parts/calls.h"
#include "parts/limit-row.h"
#include "parts/switch-row.h"

/* Rows are bound by their names. The switches are bits and are kept in step by hand: `updating` is
 * set while they follow the options. */
struct _FhGuardsGroup
{
  AdwPreferencesGroup parent_instance;

  FhOptions *options;
  gboolean updating;
  FhSwitchRow *switches[FH_N_GUARDS]; /* NULL: has none */

  GtkWidget *hosts_row;
  AdwPreferencesGroup *switches_group;
};

G_DEFINE_FINAL_TYPE (FhGuardsGroup, fh_guards_group, ADW_TYPE_PREFERENCES_GROUP)

/* (transfer full) */
static char *
dup_subtitle (FhGuardsGroup *self, guint guard)
{
  gboolean in_container = fh_options_is_in_container (self->options);

  if (!in_container || !(FH_OPTIONS_NOT_IN_CONTAINER & 1u << guard))
    /* Translators: %s is a sentence that says what the program can do without a guard */
    return g_strdup_printf (fh_switch_row_get_active (self->switches[guard]) ? _ ("If off: %s")
                                                                             : _ ("Off: %s"),
                            fh_guard_loss ((FhGuard) guard));
  return g_strdup (guard == FH_GUARD_NETWORK
                       ? _ ("A container has its network in Container Options")
                       : _ ("A container has its variables in Container Options"));
}

static void
show_subtitle (FhGuardsGroup *self, guint guard)
{
  g_autofree char *text = dup_subtitle (self, guard);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->switches[guard]), text);
}

static void
follow_switches (FhGuardsGroup *self)
{
  g_autofree char *notice = NULL;
  guint without;

  g_object_get (self->options, "guards-without", &without, "notice", &notice, NULL);
  self->updating = TRUE;
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (self->switches[guard] == NULL)
        continue;
      fh_switch_row_set_active (self->switches[guard], (without & 1u << guard) == 0);
      show_subtitle (self, guard);
    }
  self->updating = FALSE;
  adw_preferences_group_set_description (self->switches_group,
                                         notice != NULL ? notice : _ ("All are on"));
}

static void
switched_cb (FhGuardsGroup *self)
{
  guint without = 0;

  if (self->options == NULL || self->updating)
    return;
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (self->switches[guard] != NULL && !fh_switch_row_get_active (self->switches[guard]))
        without |= 1u << guard;
    }
  g_object_set (self->options, "guards-without", without, NULL);
}

/* A row that does not apply in a container stays in place, insensitive, and says where to look
 * instead. */
static void
follow_place (FhGuardsGroup *self)
{
  gboolean in_container = fh_options_is_in_container (self->options);

  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (self->switches[guard] == NULL)
        continue;
      show_subtitle (self, guard);
      gtk_widget_set_sensitive (GTK_WIDGET (self->switches[guard]),
                                !in_container || !(FH_OPTIONS_NOT_IN_CONTAINER & 1u << guard));
    }
  gtk_widget_set_sensitive (self->hosts_row, !in_container);
  gtk_widget_set_tooltip_text (
      self->hosts_row,
      in_container ? _ ("Single hosts cannot be allowed in a container: it has no network, or the "
                        "one chosen in Container Options")
                   : _ ("Names such as “example.com”, separated by spaces; nothing else on the "
                        "network can be reached"));
}

static gboolean
has_text (gpointer widget, const char *text)
{
  return text != NULL && *text != '\0';
}

static void
add_switch (FhGuardsGroup *self, FhGuard guard)
{
  g_autoptr (FhGuardState) state = fh_guard_state_new (guard, FH_GUARD_LEVEL_OFF, "", NULL);
  g_autofree char *name = g_strconcat ("without-", fh_guard_to_string (guard), NULL);
  GtkWidget *row = g_object_new (FH_TYPE_SWITCH_ROW, "active", TRUE, NULL);

  /* No property of the options: for fh_option_rows_show. */
  gtk_widget_set_name (row, name);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 fh_guard_title (fh_guard_state_get_facts (state)->guard));
  adw_preferences_group_add (self->switches_group, row);
  self->switches[guard] = FH_SWITCH_ROW (g_object_ref (row));
  fh_connect (row, "notify::active", switched_cb, self);
}

/* The switches that belong to a guard, such as that for sockets. */
static void
add_options (FhGuardsGroup *self)
{
  guint n;
  const FhRunOption *option = fh_run_option_list (&n);

  for (; n > 0; n--, option++)
    {
      if (g_str_has_prefix (option->key, "guards.") && option->kind == FH_OPTION_SWITCH &&
          option->guards != 0 && option->title != NULL)
        {
          GtkWidget *row = g_object_new (FH_TYPE_SWITCH_ROW, NULL);

          gtk_widget_set_name (row, fh_options_property (option));
          adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ (option->title));
          adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _ (option->help));
          fh_option_rows_insert_after (row, self->hosts_row);
        }
    }
}

static void
fh_guards_group_dispose (GObject *object)
{
  FhGuardsGroup *self = FH_GUARDS_GROUP (object);

  if (self->options != NULL)
    g_signal_handlers_disconnect_by_data (self->options, self);
  g_clear_object (&self->options);
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    g_clear_object (&self->switches[guard]);
  G_OBJECT_CLASS (fh_guards_group_parent_class)->dispose (object);
}

static void
fh_guards_group_class_init (FhGuardsGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_guards_group_dispose;

  g_type_ensure (FH_TYPE_LIMIT_ROW);
  g_type_ensure (FH_TYPE_SWITCH_ROW);
  fh_set_template (widget_class, "controls/guards-group.ui");
  gtk_widget_class_bind_template_child (widget_class, FhGuardsGroup, hosts_row);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsGroup, switches_group);
  gtk_widget_class_bind_template_callback (widget_class, has_text);
}

static void
fh_guards_group_init (FhGuardsGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_options (self);
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (FH_RUN_GUARDS_SWITCHES & 1u << guard)
        add_switch (self, (FhGuard) guard);
    }
}

AdwPreferencesGroup *
fh_guards_group_get_switches (FhGuardsGroup *self)
{
  g_return_val_if_fail (FH_IS_GUARDS_GROUP (self), NULL);

  return self->switches_group;
}

void
fh_guards_group_set_options (FhGuardsGroup *self, FhOptions *options)
{
  g_return_if_fail (FH_IS_GUARDS_GROUP (self));
  g_return_if_fail (FH_IS_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
  fh_option_rows_bind (GTK_WIDGET (self), options);
  fh_connect (options, "notify::guards-without", follow_switches, self);
  fh_connect (options, "notify::in-container", follow_place, self);
  follow_switches (self);
  follow_place (self);
}
