/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/file-dialogs.h"
#include "parts/toasts.h"
#include "window/window-private.h"

/* A file that is being read into a page that has no tab yet. */
typedef struct
{
  FhWindow *window;
  FhSnippetPage *page;
  gboolean run;
} Opening;

static void
opening_free (Opening *opening)
{
  g_object_unref (opening->window);
  g_object_unref (opening->page);
  g_free (opening);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  g_autoptr (GError) error = NULL;
  FhWindow *self = opening->window;

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (!fh_snippet_page_load_finish (opening->page, result, &error))
    {
      if (fh_window_count_pages (self) == 0)
        fh_window_open_new (self);
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return;
    }
  fh_window_add_page (self, opening->page);
  if (opening->run)
    fh_snippet_page_run_when_ready (opening->page);
}

static FhSnippetPage *
find_page (FhWindow *self, GFile *file)
{
  for (guint i = 0; i < fh_window_count_pages (self); i++)
    {
      FhSnippetPage *page = fh_window_get_nth_page (self, i);
      GFile *other = fh_snippet_page_get_file (page);

      if (other != NULL && g_file_equal (other, file))
        return page;
    }
  return NULL;
}

/* A file that is to be opened later. */
typedef struct
{
  GFile *file;
  gboolean run;
} Waiting;

static void
waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_object_unref (waiting->file);
  g_free (waiting);
}

void
fh_window_wait_for_drafts (FhWindow *self)
{
  if (self->waiting == NULL)
    self->waiting = g_ptr_array_new_with_free_func (waiting_free);
}

gboolean
fh_window_end_waiting (FhWindow *self)
{
  g_autoptr (GPtrArray) files = g_steal_pointer (&self->waiting);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      Waiting *waiting = g_ptr_array_index (files, i);

      fh_window_open_file (self, waiting->file, waiting->run);
    }
  return files != NULL && files->len > 0;
}

static void
put_off (FhWindow *self, GFile *file, gboolean run)
{
  Waiting *waiting = g_new0 (Waiting, 1);

  waiting->file = g_object_ref (file);
  waiting->run = run;
  g_ptr_array_add (self->waiting, waiting);
}

void
fh_window_open_file (FhWindow *self, GFile *file, gboolean run)
{
  FhSnippetPage *page;
  Opening *opening;

  g_return_if_fail (FH_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (file));

  if (self->waiting != NULL)
    {
      put_off (self, file, run);
      return;
    }
  page = find_page (self, file);
  if (page != NULL)
    {
      fh_window_show_page (self, fh_snippet_page_get_id (page));
      if (run)
        fh_snippet_page_run_when_ready (page);
      return;
    }
  opening = g_new0 (Opening, 1);
  opening->window = g_object_ref (self);
  opening->page = g_object_ref_sink (FH_SNIPPET_PAGE (fh_snippet_page_new (self->services)));
  opening->run = run;
  fh_snippet_page_load_async (opening->page, file, self->cancellable, loaded_cb, opening);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhWindow) self = user_data;
  g_autoptr (GListModel) files = fh_file_dialogs_open_finish (result, NULL);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      fh_window_open_file (self, file, FALSE);
    }
}

void
fh_window_choose_file (FhWindow *self)
{
  fh_file_dialogs_open_async (GTK_WIDGET (self),
                              _ ("Open File"),
                              self->cancellable,
                              chosen_cb,
                              g_object_ref (self));
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_snippet_page_save_finish (FH_SNIPPET_PAGE (source), result, &error))
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
}

/* The page that was current when the dialog opened may be another by now. */
typedef struct
{
  FhWindow *window;
  FhSnippetPage *page;
} Saving;

static void
place_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Saving *saving = user_data;
  g_autoptr (GFile) file = fh_file_dialogs_save_finish (result, NULL);

  if (file != NULL)
    fh_snippet_page_save_async (saving->page, file, NULL, saved_cb, g_object_ref (saving->window));
  g_object_unref (saving->window);
  g_object_unref (saving->page);
  g_free (saving);
}

void
fh_window_save (FhWindow *self, gboolean as)
{
  FhSnippetPage *page = fh_window_get_page (self);
  g_autofree char *name = NULL;
  Saving *saving;

  if (page == NULL)
    return;
  if (!as && fh_snippet_page_get_file (page) != NULL)
    {
      fh_snippet_page_save_async (page, NULL, NULL, saved_cb, g_object_ref (self));
      return;
    }
  name = fh_snippet_page_dup_file_name (page);
  saving = g_new0 (Saving, 1);
  saving->window = g_object_ref (self);
  saving->page = g_object_ref (page);
  fh_file_dialogs_save_async (GTK_WIDGET (self),
                              _ ("Save File"),
                              name,
                              self->cancellable,
                              place_chosen_cb,
                              saving);
}
