/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/guards-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* Everything is bound to the options; the watch level is a position in a list and is kept in step
 * by hand, and so are the switches, which are bits. `updating` is set while they follow. */
struct _FhGuardsPanel
{
  GtkWidget parent_instance;

  FhGuardOptions *options;
  gboolean updating;
  GtkSwitch *switches[FH_N_GUARDS]; /* NULL: has none; the rows own them */

  GtkWidget *group;
  AdwComboRow *watch_row;
  GtkEditable *hosts_row;
  GtkLabel *problem;
  AdwExpanderRow *switches_row;
  AdwExpanderRow *interpreter_row;
  GtkSwitch *functions_switch;
  GtkSwitch *imports_switch;
  GtkEditable *imports_row;
  GtkEditable *operations_row;
};

G_DEFINE_FINAL_TYPE (FhGuardsPanel, fh_guards_panel, GTK_TYPE_WIDGET)

/* What is lost without it. */
static const char *
loss (FhGuard guard)
{
  switch (guard)
    {
    case FH_GUARD_NETWORK:
      return _ ("Off: the program reaches the internet and your local network");
    case FH_GUARD_SYSTEM_CALLS:
      return _ ("Off: dangerous requests to the kernel are let through");
    case FH_GUARD_MEMORY:
      return _ ("Off: the program may use all the memory there is");
    case FH_GUARD_TIME:
      return _ ("Off: the program runs until it ends or you stop it");
    case FH_GUARD_DISK:
      return _ ("Off: the program may write as much as there is room for");
    case FH_GUARD_OUTPUT:
      return _ ("Off: the program may print without an end");
    case FH_GUARD_ENVIRONMENT:
      return _ ("Off: the program reads your environment variables, keys and tokens included");
    case FH_GUARD_FILESYSTEM:
    case FH_GUARD_PROCESSES:
    case FH_GUARD_PRIVILEGES:
    case FH_GUARD_INTERPRETER:
    default:
      g_return_val_if_reached ("");
    }
}

static void
follow_watch (FhGuardsPanel *self)
{
  guint watch;

  g_object_get (self->options, "watch", &watch, NULL);
  self->updating = TRUE;
  adw_combo_row_set_selected (self->watch_row, watch);
  self->updating = FALSE;
}

static void
watch_selected_cb (FhGuardsPanel *self)
{
  guint position = adw_combo_row_get_selected (self->watch_row);

  if (self->options != NULL && !self->updating && position <= FH_WATCH_FILES)
    g_object_set (self->options, "watch", position, NULL);
}

static void
follow_switches (FhGuardsPanel *self)
{
  g_autofree char *notice = NULL;

  self->updating = TRUE;
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (self->switches[guard] != NULL)
        gtk_switch_set_active (self->switches[guard],
                               fh_guard_options_has_guard (self->options, (FhGuard) guard));
    }
  self->updating = FALSE;
  g_object_get (self->options, "notice", &notice, NULL);
  adw_expander_row_set_subtitle (self->switches_row, notice != NULL ? notice : _ ("All are on"));
}

static void
switched_cb (FhGuardsPanel *self, GParamSpec *pspec, GtkSwitch *button)
{
  if (self->options == NULL || self->updating)
    return;
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (self->switches[guard] == button)
        fh_guard_options_set_guard (self->options, (FhGuard) guard, gtk_switch_get_active (button));
    }
}

static const char *
subtitle (FhGuard guard, gboolean in_container)
{
  if (!in_container || !(FH_GUARD_OPTIONS_NOT_IN_CONTAINER & 1u << guard))
    return loss (guard);
  return guard == FH_GUARD_NETWORK ? _ ("A container is given a network by its name, above")
                                   : _ ("A container is given single variables, above");
}

