/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "preferences/preferences-window.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/limit-row.h"
#include "parts/switch-row.h"
#include "preferences/policy-rows.h"

struct _FhPreferencesWindow
{
  AdwWindow parent_instance;

  FhSettings *settings;

  AdwComboRow *scheme_row;
  AdwComboRow *size_row;
  GtkAdjustment *font_adjustment;
  FhSwitchRow *line_numbers;
  FhSwitchRow *wrap_lines;
  FhSwitchRow *prepare_runs;
  FhLimitRow *time_row;
  FhLimitRow *memory_row;
  AdwComboRow *place_row;
  AdwComboRow *engine_row;
  GtkWidget *image_row;
  AdwExpanderRow *policies_row;
  FhSwitchRow *keep_history;
};

G_DEFINE_FINAL_TYPE (FhPreferencesWindow, fh_preferences_window, ADW_TYPE_WINDOW)

/* These are in the order of the rows of scheme_row, place_row and engine_row. */
static const char *const schemes[] = { "follow", "light", "dark", NULL };
static const char *const places[] = { "computer", "container", NULL };
static const char *const engines[] = { "auto", "docker", "podman", NULL };

/* Numbers of runs, in the order of the rows of size_row; 0: all. */
static const int sizes[] = { 100, 500, 1000, 5000, 0 };

/* `words`: the values of the setting in the order of the rows, NULL-terminated. */
static gboolean
word_to_row (GBinding *binding, const GValue *from, GValue *to, gpointer words)
{
  for (guint i = 0; ((const char *const *) words)[i] != NULL; i++)
    {
      if (g_strcmp0 (((const char *const *) words)[i], g_value_get_string (from)) == 0)
        g_value_set_uint (to, i);
    }
  return TRUE;
}

static gboolean
row_to_word (GBinding *binding, const GValue *from, GValue *to, gpointer words)
{
  guint row = g_value_get_uint (from);

  if (row >= g_strv_length (words))
    return FALSE;
  g_value_set_static_string (to, ((const char *const *) words)[row]);
  return TRUE;
}

/* A number that has no row is shown as the next larger one. */
static gboolean
size_to_row (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  int size = g_value_get_int (from);
  guint row = 0;

  while (row < G_N_ELEMENTS (sizes) - 1 && (size == 0 || sizes[row] < size))
    row++;
  g_value_set_uint (to, row);
  return TRUE;
}

static gboolean
row_to_size (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  guint row = g_value_get_uint (from);

  if (row >= G_N_ELEMENTS (sizes))
    return FALSE;
  g_value_set_int (to, sizes[row]);
  return TRUE;
}

static void
fill_sizes (FhPreferencesWindow *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *number = g_strdup_printf ("%'d", sizes[i]);

      gtk_string_list_append (names, sizes[i] > 0 ? number : _ ("All"));
    }
  adw_combo_row_set_model (self->size_row, G_LIST_MODEL (names));
}

static void
fh_preferences_window_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), FH_TYPE_PREFERENCES_WINDOW);
  g_clear_object (&FH_PREFERENCES_WINDOW (object)->settings);

  G_OBJECT_CLASS (fh_preferences_window_parent_class)->dispose (object);
}

static void
fh_preferences_window_class_init (FhPreferencesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_preferences_window_dispose;

  g_type_ensure (FH_TYPE_LIMIT_ROW);
  g_type_ensure (FH_TYPE_SWITCH_ROW);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  fh_set_template (widget_class, "preferences/preferences-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, scheme_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, size_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, font_adjustment);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, line_numbers);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, wrap_lines);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, prepare_runs);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, time_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, memory_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, place_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, engine_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, image_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, policies_row);
  gtk_widget_class_bind_template_child (widget_class, FhPreferencesWindow, keep_history);
}

static void
fh_preferences_window_init (FhPreferencesWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_sizes (self);
}

static void
bind_lists (FhPreferencesWindow *self)
{
  const struct
  {
    const char *setting;
    AdwComboRow *row;
    const char *const *words;
  } lists[] = {
    { "color-scheme", self->scheme_row, schemes },
    { "place", self->place_row, places },
    { "engine", self->engine_row, engines },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_object_bind_property_full (self->settings,
                                 lists[i].setting,
                                 lists[i].row,
                                 "selected",
                                 G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL,
                                 word_to_row,
                                 row_to_word,
                                 (gpointer) lists[i].words,
                                 NULL);
}

GtkWidget *
fh_preferences_window_new (FhSettings *settings)
{
  const GBindingFlags flags = G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL;
  FhPreferencesWindow *self;

  g_return_val_if_fail (FH_IS_SETTINGS (settings), NULL);

  self = g_object_new (FH_TYPE_PREFERENCES_WINDOW, NULL);
  self->settings = g_object_ref (settings);
  bind_lists (self);
  fh_policy_rows_add (self->policies_row, settings);
  g_object_bind_property_full (settings,
                               "history-size",
                               self->size_row,
                               "selected",
                               flags,
                               size_to_row,
                               row_to_size,
                               NULL,
                               NULL);
  g_object_bind_property (settings, "font-size", self->font_adjustment, "value", flags);
  g_object_bind_property (settings, "line-numbers", self->line_numbers, "active", flags);
  g_object_bind_property (settings, "wrap-lines", self->wrap_lines, "active", flags);
  g_object_bind_property (settings, "default-time-limit", self->time_row, "value", flags);
  g_object_bind_property (settings, "default-memory-limit", self->memory_row, "value", flags);
  g_object_bind_property (settings, "image", self->image_row, "text", flags);
  g_object_bind_property (settings, "prepare-runs", self->prepare_runs, "active", flags);
  g_object_bind_property (settings, "keep-history", self->keep_history, "active", flags);
  return GTK_WIDGET (self);
}
