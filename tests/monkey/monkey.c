/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monkey.h"

#include <glib/gstdio.h>
#include <string.h>

#include "hands.h"
#include "shortcuts.h"
#include "window/window.h"

#define MAX_WIDTH  1200
#define MAX_HEIGHT 800
/* Keys, and signs of life of programs. */
#define MAX_IN_A_ROW 12

static const guint keys[] = {
  GDK_KEY_a,      GDK_KEY_x,     GDK_KEY_1,         GDK_KEY_space,     GDK_KEY_Return,
  GDK_KEY_Return, GDK_KEY_Tab,   GDK_KEY_Tab,       GDK_KEY_Escape,    GDK_KEY_Up,
  GDK_KEY_Down,   GDK_KEY_Left,  GDK_KEY_Right,     GDK_KEY_Home,      GDK_KEY_End,
  GDK_KEY_Prior,  GDK_KEY_Next,  GDK_KEY_Menu,      GDK_KEY_BackSpace, GDK_KEY_Delete,
  GDK_KEY_Insert, GDK_KEY_minus, GDK_KEY_slash,     GDK_KEY_colon,     GDK_KEY_F1,
  GDK_KEY_F2,     GDK_KEY_F8,    GDK_KEY_F10,       GDK_KEY_v,         GDK_KEY_c,
  GDK_KEY_z,      GDK_KEY_equal, GDK_KEY_parenleft,
};

/* Of widgets and windows; these would leave the window, or have nothing to do with it. */
static const char *const not_for_monkeys[] = {
  "link.open",
  "link.copy",
  "window.minimize",
  "default.activate",
  "misc.insert-emoji",
  /* Takes the name of a property. */
  "about.show-url-property",
  "about.copy-property",
};

static int
pick (Monkey *self, guint n)
{
  return g_rand_int_range (self->rand, 0, (int) n);
}

static gboolean
is_modal (gconstpointer window)
{
  return gtk_window_get_modal (GTK_WINDOW ((gpointer) window));
}

static int
compare_windows (gconstpointer a, gconstpointer b)
{
  return is_modal (a) - is_modal (b);
}

GList *
monkey_list_windows (Monkey *self)
{
  GList *windows = NULL;
  GListModel *toplevels = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (toplevels, i);

      if (gtk_widget_get_mapped (GTK_WIDGET (window)))
        windows = g_list_prepend (windows, window);
    }
  return g_list_sort (windows, compare_windows);
}

/* NULL if there is none. */
static GtkWindow *
get_front (Monkey *self)
{
  g_autoptr (GList) windows = monkey_list_windows (self);
  GList *last = g_list_last (windows);

  return last != NULL ? last->data : NULL;
}

static void
collect (GtkWidget *widget, GPtrArray *found)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_is_sensitive (widget))
    return;
  g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, found);
}

/* One that reacts to something, most of the time; NULL if there is none. */
static GtkWidget *
pick_widget (Monkey *self)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  GtkWindow *front = get_front (self);
  GtkWidget *widget = NULL;

  if (front == NULL)
    return NULL;
  collect (GTK_WIDGET (front), found);
  for (guint tries = 0; found->len > 0 && tries < 20; tries++)
    {
      widget = g_ptr_array_index (found, pick (self, found->len));
      if (gtk_widget_get_focusable (widget) || pick (self, 20) == 0)
        break;
    }
  return widget;
}

static void
note_widget (Monkey *self, GtkWidget *widget)
{
  const char *name = GTK_IS_BUTTON (widget) ? gtk_button_get_icon_name (GTK_BUTTON (widget)) : NULL;

  g_string_append_printf (self->note, " %s", G_OBJECT_TYPE_NAME (widget));
  if (name != NULL)
    g_string_append_printf (self->note, " “%s”", name);
  if (GTK_IS_LABEL (widget) && gtk_label_get_text (GTK_LABEL (widget)) != NULL)
    g_string_append_printf (self->note, " “%.30s”", gtk_label_get_text (GTK_LABEL (widget)));
}

/* Either one with modifiers, or some in a row, faster than they are handled. */
static void
press_keys (Monkey *self)
{
  const guint modifiers = pick (self, 4) == 0 ? (guint) pick (self, 8) : 0;
  const guint n = modifiers == 0 ? (guint) (1 + pick (self, MAX_IN_A_ROW)) : 1;

  for (guint i = 0; i < n; i++)
    {
      const guint key = keys[pick (self, G_N_ELEMENTS (keys))];

      g_string_append_printf (self->note, " %u+%s", modifiers, gdk_keyval_name (key));
      hands_key (key, modifiers);
    }
  self->n_events += n - 1;
}

