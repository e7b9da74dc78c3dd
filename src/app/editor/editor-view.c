/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/editor-view.h"

#include <adwaita.h>
#include <string.h>

#include "answer-reading.h"
#include "answer.h"
#include "data-folder.h"
#include "editor/editor-search.h"
#include "editor/look-gutter.h"
#include "parts/calls.h"
#include "parts/program-text.h"

/* How long the target line is highlighted. */
#define HIGHLIGHT_MS 1200

/* How often, and how many times, it is checked that the cursor is visible. */
#define SHOW_INTERVAL_MS 50
#define SHOW_TRIES       100

struct _FhEditorView
{
  GtkWidget parent_instance;

  char *language;
  char *pasted; /* nullable: the whole text of which only code was kept; until the next change */
  gboolean markdown; /* it is highlighted instead */
  guint highlight_source;
  guint show_source;
  guint show_tries;
  GtkTextTag *highlight;
  GCancellable *cancellable;

  FhEditorCells *cells;
  FhEditorBlocks *blocks;
  FhLookGutter *look; /* of the view */
  GtkWidget *box;     /* is taken off with the template */
  GtkSourceView *view;
  FhDocument *document;
  FhEditorSearch *search;
};

enum
{
  PROP_LANGUAGE = 1,
  PROP_MARKDOWN,
  PROP_CURSOR_LINE,
  PROP_CURSOR_COLUMN,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FhEditorView, fh_editor_view, GTK_TYPE_WIDGET)

static void
get_cursor_iter (FhEditorView *self, GtkTextIter *iter)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);

  gtk_text_buffer_get_iter_at_mark (buffer, iter, gtk_text_buffer_get_insert (buffer));
}

static void
clear_highlight (FhEditorView *self)
{
  GtkTextIter start;
  GtkTextIter end;

  g_clear_handle_id (&self->highlight_source, g_source_remove);
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->document), &start, &end);
  gtk_text_buffer_remove_tag (GTK_TEXT_BUFFER (self->document), self->highlight, &start, &end);
}

static gboolean
highlight_over_cb (gpointer user_data)
{
  FhEditorView *self = FH_EDITOR_VIEW (user_data);

  self->highlight_source = 0;
  clear_highlight (self);
  return G_SOURCE_REMOVE;
}

/* The whole line, so that it works for an empty one, too. */
static void
highlight_line (FhEditorView *self, const GtkTextIter *at)
{
  GtkSourceStyleScheme *scheme =
      gtk_source_buffer_get_style_scheme (GTK_SOURCE_BUFFER (self->document));
  GtkSourceStyle *style =
      scheme != NULL ? gtk_source_style_scheme_get_style (scheme, "search-match") : NULL;
  g_autofree char *background = NULL;
  GtkTextIter start = *at;
  GtkTextIter end = *at;

  clear_highlight (self);
  if (style != NULL)
    g_object_get (style, "background", &background, NULL);
  g_object_set (self->highlight, "paragraph-background", background, NULL);
  gtk_text_iter_set_line_offset (&start, 0);
  gtk_text_iter_forward_line (&end);
  gtk_text_buffer_apply_tag (GTK_TEXT_BUFFER (self->document), self->highlight, &start, &end);
  self->highlight_source = g_timeout_add (HIGHLIGHT_MS, highlight_over_cb, self);
}

static gboolean
cursor_is_shown (FhEditorView *self)
{
  GtkTextIter cursor;
  GdkRectangle place;
  GdkRectangle visible;

  get_cursor_iter (self, &cursor);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self->view), &cursor, &place);
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (self->view), &visible);
  return visible.height > 0 && place.y >= visible.y &&
         place.y + place.height <= visible.y + visible.height;
}

static void
scroll_to_cursor (FhEditorView *self)
{
  /* Scrolling is wrong in a view without a size. */
  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    return;
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view),
                                gtk_text_buffer_get_insert (GTK_TEXT_BUFFER (self->document)),
                                0.1,
                                TRUE,
                                0.0,
                                0.4);
}

