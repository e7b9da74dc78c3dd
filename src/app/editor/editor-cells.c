/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/editor-cells.h"

#include <adwaita.h>

#include "cell-splitter.h"
#include "document/document.h"
#include "editor/cell-gutter.h"
#include "parts/calls.h"

/* Later ones are marked, the oldest forgotten. */
#define MAX_MARKS 1000

struct _FhEditorCells
{
  GObject parent_instance;

  GtkSourceView *view;   /* weak */
  GtkTextBuffer *buffer; /* an FhDocument */
  GtkSourceGutterRenderer *gutter;
  GtkTextTag *tag;   /* of the cell at the cursor */
  guint mark_source; /* marks the cell after a change, in an idle turn */
  guint marked_from;
  guint marked_to;
  guint first_number;
  guint last_number;
  gboolean active;
};

G_DEFINE_FINAL_TYPE (FhEditorCells, fh_editor_cells, G_TYPE_OBJECT)

static guint run_next_signal;

static const char *const categories[] = {
  [FH_CELL_MARK_RUNS] = FH_CELL_GUTTER_RUNS,
  [FH_CELL_MARK_DONE] = FH_CELL_GUTTER_DONE,
  [FH_CELL_MARK_FAILED] = FH_CELL_GUTTER_FAILED,
};

void
fh_cell_code_free (FhCellCode *code)
{
  g_free (code->code);
  g_free (code);
}

static FhCellCode *
new_code (char *text, guint line)
{
  FhCellCode *code = g_new (FhCellCode, 1);

  code->code = text;
  code->line = line;
  return code;
}

static guint
cursor_line (FhEditorCells *self)
{
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (self->buffer,
                                    &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  return (guint) gtk_text_iter_get_line (&cursor);
}

static void
unmark_cursor (FhEditorCells *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag (self->buffer, self->tag, &start, &end);
  self->marked_from = self->marked_to = 0;
}

/* A text that is one cell needs no mark. */
static void
mark_cursor (FhEditorCells *self, gboolean is_changed)
{
  GArray *cells;
  FhCellPlace place;
  GtkTextIter from, to;
  const guint line = cursor_line (self);

  if (!self->active || (!is_changed && line >= self->marked_from && line < self->marked_to))
    return;
  cells = fh_document_get_cells (FH_DOCUMENT (self->buffer));
  place = g_array_index (cells, FhCellPlace, fh_cell_splitter_find (cells, line));
  unmark_cursor (self);
  self->marked_from = place.first_line;
  self->marked_to = place.end_line;
  if (cells->len < 2)
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &from, (int) place.first_line);
  gtk_text_buffer_get_iter_at_line (self->buffer, &to, (int) place.end_line);
  gtk_text_buffer_apply_tag (self->buffer, self->tag, &from, &to);
}

static gboolean
mark_cb (gpointer user_data)
{
  FhEditorCells *self = FH_EDITOR_CELLS (user_data);

  self->mark_source = 0;
  mark_cursor (self, TRUE);
  return G_SOURCE_REMOVE;
}

/* Splitting a long text at each key would delay what is typed. */
static void
changed_cb (FhEditorCells *self)
{
  if (self->active && self->mark_source == 0)
    self->mark_source = g_idle_add (mark_cb, self);
}

static void
cursor_cb (FhEditorCells *self)
{
  if (self->mark_source == 0)
    mark_cursor (self, FALSE);
}

static GtkTextMark *
get_mark (FhEditorCells *self, guint number)
{
  g_autofree char *name = g_strdup_printf (FH_CELL_GUTTER_NAME "%u", number);

  return gtk_text_buffer_get_mark (self->buffer, name);
}

/* A number says nothing any more when the whole first line of its cell is deleted. */
static void
delete_range_cb (FhEditorCells *self, const GtkTextIter *start, const GtkTextIter *end)
{
  for (guint i = self->first_number; i <= self->last_number; i++)
    {
      GtkTextMark *mark = get_mark (self, i);
      GtkTextIter from, to;

      if (mark == NULL)
        continue;
      gtk_text_buffer_get_iter_at_mark (self->buffer, &from, mark);
      to = from;
      if (!gtk_text_iter_ends_line (&to))
        gtk_text_iter_forward_to_line_end (&to);
      if (gtk_text_iter_compare (start, &from) <= 0 && gtk_text_iter_compare (&to, end) <= 0)
        gtk_text_buffer_delete_mark (self->buffer, mark);
    }
}

