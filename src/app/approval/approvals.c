/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "approval/approvals.h"

#include <glib/gi18n.h>
#include <string.h>

#include "approval/approval-dialog.h"
#include "parts/calls.h"
#include "parts/exported-object.h"
#include "readable-text.h"

/* Questions at a time, the one that is shown included. */
#define MAX_QUESTIONS 20
#define MAX_CODE      ((gsize) 1 << 20)
/* At most so many bytes of each of the other texts are shown. */
#define MAX_TEXT 2000

struct _FhApprovals
{
  GObject parent_instance;

  FhExportedObject exported;
  GQueue questions;   /* the first one is shown */
  GtkWidget *dialog;  /* nullable, and then nothing is asked */
  gboolean is_ending; /* all of them */
};

typedef struct
{
  FhApprovals *approvals;
  GDBusMethodInvocation *invocation;
  GApplication *application; /* stays until it is answered; nullable */
  guint watch;               /* of who asks */
} Question;

static guint show_signal;

G_DEFINE_FINAL_TYPE (FhApprovals, fh_approvals, G_TYPE_OBJECT)

static const char interface_xml[] = "<node>"
                                    "<interface name='io.github.fumehood.Approval'>"
                                    "<method name='Ask'>"
                                    "<arg type='s' name='id' direction='in'/>"
                                    "<arg type='s' name='client' direction='in'/>"
                                    "<arg type='s' name='tool' direction='in'/>"
                                    "<arg type='s' name='code' direction='in'/>"
                                    "<arg type='s' name='language' direction='in'/>"
                                    "<arg type='s' name='summary' direction='in'/>"
                                    "<arg type='b' name='approved' direction='out'/>"
                                    "<arg type='s' name='reason' direction='out'/>"
                                    "</method>"
                                    "<method name='Withdraw'>"
                                    "<arg type='s' name='id' direction='in'/>"
                                    "</method>"
                                    "</interface>"
                                    "</node>";

static const char *
get_argument (Question *question, gsize index)
{
  GVariant *parameters = g_dbus_method_invocation_get_parameters (question->invocation);
  const char *text;

  g_variant_get_child (parameters, index, "&s", &text);
  return text;
}

static void show_first (FhApprovals *self);

/* Answers it and forgets it. */
static void
end (Question *question, gboolean is_approved, const char *reason)
{
  FhApprovals *self = question->approvals;
  const gboolean was_shown = g_queue_peek_head (&self->questions) == question;

  g_queue_remove (&self->questions, question);
  g_bus_unwatch_name (question->watch);
  g_dbus_method_invocation_return_value (question->invocation,
                                         g_variant_new ("(bs)", is_approved, reason));
  if (question->application != NULL)
    {
      g_application_release (question->application);
      g_object_unref (question->application);
    }
  g_free (question);
  if (was_shown && self->dialog != NULL)
    {
      GtkWidget *dialog = g_steal_pointer (&self->dialog);

      g_signal_handlers_disconnect_by_data (dialog, self);
      gtk_window_destroy (GTK_WINDOW (dialog));
    }
  show_first (self);
}

/* Ends them from the last to the first, so that no further one is shown. */
static void
end_all (FhApprovals *self)
{
  self->is_ending = TRUE;
  while (!g_queue_is_empty (&self->questions))
    end (g_queue_peek_tail (&self->questions), FALSE, "");
  self->is_ending = FALSE;
}

/* Called when the window of the question goes: a person who closes that wants no more questions. */
static void
destroyed_cb (FhApprovals *self)
{
  self->dialog = NULL;
  end_all (self);
}

static void
answered_cb (FhApprovals *self, FhApprovalAnswer answer, const char *reason)
{
  /* The dialog is about to be destroyed. */
  g_signal_handlers_disconnect_by_data (self->dialog, self);
  self->dialog = NULL;
  end (g_queue_peek_head (&self->questions), answer != FH_APPROVAL_REFUSED, reason);
}

static char *
dup_text (Question *question)
{
  const char *client = get_argument (question, 1);
  const char *tool = get_argument (question, 2);
  g_autofree char *readable_client = fh_readable_text_new (client, strlen (client));
  g_autofree char *readable_tool = fh_readable_text_new (tool, strlen (tool));

  /* Translators: the name of a program, and what it wants to do, such as “Run Python Code”. */
  return g_strdup_printf (_ ("“%s” asks for this: %s"), readable_client, readable_tool);
}

