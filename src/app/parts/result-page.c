/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/result-page.h"

#include "parts/calls.h"

static guint changed_signal;

G_DEFINE_INTERFACE (FhResultPage, fh_result_page, GTK_TYPE_WIDGET)

static void
fh_result_page_default_init (FhResultPageInterface *iface)
{
  changed_signal = fh_signal_new ("changed", FH_TYPE_RESULT_PAGE, 0);
}

void
fh_shown_result_set (FhShownResult *self, const FhShownResult *shown)
{
  g_return_if_fail (self != NULL && shown != NULL);

  g_set_object (&self->run, shown->run);
  g_set_object (&self->request, shown->request);
  g_set_object (&self->result, shown->result);
  g_set_object (&self->attempts, shown->attempts);
  g_set_object (&self->files, shown->files);
  g_set_object (&self->changes, shown->changes);
}

void
fh_result_page_show (FhResultPage *self, const FhShownResult *shown)
{
  g_return_if_fail (FH_IS_RESULT_PAGE (self) && shown != NULL);

  if (FH_RESULT_PAGE_GET_IFACE (self)->show != NULL)
    FH_RESULT_PAGE_GET_IFACE (self)->show (self, shown);
}

GtkWidget *
fh_result_page_get_tools (FhResultPage *self)
{
  g_return_val_if_fail (FH_IS_RESULT_PAGE (self), NULL);

  return (
      GtkWidget *) gtk_widget_get_template_child (GTK_WIDGET (self), G_OBJECT_TYPE (self), "tools");
}

gboolean
fh_result_page_is_present (FhResultPage *self)
{
  g_return_val_if_fail (FH_IS_RESULT_PAGE (self), FALSE);

  return FH_RESULT_PAGE_GET_IFACE (self)->is_present == NULL ||
         FH_RESULT_PAGE_GET_IFACE (self)->is_present (self);
}

gboolean
fh_result_page_needs_attention (FhResultPage *self)
{
  g_return_val_if_fail (FH_IS_RESULT_PAGE (self), FALSE);

  return FH_RESULT_PAGE_GET_IFACE (self)->needs_attention != NULL &&
         FH_RESULT_PAGE_GET_IFACE (self)->needs_attention (self);
}

void
fh_result_page_changed (FhResultPage *self)
{
  g_return_if_fail (FH_IS_RESULT_PAGE (self));

  g_signal_emit (self, changed_signal, 0);
}