static gboolean
show_cursor_cb (gpointer user_data)
{
  FhEditorView *self = FH_EDITOR_VIEW (user_data);

  if (self->show_tries-- > 0 && !cursor_is_shown (self))
    {
      scroll_to_cursor (self);
      return G_SOURCE_CONTINUE;
    }
  self->show_source = 0;
  return G_SOURCE_REMOVE;
}

/* A view that is still measuring new text scrolls only as far as it has measured, so this is
 * repeated until the cursor is visible. */
static void
show_cursor (FhEditorView *self)
{
  if (!cursor_is_shown (self))
    scroll_to_cursor (self);
  self->show_tries = SHOW_TRIES;
  if (self->show_source == 0)
    self->show_source = g_timeout_add (SHOW_INTERVAL_MS, show_cursor_cb, self);
}

guint
fh_editor_view_get_cursor (FhEditorView *self)
{
  GtkTextIter cursor;

  g_return_val_if_fail (FH_IS_EDITOR_VIEW (self), 0);

  get_cursor_iter (self, &cursor);
  return (guint) gtk_text_iter_get_offset (&cursor);
}

void
fh_editor_view_set_cursor (FhEditorView *self, guint offset)
{
  GtkTextIter cursor;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  gtk_text_buffer_get_iter_at_offset (GTK_TEXT_BUFFER (self->document),
                                      &cursor,
                                      (int) MIN (offset, (guint) G_MAXINT));
  gtk_text_buffer_place_cursor (GTK_TEXT_BUFFER (self->document), &cursor);
  show_cursor (self);
}

void
fh_editor_view_go_to_line (FhEditorView *self, guint line, guint column)
{
  GtkTextBuffer *buffer;
  GtkTextIter at;
  int row;
  int offset;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  buffer = GTK_TEXT_BUFFER (self->document);
  row = (int) CLAMP (line, 1, (guint) gtk_text_buffer_get_line_count (buffer)) - 1;
  gtk_text_buffer_get_iter_at_line (buffer, &at, row);
  offset = gtk_text_iter_get_chars_in_line (&at);
  if (row < gtk_text_buffer_get_line_count (buffer) - 1)
    offset = MAX (offset - 1, 0);
  if (column > 0)
    gtk_text_iter_set_line_offset (&at, (int) MIN (column - 1, (guint) offset));

  gtk_text_buffer_place_cursor (buffer, &at);
  show_cursor (self);
  highlight_line (self, &at);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* Text that comes from elsewhere: by the clipboard, or dragged. */

/* Whether the whole text gives way to what is pasted: there is none, it is an example that was not
 * touched, or all of it is selected. */
static gboolean
is_replaced (FhEditorView *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);
  GtkTextIter start;
  GtkTextIter end;

  if (!gtk_text_buffer_get_selection_bounds (buffer, &start, &end))
    return fh_document_is_example (self->document) || fh_document_is_empty (self->document);
  return gtk_text_iter_is_start (&start) && gtk_text_iter_is_end (&end);
}

/* The language of a block that can run; NULL for another one. */
static const FhLanguage *
get_language (const FhAnswerBlock *block)
{
  g_autofree char *problem = fh_answer_block_dup_problem (block);

  return problem == NULL ? block->language : NULL;
}

/* TRUE if the block is not run as it stands behind its fence. The text has to stay an answer then,
 * which tells what was done and can be read as written. */
static gboolean
is_repaired (const FhAnswerBlock *block)
{
  return block->mended != NULL || block->is_shifted || block->end_token != NULL;
}

/* A block that was typed at Python's prompt prints its values, which its code alone does not. */
static gboolean
prints_values (const FhAnswerBlock *block)
{
  return block->is_typed && block->language == fh_language_lookup ("python");
}

/* NULL if all of it may be code, for what cannot run: its fence says what it is, and for a block
 * that is not read as it is written or prints values. `language` is the code's, or that of the
 * text; NULL if unknown. */
