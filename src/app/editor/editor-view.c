/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/editor-view-private.h"

#include <adwaita.h>

#include "parts/calls.h"
#include "parts/program-text.h"

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
  const char *id = adw_style_manager_get_dark (style) ? "Adwaita-dark" : "Adwaita";
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

  fh_editor_view_end_navigation (self);
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
  fh_editor_view_get_cursor_iter (self, &cursor);
  switch (id)
    {
    case PROP_MARKDOWN:
      g_value_set_boolean (value, self->markdown);
      break;
    case PROP_LANGUAGE:
      g_value_set_string (value, self->language);
      break;
    case PROP_CURSOR_LINE:
      g_value_set_uint (value, (guint) gtk_text_iter_get_line (&cursor) + 1);
      break;
    case PROP_CURSOR_COLUMN:
      g_value_set_uint (value, gtk_source_view_get_visual_column (self->view, &cursor) + 1);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
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
  if (id == NULL)
    id = "";
  if (g_strcmp0 (self->language, id) == 0)
    return;

  g_free (self->language);
  self->language = g_strdup (id);
  highlight_language (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LANGUAGE]);
}

static void
set_markdown (FhEditorView *self, gboolean markdown)
{
  if (self->markdown == markdown)
    return;
  self->markdown = markdown;
  highlight_language (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MARKDOWN]);
}

static void
fh_editor_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhEditorView *self = FH_EDITOR_VIEW (object);

  switch (id)
    {
    case PROP_LANGUAGE:
      set_language (self, g_value_get_string (value));
      break;
    case PROP_MARKDOWN:
      set_markdown (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
install_properties (GObjectClass *object_class)
{

  properties[PROP_LANGUAGE] = g_param_spec_string ("language", NULL, NULL, NULL, FH_PARAM_WRITE);
  properties[PROP_MARKDOWN] = g_param_spec_boolean ("markdown", NULL, NULL, FALSE, FH_PARAM_WRITE);
  properties[PROP_CURSOR_LINE] =
      g_param_spec_uint ("cursor-line", NULL, NULL, 1, G_MAXUINT, 1, FH_PARAM_READ);
  properties[PROP_CURSOR_COLUMN] =
      g_param_spec_uint ("cursor-column", NULL, NULL, 1, G_MAXUINT, 1, FH_PARAM_READ);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
install_signals (FhEditorViewClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  fh_signal_new ("language-found", type, 1, G_TYPE_STRING);
  fh_signal_new ("unwrapped", type, 0);
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

  install_properties (object_class);
  install_signals (klass);

  g_type_ensure (FH_TYPE_DOCUMENT);
  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  g_type_ensure (FH_TYPE_EDITOR_SEARCH);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  fh_set_template (widget_class, "editor/editor-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, box);
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, view);
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, document);
  gtk_widget_class_bind_template_child (widget_class, FhEditorView, search);
  gtk_widget_class_bind_template_callback_full (widget_class,
                                                "paste_cb",
                                                G_CALLBACK (fh_editor_view_paste_cb));
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, cursor_cb);
  gtk_widget_class_bind_template_callback_full (widget_class,
                                                "replaced_cb",
                                                G_CALLBACK (fh_editor_view_show_cursor));
  gtk_widget_class_install_action (widget_class,
                                   "editor.go-to-line",
                                   "(uu)",
                                   fh_editor_view_go_to_line_action);
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
  self->cells = fh_editor_cells_new (self->view);
  self->blocks = fh_editor_blocks_new (self->view);
  self->look = fh_look_gutter_new ();
  gtk_source_gutter_insert (gtk_source_view_get_gutter (self->view, GTK_TEXT_WINDOW_LEFT),
                            GTK_SOURCE_GUTTER_RENDERER (self->look),
                            0);
  fh_editor_search_set_view (self->search, self->view);
  fh_editor_view_accept_drops (self);
  fh_connect (style, "notify::dark", dark_cb, self->document);
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
