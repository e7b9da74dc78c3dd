/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/controls-bar.h"

#include <glib/gi18n.h>

#include "controls/option-rows.h"
#include "controls/options-window.h"
#include "parts/calls.h"
#include "parts/limit-row.h"

enum
{
  CONTROL_OPTIONS,
  CONTROL_TIME,
  CONTROL_MEMORY,
  CONTROL_PLACE,
  N_CONTROLS
};

static const char *const names[N_CONTROLS] = { "options", "time", "memory", "place" };

struct _FhControlsBar
{
  AdwBin parent_instance;

  FhOptions *options;
  GSimpleActionGroup *actions; /* "controls": a choice of each limit, with its value as state */
  GtkWidget *buttons[N_CONTROLS];
  GtkLabel *labels[N_CONTROLS];
  GtkWidget *options_window; /* while it is open */
  gboolean is_answer;
  FhContainerPanel *container_panel; /* nullable: not opened yet */
};

static guint panel_made_signal;

G_DEFINE_FINAL_TYPE (FhControlsBar, fh_controls_bar, ADW_TYPE_BIN)

/* `name`: for screen readers, which do not see what a value belongs to. (transfer full) */
static void
show (FhControlsBar *self, guint control, const char *text, char *name)
{
  gtk_label_set_text (self->labels[control], text);
  fh_set_accessible_label (self->buttons[control], name);
  g_free (name);
}

static void
follow_limit (FhControlsBar *self, guint control, guint64 value)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), names[control]);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_uint64 (value));
}

static void
follow_options (FhControlsBar *self)
{
  g_autoptr (FhRunOptions) values = fh_options_dup_values (self->options);
  const FhRunLimits *limits = &values->limits;
  g_autofree char *time = limits->wall_ms > 0 ? fh_run_limits_format_duration (limits->wall_ms)
                                              : g_strdup (_ ("No time limit"));
  g_autofree char *memory = limits->memory_bytes > 0
                                ? fh_run_limits_format_size (limits->memory_bytes)
                                : g_strdup (_ ("No memory limit"));
  g_autofree char *place = NULL;
  /* The blocks of an answer say what they are in. */
  const char *language =
      self->is_answer ? _ ("Answer") : fh_options_get_language (self->options)->name;

  g_object_get (self->options, "place", &place, NULL);
  /* Translators: %s is a programming language, or “Answer” */
  show (self, CONTROL_OPTIONS, language, g_strdup_printf (_ ("Run options: %s"), language));
  /* Translators: %s is a time, such as “30 s”, or “No time limit” */
  show (self, CONTROL_TIME, time, g_strdup_printf (_ ("Time limit: %s"), time));
  /* Translators: %s is a size, such as “512 MiB”, or “No memory limit” */
  show (self, CONTROL_MEMORY, memory, g_strdup_printf (_ ("Memory limit: %s"), memory));
  /* Translators: %s is “This Computer” or the image of a container */
  show (self, CONTROL_PLACE, place, g_strdup_printf (_ ("Run in: %s"), place));
  follow_limit (self, CONTROL_TIME, limits->wall_ms);
  follow_limit (self, CONTROL_MEMORY, limits->memory_bytes);
}

static void
chosen_cb (GSimpleAction *action, GVariant *value, FhControlsBar *self)
{
  const char *property = g_str_equal (g_action_get_name (G_ACTION (action)), names[CONTROL_TIME])
                             ? "limits-wall-ms"
                             : "limits-memory-bytes";

  if (self->options != NULL)
    g_object_set (self->options, property, g_variant_get_uint64 (value), NULL);
}

static void
add_action (FhControlsBar *self, guint control)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (names[control],
                                                                   G_VARIANT_TYPE_UINT64,
                                                                   g_variant_new_uint64 (0));

  g_signal_connect_object (action, "change-state", G_CALLBACK (chosen_cb), self, 0);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
}

static void
measure_row (GtkWidget *row,
             GtkOrientation orientation,
             int for_size,
             int *minimum,
             int *natural,
             int *minimum_baseline,
             int *natural_baseline)
{
  for (GtkWidget *child = gtk_widget_get_first_child (row); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int least, wanted;

      gtk_widget_measure (child, orientation, -1, &least, &wanted, NULL, NULL);
      *minimum =
          orientation == GTK_ORIENTATION_HORIZONTAL ? *minimum + least : MAX (*minimum, least);
      *natural =
          orientation == GTK_ORIENTATION_HORIZONTAL ? *natural + wanted : MAX (*natural, wanted);
    }
}

