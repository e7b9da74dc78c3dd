/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/look-gutter.h"

#include <glib/gi18n.h>

#include "code-look.h"
#include "run-summary.h"

#define MAX_MARKS 500
#define TEXT_KEY  "fh-look-text"
#define ICON_SIZE 14
#define PADDING   2

/* The last in this list is shown if a line has several. Quiet marks are for what many programs do,
 * and another one for what is hard to read. GtkSourceView's own gutter for marks is not used: that
 * of 5.6 never ends at a mark of another kind. */
enum
{
  MARK_CALL,
  MARK_SIGN,
  MARK_STOPPED, /* from here on of a run */
  MARK_FAILED,
  N_MARKS
};

static const struct
{
  const char *category;
  const char *icon;
} kinds[N_MARKS] = {
  { "fh-look-call", "dialog-information-symbolic" },
  { "fh-look-sign", "dialog-warning-symbolic" },
  { "fh-run-stopped", "action-unavailable-symbolic" },
  { "fh-run-failed", "dialog-error-symbolic" },
};

struct _FhLookGutter
{
  GtkSourceGutterRenderer parent_instance;
};

G_DEFINE_FINAL_TYPE (FhLookGutter, fh_look_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER)

/* `kind`: (out) (optional) */
static GtkSourceMark *
find_mark (FhLookGutter *self, guint line, guint *kind)
{
  GtkSourceBuffer *buffer =
      gtk_source_gutter_renderer_get_buffer (GTK_SOURCE_GUTTER_RENDERER (self));

  for (guint i = N_MARKS; buffer != NULL && i-- > 0;)
    {
      g_autoptr (GSList) marks =
          gtk_source_buffer_get_source_marks_at_line (buffer, (int) line, kinds[i].category);

      if (marks != NULL)
        {
          if (kind != NULL)
            *kind = i;
          return marks->data;
        }
    }
  return NULL;
}

/* Draws the mark in the color of the text, which the icons of GtkSourceView's own gutter do not
 * have; a failure is red, as in the summary. */
static void
fh_look_gutter_snapshot_line (GtkSourceGutterRenderer *renderer,
                              GtkSnapshot *snapshot,
                              GtkSourceGutterLines *lines,
                              guint line)
{
  GtkWidget *widget = GTK_WIDGET (renderer);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));
  g_autoptr (GtkIconPaintable) icon = NULL;
  GdkRGBA color;
  guint kind;
  float x;
  float y;

  if (find_mark (FH_LOOK_GUTTER (renderer), line, &kind) == NULL)
    return;
  gtk_style_context_get_color (style, &color);
  if (kind == MARK_FAILED)
    gtk_style_context_lookup_color (style, "error_color", &color);
  icon = gtk_icon_theme_lookup_icon (theme,
                                     kinds[kind].icon,
                                     NULL,
                                     ICON_SIZE,
                                     gtk_widget_get_scale_factor (widget),
                                     GTK_TEXT_DIR_NONE,
                                     GTK_ICON_LOOKUP_FORCE_SYMBOLIC);
  gtk_source_gutter_renderer_align_cell (renderer, line, ICON_SIZE, ICON_SIZE, &x, &y);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon),
                                            snapshot,
                                            ICON_SIZE,
                                            ICON_SIZE,
                                            &color,
                                            1);
  gtk_snapshot_restore (snapshot);
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
  GtkWidget *widget = GTK_WIDGET (renderer);
  guint kind = MARK_CALL;

  find_mark (FH_LOOK_GUTTER (renderer), (guint) gtk_text_iter_get_line (place), &kind);
  if (kind < MARK_STOPPED)
    gtk_widget_activate_action (widget, "page.look", NULL);
  else
    gtk_widget_activate_action (widget,
                                "win.show-results",
                                "s",
                                kind == MARK_STOPPED ? "attempts" : "output");
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
  renderer_class->snapshot_line = fh_look_gutter_snapshot_line;
  renderer_class->query_activatable = fh_look_gutter_query_activatable;
  renderer_class->activate = fh_look_gutter_activate;
}

