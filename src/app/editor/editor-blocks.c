/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/editor-blocks.h"

#include "editor/block-prose.h"
#include "editor/cell-gutter.h"
#include "editor/look-gutter.h"
#include "parts/calls.h"

/* Further blocks are not shown. */
#define MAX_BLOCKS 200

#define MARK_NAME   "fh-block-%u"
#define FAILED_NAME "fh-block-failed-%u"

typedef struct
{
  GtkTextMark *mark; /* at the fence; owned by the buffer */
  GtkWidget *chip;   /* nullable */
  char *code;
  FhBlockState state;
  guint ran_as; /* its number when it ran; 0: it has not */
} Entry;

struct _FhEditorBlocks
{
  GObject parent_instance;

  GtkSourceView *view; /* weak */
  GtkTextBuffer *buffer;
  GtkSourceGutterRenderer *gutter;
  FhBlockProse *prose;
  GPtrArray *blocks;  /* nullable */
  GPtrArray *missing; /* nullable */
  GPtrArray *entries; /* one for each block */
  GPtrArray *spares;  /* (element-type GtkWidget) hidden chips: GTK 4.8 cannot remove them */
  guint first;        /* of the blocks that were run last */
  guint n_blocks;     /* likewise: how many */
  guint place_source;
  guint scroll_source;
  gboolean numbers; /* of lines are those of the gutter, while prose is folded */
};

G_DEFINE_FINAL_TYPE (FhEditorBlocks, fh_editor_blocks, G_TYPE_OBJECT)

static GParamSpec *folded_property;
static guint command_signal;

static const char *const categories[] = {
  [FH_BLOCK_STATE_PAST] = FH_CELL_GUTTER_IDLE,
  [FH_BLOCK_STATE_IDLE] = FH_CELL_GUTTER_IDLE,
  [FH_BLOCK_STATE_ASKING] = FH_CELL_GUTTER_RUNS,
  [FH_BLOCK_STATE_RUNNING] = FH_CELL_GUTTER_RUNS,
  [FH_BLOCK_STATE_DONE] = FH_CELL_GUTTER_DONE,
  [FH_BLOCK_STATE_FAILED] = FH_CELL_GUTTER_FAILED,
  [FH_BLOCK_STATE_STOPPED] = FH_CELL_GUTTER_FAILED,
  [FH_BLOCK_STATE_SAVED] = FH_CELL_GUTTER_SAVED,
  [FH_BLOCK_STATE_REFUSED] = FH_CELL_GUTTER_REFUSED,
  [FH_BLOCK_STATE_NOT_RUN] = FH_CELL_GUTTER_REFUSED,
};

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  g_free (entry->code);
  g_free (entry);
}

static guint
line_of (FhEditorBlocks *self, const Entry *entry)
{
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &at, entry->mark);
  return (guint) gtk_text_iter_get_line (&at);
}

static void
place_all (FhEditorBlocks *self)
{
  GtkTextIter at;

  for (guint i = 0; self->view != NULL && i < self->entries->len; i++)
    {
      const Entry *entry = self->entries->pdata[i];

      if (entry->chip != NULL)
        {
          gtk_text_buffer_get_iter_at_mark (self->buffer, &at, entry->mark);
          fh_block_chip_place (FH_BLOCK_CHIP (entry->chip), GTK_TEXT_VIEW (self->view), &at);
        }
    }
}

static gboolean
place_cb (gpointer user_data)
{
  FhEditorBlocks *self = FH_EDITOR_BLOCKS (user_data);

  self->place_source = 0;
  place_all (self);
  return G_SOURCE_REMOVE;
}

/* Places the chips after the text has been laid out. */
static void
place_later (FhEditorBlocks *self)
{
  if (self->place_source == 0 && self->entries->len > 0)
    self->place_source = g_idle_add_full (GDK_PRIORITY_REDRAW + 10, place_cb, self, NULL);
}

static gboolean
scroll_cb (gpointer user_data)
{
  FhEditorBlocks *self = FH_EDITOR_BLOCKS (user_data);

  self->scroll_source = 0;
  if (self->view == NULL)
    return G_SOURCE_REMOVE;
  place_all (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self->view));
  return G_SOURCE_REMOVE;
}

/* Makes the chips scroll with the text: GTK 4.8 moves the widgets over a text view only when it
 * allocates the view, and only those that it is told to move. The view also scrolls while it is
 * allocated, when nothing may be queued. */
static void
scroll_soon (FhEditorBlocks *self)
{
  if (self->scroll_source == 0 && self->entries->len > 0)
    self->scroll_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, scroll_cb, self, NULL);
}

