/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "answer-choices.h"
#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/text-file.h"
#include "parts/toasts.h"
#include "result-file-name.h"
#include "tab/tab-private.h"

/* The menus of an answer's blocks, and what was chosen there. */

static void
choose (FhTab *self)
{
  fh_tab_look_for_answer (self);
  self->touched = TRUE;
  fh_tab_schedule_draft (self);
}

void
fh_tab_choose_policy (FhTab *self, const FhLanguage *language, FhBlockAction action)
{
  g_autoptr (GPtrArray) blocks = fh_tab_find_blocks (self);

  if (blocks == NULL)
    return;
  fh_answer_choices_set_policy (self->choices, blocks, language, action);
  choose (self);
}

GHashTable *
fh_tab_dup_choices (FhTab *self)
{
  GHashTable *copy = fh_answer_choices_new ();
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->choices);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy, g_strdup (key), g_strdup (value));
  fh_answer_choices_set_as_written (copy, fh_document_is_as_written (self->document));
  return copy;
}

static gboolean
parse_action (const char *name, FhBlockAction *action)
{
  return fh_block_action_from_string (name, action) && *action <= FH_BLOCK_SAVE;
}

static void
copy (FhTab *self, const FhAnswerBlock *block)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), block->code);
  fh_toast_show (GTK_WIDGET (self), _ ("Code copied"));
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autoptr (GError) error = NULL;

  if (self->closed)
    return;
  if (fh_text_file_save_finish (result, &error))
    fh_toast_show (GTK_WIDGET (self), _ ("Code saved"));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
}

/* `user_data`: the code. */
static void
place_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhTab *self = FH_TAB (source);
  g_autofree char *code = user_data;
  g_autoptr (GFile) place = fh_file_dialogs_finish (result, NULL);

  if (place != NULL && !self->closed)
    fh_text_file_save_async (place, code, NULL, self->cancellable, saved_cb, g_object_ref (self));
}

/* The answer chose the name. */
static void
save_as (FhTab *self, const FhAnswerBlock *block)
{
  g_autofree char *name = NULL;

  if (block->file_name != NULL && block->action != FH_BLOCK_BAD_NAME)
    name = fh_result_path_to_name (block->file_name);
  else if (block->language != NULL)
    name = g_strdup (block->language->file_name);
  fh_file_dialogs_show_async (GTK_WIDGET (self),
                              GTK_FILE_CHOOSER_ACTION_SAVE,
                              _ ("Save the Block"),
                              name,
                              self->cancellable,
                              place_cb,
                              g_strdup (block->code));
}

static void
run (FhTab *self, guint number, guint n_blocks)
{
  if (fh_tab_get_run_state (self) == FH_RUN_FINISHED && fh_tab_may_run (self))
    fh_tab_run_blocks (self, number, n_blocks);
  else
    fh_toast_show (GTK_WIDGET (self), _ ("Something is running already"));
}

static void
command_cb (FhTab *self, guint number, const char *name, const char *value)
{
  g_autoptr (GPtrArray) blocks = fh_tab_find_blocks (self);
  const FhAnswerBlock *block;
  const FhLanguage *language = fh_language_lookup (value);
  FhBlockAction action;

  /* The text may have changed since they were shown. */
  if (blocks == NULL || number > blocks->len)
    return;
  block = blocks->pdata[number - 1];
  if (g_str_equal (name, "run") || g_str_equal (name, "run-from"))
    run (self, number, g_str_equal (name, "run") ? 1 : G_MAXUINT);
  else if (g_str_equal (name, "copy"))
    copy (self, block);
  else if (g_str_equal (name, "save-as"))
    save_as (self, block);
  else if (g_str_equal (name, "language") && language != NULL)
    {
      fh_answer_choices_set_language (self->choices, block, language);
      choose (self);
    }
  else if (g_str_equal (name, "policy") && parse_action (value, &action))
    {
      language = fh_answer_choices_find_language (self->choices, block);
      if (language != NULL)
        fh_tab_choose_policy (self, language, action);
    }
}

static void
folded_cb (FhTab *self)
{
  gboolean folded;

  g_object_get (self, "fold-prose", &folded, NULL);
  g_object_set (self->answer_notice,
                "button-label",
                folded ? _ ("Show Text") : _ ("Only Code"),
                NULL);
  fh_tab_notify (self, "fold-prose");
}

void
fh_tab_block_menu_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhTab *self = FH_TAB (widget);

  if (!fh_editor_blocks_open_menu (fh_editor_view_get_blocks (self->editor)))
    gtk_widget_error_bell (widget);
}

void
fh_tab_init_blocks (FhTab *self)
{
  FhEditorBlocks *blocks = fh_editor_view_get_blocks (self->editor);

  self->choices = fh_answer_choices_new ();
  fh_connect (blocks, "command", command_cb, self);
  fh_connect (blocks, "notify::folded", folded_cb, self);
  fh_connect (self->options, "notify::project", fh_tab_look_for_answer_soon, self);
}