static char *
dup_only_code (const char *text, const FhLanguage **language)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  g_autoptr (GPtrArray) fences = fh_answer_reading_find (text);
  const FhAnswerBlock *fence = blocks->len == 1 ? fences->pdata[0] : NULL;
  char *typed;

  if (fence == NULL)
    *language = fh_language_guess (NULL, text);
  else
    *language = is_repaired (blocks->pdata[0]) || prints_values (blocks->pdata[0])
                    ? NULL
                    : get_language (blocks->pdata[0]);
  if (blocks->len > 1 || (fence != NULL && *language == NULL))
    return NULL;
  typed = fh_language_strip_prompts (fence != NULL ? fence->code : text, FALSE, language);
  return typed != NULL || fence == NULL ? typed : g_strdup (fence->code);
}

/* Replaces the text in one step that can be undone. The cursor goes to the first line, where people
 * begin to read. */
static void
replace_text (FhEditorView *self, const char *text)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);
  GtkTextIter start;
  GtkTextIter end;

  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  gtk_text_buffer_end_user_action (buffer);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
}

static void
insert_text (FhEditorView *self, const char *text)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);

  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete_selection (buffer, TRUE, TRUE);
  gtk_text_buffer_insert_at_cursor (buffer, text, -1);
  gtk_text_buffer_end_user_action (buffer);
}

/* A piece of the example itself, which is copied within it, is inserted. */
static gboolean
is_replaced_by (FhEditorView *self, const char *text)
{
  return is_replaced (self) && (!fh_document_is_example (self->document) ||
                                strstr (fh_document_get_text (self->document), text) == NULL);
}

void
fh_editor_view_insert_foreign (FhEditorView *self, const char *text)
{
  const FhLanguage *language = NULL;
  g_autofree char *code = NULL;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));
  g_return_if_fail (text != NULL);

  if (is_replaced_by (self, text))
    {
      code = dup_only_code (text, &language);
      replace_text (self, text);
      if (code != NULL)
        replace_text (self, code);
    }
  else
    {
      insert_text (self, text);
    }
  gtk_text_view_scroll_mark_onscreen (
      GTK_TEXT_VIEW (self->view),
      gtk_text_buffer_get_insert (GTK_TEXT_BUFFER (self->document)));

  if (language != NULL)
    g_signal_emit_by_name (self, "language-found", language->id);
  if (code == NULL)
    return;
  self->pasted = g_strdup (text);
  g_signal_emit_by_name (self, "unwrapped");
}

gboolean
fh_editor_view_paste_all (FhEditorView *self)
{
  g_autofree char *pasted = NULL;

  g_return_val_if_fail (FH_IS_EDITOR_VIEW (self), FALSE);

  pasted = g_steal_pointer (&self->pasted);
  if (pasted != NULL)
    replace_text (self, pasted);
  return pasted != NULL;
}

static void
paste_text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhEditorView) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  if (text != NULL && !g_cancellable_is_cancelled (self->cancellable))
    fh_editor_view_insert_foreign (self, text);
}

void
fh_editor_view_paste (FhEditorView *self)
{
  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  g_signal_emit_by_name (self->view, "paste-clipboard");
}

/* Elsewhere the text view pastes. */
static void
paste_cb (GtkTextView *view, FhEditorView *self)
{
  if (!is_replaced (self))
    return;

  g_signal_stop_emission_by_name (view, "paste-clipboard");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)),
                                 self->cancellable,
                                 paste_text_cb,
                                 g_object_ref (self));
}

static gboolean
accept_cb (FhEditorView *self, GdkDrop *drop)
{
  /* The text view moves what is dragged from here. */
  return gdk_drop_get_drag (drop) == NULL && is_replaced (self) &&
         gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), G_TYPE_STRING);
}

static gboolean
drop_cb (FhEditorView *self, const GValue *value)
{
  fh_editor_view_insert_foreign (self, g_value_get_string (value));
  return TRUE;
}

static void
accept_drops (FhEditorView *self)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY);

  /* The target sees a drop before the text view, which would insert it. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  fh_connect (target, "accept", accept_cb, self);
  fh_connect (target, "drop", drop_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static void
changed_cb (FhEditorView *self)
{
  /* Pasting all would replace what was written since. */
  g_clear_pointer (&self->pasted, g_free);
}

