/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approval/approval-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/calls.h"
#include "parts/program-text.h"
#include "readable-text.h"

/* The button waits, as the dialog may open under the pointer, or while someone types. */
#define RUN_DELAY_MS 600
/* GtkTextView shapes a line at once. */
#define MAX_COLUMNS 500

struct _FhApprovalDialog
{
  AdwWindow parent_instance;

  GtkLabel *question;
  GtkTextView *code;
  GtkLabel *details;
  GtkEditable *reason;
  GtkWidget *run_button;
  GtkWidget *always_button;
  GtkLabel *look;
  GtkLabel *waiting;

  guint timer; /* until the button can be pressed */
  gboolean is_answered;
};

G_DEFINE_FINAL_TYPE (FhApprovalDialog, fh_approval_dialog, ADW_TYPE_WINDOW)

static guint answered_signal;

static void
answer (FhApprovalDialog *self, FhApprovalAnswer given)
{
  g_autofree char *reason = g_strstrip (g_strdup (gtk_editable_get_text (self->reason)));

  if (self->is_answered)
    return;
  self->is_answered = TRUE;
  g_signal_emit (self, answered_signal, 0, given, reason);
}

static void
run_cb (FhApprovalDialog *self)
{
  answer (self, FH_APPROVAL_ONCE);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
always_cb (FhApprovalDialog *self)
{
  answer (self, FH_APPROVAL_ALWAYS);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
refuse_cb (FhApprovalDialog *self)
{
  answer (self, FH_APPROVAL_REFUSED);
  gtk_window_destroy (GTK_WINDOW (self));
}

static gboolean
ready_cb (gpointer user_data)
{
  FhApprovalDialog *self = user_data;

  self->timer = 0;
  gtk_widget_set_sensitive (self->run_button, TRUE);
  gtk_widget_set_sensitive (self->always_button, TRUE);
  return G_SOURCE_REMOVE;
}

static gboolean
fh_approval_dialog_close_request (GtkWindow *window)
{
  answer (FH_APPROVAL_DIALOG (window), FH_APPROVAL_REFUSED);
  return GTK_WINDOW_CLASS (fh_approval_dialog_parent_class)->close_request (window);
}

static void
fh_approval_dialog_dispose (GObject *object)
{
  FhApprovalDialog *self = FH_APPROVAL_DIALOG (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_APPROVAL_DIALOG);

  G_OBJECT_CLASS (fh_approval_dialog_parent_class)->dispose (object);
}

static void
fh_approval_dialog_class_init (FhApprovalDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_approval_dialog_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = fh_approval_dialog_close_request;

  answered_signal =
      fh_signal_new ("answered", G_TYPE_FROM_CLASS (klass), 2, G_TYPE_UINT, G_TYPE_STRING);
  fh_set_template (widget_class, "approval/approval-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, question);
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, code);
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, details);
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, reason);
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, run_button);
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, always_button);
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, look);
  gtk_widget_class_bind_template_child (widget_class, FhApprovalDialog, waiting);
  gtk_widget_class_bind_template_callback (widget_class, run_cb);
  gtk_widget_class_bind_template_callback (widget_class, always_cb);
  gtk_widget_class_bind_template_callback (widget_class, refuse_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fh_approval_dialog_init (FhApprovalDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_show_program_text (self->code);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->code));
  self->timer = g_timeout_add (RUN_DELAY_MS, ready_cb, self);
}

/* A stretch between two tabs or line ends, in lines that are not too long. */
static void
append_stretch (GString *text, const char *from, gsize size, glong *column)
{
  g_autofree char *readable = fh_readable_text_new (from, size);

  for (const char *at = readable; *at != '\0'; at = g_utf8_next_char (at))
    {
      if (*column == MAX_COLUMNS)
        {
          g_string_append (text, "↩\n");
          *column = 0;
        }
      g_string_append_len (text, at, g_utf8_next_char (at) - at);
      (*column)++;
    }
}

/* Writes as an escape what cannot be seen, or changes how the rest is shown. */
static char *
readable_code (const char *code)
{
  GString *text = g_string_new (NULL);
  glong column = 0;

  while (*code != '\0')
    {
      const gsize size = strcspn (code, "\n\t");

      append_stretch (text, code, size, &column);
      code += size;
      if (*code == '\n')
        column = 0;
      if (*code != '\0')
        g_string_append_c (text, *code++);
    }
  return g_string_free (text, FALSE);
}

static void
set_texts (FhApprovalDialog *self, const char *question, const char *code, const char *summary)
{
  g_autofree char *readable_question = fh_readable_text_new (question, strlen (question));
  g_autofree char *readable_summary = fh_readable_text_new (summary, strlen (summary));
  g_autofree char *text = readable_code (code);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->code);
  g_autofree char *lines = NULL;
  g_autofree char *details = NULL;
  GtkTextIter start;
  int n_lines;

  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  n_lines = gtk_text_buffer_get_line_count (buffer) - g_str_has_suffix (text, "\n");
  lines = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%d line of code", "%d lines of code", (gulong) n_lines),
      n_lines);
  details = g_strdup_printf ("%s. %s", lines, readable_summary);
  gtk_label_set_text (self->question, readable_question);
  gtk_label_set_text (self->details, details);
}

GtkWidget *
fh_approval_dialog_new (const char *question, const char *code, const char *summary)
{
  FhApprovalDialog *self = g_object_new (FH_TYPE_APPROVAL_DIALOG, NULL);

  set_texts (self, question, code, summary);
  return GTK_WIDGET (self);
}

void
fh_approval_dialog_offer_always (FhApprovalDialog *self)
{
  g_return_if_fail (FH_IS_APPROVAL_DIALOG (self));

  gtk_widget_set_visible (self->always_button, TRUE);
  gtk_button_set_label (GTK_BUTTON (self->run_button), _ ("_Run Once"));
  g_object_set (self->reason, "placeholder-text", _ ("Reason for refusing"), NULL);
}

void
fh_approval_dialog_set_look (FhApprovalDialog *self, const char *text)
{
  g_autofree char *readable = NULL;

  g_return_if_fail (FH_IS_APPROVAL_DIALOG (self));

  readable = text != NULL ? readable_code (text) : NULL;
  fh_show_text (self->look, readable);
}

void
fh_approval_dialog_set_waiting (FhApprovalDialog *self, guint n_waiting)
{
  g_autofree char *text = NULL;

  g_return_if_fail (FH_IS_APPROVAL_DIALOG (self));

  if (n_waiting > 0)
    text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%u more question waits.",
                                         "%u more questions wait.",
                                         n_waiting),
                            n_waiting);
  fh_show_text (self->waiting, text);
}
