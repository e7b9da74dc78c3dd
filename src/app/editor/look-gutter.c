/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/look-gutter.h"

#include "code-look.h"

#define MAX_MARKS 500
#define TEXT_KEY  "fh-look-text"
#define ICON_SIZE 14
#define PADDING   2

/* Quiet for what many programs do, and another one for what is hard to read. GtkSourceView's own
 * gutter for marks is not used: that of 5.6 never ends at a mark of another kind. */
static const char *const categories[] = { "fh-look-call", "fh-look-sign" };
static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic" };

struct _FhLookGutter
{
  GtkSourceGutterRendererPixbuf parent_instance;
};

G_DEFINE_FINAL_TYPE (FhLookGutter, fh_look_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER_PIXBUF)

/* `icon`: (out) (optional) */
static GtkSourceMark *
find_mark (FhLookGutter *self, guint line, const char **icon)
{
  GtkSourceBuffer *buffer =
      gtk_source_gutter_renderer_get_buffer (GTK_SOURCE_GUTTER_RENDERER (self));

  for (guint i = G_N_ELEMENTS (categories); buffer != NULL && i-- > 0;)
    {
      g_autoptr (GSList) marks =
          gtk_source_buffer_get_source_marks_at_line (buffer, (int) line, categories[i]);

      if (marks != NULL)
        {
          if (icon != NULL)
            *icon = icons[i];
          return marks->data;
        }
    }
  return NULL;
}

static void
fh_look_gutter_query_data (GtkSourceGutterRenderer *renderer,
                           GtkSourceGutterLines *lines,
                           guint line)
{
  const char *icon = NULL;

  find_mark (FH_LOOK_GUTTER (renderer), line, &icon);
  gtk_source_gutter_renderer_pixbuf_set_icon_name (GTK_SOURCE_GUTTER_RENDERER_PIXBUF (renderer),
                                                   icon);
}

static gboolean
fh_look_gutter_query_activatable (GtkSourceGutterRenderer *renderer,
                                  GtkTextIter *place,
                                  GdkRectangle *area)
{
  return find_mark (FH_LOOK_GUTTER (renderer), (guint) gtk_text_iter_get_line (place), NULL) !=
         NULL;
}

static void
fh_look_gutter_activate (GtkSourceGutterRenderer *renderer,
                         GtkTextIter *place,
                         GdkRectangle *area,
                         guint button,
                         GdkModifierType state,
                         int n_presses)
{
  gtk_widget_activate_action (GTK_WIDGET (renderer), "page.look", NULL);
}

static gboolean
fh_look_gutter_query_tooltip (GtkWidget *widget,
                              int x,
                              int y,
                              gboolean by_keyboard,
                              GtkTooltip *tooltip)
{
  FhLookGutter *self = FH_LOOK_GUTTER (widget);
  GtkSourceView *view = gtk_source_gutter_renderer_get_view (GTK_SOURCE_GUTTER_RENDERER (self));
  GtkTextIter place;
  GtkSourceMark *mark;
  int buffer_y;

  if (view == NULL)
    return FALSE;
  gtk_text_view_window_to_buffer_coords (GTK_TEXT_VIEW (view),
                                         GTK_TEXT_WINDOW_LEFT,
                                         x,
                                         y,
                                         NULL,
                                         &buffer_y);
  gtk_text_view_get_line_at_y (GTK_TEXT_VIEW (view), &place, buffer_y, NULL);
  mark = find_mark (self, (guint) gtk_text_iter_get_line (&place), NULL);
  if (mark == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, g_object_get_data (G_OBJECT (mark), TEXT_KEY));
  return TRUE;
}

static void
fh_look_gutter_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? ICON_SIZE + 2 * PADDING : 0;
}

static void
fh_look_gutter_class_init (FhLookGutterClass *klass)
{
  GtkSourceGutterRendererClass *renderer_class = GTK_SOURCE_GUTTER_RENDERER_CLASS (klass);

  GTK_WIDGET_CLASS (klass)->measure = fh_look_gutter_measure;
  GTK_WIDGET_CLASS (klass)->query_tooltip = fh_look_gutter_query_tooltip;
  renderer_class->query_data = fh_look_gutter_query_data;
  renderer_class->query_activatable = fh_look_gutter_query_activatable;
  renderer_class->activate = fh_look_gutter_activate;
}

static void
fh_look_gutter_init (FhLookGutter *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_source_gutter_renderer_set_xpad (GTK_SOURCE_GUTTER_RENDERER (self), PADDING);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

FhLookGutter *
fh_look_gutter_new (void)
{
  return g_object_new (FH_TYPE_LOOK_GUTTER, NULL);
}

/* What was found on a line is one mark, so that marks do not lie on each other. */
static void
add_mark (GtkSourceBuffer *buffer, GPtrArray *findings, guint *at)
{
  const FhLookFinding *first = findings->pdata[*at];
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_sign = FALSE;
  GtkTextIter place;
  GtkSourceMark *mark;

  for (; *at < findings->len; (*at)++)
    {
      const FhLookFinding *finding = findings->pdata[*at];

      if (finding->line != first->line)
        break;
      is_sign |= finding->kind == FH_LOOK_SIGN || finding->kind == FH_LOOK_FAULT;
      g_string_append_printf (text,
                              "%s%s%s%s",
                              text->len > 0 ? "\n" : "",
                              finding->name,
                              *finding->name != '\0' ? ": " : "",
                              finding->sentence);
    }
  gtk_text_buffer_get_iter_at_line (GTK_TEXT_BUFFER (buffer), &place, (int) first->line - 1);
  mark = gtk_source_buffer_create_source_mark (buffer, NULL, categories[is_sign], &place);
  g_object_set_data_full (G_OBJECT (mark),
                          TEXT_KEY,
                          g_string_free (g_steal_pointer (&text), FALSE),
                          g_free);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const FhLookFinding *one = *(const FhLookFinding *const *) a;
  const FhLookFinding *other = *(const FhLookFinding *const *) b;

  return one->line < other->line ? -1 : one->line > other->line;
}

/* In the order of the text. (transfer container) */
static GPtrArray *
find_marked (GPtrArray *looks)
{
  GPtrArray *findings = g_ptr_array_new ();

  for (guint i = 0; looks != NULL && i < looks->len; i++)
    {
      const FhCodeLook *look = looks->pdata[i];

      for (guint j = 0; j < look->findings->len; j++)
        {
          if (((const FhLookFinding *) look->findings->pdata[j])->kind != FH_LOOK_IMPORT)
            g_ptr_array_add (findings, look->findings->pdata[j]);
        }
    }
  g_ptr_array_sort (findings, compare_lines);
  return findings;
}

void
fh_look_gutter_show (FhLookGutter *self, GPtrArray *looks)
{
  GtkSourceBuffer *buffer;
  g_autoptr (GPtrArray) findings = find_marked (looks);
  GtkTextIter start;
  GtkTextIter end;
  guint at = 0;

  g_return_if_fail (FH_IS_LOOK_GUTTER (self));

  buffer = gtk_source_gutter_renderer_get_buffer (GTK_SOURCE_GUTTER_RENDERER (self));
  g_return_if_fail (buffer != NULL);
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (buffer), &start, &end);
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    gtk_source_buffer_remove_source_marks (buffer, &start, &end, categories[i]);
  for (guint n = 0; n < MAX_MARKS && at < findings->len; n++)
    add_mark (buffer, findings, &at);
  gtk_widget_set_visible (GTK_WIDGET (self), findings->len > 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