static void
follow_adjustment (FhEditorBlocks *self, GParamSpec *pspec, GtkScrollable *view)
{
  GtkAdjustment *adjustments[] = { gtk_scrollable_get_hadjustment (view),
                                   gtk_scrollable_get_vadjustment (view) };

  for (guint i = 0; i < G_N_ELEMENTS (adjustments); i++)
    {
      if (adjustments[i] == NULL)
        continue;
      g_signal_handlers_disconnect_by_func (adjustments[i], place_later, self);
      g_signal_handlers_disconnect_by_func (adjustments[i], scroll_soon, self);
      fh_connect (adjustments[i], "changed", place_later, self);
      fh_connect (adjustments[i], "value-changed", scroll_soon, self);
    }
}

static gboolean
is_missing (FhEditorBlocks *self, const FhAnswerBlock *block)
{
  return self->missing != NULL && block->language != NULL &&
         g_ptr_array_find (self->missing, block->language, NULL);
}

/* Its mark gets the category that says how it is. */
static void
show_entry (FhEditorBlocks *self, guint index)
{
  Entry *entry = self->entries->pdata[index];
  g_autofree char *name = g_strdup_printf (MARK_NAME, index + 1);
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &at, entry->mark);
  gtk_text_buffer_delete_mark (self->buffer, entry->mark);
  entry->mark =
      GTK_TEXT_MARK (gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (self->buffer),
                                                           name,
                                                           categories[entry->state],
                                                           &at));
  gtk_widget_queue_draw (GTK_WIDGET (self->gutter));
  if (entry->chip == NULL)
    return;
  fh_block_chip_show (FH_BLOCK_CHIP (entry->chip),
                      self->blocks->pdata[index],
                      index + 1,
                      entry->state,
                      is_missing (self, self->blocks->pdata[index]));
  place_later (self);
}

static void
unmark_line (FhEditorBlocks *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (GTK_SOURCE_BUFFER (self->buffer),
                                         &start,
                                         &end,
                                         FH_LINE_MARK_BLOCK);
}

static void
command_cb (FhEditorBlocks *self, const char *name, const char *value, GtkWidget *chip)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      if (((Entry *) self->entries->pdata[i])->chip != chip)
        continue;
      g_signal_emit (self, command_signal, 0, i + 1, name, value);
      return;
    }
}

static void
remove_entry (FhEditorBlocks *self, Entry *entry)
{
  gtk_text_buffer_delete_mark (self->buffer, entry->mark);
  if (entry->chip != NULL)
    {
      gtk_widget_set_visible (entry->chip, FALSE);
      g_ptr_array_add (self->spares, entry->chip);
    }
  free_entry (entry);
}

/* Takes the one of the same block out of those that there were. */
static Entry *
take_entry (FhEditorBlocks *self, GPtrArray *old, guint line, const FhAnswerBlock *block)
{
  for (guint i = 0; i < old->len; i++)
    {
      Entry *entry = old->pdata[i];

      if (line_of (self, entry) == line && g_str_equal (entry->code, block->code))
        return g_ptr_array_steal_index (old, i);
    }
  return NULL;
}

static Entry *
new_entry (FhEditorBlocks *self, guint line, const FhAnswerBlock *block)
{
  Entry *entry = g_new0 (Entry, 1);
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (self->buffer, &at, (int) line);
  entry->mark = gtk_text_buffer_create_mark (self->buffer, NULL, &at, TRUE);
  entry->code = g_strdup (block->code);
  entry->state = FH_BLOCK_STATE_IDLE;
  if (self->view == NULL)
    return entry;
  if (self->spares->len > 0)
    {
      entry->chip = g_ptr_array_steal_index (self->spares, self->spares->len - 1);
      gtk_widget_set_visible (entry->chip, TRUE);
      return entry;
    }
  entry->chip = g_object_new (FH_TYPE_BLOCK_CHIP, NULL);
  fh_connect (entry->chip, "command", command_cb, self);
  gtk_text_view_add_overlay (GTK_TEXT_VIEW (self->view), entry->chip, 0, 0);
  return entry;
}

/* A name is taken as long as its mark is there. */
static void
unname (FhEditorBlocks *self, Entry *entry)
{
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &at, entry->mark);
  gtk_text_buffer_delete_mark (self->buffer, entry->mark);
  entry->mark = gtk_text_buffer_create_mark (self->buffer, NULL, &at, TRUE);
}

