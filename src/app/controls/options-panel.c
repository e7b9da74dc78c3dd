/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/options-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "controls/guards-panel.h"
#include "controls/interpreter-row.h"
#include "controls/option-rows.h"
#include "controls/options.h"
#include "controls/presets-row.h"
#include "controls/project-row.h"
#include "parts/calls.h"
#include "parts/limit-row.h"

/* Rows are bound by their names. Language and preset are positions in lists and are kept in step
 * by hand: `updating` is set while they follow the options. */
struct _FhOptionsPanel
{
  GtkWidget parent_instance;

  FhOptions *options;
  gboolean updating;

  GtkWidget *box;
  FhPresetsRow *presets_row;
  AdwComboRow *language_row;
  FhInterpreterRow *interpreter_row;
  GtkWidget *inner_interpreter_row; /* a program of the image */
  GtkWidget *project_row;           /* a container has its work folder */
  AdwPreferencesGroup *limits_group;
  AdwComboRow *preset_row;
  FhGuardsPanel *guards_panel;
  GtkBox *switches_box;
};

G_DEFINE_FINAL_TYPE (FhOptionsPanel, fh_options_panel, GTK_TYPE_WIDGET)

static void
select_row (FhOptionsPanel *self, AdwComboRow *row, guint position)
{
  self->updating = TRUE;
  adw_combo_row_set_selected (row, position);
  self->updating = FALSE;
}

static void
follow_language (FhOptionsPanel *self)
{
  const FhLanguage *const *languages = fh_language_list ();
  const FhLanguage *language = fh_options_get_language (self->options);

  for (guint i = 0; languages[i] != NULL; i++)
    {
      if (languages[i] == language)
        select_row (self, self->language_row, i);
    }
  fh_interpreter_row_set_language (self->interpreter_row, language);
}

static void
language_selected_cb (FhOptionsPanel *self)
{
  guint position = adw_combo_row_get_selected (self->language_row);

  if (self->options != NULL && !self->updating && position != GTK_INVALID_LIST_POSITION)
    fh_options_set_language (self->options, fh_language_list ()[position]);
}

/* The row behind the last preset reads "Custom". */
static void
follow_limits (FhOptionsPanel *self)
{
  g_autoptr (FhRunOptions) values = fh_options_dup_values (self->options);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);
  guint position = 0;

  while (position < count && !fh_run_limits_equal (&presets[position].limits, &values->limits))
    position++;
  select_row (self, self->preset_row, position);
}

static void
preset_selected_cb (FhOptionsPanel *self)
{
  guint position = adw_combo_row_get_selected (self->preset_row);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);

  if (self->options != NULL && !self->updating && position < count)
    fh_options_set_limits (self->options, &presets[position].limits);
}

static void
fill_lists (FhOptionsPanel *self)
{
  g_autoptr (GtkStringList) languages = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);

  for (const FhLanguage *const *language = fh_language_list (); *language != NULL; language++)
    gtk_string_list_append (languages, (*language)->name);
  for (guint i = 0; i < count; i++)
    gtk_string_list_append (names, _ (presets[i].name));
  /* Translators: limits that no preset has */
  gtk_string_list_append (names, _ ("Custom"));
  adw_combo_row_set_model (self->language_row, G_LIST_MODEL (languages));
  adw_combo_row_set_model (self->preset_row, G_LIST_MODEL (names));
}

/* Time and memory are buttons of their own in the bar. */
static void
add_limits (FhOptionsPanel *self)
{
  guint n;
  const FhRunOption *option = fh_run_option_list (&n);

  for (; n > 0; n--, option++)
    {
      if (g_str_has_prefix (option->key, "limits.") &&
          !g_str_equal (option->key, "limits.wall_ms") &&
          !g_str_equal (option->key, "limits.memory_bytes"))
        adw_preferences_group_add (self->limits_group, fh_option_rows_new_limit (option));
    }
}

static void
fh_options_panel_dispose (GObject *object)
{
  FhOptionsPanel *self = FH_OPTIONS_PANEL (object);

  g_clear_object (&self->options);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_OPTIONS_PANEL);

  G_OBJECT_CLASS (fh_options_panel_parent_class)->dispose (object);
}

static void
fh_options_panel_class_init (FhOptionsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_options_panel_dispose;

  g_type_ensure (FH_TYPE_GUARDS_PANEL);
  g_type_ensure (FH_TYPE_INTERPRETER_ROW);
  g_type_ensure (FH_TYPE_LIMIT_ROW);
  g_type_ensure (FH_TYPE_PRESETS_ROW);
  g_type_ensure (FH_TYPE_PROJECT_ROW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  fh_set_template (widget_class, "controls/options-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, box);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, language_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, presets_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, interpreter_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, inner_interpreter_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, project_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, limits_group);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, preset_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, guards_panel);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, switches_box);
  gtk_widget_class_bind_template_callback (widget_class, language_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, preset_selected_cb);
}

static void
fh_options_panel_init (FhOptionsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_lists (self);
  add_limits (self);
  gtk_box_append (self->switches_box, fh_guards_panel_get_switches (self->guards_panel));
}

void
fh_options_panel_set_options (FhOptionsPanel *self, FhOptions *options)
{
  GBindingFlags flags = G_BINDING_SYNC_CREATE;

  g_return_if_fail (FH_IS_OPTIONS_PANEL (self));
  g_return_if_fail (FH_IS_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
  fh_presets_row_set_options (self->presets_row, options);
  fh_guards_panel_set_options (self->guards_panel, options);
  fh_option_rows_bind (GTK_WIDGET (self), options);
  /* A container has other interpreters than this computer. */
  g_object_bind_property (options, "in-container", self->inner_interpreter_row, "visible", flags);
  flags |= G_BINDING_INVERT_BOOLEAN;
  g_object_bind_property (options, "in-container", self->interpreter_row, "visible", flags);
  g_object_bind_property (options, "in-container", self->project_row, "visible", flags);
  fh_connect (options, "notify::language", follow_language, self);
  fh_connect (options, "notify::place", follow_limits, self);
  follow_language (self);
  follow_limits (self);
}