static void
dark_cb (FhEditorCells *self, GParamSpec *pspec, AdwStyleManager *style)
{
  GdkRGBA color = { 0.2F, 0.5F, 0.9F, adw_style_manager_get_dark (style) ? 0.14F : 0.07F };

  g_object_set (self->tag, "paragraph-background-rgba", &color, NULL);
}

static gboolean
key_pressed_cb (FhEditorCells *self, guint key, guint code, GdkModifierType state)
{
  const GdkModifierType all = GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK | GDK_SUPER_MASK;

  if (!self->active || (key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) ||
      (state & all) != GDK_SHIFT_MASK)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, run_next_signal, 0);
  return GDK_EVENT_STOP;
}

static void
fh_editor_cells_dispose (GObject *object)
{
  FhEditorCells *self = FH_EDITOR_CELLS (object);

  g_clear_handle_id (&self->mark_source, g_source_remove);
  g_clear_weak_pointer (&self->view);
  g_clear_object (&self->gutter);
  g_clear_object (&self->tag);
  g_clear_object (&self->buffer);
  G_OBJECT_CLASS (fh_editor_cells_parent_class)->dispose (object);
}

void
fh_editor_cells_set_active (FhEditorCells *self, gboolean active)
{
  g_return_if_fail (FH_IS_EDITOR_CELLS (self));

  if (self->active == active)
    return;
  self->active = active;
  gtk_widget_set_visible (GTK_WIDGET (self->gutter), self->active);
  if (self->active)
    mark_cursor (self, TRUE);
  else
    {
      unmark_cursor (self);
      fh_editor_cells_forget (self);
    }
}

static void
fh_editor_cells_class_init (FhEditorCellsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_editor_cells_dispose;
  run_next_signal = fh_signal_new ("run-next", G_TYPE_FROM_CLASS (klass), 0);
}

static void
fh_editor_cells_init (FhEditorCells *self)
{
  self->first_number = 1;
}

FhEditorCells *
fh_editor_cells_new (GtkSourceView *view)
{
  FhEditorCells *self;
  GtkEventController *keys;
  AdwStyleManager *style = adw_style_manager_get_default ();

  g_return_val_if_fail (GTK_SOURCE_IS_VIEW (view), NULL);

  self = g_object_new (FH_TYPE_EDITOR_CELLS, NULL);
  g_set_weak_pointer (&self->view, view);
  self->buffer = g_object_ref (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)));
  self->tag = g_object_ref (gtk_text_buffer_create_tag (self->buffer, NULL, NULL));
  gtk_text_tag_set_priority (self->tag, 0);
  self->gutter = g_object_ref_sink (g_object_new (FH_TYPE_CELL_GUTTER, NULL));
  gtk_widget_set_visible (GTK_WIDGET (self->gutter), FALSE);
  gtk_source_gutter_insert (gtk_source_view_get_gutter (view, GTK_TEXT_WINDOW_LEFT),
                            self->gutter,
                            0);
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  fh_connect (keys, "key-pressed", key_pressed_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
  fh_connect (self->buffer, "delete-range", delete_range_cb, self);
  fh_connect (self->buffer, "changed", changed_cb, self);
  fh_connect (self->buffer, "notify::cursor-position", cursor_cb, self);
  fh_connect (style, "notify::dark", dark_cb, self);
  dark_cb (self, NULL, style);
  return self;
}

FhCellCode *
fh_editor_cells_dup_current (FhEditorCells *self)
{
  const char *text;
  GArray *cells;
  const FhCellPlace *place;
  GtkTextIter start, end;

  g_return_val_if_fail (FH_IS_EDITOR_CELLS (self), NULL);

  if (gtk_text_buffer_get_selection_bounds (self->buffer, &start, &end))
    return new_code (gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE),
                     (guint) gtk_text_iter_get_line (&start));
  cells = fh_document_get_cells (FH_DOCUMENT (self->buffer));
  place = &g_array_index (cells, FhCellPlace, fh_cell_splitter_find (cells, cursor_line (self)));
  text = fh_document_get_text (FH_DOCUMENT (self->buffer));
  if (fh_cell_splitter_is_blank (text, place))
    return NULL;
  return new_code (g_strndup (text + place->start, place->end - place->start), place->first_line);
}

