/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/block-prose.h"

#include <adwaita.h>

#include "answer.h"
#include "document/document.h"
#include "editor/block-colours.h"
#include "parts/calls.h"

struct _FhBlockProse
{
  GObject parent_instance;

  GtkTextBuffer *buffer;
  GtkTextTag *dim;
  GtkTextTag *code;
  GtkTextTag *fold;
  FhBlockColours *colours;
  gboolean has_blocks;
  gboolean folded;
};

G_DEFINE_FINAL_TYPE (FhBlockProse, fh_block_prose, G_TYPE_OBJECT)

static guint folded_signal;

/* The lines of the parser, which are not those of the buffer: that one begins a line behind U+2029,
 * too. (element-type int) Character offsets. */
static GArray *
find_lines (FhDocument *document)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (int));
  int offset = 0;

  g_array_append_val (lines, offset);
  for (const char *at = fh_document_get_text (document); *at != '\0'; at = g_utf8_next_char (at))
    {
      offset++;
      if (*at == '\n' || (*at == '\r' && at[1] != '\n'))
        g_array_append_val (lines, offset);
    }
  return lines;
}

/* `line`: from 0. */
static void
get_line (FhBlockProse *self, GArray *lines, guint line, GtkTextIter *at)
{
  if (line < lines->len)
    gtk_text_buffer_get_iter_at_offset (self->buffer, at, g_array_index (lines, int, line));
  else
    gtk_text_buffer_get_end_iter (self->buffer, at);
}

static void
tag_prose (FhBlockProse *self, const GtkTextIter *from, const GtkTextIter *to)
{
  if (gtk_text_iter_compare (from, to) >= 0)
    return;
  fh_block_colours_remove (self->colours, from, to);
  gtk_text_buffer_apply_tag (self->buffer, self->dim, from, to);
  if (self->folded)
    gtk_text_buffer_apply_tag (self->buffer, self->fold, from, to);
}

/* The tag is put before the colours of Markdown, whose tags are newer. */
static void
put_first (FhBlockProse *self, GtkTextTag *tag)
{
  gtk_text_tag_set_priority (
      tag,
      gtk_text_tag_table_get_size (gtk_text_buffer_get_tag_table (self->buffer)) - 1);
}

static guint
count_lines (const char *code)
{
  guint n = 0;

  for (; *code != '\0'; code++)
    n += *code == '\n';
  return n;
}

GArray *
fh_block_prose_show (FhBlockProse *self, GPtrArray *blocks)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) lines = NULL;
  GtkTextIter from, to;
  gboolean had_blocks;

  g_return_val_if_fail (FH_IS_BLOCK_PROSE (self), places);

  had_blocks = self->has_blocks;
  self->has_blocks = blocks != NULL && blocks->len > 0;
  /* Taking tags from a text makes the view measure all of it again. */
  if (!had_blocks && !self->has_blocks)
    return places;
  if (!self->has_blocks)
    fh_block_prose_set_folded (self, FALSE);
  put_first (self, self->dim);
  put_first (self, self->code);
  gtk_text_buffer_get_bounds (self->buffer, &from, &to);
  gtk_text_buffer_remove_tag (self->buffer, self->dim, &from, &to);
  gtk_text_buffer_remove_tag (self->buffer, self->code, &from, &to);
  gtk_text_buffer_remove_tag (self->buffer, self->fold, &from, &to);
  if (!self->has_blocks)
    {
      fh_block_colours_remove (self->colours, &from, &to);
      return places;
    }
  lines = find_lines (FH_DOCUMENT (self->buffer));
  fh_block_colours_begin (self->colours);
  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];
      const guint fence = MAX (block->line, 2) - 2;
      guint row;

      get_line (self, lines, fence, &to);
      tag_prose (self, &from, &to);
      row = (guint) gtk_text_iter_get_line (&to);
      g_array_append_val (places, row);
      get_line (self, lines, fence + 1, &from);
      get_line (self, lines, fence + 1 + count_lines (block->code), &to);
      gtk_text_buffer_apply_tag (self->buffer, self->code, &from, &to);
      fh_block_colours_show (self->colours, block, &from, &to);
      get_line (self, lines, fence + 2 + count_lines (block->code), &from);
    }
  gtk_text_buffer_get_end_iter (self->buffer, &to);
  tag_prose (self, &from, &to);
  fh_block_colours_raise (self->colours);
  return places;
}

gboolean
fh_block_prose_get_folded (FhBlockProse *self)
{
  g_return_val_if_fail (FH_IS_BLOCK_PROSE (self), FALSE);

  return self->folded;
}