static void
cursor_cb (FhEditorView *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CURSOR_LINE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CURSOR_COLUMN]);
}

static void
dark_cb (GtkSourceBuffer *buffer, GParamSpec *pspec, AdwStyleManager *style)
{
  static const char *const ids[2][2] = { { "Adwaita", "fumehood-contrast-light" },
                                         { "Adwaita-dark", "fumehood-contrast-dark" } };
  const char *id =
      ids[adw_style_manager_get_dark (style)][adw_style_manager_get_high_contrast (style)];
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  gtk_source_buffer_set_style_scheme (buffer,
                                      gtk_source_style_scheme_manager_get_scheme (schemes, id));
}

static gboolean
fh_editor_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FH_EDITOR_VIEW (widget)->view));
}

static void
fh_editor_view_dispose (GObject *object)
{
  FhEditorView *self = FH_EDITOR_VIEW (object);

  g_clear_handle_id (&self->highlight_source, g_source_remove);
  g_clear_handle_id (&self->show_source, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cells);
  g_clear_object (&self->blocks);
  g_clear_object (&self->highlight);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_EDITOR_VIEW);

  G_OBJECT_CLASS (fh_editor_view_parent_class)->dispose (object);
}

static void
fh_editor_view_finalize (GObject *object)
{
  FhEditorView *self = FH_EDITOR_VIEW (object);

  g_free (self->language);
  g_free (self->pasted);
  g_object_unref (self->cancellable);

  G_OBJECT_CLASS (fh_editor_view_parent_class)->finalize (object);
}

static void
fh_editor_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhEditorView *self = FH_EDITOR_VIEW (object);
  GtkTextIter cursor;

  /* Bindings may read properties during dispose. */
  if (self->document == NULL)
    {
      g_param_value_set_default (pspec, value);
      return;
    }
  get_cursor_iter (self, &cursor);
  if (id == PROP_CURSOR_LINE)
    g_value_set_uint (value, (guint) gtk_text_iter_get_line (&cursor) + 1);
  else
    g_value_set_uint (value, gtk_source_view_get_visual_column (self->view, &cursor) + 1);
}

static void
highlight_language (FhEditorView *self)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();
  const FhLanguage *language = *self->language != '\0' ? fh_language_lookup (self->language) : NULL;
  const char *id = language != NULL ? language->source_view_id : NULL;

  if (self->markdown)
    id = "markdown";
  gtk_source_buffer_set_language (
      GTK_SOURCE_BUFFER (self->document),
      id != NULL ? gtk_source_language_manager_get_language (manager, id) : NULL);
}

static void
set_language (FhEditorView *self, const char *id)
{
  if (fh_set_str (&self->language, id != NULL ? id : ""))
    highlight_language (self);
}

static void
set_markdown (FhEditorView *self, gboolean markdown)
{
  if (self->markdown == markdown)
    return;
  self->markdown = markdown;
  highlight_language (self);
}

static void
fh_editor_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_LANGUAGE)
    set_language (FH_EDITOR_VIEW (object), g_value_get_string (value));
  else
    set_markdown (FH_EDITOR_VIEW (object), g_value_get_boolean (value));
}

/* GtkSourceView 5.6 reads no schemes out of resources. */
static void
add_styles (void)
{
  g_autofree char *folder = fh_data_folder_locate ("styles");

  gtk_source_style_scheme_manager_append_search_path (
      gtk_source_style_scheme_manager_get_default (),
      folder);
}