void
fh_editor_blocks_show (FhEditorBlocks *self, GPtrArray *blocks, GPtrArray *missing)
{
  g_autoptr (GPtrArray) old = NULL;
  g_autoptr (GArray) places = NULL;

  g_return_if_fail (FH_IS_EDITOR_BLOCKS (self));

  old = g_steal_pointer (&self->entries);
  self->entries = g_ptr_array_new ();
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_pointer (&self->missing, g_ptr_array_unref);
  self->blocks = blocks != NULL ? g_ptr_array_ref (blocks) : NULL;
  self->missing = missing != NULL ? g_ptr_array_ref (missing) : NULL;
  for (guint i = 0; i < old->len; i++)
    unname (self, old->pdata[i]);
  places = fh_block_prose_show (self->prose, blocks);
  for (guint i = 0; blocks != NULL && i < MIN (blocks->len, MAX_BLOCKS); i++)
    {
      const guint line = g_array_index (places, guint, i);
      Entry *entry = take_entry (self, old, line, blocks->pdata[i]);

      g_ptr_array_add (self->entries,
                       entry != NULL ? entry : new_entry (self, line, blocks->pdata[i]));
      show_entry (self, i);
    }
  for (guint i = 0; i < old->len; i++)
    remove_entry (self, old->pdata[i]);
  if (blocks == NULL)
    unmark_line (self);
  gtk_widget_set_visible (GTK_WIDGET (self->gutter), blocks != NULL);
}

void
fh_editor_blocks_set_past (FhEditorBlocks *self)
{
  g_return_if_fail (FH_IS_EDITOR_BLOCKS (self));

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      entry->ran_as = i + 1;
      entry->state = FH_BLOCK_STATE_PAST;
      show_entry (self, i);
    }
}

void
fh_editor_blocks_begin (FhEditorBlocks *self, guint first, guint n_blocks)
{
  g_return_if_fail (FH_IS_EDITOR_BLOCKS (self));

  unmark_line (self);
  self->first = first;
  self->n_blocks = n_blocks;
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      if (i + 1 >= first && i + 1 < first + n_blocks)
        {
          entry->ran_as = i + 1;
          entry->state = FH_BLOCK_STATE_IDLE;
          show_entry (self, i);
        }
      else if (entry->ran_as != i + 1)
        {
          entry->ran_as = 0;
        }
      if (entry->state == FH_BLOCK_STATE_PAST)
        {
          entry->state = FH_BLOCK_STATE_IDLE;
          show_entry (self, i);
        }
    }
}

static gboolean
find_entry (FhEditorBlocks *self, guint number, guint *index)
{
  for (*index = 0; *index < self->entries->len; (*index)++)
    {
      if (((Entry *) self->entries->pdata[*index])->ran_as == number)
        return TRUE;
    }
  return FALSE;
}

void
fh_editor_blocks_set_state (FhEditorBlocks *self, guint number, FhBlockState state)
{
  guint index;

  g_return_if_fail (FH_IS_EDITOR_BLOCKS (self));
  g_return_if_fail (number > 0 && state < G_N_ELEMENTS (categories));

  if (!find_entry (self, number, &index))
    return;
  ((Entry *) self->entries->pdata[index])->state = state;
  show_entry (self, index);
}

void
fh_editor_blocks_end (FhEditorBlocks *self)
{
  g_return_if_fail (FH_IS_EDITOR_BLOCKS (self));

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      if (entry->ran_as < self->first || entry->ran_as - self->first >= self->n_blocks ||
          entry->state > FH_BLOCK_STATE_RUNNING)
        continue;
      entry->state = FH_BLOCK_STATE_NOT_RUN;
      show_entry (self, i);
    }
}

gboolean
fh_editor_blocks_find (FhEditorBlocks *self, guint number, guint *line)
{
  guint index;

  g_return_val_if_fail (FH_IS_EDITOR_BLOCKS (self) && line != NULL, FALSE);

  if (number == 0 || !find_entry (self, number, &index))
    return FALSE;
  *line = line_of (self, self->entries->pdata[index]) + 1;
  return TRUE;
}

void
fh_editor_blocks_mark_line (FhEditorBlocks *self, guint number, guint line)
{
  g_autofree char *name = g_strdup_printf (FAILED_NAME, number);
  GtkTextIter at;
  guint first;

  g_return_if_fail (FH_IS_EDITOR_BLOCKS (self));

  unmark_line (self);
  if (line == 0 || !fh_editor_blocks_find (self, number, &first))
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &at, (int) (first + line - 1));
  gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (self->buffer),
                                        name,
                                        FH_LINE_MARK_BLOCK,
                                        &at);
  gtk_widget_queue_draw (GTK_WIDGET (self->gutter));
}

/* A menu is where its chip is, so the chip has to be in sight. */
static void
scroll_to (FhEditorBlocks *self, const Entry *entry)
{
  GtkTextView *view = GTK_TEXT_VIEW (self->view);
  GdkRectangle place, visible;
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &at, entry->mark);
  gtk_text_view_get_iter_location (view, &at, &place);
  gtk_text_view_get_visible_rect (view, &visible);
  if (place.y < visible.y || place.y + place.height > visible.y + visible.height)
    gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)),
                              place.y - visible.height / 3);
}

