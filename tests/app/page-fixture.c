/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page-fixture.h"

#include <gtksourceview/gtksource.h>

void
page_fixture_set_up (PageFixture *self, gconstpointer data)
{
  self->folder = fake_folder_new ();
  self->backend = fake_backend_new ();
  self->services = fake_services_new (self->backend, self->folder);
  self->page = FH_TAB (fh_tab_new (self->services));
  self->window = widget_test_window (GTK_WIDGET (self->page), 800, 500);
}

void
page_fixture_tear_down (PageFixture *self, gconstpointer data)
{
  FhTab *page = g_object_ref (self->page);

  gtk_window_destroy (self->window);
  widget_test_finalize (page);
  g_object_set (fh_services_get_settings (self->services), "language", "python", NULL);
  fake_services_free (self->services);
  g_object_unref (self->backend);
  fake_folder_free (self->folder);
}

GtkTextBuffer *
page_fixture_get_buffer (PageFixture *self)
{
  GtkWidget *view = widget_test_find (GTK_WIDGET (self->page), GTK_SOURCE_TYPE_VIEW);

  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
}

void
page_fixture_type (PageFixture *self, const char *text)
{
  gtk_text_buffer_insert_at_cursor (page_fixture_get_buffer (self), text, -1);
}
