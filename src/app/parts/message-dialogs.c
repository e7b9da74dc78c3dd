/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/message-dialogs.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* Newer libadwaita asks inside of the window. What it had for that before, a window of its own,
 * measures itself in ways that newer GTK complains of. */
#if ADW_CHECK_VERSION(1, 5, 0)
typedef AdwAlertDialog Question;
#define question_new(parent, heading, body) ADW_ALERT_DIALOG (adw_alert_dialog_new (heading, body))
#define question_add                        adw_alert_dialog_add_response
#define question_set_look                   adw_alert_dialog_set_response_appearance
#define question_set_default                adw_alert_dialog_set_default_response
#define question_set_on_escape              adw_alert_dialog_set_close_response
#define question_present(question, parent)  adw_dialog_present (ADW_DIALOG (question), parent)
#define question_detach(question)
#else
typedef AdwMessageDialog Question;
#define question_new(parent, heading, body)                                                        \
  ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (parent), heading, body))
#define question_add                       adw_message_dialog_add_response
#define question_set_look                  adw_message_dialog_set_response_appearance
#define question_set_default               adw_message_dialog_set_default_response
#define question_set_on_escape             adw_message_dialog_set_close_response
#define question_present(question, parent) gtk_window_present (GTK_WINDOW (question))
/* The dialog lives until the key that answered it was handled, and the answer may end its parent,
 * which GTK would then look at once more. */
#define question_detach(question)          gtk_window_set_transient_for (GTK_WINDOW (question), NULL)
#endif

/* The headers say of the new functions that they are too new for what the build is pinned to. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS

/* The answer is only given once. */
static void
answer (GTask *task, const char *response)
{
  if (g_object_get_data (G_OBJECT (task), "is-answered") != NULL)
    return;
  g_object_set_data (G_OBJECT (task), "is-answered", task);
  g_task_return_pointer (task, g_strdup (response), g_free);
}

static void
response_cb (Question *question, const char *response, gpointer user_data)
{
  question_detach (question);
  answer (G_TASK (user_data), response);
  /* Drops the task, which keeps the window. */
  g_signal_handlers_disconnect_by_data (question, user_data);
}

/* A question that goes with its window gets no answer, but what waits for one must go on. */
static void
question_gone (gpointer user_data, GClosure *closure)
{
  g_autoptr (GTask) task = user_data;

  answer (task, "cancel");
}

static void
add_choice (Question *question, const FhMessageChoice *choice, gboolean last)
{
  AdwResponseAppearance look = ADW_RESPONSE_DEFAULT;

  if (choice->destructive)
    look = ADW_RESPONSE_DESTRUCTIVE;
  else if (last)
    look = ADW_RESPONSE_SUGGESTED;
  question_add (question, choice->id, choice->label);
  question_set_look (question, choice->id, look);
  if (last)
    question_set_default (question, choice->destructive ? "cancel" : choice->id);
}

void
fh_message_dialogs_ask_async (GtkWidget *widget,
                              const char *heading,
                              const char *body,
                              const FhMessageChoice *choices,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GtkWidget *parent;
  Question *question;
  GTask *task;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (heading != NULL);
  g_return_if_fail (choices != NULL && choices[0].id != NULL);

  parent = gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW);
  question = question_new (parent, heading, body);
  question_add (question, "cancel", _ ("_Cancel"));
  for (const FhMessageChoice *choice = choices; choice->id != NULL; choice++)
    add_choice (question, choice, choice[1].id == NULL);
  question_set_on_escape (question, "cancel");

  task = g_task_new (widget, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_message_dialogs_ask_async);
  g_signal_connect_data (question, "response", G_CALLBACK (response_cb), task, question_gone, 0);
  question_present (question, parent);
}

G_GNUC_END_IGNORE_DEPRECATIONS

char *
fh_message_dialogs_ask_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
