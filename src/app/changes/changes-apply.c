/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files are read and written in threads, and written only after a question. */
#include "changes/changes-apply.h"

#include <glib/gi18n.h>
#include <string.h>

#include "diff-row.h"
#include "folder-apply.h"
#include "parts/message-dialogs.h"
#include "parts/toasts.h"

/* Names of conflicts that a question lists. */
#define MAX_NAMES 5

/* The lines of a file that are shown. */
typedef struct
{
  FhFolderChanges *changes;
  FhFolderChange *change;
} Shown;

/* The changes that are written. */
typedef struct
{
  FhFolderChanges *changes;
  GPtrArray *chosen;    /* FhFolderChange, owned */
  GPtrArray *conflicts; /* the same, NULL before they are known */
  GPtrArray *special;   /* the same: what taking back does not bring back */
  FhFolderApplied applied;
  GCallback undone;
} Apply;

/* The backup that Undo takes back. */
typedef struct
{
  GWeakRef widget;
  char *backup;
  GPtrArray *chosen;
  void (*undone) (gpointer widget, GPtrArray *chosen);
} Undo;

/* One at a time: each locks its folder, against runs that work in it. */
static GMutex folders;

static void
shown_free (gpointer data)
{
  Shown *shown = data;

  g_object_unref (shown->changes);
  g_object_unref (shown->change);
  g_free (shown);
}

static gboolean
is_binary (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return size > 0 && memchr (data, '\0', size) != NULL;
}

static void
diff_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Shown *shown = data;
  const FhFolderChangeFacts *facts = fh_folder_change_get_facts (shown->change);
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) old_text = NULL;
  g_autoptr (FhTextDiff) diff = NULL;
  GBytes *new_text = facts->content != NULL ? facts->content : nothing;
  GPtrArray *rows;
  GError *error = NULL;

  g_mutex_lock (&folders);
  old_text = facts->kind == FH_FOLDER_CHANGE_ADDED
                 ? g_bytes_ref (nothing)
                 : fh_folder_read_original (shown->changes, shown->change, &error);
  g_mutex_unlock (&folders);
  if (old_text == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (is_binary (old_text) || is_binary (new_text))
    {
      g_task_return_new_error (task,
                               G_IO_ERROR,
                               G_IO_ERROR_NOT_SUPPORTED,
                               "%s",
                               _ ("This file is not text."));
      return;
    }
  rows = g_ptr_array_new_with_free_func (g_object_unref);
  diff = fh_text_diff_new (old_text, new_text);
  fh_diff_rows_add_text (rows, diff);
  g_task_return_pointer (task, rows, (GDestroyNotify) g_ptr_array_unref);
}

void
fh_changes_diff_async (FhFolderChanges *changes,
                       FhFolderChange *change,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Shown *shown = g_new0 (Shown, 1);

  shown->changes = g_object_ref (changes);
  shown->change = g_object_ref (change);
  g_task_set_source_tag (task, fh_changes_diff_async);
  g_task_set_task_data (task, shown, shown_free);
  if (!fh_folder_change_is_applicable (change))
    g_task_return_new_error (task,
                             G_IO_ERROR,
                             G_IO_ERROR_NOT_SUPPORTED,
                             "%s",
                             fh_folder_change_get_remark (change));
  else
    g_task_run_in_thread (task, diff_in_thread);
}

GPtrArray *
fh_changes_diff_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
apply_free (gpointer data)
{
  Apply *apply = data;

  g_object_unref (apply->changes);
  g_ptr_array_unref (apply->chosen);
  g_clear_pointer (&apply->conflicts, g_ptr_array_unref);
  g_ptr_array_unref (apply->special);
  fh_folder_applied_clear (&apply->applied);
  g_free (apply);
}

static void
undo_free (gpointer data)
{
  Undo *undo = data;

  g_weak_ref_clear (&undo->widget);
  g_free (undo->backup);
  g_ptr_array_unref (undo->chosen);
  g_free (undo);
}

static void
undo_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Undo *undo = data;
  GError *error = NULL;
  gboolean ok;

  g_mutex_lock (&folders);
  ok = fh_folder_undo (undo->backup, NULL, NULL, &error);
  g_mutex_unlock (&folders);
  if (ok)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
