/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/options-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "controls/container-panel.h"
#include "controls/guards-panel.h"
#include "controls/interpreter-row.h"
#include "parts/limit-row.h"

/* Everything is bound to the options; language and preset are positions in lists and are kept in
 * step by hand. `updating` is set while a row follows the options. */
struct _FhOptionsPanel
{
  GtkWidget parent_instance;

  FhRunOptions *options;
  gboolean updating;

  AdwComboRow *language_row;
  FhInterpreterRow *interpreter_row;
  GtkWidget *inner_interpreter_row; /* a program of the image */
  FhContainerPanel *container_panel;
  AdwComboRow *preset_row;
  FhLimitRow *time_row;
  FhLimitRow *memory_row;
  FhGuardsPanel *guards_panel;
  GtkEditable *arguments_row;
  GtkTextBuffer *input_buffer;
  GtkSwitch *keep_switch;
  GtkWidget *scroller;
};

G_DEFINE_FINAL_TYPE (FhOptionsPanel, fh_options_panel, GTK_TYPE_WIDGET)

static void
follow_language (FhOptionsPanel *self)
{
  const FhLanguage *const *languages = fh_language_list ();
  const FhLanguage *language = fh_run_options_get_language (self->options);

  self->updating = TRUE;
  for (guint i = 0; languages[i] != NULL; i++)
    {
      if (languages[i] == language)
        adw_combo_row_set_selected (self->language_row, i);
    }
  self->updating = FALSE;
  fh_interpreter_row_set_language (self->interpreter_row, language);
}

static void
language_selected_cb (FhOptionsPanel *self)
{
  guint position = adw_combo_row_get_selected (self->language_row);

  if (self->options != NULL && !self->updating && position != GTK_INVALID_LIST_POSITION)
    fh_run_options_set_language (self->options, fh_language_list ()[position]);
}

/* The row behind the last preset reads "Custom". */
static void
follow_limits (FhOptionsPanel *self)
{
  FhRunLimits limits = fh_run_options_get_limits (self->options);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);
  guint position = count;

  for (guint i = 0; i < count; i++)
    {
      if (presets[i].limits.wall_ms == limits.wall_ms &&
          presets[i].limits.memory_bytes == limits.memory_bytes)
        position = i;
    }
  self->updating = TRUE;
  adw_combo_row_set_selected (self->preset_row, position);
  self->updating = FALSE;
}

static void
preset_selected_cb (FhOptionsPanel *self)
{
  guint position = adw_combo_row_get_selected (self->preset_row);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);

  if (self->options != NULL && !self->updating && position < count)
    fh_run_options_set_limits (self->options, &presets[position].limits);
}

static void
follow_problem (FhOptionsPanel *self)
{
  const char *problem = fh_limit_row_get_problem (self->time_row);

  if (problem == NULL)
    problem = fh_limit_row_get_problem (self->memory_row);
  if (self->options != NULL)
    g_object_set (self->options, "problem", problem, NULL);
}

static void
follow_input (FhOptionsPanel *self)
{
  g_autofree char *shown = NULL;
  const char *text = fh_run_options_get_standard_input (self->options);

  g_object_get (self->input_buffer, "text", &shown, NULL);
  if (g_strcmp0 (shown, text) == 0)
    return;
  self->updating = TRUE;
  gtk_text_buffer_set_text (self->input_buffer, text, -1);
  self->updating = FALSE;
}

static void
input_changed_cb (FhOptionsPanel *self)
{
  g_autofree char *text = NULL;

  if (self->options == NULL || self->updating)
    return;
  g_object_get (self->input_buffer, "text", &text, NULL);
  g_object_set (self->options, "standard-input", text, NULL);
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

  g_type_ensure (FH_TYPE_CONTAINER_PANEL);
  g_type_ensure (FH_TYPE_GUARDS_PANEL);
  g_type_ensure (FH_TYPE_INTERPRETER_ROW);
  g_type_ensure (FH_TYPE_LIMIT_ROW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/controls/options-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, language_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, interpreter_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, inner_interpreter_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, container_panel);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, preset_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, time_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, memory_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, guards_panel);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, arguments_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, input_buffer);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, keep_switch);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsPanel, scroller);
  gtk_widget_class_bind_template_callback (widget_class, language_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, preset_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, follow_problem);
  gtk_widget_class_bind_template_callback (widget_class, input_changed_cb);
}

static void
fh_options_panel_init (FhOptionsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_lists (self);
}

GtkWidget *
fh_options_panel_new (void)
{
  return g_object_new (FH_TYPE_OPTIONS_PANEL, NULL);
}

/* The interpreters of this computer are not those of an image. */
static void
follow_container (FhOptionsPanel *self)
{
  FhContainerChoice *choice = fh_run_options_get_container (self->options);

  fh_container_panel_set_choice (self->container_panel, choice);
  g_object_bind_property (choice,
                          "in-container",
                          self->interpreter_row,
                          "visible",
                          G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  g_object_bind_property (choice,
                          "in-container",
                          self->inner_interpreter_row,
                          "visible",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (choice,
                          "interpreter",
                          self->inner_interpreter_row,
                          "text",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

void
fh_options_panel_set_options (FhOptionsPanel *self, FhRunOptions *options)
{
  const struct
  {
    const char *property;
    gpointer row;
    const char *row_property;
  } bindings[] = {
    { "interpreter", self->interpreter_row, "path" }, { "time-limit", self->time_row, "value" },
    { "memory-limit", self->memory_row, "value" },    { "arguments", self->arguments_row, "text" },
    { "keep", self->keep_switch, "active" },
  };
  const struct
  {
    const char *signal;
    void (*follow) (FhOptionsPanel *self);
  } followers[] = {
    { "notify::language", follow_language },
    { "notify::time-limit", follow_limits },
    { "notify::memory-limit", follow_limits },
    { "notify::standard-input", follow_input },
  };

  g_return_if_fail (FH_IS_OPTIONS_PANEL (self));
  g_return_if_fail (FH_IS_RUN_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
  fh_guards_panel_set_options (self->guards_panel, fh_run_options_get_guards (options));
  follow_container (self);
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

FhContainerPanel *
fh_options_panel_get_container_panel (FhOptionsPanel *self)
{
  g_return_val_if_fail (FH_IS_OPTIONS_PANEL (self), NULL);

  return self->container_panel;
}
