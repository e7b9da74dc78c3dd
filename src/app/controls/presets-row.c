/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/presets-row.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/toasts.h"
#include "presets.h"
#include "work-queue.h"

struct _FhPresetsRow
{
  AdwExpanderRow parent_instance;

  FhOptions *options;
  FhWorkQueue *queue; /* in order, so that the list that comes last is the newest */
  GPtrArray *rows;    /* of the presets that are listed; borrowed */

  GtkEditable *name_row;
};

G_DEFINE_FINAL_TYPE (FhPresetsRow, fh_presets_row, ADW_TYPE_EXPANDER_ROW)

typedef enum
{
  LIST,
  LOAD,
  SAVE,
  DELETE,
} Action;

/* Something to do with the files, in a thread. */
typedef struct
{
  FhPresetsRow *row;
  Action action;
  char *name;            /* nullable: LIST */
  FhRunOptions *options; /* to save, or what was loaded or deleted; NULL: it was damaged */
  GStrv names;           /* of all presets, after it was done */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_object_unref (work->row);
  g_free (work->name);
  g_clear_pointer (&work->options, fh_run_options_free);
  g_strfreev (work->names);
  g_free (work);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static void
work_in_thread (GTask *task)
{
  Work *work = g_task_get_task_data (task);
  GError *error = NULL;

  if (work->action == LOAD)
    work->options = fh_preset_load (work->name, &error);
  else if (work->action == SAVE)
    fh_preset_save (work->name, work->options, &error);
  else if (work->action == DELETE)
    fh_preset_delete (work->name, &work->options, &error);
  work->names = fh_preset_list ();
  if (error == NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void worked_cb (GObject *source, GAsyncResult *result, gpointer user_data);

/* `name`: nullable. `options`: nullable; taken. */
static void
start (FhPresetsRow *self, Action action, const char *name, FhRunOptions *options)
{
  Work *work = g_new0 (Work, 1);
  GTask *task = g_task_new (NULL, NULL, worked_cb, work);

  work->row = g_object_ref (self);
  work->action = action;
  work->name = g_strdup (name);
  work->options = options;
  /* The callback frees it: the row must not be released in the thread. */
  g_task_set_task_data (task, work, NULL);
  fh_work_queue_push (self->queue, task, work_in_thread);
}

/* Tells what was done last, or why it could not be. */
static void
say (FhPresetsRow *self, const char *text)
{
  g_autofree char *shown = g_markup_escape_text (text, -1);

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), shown);
}

static const char *
title_of (GtkWidget *row)
{
  return adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row));
}

static void
load_cb (FhPresetsRow *self, GtkWidget *row)
{
  start (self, LOAD, title_of (row), NULL);
}

static void
delete_cb (FhPresetsRow *self, GtkWidget *button)
{
  start (self, DELETE, title_of (gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW)), NULL);
}

/* Whether lines are reported follows from what is watched, and was not chosen. */
static void
save_cb (FhPresetsRow *self)
{
  g_autoptr (FhRunOptions) values = fh_options_dup_values (self->options);
  g_autofree char *problem = NULL;

  g_object_get (self->options, "problem", &problem, NULL);
  values->guards.report_lines = FALSE;
  if (problem != NULL)
    say (self, problem);
  else
    start (self, SAVE, gtk_editable_get_text (self->name_row), g_steal_pointer (&values));
}

static void
undo_cb (gpointer user_data)
{
  Work *work = user_data;

  start (work->row, SAVE, work->name, g_steal_pointer (&work->options));
}

static void
add (FhPresetsRow *self, const char *name)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW,
                                 "title",
                                 name,
                                 "use-markup",
                                 FALSE,
                                 "activatable",
                                 TRUE,
                                 "tooltip-text",
                                 _ ("Load These Options"),
                                 NULL);
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  g_autofree char *label = g_strdup_printf (_ ("Delete the preset “%s”"), name);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Delete"));
  fh_set_accessible_label (button, label);
  fh_connect (button, "clicked", delete_cb, self);
  fh_connect (row, "activated", load_cb, self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
  g_ptr_array_add (self->rows, row);
}

static void
show (FhPresetsRow *self, GStrv names)
{
  while (self->rows->len > 0)
    adw_expander_row_remove (ADW_EXPANDER_ROW (self),
                             g_ptr_array_remove_index (self->rows, self->rows->len - 1));
  for (guint i = 0; names[i] != NULL; i++)
    add (self, names[i]);
}

static void
worked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  FhPresetsRow *self = work->row;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (self->options == NULL)
    return;
  /* A row that was activated keeps the focus. */
  if (work->action != LOAD)
    show (self, work->names);
  if (error != NULL)
    say (self, error->message);
  else if (work->action == LOAD)
    {
      fh_options_set_values (self->options, work->options);
      say (self, _ ("These options are loaded"));
    }
  else if (work->action == SAVE)
    say (self, _ ("Saved"));
  else if (work->action == DELETE)
    {
      text = g_strdup_printf (_ ("“%s” is deleted"), work->name);
      say (self, text);
      if (work->options != NULL)
        fh_toast_show_undo (GTK_WIDGET (self), text, undo_cb, g_steal_pointer (&work), work_free);
    }
}

static void
expanded_cb (FhPresetsRow *self)
{
  say (self, "");
  if (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self)))
    start (self, LIST, NULL, NULL);
}

static void
fh_presets_row_dispose (GObject *object)
{
  g_clear_object (&FH_PRESETS_ROW (object)->options);
  G_OBJECT_CLASS (fh_presets_row_parent_class)->dispose (object);
}

static void
fh_presets_row_finalize (GObject *object)
{
  FhPresetsRow *self = FH_PRESETS_ROW (object);

  g_ptr_array_unref (self->rows);
  fh_work_queue_free (self->queue);
  G_OBJECT_CLASS (fh_presets_row_parent_class)->finalize (object);
}

static void
fh_presets_row_class_init (FhPresetsRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_presets_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = fh_presets_row_finalize;
}

static void
fh_presets_row_init (FhPresetsRow *self)
{
  self->queue = fh_work_queue_new ();
  self->rows = g_ptr_array_new ();
  self->name_row = GTK_EDITABLE (g_object_new (ADW_TYPE_ENTRY_ROW,
                                               "title",
                                               _ ("Save These Options As"),
                                               "show-apply-button",
                                               TRUE,
                                               "input-hints",
                                               GTK_INPUT_HINT_NO_SPELLCHECK,
                                               NULL));
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), GTK_WIDGET (self->name_row));
  fh_connect (self->name_row, "apply", save_cb, self);
  fh_connect (self, "notify::expanded", expanded_cb, self);
}

void
fh_presets_row_set_options (FhPresetsRow *self, FhOptions *options)
{
  g_return_if_fail (FH_IS_PRESETS_ROW (self));
  g_return_if_fail (FH_IS_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
}
