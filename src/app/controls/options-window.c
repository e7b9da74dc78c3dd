/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/options-window.h"

#include <glib/gi18n.h>

#include "controls/guards-group.h"
#include "controls/interpreter-row.h"
#include "controls/option-rows.h"
#include "controls/options.h"
#include "controls/presets-row.h"
#include "controls/project-row.h"
#include "parts/calls.h"
#include "parts/limit-row.h"
#include "parts/lines-row.h"
#include "parts/switch-row.h"

/* Rows are bound by their names. Language and preset are positions in lists and are kept in step
 * by hand: `updating` is set while they follow the options. */
struct _FhOptionsWindow
{
  AdwWindow parent_instance;

  FhOptions *options;
  gboolean updating;

  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkStack *stack;
  AdwPreferencesPage *page;
  GtkWidget *nothing; /* is shown if no row matches */
  FhPresetsRow *presets_row;
  AdwComboRow *language_row;
  FhInterpreterRow *interpreter_row;
  GtkWidget *inner_interpreter_row; /* a program of the image */
  GtkWidget *project_row;           /* a container has its work folder */
  GtkWidget *arguments_problem;
  AdwPreferencesGroup *limits_group;
  AdwComboRow *preset_row;
  FhGuardsGroup *guards_group;
};

G_DEFINE_FINAL_TYPE (FhOptionsWindow, fh_options_window, ADW_TYPE_WINDOW)

static void
select_row (FhOptionsWindow *self, AdwComboRow *row, guint position)
{
  self->updating = TRUE;
  adw_combo_row_set_selected (row, position);
  self->updating = FALSE;
}

static void
follow_language (FhOptionsWindow *self)
{
  const FhLanguage *languages = fh_language_list ();
  const FhLanguage *language = fh_options_get_language (self->options);

  for (guint i = 0; languages[i].id != NULL; i++)
    {
      if (&languages[i] == language)
        select_row (self, self->language_row, i);
    }
  fh_interpreter_row_set_language (self->interpreter_row, language);
}

static void
language_selected_cb (FhOptionsWindow *self)
{
  guint position = adw_combo_row_get_selected (self->language_row);

  if (self->options != NULL && !self->updating && position != GTK_INVALID_LIST_POSITION)
    fh_options_set_language (self->options, &fh_language_list ()[position]);
}

/* The row behind the last preset reads "Custom". */
static void
follow_limits (FhOptionsWindow *self)
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
preset_selected_cb (FhOptionsWindow *self)
{
  guint position = adw_combo_row_get_selected (self->preset_row);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);

  if (self->options != NULL && !self->updating && position < count)
    fh_options_set_limits (self->options, &presets[position].limits);
}

/* Marks the row as long as its text cannot be used. */
static void
arguments_cb (GtkEditable *row, FhOptionsWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) argv = NULL;

  fh_options_parse_arguments (gtk_editable_get_text (row), &argv, &error);
  fh_set_invalid (row, error != NULL);
  gtk_widget_set_visible (self->arguments_problem, error != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (row), error != NULL ? error->message : NULL);
}

static void
fill_lists (FhOptionsWindow *self)
{
  g_autoptr (GtkStringList) languages = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);

  for (const FhLanguage *language = fh_language_list (); language->id != NULL; language++)
    gtk_string_list_append (languages, language->name);
  for (guint i = 0; i < count; i++)
    gtk_string_list_append (names, _ (presets[i].name));
  /* Translators: limits that no preset has */
  gtk_string_list_append (names, _ ("Custom"));
  adw_combo_row_set_model (self->language_row, G_LIST_MODEL (languages));
  adw_combo_row_set_model (self->preset_row, G_LIST_MODEL (names));
}

static void
add_limits (FhOptionsWindow *self)
{
  guint n;
  const FhRunOption *option = fh_run_option_list (&n);

  for (; n > 0; n--, option++)
    {
      if (g_str_has_prefix (option->key, "limits."))
        adw_preferences_group_add (self->limits_group, fh_option_rows_new_limit (option));
    }
}

/* Adds every word that can be read in a row or is offered by it. */
static void
add_words (GtkWidget *widget, GString *words)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (words, " %s", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_words (child, words);
}

static gboolean
row_matches (GtkListBoxRow *row, gpointer user_data)
{
  FhOptionsWindow *self = user_data;
  GtkWidget *group = gtk_widget_get_ancestor (GTK_WIDGET (row), ADW_TYPE_PREFERENCES_GROUP);
  const char *title = adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (group));
  g_autoptr (GString) words = g_string_new (title);

  add_words (GTK_WIDGET (row), words);
  return g_str_match_string (gtk_editable_get_text (self->search_entry), words->str, TRUE);
}

