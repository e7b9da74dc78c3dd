/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cells/call-bar.h"
#include "cells/function-command.h"
#include "cells/functions-dialog.h"
#include "json-guard.h"
#include "json-text.h"
#include "parts/calls.h"
#include "parts/toasts.h"
#include "readable-text.h"
#include "window/snippet-page-private.h"

/* Functions of the tab's session: the person replies to their calls, or a command that the person
 * typed does. Every call is told in the output and in the history. */

/* Of one cell, that commands answer. */
#define MAX_COMMANDS 100

/* Calls of one cell that are told: a program may call without waiting. */
#define MAX_TOLD_CALLS 1000

/* Bytes of arguments and reply, in the line that tells of a call. */
#define MAX_TOLD 200

/* A call that a command answers. */
typedef struct
{
  FhSnippetPage *page;
  guint number;
  GCancellable *cancellable;
} Call;

static void
call_free (Call *call)
{
  g_object_unref (call->page);
  g_object_unref (call->cancellable);
  g_free (call);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, call_free)

static FhSessionFunction *
find_function (FhSnippetPage *self, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->functions)); i++)
    {
      g_autoptr (FhSessionFunction) function =
          g_list_model_get_item (G_LIST_MODEL (self->functions), i);

      if (g_str_equal (fh_session_function_get_name (function), name))
        return function;
    }
  return NULL;
}

static char *
dup_cut (const char *text)
{
  const gsize size = strlen (text);
  g_autofree char *shown = fh_readable_text_new (text, MIN (size, MAX_TOLD));

  return g_strconcat (shown, size > MAX_TOLD ? "…" : "", NULL);
}

static void
tell (FhSnippetPage *self, const char *reply)
{
  g_autofree char *call = dup_cut (self->call_text);
  g_autofree char *shown = dup_cut (reply);
  g_autofree char *line = g_strdup_printf ("%s → %s", call, shown);

  if (++self->n_told <= MAX_TOLD_CALLS)
    fh_session_mode_say (self->mode, line);
  else if (self->n_told == MAX_TOLD_CALLS + 1)
    fh_session_mode_say (self->mode, _ ("More calls are not told."));
}

/* JSON, or else a text. */
static JsonNode *
parse_reply (const char *text)
{
  g_autofree char *wrapped = g_strdup_printf ("{\"value\": %s}", text);
  g_autoptr (JsonObject) object =
      fh_json_guard_parse (wrapped, strlen (wrapped), FH_RUN_MAX_ANSWER, NULL);
  JsonNode *node;

  if (object != NULL && json_object_get_size (object) == 1)
    return json_object_dup_member (object, "value");
  node = json_node_alloc ();
  json_node_init_string (node, text);
  return node;
}

void
fh_snippet_page_end_call (FhSnippetPage *self)
{
  g_cancellable_cancel (self->call_cancellable);
  g_clear_object (&self->call_cancellable);
  self->call = 0;
  if (self->call_bar != NULL)
    fh_call_bar_show (self->call_bar, NULL, NULL);
}

/* `text`: NULL for the exception with the text `error`. */
static void
reply (FhSnippetPage *self, const char *text, const char *error)
{
  g_autoptr (JsonNode) value = text != NULL ? parse_reply (text) : NULL;
  g_autoptr (GError) problem = NULL;
  const guint number = self->call;

  if (self->mode == NULL || number == 0)
    return;
  if (!fh_cells_reply (fh_session_mode_get_cells (self->mode), number, value, error, &problem))
    {
      /* The person can send another one. */
      fh_toast_show_problem (GTK_WIDGET (self), problem->message);
      return;
    }
  tell (self, text != NULL ? text : error);
  fh_snippet_page_end_call (self);
}

static void
reply_cb (FhSnippetPage *self, const char *text)
{
  reply (self, text, NULL);
}

static void
refuse_cb (FhSnippetPage *self)
{
  reply (self, NULL, _ ("The call was refused."));
}

static void
replied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Call) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = fh_function_command_run_finish (result, &error);

  if (g_cancellable_is_cancelled (call->cancellable) || call->number != call->page->call)
    return;
  reply (call->page, text, text == NULL ? error->message : NULL);
  /* It still waits if the reply could not be sent. */
  if (call->number == call->page->call)
    reply (call->page, NULL, _ ("The reply is too long."));
}

static void
ask_command (FhSnippetPage *self, FhSessionFunction *function, const char *arguments)
{
  Call *call;

  if (++self->n_commands > MAX_COMMANDS)
    {
      reply (self, NULL, _ ("The cell calls too often."));
      return;
    }
  call = g_new (Call, 1);
  self->call_cancellable = g_cancellable_new ();
  call->page = g_object_ref (self);
  call->number = self->call;
  call->cancellable = g_object_ref (self->call_cancellable);
  fh_function_command_run_async (fh_session_function_get_argv (function),
                                 arguments,
                                 call->cancellable,
                                 replied_cb,
                                 call);
}

/* The name is one that was declared: programs cannot have others answered. */
static void
call_cb (FhSnippetPage *self, guint number, const char *name, JsonNode *arguments)
{
  g_autofree char *text = fh_json_to_text (arguments, FALSE);
  FhSessionFunction *function = find_function (self, name);

  fh_snippet_page_end_call (self);
  g_free (self->call_text);
  self->call_text = g_strdup_printf ("%s %s", name, text);
  self->call = number;
  if (function == NULL)
    reply (self, NULL, _ ("There is no such function."));
  else if (fh_session_function_get_argv (function) != NULL)
    ask_command (self, function, text);
  else
    fh_call_bar_show (self->call_bar, name, text);
}

static void
declare (FhSnippetPage *self, FhSessionFunction *function)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhCell) cell = fh_cell_new_declare (fh_session_function_get_name (function),
                                                 fh_session_function_get_parameters (function),
                                                 fh_session_function_get_doc (function),
                                                 NULL,
                                                 &error);

  if (cell != NULL)
    fh_session_mode_push (self->mode, cell);
  else
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
}

void
fh_snippet_page_declare_functions (FhSnippetPage *self)
{
  fh_connect (fh_session_mode_get_cells (self->mode), "call", call_cb, self);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->functions)); i++)
    {
      g_autoptr (FhSessionFunction) function =
          g_list_model_get_item (G_LIST_MODEL (self->functions), i);

      declare (self, function);
    }
}

/* The last one of that name counts. */
static void
declare_cb (FhSnippetPage *self, FhSessionFunction *function)
{
  FhSessionFunction *old = find_function (self, fh_session_function_get_name (function));
  const gboolean has_begun = self->mode != NULL;
  guint position;

  if (old != NULL && g_list_store_find (self->functions, old, &position))
    g_list_store_remove (self->functions, position);
  g_list_store_append (self->functions, function);
  if (has_begun)
    declare (self, function);
  else
    fh_snippet_page_begin_session (self);
}

void
fh_snippet_page_functions_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);
  GtkWidget *dialog = fh_functions_dialog_new (widget, G_LIST_MODEL (self->functions));

  fh_connect (dialog, "declare", declare_cb, self);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
fh_snippet_page_init_calls (FhSnippetPage *self)
{
  self->functions = g_list_store_new (FH_TYPE_SESSION_FUNCTION);
  fh_connect (self->call_bar, "reply", reply_cb, self);
  fh_connect (self->call_bar, "refuse", refuse_cb, self);
}
