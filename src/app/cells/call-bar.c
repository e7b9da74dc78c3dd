/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/call-bar.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/announcement.h"
#include "parts/calls.h"
#include "parts/program-text.h"
#include "readable-text.h"

/* Bytes that are shown. */
#define MAX_ARGUMENTS 16384

struct _FhCallBar
{
  AdwBin parent_instance;

  GtkLabel *title;
  GtkTextView *arguments;
  GtkEditable *reply_entry;
};

G_DEFINE_FINAL_TYPE (FhCallBar, fh_call_bar, ADW_TYPE_BIN)

static guint reply_signal;
static guint refuse_signal;

static void
reply_cb (FhCallBar *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (self->reply_entry));

  g_signal_emit (self, reply_signal, 0, text);
}

static void
refuse_cb (FhCallBar *self)
{
  g_signal_emit (self, refuse_signal, 0);
}

static void
fh_call_bar_class_init (FhCallBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  reply_signal = fh_signal_new ("reply", G_TYPE_FROM_CLASS (klass), 1, G_TYPE_STRING);
  refuse_signal = fh_signal_new ("refuse", G_TYPE_FROM_CLASS (klass), 0);
  fh_set_template (widget_class, "cells/call-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FhCallBar, title);
  gtk_widget_class_bind_template_child (widget_class, FhCallBar, arguments);
  gtk_widget_class_bind_template_child (widget_class, FhCallBar, reply_entry);
  gtk_widget_class_bind_template_callback (widget_class, reply_cb);
  gtk_widget_class_bind_template_callback (widget_class, refuse_cb);
}

static void
fh_call_bar_init (FhCallBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_show_program_text (self->arguments);
}

void
fh_call_bar_show (FhCallBar *self, const char *name, const char *arguments)
{
  g_autofree char *title = NULL;
  g_autofree char *shown = NULL;
  gsize size;

  g_return_if_fail (FH_IS_CALL_BAR (self));

  gtk_widget_set_visible (GTK_WIDGET (self), name != NULL);
  if (name == NULL)
    return;
  size = strlen (arguments);
  shown = fh_readable_text_new (arguments, MIN (size, MAX_ARGUMENTS));
  if (size > MAX_ARGUMENTS)
    {
      char *cut = g_strconcat (shown, "…", NULL);

      g_free (shown);
      shown = cut;
    }
  /* Translators: %s is the name of a function */
  title = g_strdup_printf (_ ("The program calls %s and waits for a reply"), name);
  gtk_label_set_text (self->title, title);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->arguments), shown, -1);
  gtk_editable_set_text (self->reply_entry, "");
  fh_announce (GTK_WIDGET (self->title), title);
}