undone_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Undo *undo = g_task_get_task_data (G_TASK (result));
  g_autoptr (GtkWidget) widget = g_weak_ref_get (&undo->widget);
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);

  if (widget == NULL)
    return;
  if (!ok)
    {
      fh_toast_show_problem (widget, error->message);
      return;
    }
  fh_toast_show (widget, _ ("What was applied is taken back"));
  undo->undone (widget, undo->chosen);
}

static Undo *
undo_new (GtkWidget *widget, const char *backup, GPtrArray *chosen, GCallback undone)
{
  Undo *undo = g_new0 (Undo, 1);

  g_weak_ref_init (&undo->widget, widget);
  undo->backup = g_strdup (backup);
  undo->chosen = g_ptr_array_ref (chosen);
  undo->undone = (void (*) (gpointer, GPtrArray *)) undone;
  return undo;
}

void
fh_changes_undo (GtkWidget *widget, const char *backup, GPtrArray *applied, GCallback undone)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, undone_cb, NULL);

  g_return_if_fail (backup != NULL && applied != NULL);

  g_task_set_task_data (task, undo_new (widget, backup, applied, undone), undo_free);
  g_task_run_in_thread (task, undo_in_thread);
}

static void
undo_cb (gpointer user_data)
{
  Undo *undo = user_data;
  g_autoptr (GtkWidget) widget = g_weak_ref_get (&undo->widget);

  /* The toast frees its own. */
  fh_changes_undo (widget, undo->backup, undo->chosen, G_CALLBACK (undo->undone));
}

/* Nothing was written if there is no backup, and what was applied before is not to be taken back.
 */
static void
tell (GtkWidget *widget, Apply *apply)
{
  guint n = apply->applied.n_written + apply->applied.n_deleted;
  g_autofree char *text =
      g_strdup_printf (ngettext ("%u change applied", "%u changes applied", n), n);

  if (apply->applied.backup == NULL)
    fh_toast_show (widget, _ ("The folder is like that already"));
  else
    fh_toast_show_undo (widget,
                        text,
                        undo_cb,
                        undo_new (widget, apply->applied.backup, apply->chosen, apply->undone),
                        undo_free);
}

static void
apply_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Apply *apply = data;
  GError *error = NULL;
  gboolean ok;

  g_mutex_lock (&folders);
  ok = fh_folder_apply (apply->changes, apply->chosen, apply->conflicts, &apply->applied, &error);
  g_mutex_unlock (&folders);
  if (ok)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Goes on with the task after a file was written. */
static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GtkWidget *widget = GTK_WIDGET (source);
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);

  if (ok)
    tell (widget, g_task_get_task_data (task));
  else
    fh_toast_show_problem (widget, error->message);
  g_task_return_boolean (task, ok);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);
  g_autoptr (GTask) step = NULL;

  if (g_strcmp0 (answer, "apply") != 0)
    {
      g_task_return_boolean (task, FALSE);
      return;
    }
  step = g_task_new (g_task_get_source_object (task), NULL, written_cb, g_object_ref (task));
  g_task_set_task_data (step, g_task_get_task_data (task), NULL);
  g_task_run_in_thread (step, apply_in_thread);
}

static void
count (const Apply *apply, guint *n, guint *n_executing)
{
  for (guint i = 0; i < apply->chosen->len; i++)
    {
      FhFolderChange *change = apply->chosen->pdata[i];

      n[fh_folder_change_get_facts (change)->kind]++;
      *n_executing += !fh_folder_change_is_in_all (change);
    }
}

/* "a.py, b.py, …" */
static char *
list_names (GPtrArray *changes)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < changes->len && i < MAX_NAMES; i++)
    g_string_append_printf (names,
                            "%s“%s”",
                            i > 0 ? ", " : "",
                            fh_folder_change_get_facts (changes->pdata[i])->name);
  if (changes->len > MAX_NAMES)
    g_string_append (names, ", …");
  return g_string_free (names, FALSE);
}

