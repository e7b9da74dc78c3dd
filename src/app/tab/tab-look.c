/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "code-look.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "tab/tab-private.h"

/* What the tab's code would do, seen before it is run: while the page is visible, and after a
 * paste. */

/* The code is looked at so long after its last change. */
#define DELAY_MS 600
/* A change of so many characters at once was not typed. */
#define FOREIGN 120

static gboolean
is_in_sight (FhTab *self)
{
  g_autofree char *page = NULL;

  g_object_get (self->output, "page", &page, NULL);
  return g_strcmp0 (page, "look") == 0;
}

/* TRUE if there is something that people should see; nearly every program has imports. */
static gboolean
has_notable (GPtrArray *looks)
{
  for (guint i = 0; i < looks->len; i++)
    {
      const FhCodeLook *look = looks->pdata[i];

      for (guint j = 0; j < look->findings->len; j++)
        {
          if (((const FhLookFinding *) look->findings->pdata[j])->kind != FH_LOOK_IMPORT)
            return TRUE;
        }
    }
  return FALSE;
}

static FhLookView *
get_view (FhTab *self)
{
  return FH_LOOK_VIEW (
      fh_output_view_get_page (FH_OUTPUT_VIEW (self->output), FH_TYPE_LOOK_VIEW, TRUE));
}

static void
set_has_marks (FhTab *self, gboolean has_marks)
{
  self->look_has_marks = has_marks;
  fh_look_view_set_notable (get_view (self), has_marks);
}

static void
show (FhTab *self, GPtrArray *looks)
{
  fh_look_view_show (get_view (self), looks);
  fh_editor_view_show_look (self->editor, looks);
  set_has_marks (self, has_notable (looks));
}

static void
show_message (FhTab *self, const char *title, const char *sentence)
{
  fh_look_view_show_message (get_view (self), title, sentence);
  fh_editor_view_show_look (self->editor, NULL);
  set_has_marks (self, FALSE);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) looks = fh_code_look_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->closed)
    return;
  if (looks != NULL)
    show (self, looks);
  else
    show_message (self, _ ("The Code Could Not Be Looked At"), error->message);
}

void
fh_tab_end_look (FhTab *self)
{
  g_clear_handle_id (&self->look_timer, g_source_remove);
  fh_cancel (&self->look_cancellable);
}

static void
look (FhTab *self)
{
  g_autoptr (GPtrArray) blocks = NULL;
  g_autoptr (FhRunOptions) options = NULL;

  fh_tab_end_look (self);
  self->look_is_old = FALSE;
  if (fh_document_is_empty (self->document))
    {
      show_message (self,
                    _ ("Nothing to Look At"),
                    _ ("Paste or open code to see what it would do, before you run it."));
      return;
    }
  blocks = fh_tab_find_blocks (self);
  if (blocks == NULL)
    {
      blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
      g_ptr_array_add (blocks,
                       fh_answer_block_new (fh_options_get_language (self->options),
                                            fh_document_get_text (self->document)));
    }
  options = fh_options_dup_values (self->options);
  self->look_cancellable = g_cancellable_new ();
  fh_code_look_async (blocks, options, self->look_cancellable, looked_cb, g_object_ref (self));
}

static gboolean
timer_cb (gpointer user_data)
{
  FhTab *self = FH_TAB (user_data);

  self->look_timer = 0;
  /* A run that has begun meanwhile is not disturbed. */
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      (is_in_sight (self) || fh_tab_get_run_state (self) == FH_RUN_FINISHED))
    look (self);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (FhTab *self)
{
  const guint size = fh_document_get_size (self->document);
  const gboolean is_foreign = !self->loading && size > self->look_size + FOREIGN;

  self->look_is_old = TRUE;
  /* Marks that there are stay true. */
  if (is_foreign || self->look_timer != 0 || is_in_sight (self) || self->look_has_marks)
    {
      fh_tab_end_look (self);
      self->look_timer = g_timeout_add (DELAY_MS, timer_cb, self);
    }
  self->look_size = size;
}

static void
page_cb (FhTab *self)
{
  if (is_in_sight (self))
    fh_look_view_set_notable (get_view (self), FALSE);
  if (self->look_is_old && self->look_timer == 0 && is_in_sight (self))
    look (self);
}

void
fh_tab_look_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhTab *self = FH_TAB (widget);

  if (is_in_sight (self))
    look (self);
  fh_tab_show_results (self, "look");
}

void
fh_tab_init_look (FhTab *self)
{
  self->look_is_old = TRUE;
  fh_connect (self->document, "changed", changed_cb, self);
  fh_connect (self->options, "notify::language", changed_cb, self);
  fh_connect (self->output, "notify::page", page_cb, self);
  fh_connect (self->output, "map", page_cb, self);
}
