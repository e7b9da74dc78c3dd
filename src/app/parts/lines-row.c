/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/lines-row.h"

#include "parts/calls.h"

enum
{
  PROP_TEXT = 1,
  PROP_HINT,
  PROP_MIN_HEIGHT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

struct _FhLinesRow
{
  AdwPreferencesRow parent_instance;

  GtkLabel *hint;
  GtkScrolledWindow *scroller;
  GtkTextView *view;
  GtkTextBuffer *buffer;
};

G_DEFINE_FINAL_TYPE (FhLinesRow, fh_lines_row, ADW_TYPE_PREFERENCES_ROW)

static void
changed_cb (FhLinesRow *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

static void
set_text (FhLinesRow *self, const char *text)
{
  g_autofree char *shown = NULL;

  g_object_get (self->buffer, "text", &shown, NULL);
  if (text == NULL)
    text = "";
  /* Typed text comes back through the binding; the cursor must not move then. */
  if (g_strcmp0 (shown, text) != 0)
    gtk_text_buffer_set_text (self->buffer, text, -1);
}

static void
fh_lines_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_object_get_property (G_OBJECT (FH_LINES_ROW (object)->buffer), "text", value);
}

static void
set_hint (FhLinesRow *self, const char *hint)
{
  fh_show_text (self->hint, hint);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  hint,
                                  -1);
}

static void
fh_lines_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhLinesRow *self = FH_LINES_ROW (object);

  if (id == PROP_TEXT)
    set_text (self, g_value_get_string (value));
  else if (id == PROP_HINT)
    set_hint (self, g_value_get_string (value));
  else
    gtk_scrolled_window_set_min_content_height (self->scroller, g_value_get_int (value));
}

static void
fh_lines_row_class_init (FhLinesRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = FH_PARAM_SET;

  object_class->get_property = fh_lines_row_get_property;
  object_class->set_property = fh_lines_row_set_property;

  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", FH_PARAM_WRITE);
  properties[PROP_HINT] = g_param_spec_string ("hint", NULL, NULL, NULL, flags);
  properties[PROP_MIN_HEIGHT] = g_param_spec_int ("min-height", NULL, NULL, 0, G_MAXINT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  fh_set_template (widget_class, "parts/lines-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhLinesRow, hint);
  gtk_widget_class_bind_template_child (widget_class, FhLinesRow, scroller);
  gtk_widget_class_bind_template_child (widget_class, FhLinesRow, view);
  gtk_widget_class_bind_template_child (widget_class, FhLinesRow, buffer);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
fh_lines_row_init (FhLinesRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