/* Gives each button the width that it wants, as long as there is room. A button that has an icon
 * instead of its words gets no more than that needs; a box would give it the room of the words that
 * it does not show. The two limits can be shortened, so they get what is left. */
static void
allocate_row (GtkWidget *row, int width, int height, int baseline)
{
  FhControlsBar *self = FH_CONTROLS_BAR (gtk_widget_get_parent (row));
  const guint yielding[] = { CONTROL_PLACE, CONTROL_OPTIONS, CONTROL_MEMORY, CONTROL_TIME };
  int least[N_CONTROLS], widths[N_CONTROLS];
  int lack = -width, x = 0;

  for (guint i = 0; i < N_CONTROLS; i++)
    {
      gtk_widget_measure (self->buttons[i],
                          GTK_ORIENTATION_HORIZONTAL,
                          -1,
                          &least[i],
                          &widths[i],
                          NULL,
                          NULL);
      lack += widths[i];
    }
  for (guint i = 0; i < N_CONTROLS && lack > 0; i++)
    {
      guint control = yielding[i];
      gboolean has_icon = control == CONTROL_PLACE || control == CONTROL_OPTIONS;
      int saved = widths[control] - least[control];

      if (!has_icon)
        saved = MIN (saved, lack);
      widths[control] -= saved;
      lack -= saved;
    }
  for (guint i = 0; i < N_CONTROLS; i++)
    {
      gboolean is_mirrored = gtk_widget_get_direction (row) == GTK_TEXT_DIR_RTL;

      gtk_widget_size_allocate (
          self->buttons[i],
          &(GtkAllocation){ is_mirrored ? width - x - widths[i] : x, 0, widths[i], height },
          baseline);
      x += widths[i];
    }
}

/* Makes a popover with the usual values of a limit, and a row for any other. */
static GtkWidget *
new_limit_popover (FhControlsBar *self, guint control)
{
  g_autofree char *action_name = g_strconcat ("controls.", names[control], NULL);
  const char *key = control == CONTROL_TIME ? "limits.wall_ms" : "limits.memory_bytes";
  GtkWidget *row = fh_option_rows_new_limit (fh_run_option_find (key));
  GtkWidget *list = gtk_list_box_new ();
  g_autoptr (GMenu) menu = fh_limit_row_take_choices (FH_LIMIT_ROW (row), action_name);
  g_autoptr (GMenuItem) other = g_menu_item_new (NULL, NULL);
  g_autoptr (GMenu) others = g_menu_new ();
  GtkWidget *popover;

  g_menu_item_set_attribute (other, "custom", "s", "row");
  g_menu_append_item (others, other);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Other"));
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  gtk_widget_add_css_class (list, "plain-list");
  gtk_popover_menu_add_child (GTK_POPOVER_MENU (popover), list, "row");
  fh_option_rows_bind (row, self->options);
  return popover;
}

static GtkWidget *
new_place_popover (FhControlsBar *self)
{
  GtkWidget *popover = gtk_popover_new ();

  self->container_panel = g_object_new (FH_TYPE_CONTAINER_PANEL, NULL);
  fh_container_panel_set_options (self->container_panel, self->options);
  gtk_widget_add_css_class (popover, "options-popover");
  gtk_popover_set_child (GTK_POPOVER (popover), GTK_WIDGET (self->container_panel));
  return popover;
}

/* Makes the popover of a button when it is needed for the first time: most tabs never open one, and
 * the three of them take a quarter of what an empty tab takes. */
static void
make_popover (GtkMenuButton *button, gpointer user_data)
{
  FhControlsBar *self = FH_CONTROLS_BAR (user_data);
  guint control = CONTROL_TIME;

  if (gtk_menu_button_get_popover (button) != NULL || self->options == NULL)
    return;
  while (self->buttons[control] != GTK_WIDGET (button))
    control++;
  gtk_menu_button_set_popover (button,
                               control == CONTROL_PLACE ? new_place_popover (self)
                                                        : new_limit_popover (self, control));
  if (control == CONTROL_PLACE)
    g_signal_emit (self, panel_made_signal, 0, self->container_panel);
}