static void
press_shortcut (Monkey *self)
{
  const FhShortcut *shortcuts = fh_shortcuts_list ();
  guint n = 0;
  guint key;
  GdkModifierType modifiers;

  while (shortcuts[n].action != NULL)
    n++;
  n = (guint) pick (self, n);
  g_string_append_printf (self->note, " %s", shortcuts[n].keys[0]);
  gtk_accelerator_parse (shortcuts[n].keys[0], &key, &modifiers);
  hands_key (key,
             (modifiers & GDK_SHIFT_MASK ? HANDS_SHIFT : 0) |
                 (modifiers & GDK_CONTROL_MASK ? HANDS_CONTROL : 0) |
                 (modifiers & GDK_ALT_MASK ? HANDS_ALT : 0));
}

static void
click (Monkey *self)
{
  GtkWidget *widget = pick_widget (self);
  const guint button = pick (self, 8) == 0 ? 3 : pick (self, 30) == 0 ? 2 : 1;

  if (widget == NULL)
    return;
  note_widget (self, widget);
  hands_click (widget,
               g_rand_double_range (self->rand, 0, gtk_widget_get_width (widget) + 1),
               g_rand_double_range (self->rand, 0, gtk_widget_get_height (widget) + 1),
               button,
               pick (self, 6) == 0 ? 2 : 1);
}

static void
scroll (Monkey *self)
{
  GtkWidget *widget = pick_widget (self);

  if (widget == NULL)
    return;
  note_widget (self, widget);
  hands_click (widget, 1, 1, (guint) (4 + pick (self, 4)), (guint) (1 + pick (self, 5)));
}

static void
drag (Monkey *self)
{
  GtkWidget *from = pick_widget (self);
  GtkWidget *to = pick_widget (self);

  if (from == NULL || to == NULL)
    return;
  note_widget (self, from);
  note_widget (self, to);
  hands_drag (from, to);
}

/* NULL for a type that is made in no other way. */
static GVariant *
new_parameter (Monkey *self, const GVariantType *type)
{
  static const char *const values[] = {
    "true",           "false",      "'output'", "'attempts'", "'first-run.py'",     "1",
    "uint32 2",       "uint64 512", "int64 1",  "int64 2",    "(int64 1, int64 2)", "(true, false)",
    "(false, false)",
  };
  g_autoptr (GPtrArray) fitting = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  GVariant *value;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      value = g_variant_parse (type, values[i], NULL, NULL, NULL);
      if (value != NULL)
        g_ptr_array_add (fitting, value);
    }
  return fitting->len > 0 ? g_variant_ref (g_ptr_array_index (fitting, pick (self, fitting->len)))
                          : NULL;
}

static gboolean
may_activate (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (not_for_monkeys); i++)
    {
      if (g_str_equal (not_for_monkeys[i], name))
        return FALSE;
    }
  return TRUE;
}

static void
activate_in (Monkey *self, GActionGroup *group)
{
  g_auto (GStrv) names = g_action_group_list_actions (group);
  const char *name = names[pick (self, g_strv_length (names))];
  const GVariantType *type = g_action_group_get_action_parameter_type (group, name);
  g_autoptr (GVariant) parameter = type != NULL ? new_parameter (self, type) : NULL;

  g_string_append_printf (self->note, " %s", name);
  if (type != NULL && parameter == NULL)
    return;
  g_action_group_activate_action (group, name, parameter);
}

static void
activate_of_window (Monkey *self)
{
  GtkWindow *front = get_front (self);

  if (pick (self, 6) == 0)
    activate_in (self, G_ACTION_GROUP (self->app));
  else if (front != NULL && FH_IS_WINDOW (front))
    activate_in (self, G_ACTION_GROUP (front));
}