static void
fh_look_gutter_init (FhLookGutter *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_source_gutter_renderer_set_xpad (GTK_SOURCE_GUTTER_RENDERER (self), PADDING);
  gtk_source_gutter_renderer_set_xalign (GTK_SOURCE_GUTTER_RENDERER (self), 0.5);
  gtk_source_gutter_renderer_set_yalign (GTK_SOURCE_GUTTER_RENDERER (self), 0.5);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

/* `line`: from 0 on. */
static void
add_mark (GtkSourceBuffer *buffer, guint kind, guint line, const char *text)
{
  GtkTextIter place;
  GtkSourceMark *mark;

  gtk_text_buffer_get_iter_at_line (GTK_TEXT_BUFFER (buffer), &place, (int) line);
  mark = gtk_source_buffer_create_source_mark (buffer, NULL, kinds[kind].category, &place);
  g_object_set_data_full (G_OBJECT (mark), TEXT_KEY, g_strdup (text), g_free);
}

/* All findings of a line share a mark, so that marks do not lie on each other. */
static void
add_findings (GtkSourceBuffer *buffer, GPtrArray *findings, guint *at)
{
  const FhLookFinding *first = findings->pdata[*at];
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_sign = FALSE;

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
  add_mark (buffer, is_sign ? MARK_SIGN : MARK_CALL, first->line - 1, text->str);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const FhLookFinding *one = *(const FhLookFinding *const *) a;
  const FhLookFinding *other = *(const FhLookFinding *const *) b;

  return one->line < other->line ? -1 : one->line > other->line;
}

/* Collects the findings in the order of the text. (transfer container) */
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

/* Removes the marks of these kinds. */
static GtkSourceBuffer *
clear (FhLookGutter *self, guint first, guint last)
{
  GtkSourceBuffer *buffer =
      gtk_source_gutter_renderer_get_buffer (GTK_SOURCE_GUTTER_RENDERER (self));
  GtkTextIter start;
  GtkTextIter end;

  g_return_val_if_fail (buffer != NULL, NULL);
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (buffer), &start, &end);
  for (guint i = first; i <= last; i++)
    gtk_source_buffer_remove_source_marks (buffer, &start, &end, kinds[i].category);
  return buffer;
}

static void
update (FhLookGutter *self, GtkSourceBuffer *buffer)
{
  gboolean has_marks = FALSE;

  for (guint i = 0; i < N_MARKS; i++)
    {
      GtkTextIter at;

      gtk_text_buffer_get_end_iter (GTK_TEXT_BUFFER (buffer), &at);
      has_marks |= gtk_source_buffer_backward_iter_to_source_mark (buffer, &at, kinds[i].category);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), has_marks);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fh_look_gutter_show (FhLookGutter *self, GPtrArray *looks)
{
  GtkSourceBuffer *buffer;
  g_autoptr (GPtrArray) findings = find_marked (looks);
  guint at = 0;

  g_return_if_fail (FH_IS_LOOK_GUTTER (self));

  buffer = clear (self, MARK_CALL, MARK_SIGN);
  for (guint n = 0; n < MAX_MARKS && at < findings->len; n++)
    add_findings (buffer, findings, &at);
  update (self, buffer);
}