/* Hides the groups of which no row matches. Returns whether one does, in or below `widget`. */
static gboolean
search (FhOptionsWindow *self, GtkWidget *widget)
{
  gboolean found = FALSE;

  if (GTK_IS_LIST_BOX (widget))
    {
      GtkListBoxRow *row;

      gtk_list_box_invalidate_filter (GTK_LIST_BOX (widget));
      for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (widget), i)) != NULL; i++)
        found = found || (gtk_widget_get_visible (GTK_WIDGET (row)) && row_matches (row, self));
      return found;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = search (self, child) || found;
  if (ADW_IS_PREFERENCES_GROUP (widget))
    gtk_widget_set_visible (widget, found);
  return found;
}

static void
search_cb (FhOptionsWindow *self)
{
  const gboolean found = search (self, GTK_WIDGET (self->page));

  gtk_stack_set_visible_child (self->stack, found ? GTK_WIDGET (self->page) : self->nothing);
}

static gboolean
show_search (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  gtk_search_bar_set_search_mode (FH_OPTIONS_WINDOW (widget)->search_bar, TRUE);
  return GDK_EVENT_STOP;
}

static void
filter_lists (FhOptionsWindow *self, GtkWidget *widget)
{
  if (GTK_IS_LIST_BOX (widget))
    {
      gtk_list_box_set_filter_func (GTK_LIST_BOX (widget), row_matches, self, NULL);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    filter_lists (self, child);
}

static void
fh_options_window_dispose (GObject *object)
{
  FhOptionsWindow *self = FH_OPTIONS_WINDOW (object);

  /* Rows still change the options while they go. */
  if (self->options != NULL)
    g_signal_handlers_disconnect_by_data (self->options, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_OPTIONS_WINDOW);
  g_clear_object (&self->options);

  G_OBJECT_CLASS (fh_options_window_parent_class)->dispose (object);
}

static void
fh_options_window_class_init (FhOptionsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_options_window_dispose;

  g_type_ensure (FH_TYPE_GUARDS_GROUP);
  g_type_ensure (FH_TYPE_INTERPRETER_ROW);
  g_type_ensure (FH_TYPE_LIMIT_ROW);
  g_type_ensure (FH_TYPE_LINES_ROW);
  g_type_ensure (FH_TYPE_SWITCH_ROW);
  g_type_ensure (FH_TYPE_PRESETS_ROW);
  g_type_ensure (FH_TYPE_PROJECT_ROW);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, show_search, NULL);
  fh_set_template (widget_class, "controls/options-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, page);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, nothing);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, language_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, presets_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, interpreter_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, inner_interpreter_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, project_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, arguments_problem);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, limits_group);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, preset_row);
  gtk_widget_class_bind_template_child (widget_class, FhOptionsWindow, guards_group);
  gtk_widget_class_bind_template_callback (widget_class, arguments_cb);
  gtk_widget_class_bind_template_callback (widget_class, language_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_cb);
  gtk_widget_class_bind_template_callback (widget_class, preset_selected_cb);
}

static void
fh_options_window_init (FhOptionsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* The box for what is at the end of a row takes room, also when all in it is hidden. */
  fh_bind (self->arguments_problem,
           "visible",
           gtk_widget_get_parent (self->arguments_problem),
           "visible");
  fill_lists (self);
  add_limits (self);
  adw_preferences_page_add (self->page, fh_guards_group_get_switches (self->guards_group));
}

GtkWidget *
fh_options_window_new (FhOptions *options)
{
  GBindingFlags flags = G_BINDING_SYNC_CREATE;
  FhOptionsWindow *self;

  g_return_val_if_fail (FH_IS_OPTIONS (options), NULL);

  self = g_object_new (FH_TYPE_OPTIONS_WINDOW, NULL);
  self->options = g_object_ref (options);
  fh_presets_row_set_options (self->presets_row, options);
  fh_guards_group_set_options (self->guards_group, options);
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
  filter_lists (self, GTK_WIDGET (self->page));
  return GTK_WIDGET (self);
}

void
fh_options_window_set_is_answer (FhOptionsWindow *self, gboolean is_answer)
{
  g_return_if_fail (FH_IS_OPTIONS_WINDOW (self));

  gtk_widget_set_visible (GTK_WIDGET (self->language_row), !is_answer);
}
