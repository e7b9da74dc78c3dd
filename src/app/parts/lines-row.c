/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/lines-row.h"

#include "parts/calls.h"

enum
{
  PROP_TEXT = 1,
  PROP_HINT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

struct _FhLinesRow
{
  AdwPreferencesRow parent_instance;

  char *hint;

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
  FhLinesRow *self = FH_LINES_ROW (object);

  switch (id)
    {
    case PROP_TEXT:
      g_object_get_property (G_OBJECT (self->buffer), "text", value);
      break;
    case PROP_HINT:
      g_value_set_string (value, self->hint);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_lines_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhLinesRow *self = FH_LINES_ROW (object);

  switch (id)
    {
    case PROP_TEXT:
      set_text (self, g_value_get_string (value));
      break;
    case PROP_HINT:
      self->hint = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_lines_row_constructed (GObject *object)
{
  FhLinesRow *self = FH_LINES_ROW (object);

  G_OBJECT_CLASS (fh_lines_row_parent_class)->constructed (object);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->hint != NULL ? self->hint : "",
                                  -1);
}

static void
fh_lines_row_finalize (GObject *object)
{
  g_free (FH_LINES_ROW (object)->hint);

  G_OBJECT_CLASS (fh_lines_row_parent_class)->finalize (object);
}

static void
fh_lines_row_class_init (FhLinesRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = fh_lines_row_constructed;
  object_class->finalize = fh_lines_row_finalize;
  object_class->get_property = fh_lines_row_get_property;
  object_class->set_property = fh_lines_row_set_property;

  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", FH_PARAM_WRITE);
  properties[PROP_HINT] =
      g_param_spec_string ("hint",
                           NULL,
                           NULL,
                           NULL,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  fh_set_template (widget_class, "parts/lines-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhLinesRow, view);
  gtk_widget_class_bind_template_child (widget_class, FhLinesRow, buffer);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
fh_lines_row_init (FhLinesRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