/* An action that the widget's class has, such as "clipboard.paste". */
static void
activate_of_widget (Monkey *self)
{
  GtkWidget *widget = pick_widget (self);
  g_autoptr (GVariant) parameter = NULL;
  const GVariantType *type;
  const char *name, *property;
  GType owner;
  guint n = 0;

  if (widget == NULL)
    return;
  note_widget (self, widget);
  while (gtk_widget_class_query_action (GTK_WIDGET_GET_CLASS (widget),
                                        n,
                                        &owner,
                                        &name,
                                        &type,
                                        &property))
    n++;
  if (n == 0 || pick (self, 4) == 0)
    {
      /* Which expects to be in a popover that is still there. */
      if (!g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton"))
        gtk_widget_activate (widget);
      return;
    }
  n = (guint) pick (self, n);
  gtk_widget_class_query_action (GTK_WIDGET_GET_CLASS (widget), n, &owner, &name, &type, &property);
  g_string_append_printf (self->note, " %s", name);
  parameter = type != NULL ? new_parameter (self, type) : NULL;
  if (property == NULL && (type == NULL) == (parameter == NULL) && may_activate (name))
    gtk_widget_activate_action_variant (widget, name, parameter);
}

static void
resize (Monkey *self)
{
  GtkWindow *front = get_front (self);

  if (front == NULL || !gtk_window_get_resizable (front))
    return;
  gtk_window_set_default_size (front,
                               200 + pick (self, MAX_WIDTH - 200),
                               200 + pick (self, MAX_HEIGHT - 200));
}

static void
copy (Monkey *self)
{
  const char *text = programs_pick_text (self->rand);
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  gdk_clipboard_set_text (gdk_display_get_clipboard (gdk_display_get_default ()), valid);
}

static void
paste (Monkey *self)
{
  copy (self);
  hands_key (GDK_KEY_v, HANDS_CONTROL);
}

static void
move_focus (Monkey *self)
{
  g_autoptr (GList) windows = monkey_list_windows (self);
  GtkWidget *widget = pick_widget (self);

  if (pick (self, 2) == 0 && widget != NULL)
    gtk_widget_grab_focus (widget);
  else if (windows != NULL)
    gtk_window_present (g_list_nth_data (windows, (guint) pick (self, g_list_length (windows))));
}

/* Its files change and go, too. */
static void
open_file (Monkey *self)
{
  static const char *const names[] = { "a.py",  "b.md", "c.sh",       "d.ipynb",
                                       "e.txt", "f",    "missing.py", "." };
  GtkWindow *front = get_front (self);
  const guint i = (guint) pick (self, G_N_ELEMENTS (names));
  g_autofree char *path = g_build_filename (self->folder, names[i], NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_string_append_printf (self->note, " %s", names[i]);
  if (i < 6 && pick (self, 2) == 0)
    g_file_set_contents (path, programs_pick_text (self->rand), -1, NULL);
  else if (i < 6 && pick (self, 4) == 0)
    g_unlink (path);
  if (front != NULL && FH_IS_WINDOW (front))
    fh_tabs_open_file (fh_window_get_tabs (FH_WINDOW (front)), file, pick (self, 3) == 0);
}

static void
go_on (Monkey *self)
{
  const guint n = (guint) (1 + pick (self, MAX_IN_A_ROW));

  for (guint i = 0; i < n; i++)
    g_string_append_printf (self->note, " %s", programs_go_on (self->programs));
  self->n_events += n - 1;
}

static void
look_from_elsewhere (Monkey *self)
{
  GtkSettings *settings = gtk_settings_get_default ();

  switch (pick (self, 4))
    {
    case 0:
      gtk_widget_set_default_direction (pick (self, 3) ? GTK_TEXT_DIR_LTR : GTK_TEXT_DIR_RTL);
      break;
    case 1:
      g_object_set (settings, "gtk-xft-dpi", (pick (self, 3) == 0 ? 192 : 96) * PANGO_SCALE, NULL);
      break;
    case 2:
      adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                          (AdwColorScheme) pick (self, 5));
      break;
    default:
      fake_backend_set_probe (self->programs->backend,
                              pick (self, 5) > 0,
                              pick (self, 2) ? NULL : "No reason.");
    }
}

void
monkey_act (Monkey *self)
{
  static const struct
  {
    const char *name;
    guint weight;
    void (*act) (Monkey *self);
  } acts[] = {
    { "key", 28, press_keys },  { "shortcut", 12, press_shortcut },
    { "click", 22, click },     { "scroll", 4, scroll },
    { "drag", 2, drag },        { "action", 8, activate_of_window },
    { "resize", 2, resize },    { "of widget", 6, activate_of_widget },
    { "copy", 1, copy },        { "paste", 4, paste },
    { "focus", 4, move_focus }, { "file", 2, open_file },
    { "program", 16, go_on },   { "look", 1, look_from_elsewhere },
  };
  GtkWindow *front = get_front (self);
  guint sum = 0;
  guint i;
  int left;

  for (i = 0; i < G_N_ELEMENTS (acts); i++)
    sum += acts[i].weight;
  left = pick (self, sum);
  for (i = 0; left >= (int) acts[i].weight; i++)
    left -= (int) acts[i].weight;
  g_string_printf (self->note,
                   "[%s] %s",
                   front != NULL ? G_OBJECT_TYPE_NAME (front) : "no window",
                   acts[i].name);
  self->n_events++;
  acts[i].act (self);
}
