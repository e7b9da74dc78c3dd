/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "signals.h"

/* Calls of GObject and GTK that the whole app makes, in short. */

/* Calls `callback` with `self` as its first argument, for as long as both objects live. */
#define fh_connect(object, signal, callback, self)                                                 \
  g_signal_connect_object ((object), (signal), G_CALLBACK (callback), (self), G_CONNECT_SWAPPED)

/* The same for whatever object the group has. */
#define fh_connect_group(group, signal, callback, self)                                            \
  g_signal_group_connect_object ((group),                                                          \
                                 (signal),                                                         \
                                 G_CALLBACK (callback),                                            \
                                 (self),                                                           \
                                 G_CONNECT_SWAPPED)

/* The target's property follows the source's, as it is or as `map` makes it. */
#define fh_bind(source, property, target, target_property)                                         \
  g_object_bind_property ((source), (property), (target), (target_property), G_BINDING_SYNC_CREATE)
#define fh_bind_mapped(source, property, target, target_property, map)                             \
  g_object_bind_property_full ((source),                                                           \
                               (property),                                                         \
                               (target),                                                           \
                               (target_property),                                                  \
                               G_BINDING_SYNC_CREATE,                                              \
                               (map),                                                              \
                               NULL,                                                               \
                               NULL,                                                               \
                               NULL)

/* Properties that can be set only, those that can be read only, and those that can be both and
 * notify when they change. */
#define FH_PARAM_SET   (G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS)
#define FH_PARAM_READ  (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define FH_PARAM_WRITE (G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS)

/* `file`: the template below src/app. */
#define fh_set_template(widget_class, file)                                                        \
  gtk_widget_class_set_template_from_resource ((widget_class), "/io/github/fumehood/Fumehood/" file)

/* When `object` emits the signal, something in the widget gets another size, but not the widget:
 * another tab or page, a handle or a sidebar that moves. GTK 4.8 allocates only what is inside
 * then. If a scrollbar appears meanwhile, it marks all that it is in as not allocated, forgets
 * that, and leaves it blank. So all of that is allocated, too. */
#define fh_allocate_all(object, signal, widget)                                                    \
  fh_connect ((object), (signal), gtk_widget_queue_resize, GTK_WIDGET (widget))

/* Goes to a line of the code. `column`: 0 if unknown; `part`: the number of the cell or block that
 * the line counts in; 0: the whole text. */
static inline void
fh_go_to_line (GtkWidget *widget, guint line, guint column, guint part)
{
  if (part > 0)
    gtk_widget_activate_action (widget, "page.go-to-cell-line", "(uuu)", line, column, part);
  else
    gtk_widget_activate_action (widget, "page.go-to-line", "(uu)", line, column);
}

/* Returns the first widget of a type in `root` or below it, or NULL. */
static inline GtkWidget *
fh_find_widget (GtkWidget *root, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (root, type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = fh_find_widget (child, type);
  return found;
}

static inline void
fh_set_css_class (gpointer widget, const char *name, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* Whether what was typed into `widget` cannot be used. */
static inline void
fh_set_invalid (gpointer widget, gboolean is_invalid)
{
  fh_set_css_class (widget, "error", is_invalid);
  gtk_accessible_update_state (widget,
                               GTK_ACCESSIBLE_STATE_INVALID,
                               is_invalid ? GTK_ACCESSIBLE_INVALID_TRUE
                                          : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
}

/* The name that a screen reader says. */
#define fh_set_accessible_label(widget, label)                                                     \
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget),                                         \
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,                                   \
                                  (label),                                                         \
                                  -1)

/* Plain text: it may quote a program, so that a long word gets no hyphens where it is wrapped. The
 * label is hidden without text. */
static inline void
fh_show_text (GtkLabel *label, const char *text)
{
  if (gtk_label_get_attributes (label) == NULL)
    {
      PangoAttrList *attributes = pango_attr_list_new ();

      pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
      gtk_label_set_attributes (label, attributes);
      pango_attr_list_unref (attributes);
    }
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
}

/* Appends an item to a menu, where an underscore in a label would underline the next letter. */
static inline void
fh_menu_append_plain (GMenu *menu, const char *label, const char *action, const char *target)
{
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);
  g_autofree char *doubled = g_strjoinv ("__", parts);
  g_autoptr (GMenuItem) item = g_menu_item_new (doubled, NULL);

  g_menu_item_set_action_and_target (item, action, "s", target);
  g_menu_append_item (menu, item);
}

/* The entry gets no keys before it is mapped, which an animation delays by a frame: what people
 * type right after the shortcut would be lost. The bar has no property for its revealer. What is
 * closed is hidden, as screen readers would still find it. */
static inline void
fh_search_bar_open_at_once (GtkSearchBar *bar, GtkEditable *entry)
{
  GtkWidget *revealer = gtk_widget_get_first_child (GTK_WIDGET (bar));

  if (GTK_IS_REVEALER (revealer))
    gtk_revealer_set_transition_duration (GTK_REVEALER (revealer), 0);
  fh_bind (bar, "search-mode-enabled", bar, "visible");
  gtk_search_bar_connect_entry (bar, entry);
}

/* Returns bytes whose data is never NULL, of which GIO complains also where the size is 0.
 * (transfer full) */
static inline GBytes *
fh_bytes_to_write (GBytes *bytes)
{
  return g_bytes_get_size (bytes) > 0 ? g_bytes_ref (bytes) : g_bytes_new_static ("", 0);
}

/* Has a screen reader say a text about `widget`, if that is on the screen, after what it is just
 * saying. GTK can do that from 4.14 on; an older one does nothing. */
static inline void
fh_announce (GtkWidget *widget, const char *text)
{
#if GTK_CHECK_VERSION(4, 14, 0)
  /* The header says that it is too new for what the build is pinned to. */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  if (gtk_widget_get_mapped (widget))
    gtk_accessible_announce (GTK_ACCESSIBLE (widget),
                             text,
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  G_GNUC_END_IGNORE_DEPRECATIONS
#endif
}

/* Cancels what is going on, if anything is, and clears the pointer. */
static inline void
fh_cancel (GCancellable **cancellable)
{
  g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

/* Does what g_set_str of GLib 2.76 does: returns whether the text is another one than before. */
static inline gboolean
fh_set_str (char **member, const char *text)
{
  char *copy;

  if (g_strcmp0 (*member, text) == 0)
    return FALSE;
  copy = g_strdup (text);
  g_free (*member);
  *member = copy;
  return TRUE;
}

/* Does what g_strv_builder_take of GLib 2.80 does. */
static inline void
fh_strv_builder_take (GStrvBuilder *builder, char *text)
{
  g_strv_builder_add (builder, text);
  g_free (text);
}