static void
show_first (FhApprovals *self)
{
  Question *question = g_queue_peek_head (&self->questions);

  if (self->is_ending)
    return;
  if (question != NULL && self->dialog == NULL)
    {
      g_autofree char *text = dup_text (question);

      self->dialog =
          fh_approval_dialog_new (text, get_argument (question, 3), get_argument (question, 5));
      fh_connect (self->dialog, "answered", answered_cb, self);
      fh_connect (self->dialog, "destroy", destroyed_cb, self);
      g_signal_emit (self, show_signal, 0, self->dialog);
    }
  if (self->dialog != NULL)
    fh_approval_dialog_set_waiting (FH_APPROVAL_DIALOG (self->dialog),
                                    g_queue_get_length (&self->questions) - 1);
}

static void
vanished_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  end (user_data, FALSE, "");
}

static Question *
find (FhApprovals *self, const char *sender, const char *id)
{
  for (GList *at = self->questions.head; at != NULL; at = at->next)
    {
      Question *question = at->data;

      if (g_str_equal (g_dbus_method_invocation_get_sender (question->invocation), sender) &&
          g_str_equal (get_argument (question, 0), id))
        return question;
    }
  return NULL;
}

static gboolean
are_too_long (GVariant *parameters)
{
  for (gsize i = 0; i < g_variant_n_children (parameters); i++)
    {
      const char *text;

      g_variant_get_child (parameters, i, "&s", &text);
      if (strlen (text) > (i == 3 ? MAX_CODE : MAX_TEXT))
        return TRUE;
    }
  return FALSE;
}

static void
ask (FhApprovals *self, const char *sender, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  const char *id;
  Question *question;

  g_variant_get_child (parameters, 0, "&s", &id);
  if (g_queue_get_length (&self->questions) >= MAX_QUESTIONS || are_too_long (parameters) ||
      find (self, sender, id) != NULL)
    {
      g_dbus_method_invocation_return_error_literal (invocation,
                                                     G_DBUS_ERROR,
                                                     G_DBUS_ERROR_LIMITS_EXCEEDED,
                                                     "Too many questions, or too long ones");
      return;
    }
  question = g_new0 (Question, 1);
  question->approvals = self;
  question->invocation = invocation;
  question->application = g_application_get_default ();
  if (question->application != NULL)
    g_application_hold (g_object_ref (question->application));
  g_queue_push_tail (&self->questions, question);
  question->watch = g_bus_watch_name_on_connection (self->exported.connection,
                                                    sender,
                                                    G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                    NULL,
                                                    vanished_cb,
                                                    question,
                                                    NULL);
  show_first (self);
}

static void
method_call_cb (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *method,
                GVariant *parameters,
                GDBusMethodInvocation *invocation,
                gpointer user_data)
{
  FhApprovals *self = FH_APPROVALS (user_data);
  Question *question;
  const char *id;

  if (g_str_equal (method, "Ask"))
    {
      ask (self, sender, parameters, invocation);
      return;
    }
  g_variant_get (parameters, "(&s)", &id);
  question = find (self, sender, id);
  if (question != NULL)
    end (question, FALSE, "");
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
fh_approvals_dispose (GObject *object)
{
  fh_approvals_unexport (FH_APPROVALS (object));

  G_OBJECT_CLASS (fh_approvals_parent_class)->dispose (object);
}

static void
fh_approvals_class_init (FhApprovalsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_approvals_dispose;

  show_signal = fh_signal_new ("show", FH_TYPE_APPROVALS, 1, GTK_TYPE_WINDOW);
}

static void
fh_approvals_init (FhApprovals *self)
{
}

gboolean
fh_approvals_export (FhApprovals *self,
                     GDBusConnection *connection,
                     const char *application_path,
                     GError **error)
{
  g_return_val_if_fail (FH_IS_APPROVALS (self), FALSE);

  return fh_exported_object_export (&self->exported,
                                    connection,
                                    application_path,
                                    "Approval",
                                    interface_xml,
                                    method_call_cb,
                                    self,
                                    error);
}

/* Nothing that was asked for is approved. */
void
fh_approvals_unexport (FhApprovals *self)
{
  g_return_if_fail (FH_IS_APPROVALS (self));

  end_all (self);
  fh_exported_object_clear (&self->exported);
}