gboolean
fh_editor_blocks_open_menu (FhEditorBlocks *self)
{
  const Entry *found = NULL;
  GtkTextIter cursor;

  g_return_val_if_fail (FH_IS_EDITOR_BLOCKS (self), FALSE);

  gtk_text_buffer_get_iter_at_mark (self->buffer,
                                    &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = self->entries->pdata[i];

      if (found == NULL || line_of (self, entry) <= (guint) gtk_text_iter_get_line (&cursor))
        found = entry;
    }
  if (found == NULL || found->chip == NULL)
    return FALSE;
  scroll_to (self, found);
  fh_block_chip_open_menu (FH_BLOCK_CHIP (found->chip), GTK_TEXT_VIEW (self->view));
  return TRUE;
}

static void
folded_cb (FhEditorBlocks *self)
{
  const gboolean folded = fh_block_prose_get_folded (self->prose);

  if (self->view != NULL &&
      (folded ? gtk_source_view_get_show_line_numbers (self->view) : self->numbers))
    {
      self->numbers = folded;
      gtk_source_view_set_show_line_numbers (self->view, !folded);
      fh_cell_gutter_set_numbered (FH_CELL_GUTTER (self->gutter), folded);
    }
  g_object_notify_by_pspec (G_OBJECT (self), folded_property);
  place_later (self);
}

static void
fh_editor_blocks_dispose (GObject *object)
{
  FhEditorBlocks *self = FH_EDITOR_BLOCKS (object);

  g_clear_handle_id (&self->place_source, g_source_remove);
  g_clear_handle_id (&self->scroll_source, g_source_remove);
  g_clear_weak_pointer (&self->view);
  g_clear_object (&self->gutter);
  g_clear_object (&self->prose);
  g_clear_object (&self->buffer);
  G_OBJECT_CLASS (fh_editor_blocks_parent_class)->dispose (object);
}

static void
fh_editor_blocks_finalize (GObject *object)
{
  FhEditorBlocks *self = FH_EDITOR_BLOCKS (object);

  g_ptr_array_set_free_func (self->entries, free_entry);
  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->spares);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_pointer (&self->missing, g_ptr_array_unref);
  G_OBJECT_CLASS (fh_editor_blocks_parent_class)->finalize (object);
}

static void
fh_editor_blocks_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhEditorBlocks *self = FH_EDITOR_BLOCKS (object);

  g_value_set_boolean (value, self->prose != NULL && fh_block_prose_get_folded (self->prose));
}

static void
fh_editor_blocks_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  fh_block_prose_set_folded (FH_EDITOR_BLOCKS (object)->prose, g_value_get_boolean (value));
}

static void
fh_editor_blocks_class_init (FhEditorBlocksClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_editor_blocks_dispose;
  object_class->finalize = fh_editor_blocks_finalize;
  object_class->get_property = fh_editor_blocks_get_property;
  object_class->set_property = fh_editor_blocks_set_property;
  folded_property = g_param_spec_boolean ("folded", NULL, NULL, FALSE, FH_PARAM_WRITE);
  g_object_class_install_property (object_class, 1, folded_property);
  command_signal = fh_signal_new ("command",
                                  G_TYPE_FROM_CLASS (klass),
                                  3,
                                  G_TYPE_UINT,
                                  G_TYPE_STRING,
                                  G_TYPE_STRING);
}

static void
fh_editor_blocks_init (FhEditorBlocks *self)
{
  self->entries = g_ptr_array_new ();
  self->spares = g_ptr_array_new ();
}

FhEditorBlocks *
fh_editor_blocks_new (GtkSourceView *view)
{
  FhEditorBlocks *self;

  g_return_val_if_fail (GTK_SOURCE_IS_VIEW (view), NULL);

  self = g_object_new (FH_TYPE_EDITOR_BLOCKS, NULL);
  g_set_weak_pointer (&self->view, view);
  self->buffer = g_object_ref (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)));
  self->prose = fh_block_prose_new (self->buffer);
  self->gutter = g_object_ref_sink (g_object_new (FH_TYPE_CELL_GUTTER, NULL));
  gtk_widget_set_visible (GTK_WIDGET (self->gutter), FALSE);
  gtk_source_gutter_insert (gtk_source_view_get_gutter (view, GTK_TEXT_WINDOW_LEFT),
                            self->gutter,
                            1);
  fh_connect (self->prose, "folded", folded_cb, self);
  fh_connect (self->buffer, "changed", place_later, self);
  fh_connect (view, "notify::hadjustment", follow_adjustment, self);
  fh_connect (view, "notify::vadjustment", follow_adjustment, self);
  follow_adjustment (self, NULL, GTK_SCROLLABLE (view));
  return self;
}
