/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "look/look-view.h"

#include <glib/gi18n.h>

#include "look/look-rows.h"
#include "parts/calls.h"

/* Blocks of an answer that are shown; fumehoodctl inspect lists all. */
#define MAX_BLOCKS 30

struct _FhLookView
{
  AdwBin parent_instance;

  GtkStack *stack;
  AdwStatusPage *message;
  GtkBox *groups;
  gboolean is_notable; /* and people have not seen it */
};

static void init_page (FhResultPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhLookView,
                               fh_look_view,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_RESULT_PAGE, init_page))

static void
fh_look_view_class_init (FhLookViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  fh_set_template (widget_class, "look/look-view.ui");
  gtk_widget_class_bind_template_child_full (widget_class, "tools", FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, FhLookView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhLookView, message);
  gtk_widget_class_bind_template_child (widget_class, FhLookView, groups);
}

static void
fh_look_view_init (FhLookView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
}

static void
clear (FhLookView *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->groups))) != NULL)
    gtk_box_remove (self->groups, child);
}

void
fh_look_view_show (FhLookView *self, GPtrArray *looks)
{
  g_return_if_fail (FH_IS_LOOK_VIEW (self));
  g_return_if_fail (looks != NULL);

  clear (self);
  for (guint i = 0; i < MIN (looks->len, MAX_BLOCKS); i++)
    fh_look_rows_add (self->groups, looks->pdata[i], i, looks->len > 1);
  gtk_stack_set_visible_child_name (self->stack, "findings");
}

void
fh_look_view_show_message (FhLookView *self, const char *title, const char *sentence)
{
  g_autofree char *escaped = g_markup_escape_text (sentence, -1);

  g_return_if_fail (FH_IS_LOOK_VIEW (self));

  clear (self);
  adw_status_page_set_title (self->message, title);
  adw_status_page_set_description (self->message, escaped);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

void
fh_look_view_set_notable (FhLookView *self, gboolean notable)
{
  g_return_if_fail (FH_IS_LOOK_VIEW (self));

  self->is_notable = notable && !gtk_widget_get_mapped (GTK_WIDGET (self));
  fh_result_page_changed (FH_RESULT_PAGE (self));
}

static gboolean
needs_attention (FhResultPage *page)
{
  return FH_LOOK_VIEW (page)->is_notable;
}

static void
init_page (FhResultPageInterface *iface)
{
  iface->name = "look";
  /* Translators: the short title of a page */
  iface->title = NC_ ("page", "Inspect");
  iface->context = "page";
  iface->icon_name = "document-properties-symbolic";
  iface->needs_attention = needs_attention;
}