/* The first that was stopped on a line is named for all of it. */
static void
mark_stopped (GtkSourceBuffer *buffer, FhAttemptLog *attempts)
{
  const guint n_lines = (guint) gtk_text_buffer_get_line_count (GTK_TEXT_BUFFER (buffer));
  g_autoptr (GHashTable) lines = g_hash_table_new (NULL, NULL);
  FhAttempt *attempt;

  for (guint i = 0; (attempt = fh_attempt_log_get (attempts, i)) != NULL &&
                    g_hash_table_size (lines) < MAX_MARKS;
       i++)
    {
      const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);
      g_autofree char *title = NULL;
      g_autofree char *text = NULL;

      if (facts->verdict == FH_VERDICT_OBSERVED || facts->line == 0 || facts->line > n_lines ||
          !g_hash_table_add (lines, GUINT_TO_POINTER (facts->line)))
        continue;
      title = fh_attempt_dup_title (attempt);
      text = g_strdup_printf (_ ("Blocked: %s."), title);
      add_mark (buffer, MARK_STOPPED, facts->line - 1, text);
    }
}

void
fh_look_gutter_show_run (FhLookGutter *self, FhRunRequest *request, FhRunResult *result)
{
  GtkSourceBuffer *buffer;
  g_autoptr (FhRunSummary) summary = NULL;

  g_return_if_fail (FH_IS_LOOK_GUTTER (self));
  g_return_if_fail (result == NULL || FH_IS_RUN_REQUEST (request));

  buffer = clear (self, MARK_STOPPED, MARK_FAILED);
  if (result != NULL)
    {
      summary = fh_run_summary_new (request, result);
      mark_stopped (buffer, fh_run_result_get_parts (result)->attempts);
    }
  if (summary != NULL && summary->error != NULL && summary->line > 0 &&
      summary->line <= (guint) gtk_text_buffer_get_line_count (GTK_TEXT_BUFFER (buffer)))
    add_mark (buffer, MARK_FAILED, summary->line - 1, summary->error);
  update (self, buffer);
}

/* Removes the marks from the line of the first place to that of the last one. */
static void
forget_marks (GtkSourceBuffer *buffer, GtkTextIter first, const GtkTextIter *last)
{
  gtk_text_iter_set_line_offset (&first, 0);
  for (guint i = 0; i < N_MARKS; i++)
    gtk_source_buffer_remove_source_marks (buffer, &first, last, kinds[i].category);
  gtk_source_buffer_remove_source_marks (buffer, &first, last, FH_LINE_MARK_BLOCK);
}

/* A line keeps its text where only its end of line goes, or all that is before it. */
static void
delete_range_cb (GtkSourceBuffer *buffer, const GtkTextIter *start, const GtkTextIter *end)
{
  GtkTextIter first = *start;
  GtkTextIter last = *end;

  if (gtk_text_iter_ends_line (&first) && gtk_text_iter_ends_line (&last))
    gtk_text_iter_forward_line (&first);
  else if (gtk_text_iter_starts_line (&first) && gtk_text_iter_starts_line (&last))
    gtk_text_iter_backward_char (&last);
  forget_marks (buffer, first, &last);
}

static void
inserted_cb (GtkSourceBuffer *buffer, const GtkTextIter *end, const char *text, int length)
{
  GtkTextIter start = *end;
  g_autoptr (GSList) marks = NULL;

  gtk_text_iter_backward_chars (&start, (int) g_utf8_strlen (text, length));
  if (*text == '\n' && gtk_text_iter_ends_line (end))
    return;
  if (!gtk_text_iter_starts_line (&start) || !gtk_text_iter_starts_line (end))
    {
      forget_marks (buffer, start, &start);
      return;
    }
  marks = gtk_source_buffer_get_source_marks_at_iter (buffer, &start, NULL);
  for (GSList *at = marks; at != NULL; at = at->next)
    gtk_text_buffer_move_mark (GTK_TEXT_BUFFER (buffer), at->data, end);
}

void
fh_look_gutter_follow_marks (GtkSourceBuffer *buffer)
{
  g_return_if_fail (GTK_SOURCE_IS_BUFFER (buffer));

  g_signal_connect (buffer, "delete-range", G_CALLBACK (delete_range_cb), NULL);
  g_signal_connect_after (buffer, "insert-text", G_CALLBACK (inserted_cb), NULL);
}
