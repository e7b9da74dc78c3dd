/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/block-colours.h"

/* GtkSourceView colours 40 000 characters in about 70 ms, and the window waits for it. */
#define MAX_BLOCK 20000
#define MAX_ALL   50000

struct _FhBlockColours
{
  GtkSourceBuffer *buffer;
  /* One buffer for each language (GtkSourceLanguage → GtkSourceBuffer), in which its blocks are
   * coloured before the tags are copied. They share their table of tags with the text: their tags
   * can be applied to it, and follow the style scheme. */
  GHashTable *scratch;
  GHashTable *tags; /* a set of those that were copied */
  GtkTextTag *done; /* on what is coloured: text that is inserted again lacks it */
  GPtrArray *texts; /* what the blocks were when they were last coloured, nullable each */
  guint index;      /* of the next block */
  int budget;       /* characters that may still be coloured now */
};

/* NULL if there are no colours for it. */
static GtkSourceLanguage *
get_language (const FhAnswerBlock *block)
{
  GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default ();
  GtkSourceLanguage *language;

  if (block->language != NULL)
    return gtk_source_language_manager_get_language (manager, block->language->source_view_id);
  language = gtk_source_language_manager_get_language (manager, block->word);
  if (language == NULL && block->file_name != NULL)
    language = gtk_source_language_manager_guess_language (manager, block->file_name, NULL);
  return language;
}

static GtkTextBuffer *
get_scratch (FhBlockColours *self, GtkSourceLanguage *language)
{
  GtkSourceBuffer *scratch = g_hash_table_lookup (self->scratch, language);

  if (scratch != NULL)
    return GTK_TEXT_BUFFER (scratch);
  scratch = gtk_source_buffer_new (gtk_text_buffer_get_tag_table (GTK_TEXT_BUFFER (self->buffer)));
  gtk_text_buffer_set_enable_undo (GTK_TEXT_BUFFER (scratch), FALSE);
  gtk_source_buffer_set_highlight_matching_brackets (scratch, FALSE);
  gtk_source_buffer_set_language (scratch, language);
  g_object_bind_property (self->buffer,
                          "style-scheme",
                          scratch,
                          "style-scheme",
                          G_BINDING_SYNC_CREATE);
  g_hash_table_insert (self->scratch, language, scratch);
  return GTK_TEXT_BUFFER (scratch);
}

/* Applies the tags that begin at `at` and end at `end`, in the scratch buffer, to the same text
 * behind `offset`. */
static void
copy_tags (FhBlockColours *self, const GtkTextIter *at, const GtkTextIter *end, int offset)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GSList *tags = gtk_text_iter_get_tags (at);
  GtkTextIter from, to;

  gtk_text_buffer_get_iter_at_offset (buffer, &from, offset + gtk_text_iter_get_offset (at));
  gtk_text_buffer_get_iter_at_offset (buffer, &to, offset + gtk_text_iter_get_offset (end));
  for (GSList *i = tags; i != NULL; i = i->next)
    {
      gtk_text_buffer_apply_tag (buffer, i->data, &from, &to);
      g_hash_table_add (self->tags, i->data);
    }
  g_slist_free (tags);
}

static void
colour (FhBlockColours *self, GtkSourceLanguage *language, const char *text, int offset)
{
  GtkTextBuffer *scratch = get_scratch (self, language);
  GtkTextIter at, next, end;

  gtk_text_buffer_set_text (scratch, text, -1);
  gtk_text_buffer_get_bounds (scratch, &at, &end);
  gtk_source_buffer_ensure_highlight (GTK_SOURCE_BUFFER (scratch), &at, &end);
  for (; !gtk_text_iter_is_end (&at); at = next)
    {
      next = at;
      gtk_text_iter_forward_to_tag_toggle (&next, NULL);
      copy_tags (self, &at, &next, offset);
    }
  gtk_text_buffer_set_text (scratch, "", 0);
}

static gboolean
is_done (FhBlockColours *self, const GtkTextIter *from, const GtkTextIter *to)
{
  GtkTextIter end = *from;

  return gtk_text_iter_has_tag (from, self->done) &&
         gtk_text_iter_forward_to_tag_toggle (&end, self->done) &&
         gtk_text_iter_compare (&end, to) >= 0;
}

void
fh_block_colours_begin (FhBlockColours *self)
{
  self->index = 0;
  self->budget = MAX_ALL;
}

void
fh_block_colours_show (FhBlockColours *self,
                       const FhAnswerBlock *block,
                       const GtkTextIter *from,
                       const GtkTextIter *to)
{
  const int n = gtk_text_iter_get_offset (to) - gtk_text_iter_get_offset (from);
  const char *name = block->file_name != NULL ? block->file_name : "";
  g_autofree char *code = gtk_text_iter_get_slice (from, to);
  g_autofree char *text = g_strconcat (block->word, "\n", name, "\n", code, NULL);
  const guint index = self->index++;
  GtkSourceLanguage *language;

  if (self->texts->len <= index)
    g_ptr_array_set_size (self->texts, (int) index + 1);
  if (g_strcmp0 (self->texts->pdata[index], text) == 0 && is_done (self, from, to))
    return;
  fh_block_colours_remove (self, from, to);
  g_clear_pointer (&self->texts->pdata[index], g_free);
  if (n > MAX_BLOCK || n > self->budget)
    return;
  language = get_language (block);
  if (language != NULL)
    {
      self->budget -= n;
      colour (self, language, code, gtk_text_iter_get_offset (from));
    }
  gtk_text_buffer_apply_tag (GTK_TEXT_BUFFER (self->buffer), self->done, from, to);
  self->texts->pdata[index] = g_steal_pointer (&text);
}

void
fh_block_colours_remove (FhBlockColours *self, const GtkTextIter *from, const GtkTextIter *to)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter toggle = *from;
  GHashTableIter tags;
  gpointer tag;

  /* Taking off a tag that is not there makes the view lay out the text again, too. */
  if (!gtk_text_iter_has_tag (from, self->done) &&
      (!gtk_text_iter_forward_to_tag_toggle (&toggle, self->done) ||
       gtk_text_iter_compare (&toggle, to) >= 0))
    return;
  g_hash_table_iter_init (&tags, self->tags);
  while (g_hash_table_iter_next (&tags, &tag, NULL))
    gtk_text_buffer_remove_tag (buffer, tag, from, to);
  gtk_text_buffer_remove_tag (buffer, self->done, from, to);
}

void
fh_block_colours_raise (FhBlockColours *self)
{
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (GTK_TEXT_BUFFER (self->buffer));
  GHashTableIter tags;
  gpointer tag;

  g_hash_table_iter_init (&tags, self->tags);
  while (g_hash_table_iter_next (&tags, &tag, NULL))
    gtk_text_tag_set_priority (tag, gtk_text_tag_table_get_size (table) - 1);
}

FhBlockColours *
fh_block_colours_new (GtkSourceBuffer *buffer)
{
  FhBlockColours *self = g_new0 (FhBlockColours, 1);

  self->buffer = buffer;
  self->scratch = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  self->tags = g_hash_table_new (NULL, NULL);
  self->done = gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (buffer), NULL, NULL);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
fh_block_colours_free (FhBlockColours *self)
{
  g_hash_table_unref (self->tags);
  g_hash_table_unref (self->scratch);
  g_ptr_array_unref (self->texts);
  g_free (self);
}