/* What has no meaning in a container stays where it is, and says why it cannot be used. */
static void
follow_place (FhGuardsPanel *self)
{
  gboolean in_container;

  g_object_get (self->options, "in-container", &in_container, NULL);
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      GtkWidget *row;

      if (self->switches[guard] == NULL)
        continue;
      row = gtk_widget_get_ancestor (GTK_WIDGET (self->switches[guard]), ADW_TYPE_ACTION_ROW);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle (guard, in_container));
      gtk_widget_set_sensitive (row,
                                !in_container ||
                                    !(FH_GUARD_OPTIONS_NOT_IN_CONTAINER & 1u << guard));
    }
  gtk_widget_set_sensitive (GTK_WIDGET (self->hosts_row), !in_container);
  gtk_widget_set_tooltip_text (
      GTK_WIDGET (self->hosts_row),
      in_container
          ? _ ("In a container hosts cannot be allowed one by one: it has no network, or "
               "the one that you give it")
          : _ ("Names such as “example.com”, with spaces between them; nothing else on the "
               "network is reached"));
}

static void
follow_problem (FhGuardsPanel *self)
{
  g_autofree char *problem = NULL;

  g_object_get (self->options, "problem", &problem, NULL);
  gtk_label_set_text (self->problem, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), problem != NULL);
}

static void
add_switch (FhGuardsPanel *self, FhGuard guard)
{
  g_autoptr (FhGuardState) state = fh_guard_state_new (guard, FH_GUARD_LEVEL_OFF, "", NULL);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), fh_guard_state_get_title (state));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), loss (guard));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_switch_set_active (GTK_SWITCH (button), TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  fh_guard_state_get_title (state),
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  g_signal_connect_object (button,
                           "notify::active",
                           G_CALLBACK (switched_cb),
                           self,
                           G_CONNECT_SWAPPED);
  adw_expander_row_add_row (self->switches_row, row);
  self->switches[guard] = GTK_SWITCH (button);
}

static void
fill_list (FhGuardsPanel *self)
{
  const char *const levels[] = {
    [FH_WATCH_OFF] = C_ ("watch", "Nothing"),
    [FH_WATCH_ATTEMPTS] = C_ ("watch", "Attempts"),
    [FH_WATCH_FILES] = C_ ("watch", "Every File"),
    NULL,
  };
  g_autoptr (GtkStringList) names = gtk_string_list_new (levels);

  adw_combo_row_set_model (self->watch_row, G_LIST_MODEL (names));
}

static void
fh_guards_panel_dispose (GObject *object)
{
  FhGuardsPanel *self = FH_GUARDS_PANEL (object);

  g_clear_object (&self->options);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_GUARDS_PANEL);
  G_OBJECT_CLASS (fh_guards_panel_parent_class)->dispose (object);
}

static void
fh_guards_panel_class_init (FhGuardsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_guards_panel_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/controls/guards-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, group);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, watch_row);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, hosts_row);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, problem);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, switches_row);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, interpreter_row);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, functions_switch);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, imports_switch);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, imports_row);
  gtk_widget_class_bind_template_child (widget_class, FhGuardsPanel, operations_row);
  gtk_widget_class_bind_template_callback (widget_class, watch_selected_cb);
}

static void
fh_guards_panel_init (FhGuardsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_list (self);
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      if (FH_RUN_GUARDS_SWITCHES & 1u << guard)
        add_switch (self, (FhGuard) guard);
    }
}

void
fh_guards_panel_set_options (FhGuardsPanel *self, FhGuardOptions *options)
{
  const struct
  {
    const char *property;
    gpointer row;
    const char *row_property;
  } bindings[] = {
    { "hosts", self->hosts_row, "text" },
    { "limit-functions", self->functions_switch, "active" },
    { "limit-imports", self->imports_switch, "active" },
    { "imports", self->imports_row, "text" },
    { "operations", self->operations_row, "text" },
  };
  const struct
  {
    const char *signal;
    void (*follow) (FhGuardsPanel *self);
  } followers[] = {
    { "notify::watch", follow_watch },
    { "notify::without", follow_switches },
    { "notify::problem", follow_problem },
    { "notify::in-container", follow_place },
  };

  g_return_if_fail (FH_IS_GUARDS_PANEL (self));
  g_return_if_fail (FH_IS_GUARD_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
  for (guint i = 0; i < G_N_ELEMENTS (followers); i++)
    {
      g_signal_connect_object (options,
                               followers[i].signal,
                               G_CALLBACK (followers[i].follow),
                               self,
                               G_CONNECT_SWAPPED);
      followers[i].follow (self);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    g_object_bind_property (options,
                            bindings[i].property,
                            bindings[i].row,
                            bindings[i].row_property,
                            G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}