GPtrArray *
fh_editor_cells_dup_all (FhEditorCells *self)
{
  GPtrArray *codes = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_cell_code_free);
  const char *text;
  GArray *cells;

  g_return_val_if_fail (FH_IS_EDITOR_CELLS (self), codes);

  text = fh_document_get_text (FH_DOCUMENT (self->buffer));
  cells = fh_document_get_cells (FH_DOCUMENT (self->buffer));
  for (guint i = 0; i < cells->len; i++)
    {
      const FhCellPlace *place = &g_array_index (cells, FhCellPlace, i);

      if (!fh_cell_splitter_is_blank (text, place))
        g_ptr_array_add (codes,
                         new_code (g_strndup (text + place->start, place->end - place->start),
                                   place->first_line));
    }
  return codes;
}

static void
add_cell (FhEditorCells *self)
{
  GtkTextIter end;
  gboolean is_open;

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  is_open = !gtk_text_iter_starts_line (&end);
  gtk_text_buffer_begin_user_action (self->buffer);
  gtk_text_buffer_insert (self->buffer, &end, is_open ? "\n\n# %%\n" : "\n# %%\n", -1);
  gtk_text_buffer_end_user_action (self->buffer);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_place_cursor (self->buffer, &end);
}

void
fh_editor_cells_go_next (FhEditorCells *self)
{
  GArray *cells;
  guint next;

  g_return_if_fail (FH_IS_EDITOR_CELLS (self));

  cells = fh_document_get_cells (FH_DOCUMENT (self->buffer));
  next = fh_cell_splitter_find (cells, cursor_line (self)) + 1;
  if (next < cells->len)
    {
      GtkTextIter iter;

      gtk_text_buffer_get_iter_at_line (self->buffer,
                                        &iter,
                                        (int) g_array_index (cells, FhCellPlace, next).first_line);
      if (!gtk_text_iter_is_end (&iter))
        gtk_text_iter_forward_line (&iter);
      gtk_text_buffer_place_cursor (self->buffer, &iter);
    }
  else
    {
      add_cell (self);
    }
  if (self->view != NULL)
    gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self->view),
                                        gtk_text_buffer_get_insert (self->buffer));
}

static void
forget (FhEditorCells *self, guint number)
{
  GtkTextMark *mark = get_mark (self, number);

  if (mark != NULL)
    gtk_text_buffer_delete_mark (self->buffer, mark);
}

static void
add_mark (FhEditorCells *self, guint number, const GtkTextIter *place, FhCellMark mark)
{
  g_autofree char *name = g_strdup_printf (FH_CELL_GUTTER_NAME "%u", number);

  gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (self->buffer),
                                        name,
                                        categories[mark],
                                        place);
  gtk_widget_queue_draw (GTK_WIDGET (self->gutter));
}

void
fh_editor_cells_mark (FhEditorCells *self, guint number, guint line)
{
  GtkTextIter place;

  g_return_if_fail (FH_IS_EDITOR_CELLS (self));

  forget (self, number);
  gtk_text_buffer_get_iter_at_line (self->buffer, &place, (int) line);
  add_mark (self, number, &place, FH_CELL_MARK_RUNS);
  self->last_number = MAX (self->last_number, number);
  for (; self->last_number - self->first_number >= MAX_MARKS; self->first_number++)
    forget (self, self->first_number);
}

void
fh_editor_cells_set_mark (FhEditorCells *self, guint number, FhCellMark mark)
{
  GtkTextMark *old;
  GtkTextIter place;

  g_return_if_fail (FH_IS_EDITOR_CELLS (self));

  old = get_mark (self, number);
  if (old == NULL)
    return;
  gtk_text_buffer_get_iter_at_mark (self->buffer, &place, old);
  gtk_text_buffer_delete_mark (self->buffer, old);
  add_mark (self, number, &place, mark);
}

gboolean
fh_editor_cells_find (FhEditorCells *self, guint number, guint *line)
{
  GtkTextMark *mark;
  GtkTextIter place;

  g_return_val_if_fail (FH_IS_EDITOR_CELLS (self) && line != NULL, FALSE);

  mark = get_mark (self, number);
  if (mark == NULL)
    return FALSE;
  gtk_text_buffer_get_iter_at_mark (self->buffer, &place, mark);
  *line = (guint) gtk_text_iter_get_line (&place);
  return TRUE;
}

void
fh_editor_cells_forget (FhEditorCells *self)
{
  g_return_if_fail (FH_IS_EDITOR_CELLS (self));

  for (; self->first_number <= self->last_number; self->first_number++)
    forget (self, self->first_number);
  self->first_number = self->last_number + 1;
}