static GtkWidget *
open_options (FhControlsBar *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (self->options_window == NULL)
    {
      g_set_weak_pointer (&self->options_window, fh_options_window_new (self->options));
      gtk_window_set_transient_for (GTK_WINDOW (self->options_window), GTK_WINDOW (root));
      fh_options_window_set_is_answer (FH_OPTIONS_WINDOW (self->options_window), self->is_answer);
    }
  gtk_window_present (GTK_WINDOW (self->options_window));
  return self->options_window;
}

static void
fh_controls_bar_dispose (GObject *object)
{
  FhControlsBar *self = FH_CONTROLS_BAR (object);

  if (self->options_window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->options_window));
  g_clear_weak_pointer (&self->options_window);
  /* The rows of the popovers go later, and may change an option then. */
  if (self->options != NULL)
    g_signal_handlers_disconnect_by_data (self->options, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_CONTROLS_BAR);
  g_clear_object (&self->options);
  g_clear_object (&self->actions);

  G_OBJECT_CLASS (fh_controls_bar_parent_class)->dispose (object);
}

static void
fh_controls_bar_class_init (FhControlsBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_controls_bar_dispose;

  panel_made_signal =
      fh_signal_new ("panel-made", FH_TYPE_CONTROLS_BAR, 1, FH_TYPE_CONTAINER_PANEL);
  fh_set_template (widget_class, "controls/controls-bar.ui");
  for (guint i = 0; i < N_CONTROLS; i++)
    {
      g_autofree char *button = g_strconcat (names[i], "_button", NULL);
      g_autofree char *label = g_strconcat (names[i], "_label", NULL);

      gtk_widget_class_bind_template_child_full (
          widget_class,
          button,
          FALSE,
          (gssize) (G_STRUCT_OFFSET (FhControlsBar, buttons) + i * sizeof (GtkWidget *)));
      gtk_widget_class_bind_template_child_full (
          widget_class,
          label,
          FALSE,
          (gssize) (G_STRUCT_OFFSET (FhControlsBar, labels) + i * sizeof (GtkLabel *)));
    }
  gtk_widget_class_bind_template_callback (widget_class, open_options);
}

static void
fh_controls_bar_init (FhControlsBar *self)
{
  self->actions = g_simple_action_group_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (adw_bin_get_child (ADW_BIN (self)),
                                 gtk_custom_layout_new (NULL, measure_row, allocate_row));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "controls", G_ACTION_GROUP (self->actions));
  add_action (self, CONTROL_TIME);
  add_action (self, CONTROL_MEMORY);
  for (guint i = CONTROL_TIME; i < N_CONTROLS; i++)
    gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->buttons[i]),
                                           make_popover,
                                           self,
                                           NULL);
}

void
fh_controls_bar_set_options (FhControlsBar *self, FhOptions *options)
{
  g_return_if_fail (FH_IS_CONTROLS_BAR (self));
  g_return_if_fail (FH_IS_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
  fh_connect (options, "notify::place", follow_options, self);
  follow_options (self);
}

void
fh_controls_bar_open (FhControlsBar *self, const char *name)
{
  g_return_if_fail (FH_IS_CONTROLS_BAR (self));

  for (guint i = 0; i < N_CONTROLS; i++)
    {
      if (g_strcmp0 (name, names[i]) == 0 && i == CONTROL_OPTIONS)
        open_options (self);
      else if (g_strcmp0 (name, names[i]) == 0)
        gtk_menu_button_popup (GTK_MENU_BUTTON (self->buttons[i]));
    }
}

void
fh_controls_bar_set_is_answer (FhControlsBar *self, gboolean is_answer)
{
  g_return_if_fail (FH_IS_CONTROLS_BAR (self));

  if (self->is_answer == is_answer)
    return;
  self->is_answer = is_answer;
  if (self->options_window != NULL)
    fh_options_window_set_is_answer (FH_OPTIONS_WINDOW (self->options_window), is_answer);
  follow_options (self);
}

void
fh_controls_bar_show_option (FhControlsBar *self, const char *key, const char *value)
{
  g_return_if_fail (FH_IS_CONTROLS_BAR (self));

  for (guint i = CONTROL_TIME; i < N_CONTROLS; i++)
    make_popover (GTK_MENU_BUTTON (self->buttons[i]), self);
  if (!fh_option_rows_show (GTK_WIDGET (self), key, value))
    fh_option_rows_show (open_options (self), key, value);
}

FhContainerPanel *
fh_controls_bar_get_container_panel (FhControlsBar *self)
{
  g_return_val_if_fail (FH_IS_CONTROLS_BAR (self), NULL);

  return self->container_panel;
}