static void
fh_editor_view_class_init (FhEditorViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_editor_view_dispose;
  object_class->finalize = fh_editor_view_finalize;
  object_class->get_property = fh_editor_view_get_property;
  object_class->set_property = fh_editor_view_set_property;
  widget_class->grab_focus = fh_editor_view_grab_focus;

  properties[PROP_LANGUAGE] = g_param_spec_string ("language", NULL, NULL, NULL, FH_PARAM_SET);
  properties[PROP_MARKDOWN] = g_param_spec_boolean ("markdown", NULL, NULL, FALSE, FH_PARAM_SET);
  properties[PROP_CURSOR_LINE] =
      g_param_spec_uint ("cursor-line", NULL, NULL, 1, G_MAXUINT, 1, FH_PARAM_READ);
  properties[PROP_CURSOR_COLUMN] =
      g_param_spec_uint ("cursor-column", NULL, NULL, 1, G_MAXUINT, 1, FH_PARAM_READ);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  fh_signal_new ("language-found", FH_TYPE_EDITOR_VIEW, 1, G_TYPE_STRING);
  fh_signal_new ("unwrapped", FH_TYPE_EDITOR_VIEW, 0);

  g_type_ensure (FH_TYPE_DOCUMENT);
  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  g_type_ensure (FH_TYPE_EDITOR_SEARCH);
  add_styles ();
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  fh_set_template (widget_class, "editor/editor-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, box);
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, view);
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, document);
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, search);
  gtk_widget_class_bind_template_callback (widget_class, paste_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, cursor_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_cursor);
}

static void
fh_editor_view_init (FhEditorView *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  self->language = g_strdup ("");
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_show_program_text (GTK_TEXT_VIEW (self->view));
  self->highlight =
      g_object_ref (gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (self->document), "gone-to", NULL));
  fh_look_gutter_follow_marks (GTK_SOURCE_BUFFER (self->document));
  self->cells = fh_editor_cells_new (self->view);
  self->blocks = fh_editor_blocks_new (self->view);
  self->look = g_object_new (FH_TYPE_LOOK_GUTTER, NULL);
  gtk_source_gutter_insert (gtk_source_view_get_gutter (self->view, GTK_TEXT_WINDOW_LEFT),
                            GTK_SOURCE_GUTTER_RENDERER (self->look),
                            0);
  fh_editor_search_set_view (self->search, self->view);
  accept_drops (self);
  fh_connect (style, "notify::dark", dark_cb, self->document);
  fh_connect (style, "notify::high-contrast", dark_cb, self->document);
  dark_cb (GTK_SOURCE_BUFFER (self->document), NULL, style);
}

static gboolean
wrap_to_mode (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_enum (to, g_value_get_boolean (from) ? GTK_WRAP_WORD_CHAR : GTK_WRAP_NONE);
  return TRUE;
}

void
fh_editor_view_follow (FhEditorView *self, FhSettings *settings)
{
  g_return_if_fail (FH_IS_EDITOR_VIEW (self));
  g_return_if_fail (FH_IS_SETTINGS (settings));

  fh_bind (settings, "line-numbers", self->view, "show-line-numbers");
  fh_bind_mapped (settings, "wrap-lines", self->view, "wrap-mode", wrap_to_mode);
}

FhDocument *
fh_editor_view_get_document (FhEditorView *self)
{
  g_return_val_if_fail (FH_IS_EDITOR_VIEW (self), NULL);

  return self->document;
}

FhEditorCells *
fh_editor_view_get_cells (FhEditorView *self)
{
  g_return_val_if_fail (FH_IS_EDITOR_VIEW (self), NULL);

  return self->cells;
}

FhEditorBlocks *
fh_editor_view_get_blocks (FhEditorView *self)
{
  g_return_val_if_fail (FH_IS_EDITOR_VIEW (self), NULL);

  return self->blocks;
}

void
fh_editor_view_show_look (FhEditorView *self, GPtrArray *looks)
{
  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  fh_look_gutter_show (self->look, looks);
}

void
fh_editor_view_show_run (FhEditorView *self, FhRunRequest *request, FhRunResult *result)
{
  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  fh_look_gutter_show_run (self->look, request, result);
}

void
fh_editor_view_begin_search (FhEditorView *self, gboolean replace)
{
  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  fh_editor_search_begin (self->search, replace);
}

void
fh_editor_view_move_search (FhEditorView *self, gboolean forward)
{
  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  fh_editor_search_move (self->search, forward);
}