/* The cursor must not be where nothing is to be seen. */
static void
move_cursor_out (FhBlockProse *self)
{
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (self->buffer,
                                    &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  if (!gtk_text_iter_has_tag (&cursor, self->dim))
    return;
  if (!gtk_text_iter_forward_to_tag_toggle (&cursor, self->dim) || gtk_text_iter_is_end (&cursor))
    {
      gtk_text_iter_backward_to_tag_toggle (&cursor, self->dim);
      gtk_text_iter_backward_char (&cursor);
    }
  gtk_text_buffer_place_cursor (self->buffer, &cursor);
}

void
fh_block_prose_set_folded (FhBlockProse *self, gboolean folded)
{
  GtkTextIter start, from, to;

  g_return_if_fail (FH_IS_BLOCK_PROSE (self));

  folded = folded && self->has_blocks;
  if (self->folded == folded)
    return;
  if (folded)
    move_cursor_out (self);
  self->folded = folded;
  gtk_text_buffer_get_bounds (self->buffer, &start, &to);
  gtk_text_buffer_remove_tag (self->buffer, self->fold, &start, &to);
  for (from = start; folded && !gtk_text_iter_is_end (&from); from = to)
    {
      const gboolean is_prose = gtk_text_iter_has_tag (&from, self->dim);

      to = from;
      gtk_text_iter_forward_to_tag_toggle (&to, self->dim);
      if (is_prose)
        gtk_text_buffer_apply_tag (self->buffer, self->fold, &from, &to);
    }
  g_signal_emit (self, folded_signal, 0);
}

static void
cursor_cb (FhBlockProse *self)
{
  GtkTextIter cursor;

  if (!self->folded)
    return;
  gtk_text_buffer_get_iter_at_mark (self->buffer,
                                    &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  if (gtk_text_iter_has_tag (&cursor, self->fold))
    fh_block_prose_set_folded (self, FALSE);
}

/* The prose still has a contrast of 4.5 to 1. The code is not Markdown, which would colour it. */
static void
dark_cb (FhBlockProse *self, GParamSpec *pspec, AdwStyleManager *style)
{
  const gboolean is_dark = adw_style_manager_get_dark (style);
  const GdkRGBA code =
      is_dark ? (GdkRGBA){ 0.93F, 0.93F, 0.93F, 1 } : (GdkRGBA){ 0.12F, 0.12F, 0.12F, 1 };
  const GdkRGBA color =
      is_dark ? (GdkRGBA){ 0.62F, 0.62F, 0.62F, 1 } : (GdkRGBA){ 0.44F, 0.44F, 0.44F, 1 };

  g_object_set (self->dim,
                "foreground-rgba",
                adw_style_manager_get_high_contrast (style) ? NULL : &color,
                NULL);
  g_object_set (self->code, "foreground-rgba", &code, NULL);
}

static void
fh_block_prose_dispose (GObject *object)
{
  FhBlockProse *self = FH_BLOCK_PROSE (object);

  g_clear_pointer (&self->colours, fh_block_colours_free);
  g_clear_object (&self->dim);
  g_clear_object (&self->code);
  g_clear_object (&self->fold);
  g_clear_object (&self->buffer);
  G_OBJECT_CLASS (fh_block_prose_parent_class)->dispose (object);
}

static void
fh_block_prose_class_init (FhBlockProseClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_block_prose_dispose;
  folded_signal = fh_signal_new ("folded", G_TYPE_FROM_CLASS (klass), 0);
}

static void
fh_block_prose_init (FhBlockProse *self)
{
}

FhBlockProse *
fh_block_prose_new (GtkTextBuffer *buffer)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  FhBlockProse *self;

  g_return_val_if_fail (GTK_IS_TEXT_BUFFER (buffer), NULL);

  self = g_object_new (FH_TYPE_BLOCK_PROSE, NULL);
  self->buffer = g_object_ref (buffer);
  self->dim = g_object_ref (gtk_text_buffer_create_tag (buffer, NULL, NULL));
  self->code = g_object_ref (gtk_text_buffer_create_tag (buffer,
                                                         NULL,
                                                         "weight",
                                                         PANGO_WEIGHT_NORMAL,
                                                         "style",
                                                         PANGO_STYLE_NORMAL,
                                                         "underline",
                                                         PANGO_UNDERLINE_NONE,
                                                         NULL));
  self->fold = g_object_ref (gtk_text_buffer_create_tag (buffer, NULL, "invisible", TRUE, NULL));
  self->colours = fh_block_colours_new (GTK_SOURCE_BUFFER (buffer));
  fh_connect (buffer, "notify::cursor-position", cursor_cb, self);
  fh_connect (style, "notify::dark", dark_cb, self);
  fh_connect (style, "notify::high-contrast", dark_cb, self);
  dark_cb (self, NULL, style);
  return self;
}
