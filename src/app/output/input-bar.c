/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/input-bar.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/calls.h"
#include "parts/toasts.h"

struct _FhInputBar
{
  AdwBin parent_instance;
  FhLiveInput *input; /* nullable */

  GtkRevealer *revealer;
  GtkLabel *title;
  GtkEditable *entry;
};

G_DEFINE_FINAL_TYPE (FhInputBar, fh_input_bar, ADW_TYPE_BIN)

static guint appeared_signal;
static guint left_signal;

static gboolean
has_focus (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, widget);
}

/* Do not take the focus from a person who types elsewhere. */
static gboolean
reads_output (FhInputBar *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return GTK_IS_TEXT_VIEW (focus) && !gtk_text_view_get_editable (GTK_TEXT_VIEW (focus)) &&
         has_focus (gtk_widget_get_parent (GTK_WIDGET (self)));
}

static void
show (FhInputBar *self)
{
  if (gtk_revealer_get_reveal_child (self->revealer))
    return;
  gtk_editable_set_text (self->entry, "");
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
  if (reads_output (self))
    fh_input_bar_focus (self);
  g_signal_emit (self, appeared_signal, 0);
}

static void
hide (FhInputBar *self)
{
  const gboolean had_focus = has_focus (GTK_WIDGET (self));

  gtk_revealer_set_reveal_child (self->revealer, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  if (had_focus)
    g_signal_emit (self, left_signal, 0);
}

static void
open_cb (FhInputBar *self)
{
  if (!fh_live_input_is_open (self->input))
    hide (self);
}

/* The label stays, so that nothing moves while lines are typed. */
static void
waiting_cb (FhInputBar *self)
{
  const gboolean is_waiting = fh_live_input_is_waiting (self->input);
  const char *text = is_waiting ? _ ("The program waits for input.") : "";

  gtk_label_set_text (self->title, text);
  if (!is_waiting)
    return;
  show (self);
  fh_announce (GTK_WIDGET (self->title), text);
}

static gboolean
send (FhInputBar *self, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  if (fh_live_input_send (self->input, bytes))
    return TRUE;
  fh_toast_show_problem (GTK_WIDGET (self), _ ("The program cannot be given more input than that"));
  return FALSE;
}

static void
send_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhInputBar *self = FH_INPUT_BAR (widget);
  g_autofree char *line = g_strconcat (gtk_editable_get_text (self->entry), "\n", NULL);

  if (self->input != NULL && send (self, line))
    gtk_editable_set_text (self->entry, "");
}

static void
end_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhInputBar *self = FH_INPUT_BAR (widget);

  if (self->input != NULL && send (self, gtk_editable_get_text (self->entry)))
    fh_live_input_end (self->input);
}

static void
activate_cb (FhInputBar *self)
{
  send_action (GTK_WIDGET (self), NULL, NULL);
}

static void
fh_input_bar_dispose (GObject *object)
{
  g_clear_object (&FH_INPUT_BAR (object)->input);

  G_OBJECT_CLASS (fh_input_bar_parent_class)->dispose (object);
}

static void
fh_input_bar_class_init (FhInputBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_input_bar_dispose;

  appeared_signal = fh_signal_new ("appeared", G_TYPE_FROM_CLASS (klass), 0);
  left_signal = fh_signal_new ("left", G_TYPE_FROM_CLASS (klass), 0);
  fh_set_template (widget_class, "output/input-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FhInputBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, FhInputBar, title);
  gtk_widget_class_bind_template_child (widget_class, FhInputBar, entry);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
  gtk_widget_class_install_action (widget_class, "input.send", NULL, send_action);
  gtk_widget_class_install_action (widget_class, "input.end", NULL, end_action);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_d,
                                       GDK_CONTROL_MASK,
                                       "input.end",
                                       NULL);
}

static void
fh_input_bar_init (FhInputBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
fh_input_bar_set_run (FhInputBar *self, FhRun *run)
{
  FhLiveInput *input;

  g_return_if_fail (FH_IS_INPUT_BAR (self));
  g_return_if_fail (run == NULL || FH_IS_RUN (run));

  input = run != NULL ? fh_run_get_input (run) : NULL;
  if (self->input == input)
    return;
  if (self->input != NULL)
    g_signal_handlers_disconnect_by_data (self->input, self);
  g_set_object (&self->input, input);
  hide (self);
  if (input == NULL)
    return;
  fh_connect (input, "notify::open", open_cb, self);
  fh_connect (input, "notify::waiting", waiting_cb, self);
  waiting_cb (self);
}

gboolean
fh_input_bar_focus (FhInputBar *self)
{
  g_return_val_if_fail (FH_IS_INPUT_BAR (self), FALSE);

  return gtk_revealer_get_reveal_child (self->revealer) &&
         gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}