static char *
question (const Apply *apply)
{
  guint n[3] = { 0 }, n_executing = 0;
  GString *body = g_string_new (NULL);
  g_autofree char *folder =
      g_filename_display_name (fh_folder_changes_get_facts (apply->changes)->place.path);

  count (apply, n, &n_executing);
  /* Translators: %s is a folder */
  g_string_append_printf (body,
                          _ ("In “%s”: %u added, %u changed, %u deleted."),
                          folder,
                          n[FH_FOLDER_CHANGE_ADDED],
                          n[FH_FOLDER_CHANGE_CHANGED],
                          n[FH_FOLDER_CHANGE_DELETED]);
  if (n_executing > 0)
    g_string_append_printf (
        body,
        ngettext (
            "\n\n%u of these files may execute by itself, or its name deceives. Read it first.",
            "\n\n%u of these files may execute by themselves, or their names deceive. Read them "
            "first.",
            n_executing),
        n_executing);
  if (apply->conflicts->len > 0)
    {
      g_autofree char *names = list_names (apply->conflicts);

      /* Translators: %s is a list of files */
      g_string_append_printf (body,
                              _ ("\n\nChanged on the disk since the run, and would be "
                                 "overwritten: %s."),
                              names);
    }
  if (apply->special->len > 0)
    {
      g_autofree char *names = list_names (apply->special);

      /* Translators: %s is a list of files */
      g_string_append_printf (body,
                              _ ("\n\nHard links, special permissions and extended attributes of "
                                 "these files are lost, and Undo does not bring them back: %s."),
                              names);
    }
  return g_string_free (body, FALSE);
}

static void
conflicts_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Apply *apply = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *heading = NULL;
  g_autofree char *body = NULL;
  gboolean is_risky;

  apply->conflicts = g_task_propagate_pointer (G_TASK (result), &error);
  if (apply->conflicts == NULL)
    {
      fh_toast_show_problem (GTK_WIDGET (source), error->message);
      g_task_return_boolean (task, FALSE);
      return;
    }
  is_risky = apply->conflicts->len > 0;
  heading = g_strdup_printf (ngettext ("Apply %u Change?", "Apply %u Changes?", apply->chosen->len),
                             apply->chosen->len);
  body = question (apply);
  fh_message_dialogs_ask_async (
      GTK_WIDGET (source),
      heading,
      body,
      (const FhMessageChoice[]){ { "apply", is_risky ? _ ("_Overwrite") : _ ("_Apply"), is_risky },
                                 { NULL } },
      NULL,
      answered_cb,
      g_object_ref (task));
}

static void
conflicts_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Apply *apply = data;
  GError *error = NULL;
  GPtrArray *conflicts;

  g_mutex_lock (&folders);
  conflicts = fh_folder_find_conflicts (apply->changes, apply->chosen, apply->special, &error);
  g_mutex_unlock (&folders);
  if (conflicts != NULL)
    g_task_return_pointer (task, conflicts, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
fh_changes_apply_async (GtkWidget *widget,
                        FhFolderChanges *changes,
                        GPtrArray *chosen,
                        GCallback undone,
                        GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (widget, NULL, callback, NULL);
  g_autoptr (GTask) step = g_task_new (widget, NULL, conflicts_cb, g_object_ref (task));
  Apply *apply = g_new0 (Apply, 1);

  apply->changes = g_object_ref (changes);
  apply->chosen = g_ptr_array_ref (chosen);
  apply->special = g_ptr_array_new_with_free_func (g_object_unref);
  apply->undone = undone;
  g_task_set_source_tag (task, fh_changes_apply_async);
  g_task_set_task_data (task, apply, apply_free);
  g_task_set_task_data (step, apply, NULL);
  g_task_run_in_thread (step, conflicts_in_thread);
}

gboolean
fh_changes_apply_finish (GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL);
}

GPtrArray *
fh_changes_apply_get_chosen (GAsyncResult *result)
{
  return ((Apply *) g_task_get_task_data (G_TASK (result)))->chosen;
}

static void
find_applied_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  char *backup = NULL;
  GPtrArray *applied;

  g_mutex_lock (&folders);
  applied = fh_folder_find_applied (data, &backup);
  g_mutex_unlock (&folders);
  g_object_set_data_full (G_OBJECT (task), "backup", backup, g_free);
  g_task_return_pointer (task, applied, (GDestroyNotify) g_ptr_array_unref);
}

void
fh_changes_find_applied_async (FhFolderChanges *changes,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_changes_find_applied_async);
  g_task_set_task_data (task, g_object_ref (changes), g_object_unref);
  g_task_run_in_thread (task, find_applied_in_thread);
}

GPtrArray *
fh_changes_find_applied_finish (GAsyncResult *result, char **backup)
{
  *backup = g_strdup (g_object_get_data (G_OBJECT (result), "backup"));
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
