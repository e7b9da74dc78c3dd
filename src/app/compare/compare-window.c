/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/compare-window.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/diff-view.h"
#include "parts/notice-bar.h"
#include "parts/run-labels.h"
#include "parts/toasts.h"

struct _FhCompareWindow
{
  AdwWindow parent_instance;
  GCancellable *cancellable;

  GtkWidget *names;
  GtkLabel *old_name;
  GtkLabel *new_name;
  GtkStack *stack;
  FhNoticeBar *notice;
  FhDiffView *view;
};

G_DEFINE_FINAL_TYPE (FhCompareWindow, fh_compare_window, ADW_TYPE_WINDOW)

/* The differences that it finds. */
typedef struct
{
  GPtrArray *rows;
  gboolean is_same;
  gboolean is_rough;
} Found;

FhRunPair *
fh_run_pair_new (FhRunRequest *const *requests, FhRunResult *const *results)
{
  FhRunPair *pair = g_new0 (FhRunPair, 1);

  for (guint side = 0; side < 2; side++)
    {
      pair->requests[side] = g_object_ref (requests[side]);
      pair->results[side] = g_object_ref (results[side]);
    }
  return pair;
}

void
fh_run_pair_free (gpointer data)
{
  FhRunPair *pair = data;

  for (guint side = 0; side < 2; side++)
    {
      g_object_unref (pair->requests[side]);
      g_object_unref (pair->results[side]);
    }
  g_free (pair);
}

FhRunComparison *
fh_run_pair_compare (const FhRunPair *pair)
{
  return fh_run_comparison_new (pair->requests[0],
                                pair->results[0],
                                pair->requests[1],
                                pair->results[1]);
}

static void
found_free (gpointer data)
{
  Found *found = data;

  g_ptr_array_unref (found->rows);
  g_free (found);
}

static void
compare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Found *found = g_new0 (Found, 1);
  g_autoptr (FhRunComparison) comparison = fh_run_pair_compare (data);

  found->rows = g_ptr_array_new_with_free_func (g_object_unref);
  found->is_same = fh_run_comparison_is_same (comparison);
  for (guint part = 0; part < FH_N_COMPARED; part++)
    {
      FhTextDiff *diff = fh_run_comparison_get_diff (comparison, part);

      found->is_rough |= diff != NULL && fh_text_diff_is_rough (diff);
      fh_diff_rows_add_part (found->rows, comparison, part);
    }
  g_task_return_pointer (task, found, found_free);
}

static void
compared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhCompareWindow *self = FH_COMPARE_WINDOW (source);
  Found *found = g_task_propagate_pointer (G_TASK (result), NULL);

  if (found == NULL)
    return;
  fh_diff_view_set_rows (self->view, found->rows);
  if (found->is_same)
    fh_notice_bar_set_text (self->notice, _ ("Nothing differs but the figures."));
  else if (found->is_rough)
    fh_notice_bar_set_text (self->notice,
                            _ ("The texts have so little in common that more may be marked than "
                               "differs."));
  gtk_stack_set_visible_child_name (self->stack, "rows");
  gtk_widget_child_focus (GTK_WIDGET (self->view), GTK_DIR_TAB_FORWARD);
  found_free (found);
}

static void
next_cb (FhCompareWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "diff.next", NULL);
}

static void
previous_cb (FhCompareWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->view), "diff.previous", NULL);
}

/* The names stand as the texts do. */
static void
stacked_cb (FhCompareWindow *self)
{
  gboolean stacked;

  g_object_get (self->view, "stacked", &stacked, NULL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->names),
                                  stacked ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

static void
fh_compare_window_dispose (GObject *object)
{
  FhCompareWindow *self = FH_COMPARE_WINDOW (object);

  fh_cancel (&self->cancellable);
  G_OBJECT_CLASS (fh_compare_window_parent_class)->dispose (object);
}

static void
fh_compare_window_class_init (FhCompareWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_compare_window_dispose;
  g_type_ensure (FH_TYPE_DIFF_VIEW);
  g_type_ensure (FH_TYPE_NOTICE_BAR);
  fh_set_template (widget_class, "compare/compare-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FhCompareWindow, names);
  gtk_widget_class_bind_template_child (widget_class, FhCompareWindow, old_name);
  gtk_widget_class_bind_template_child (widget_class, FhCompareWindow, new_name);
  gtk_widget_class_bind_template_child (widget_class, FhCompareWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, FhCompareWindow, notice);
  gtk_widget_class_bind_template_child (widget_class, FhCompareWindow, view);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fh_compare_window_init (FhCompareWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
  fh_connect (self->view, "notify::stacked", stacked_cb, self);
}

static void
show_name (GtkLabel *label,
           const char *mark,
           const char *name,
           FhRunRequest *request,
           FhRunResult *result)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = fh_run_label_moment (fh_run_result_get_parts (result)->started_at, now);
  g_autofree char *text = g_strdup_printf ("%s %s · %s · %s",
                                           mark,
                                           name,
                                           time,
                                           fh_run_request_get_parts (request)->title);

  gtk_label_set_text (label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
}

void
fh_compare_window_show (GtkWidget *widget,
                        const char *const *names,
                        FhRunRequest *const *requests,
                        FhRunResult *const *results)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  FhCompareWindow *self;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  self = g_object_new (FH_TYPE_COMPARE_WINDOW,
                       "transient-for",
                       GTK_IS_WINDOW (root) ? root : NULL,
                       "destroy-with-parent",
                       TRUE,
                       NULL);
  show_name (self->old_name, "−", names[0], requests[0], results[0]);
  show_name (self->new_name, "+", names[1], requests[1], results[1]);
  task = g_task_new (self, self->cancellable, compared_cb, NULL);
  g_task_set_source_tag (task, fh_compare_window_show);
  g_task_set_task_data (task, fh_run_pair_new (requests, results), fh_run_pair_free);
  g_task_run_in_thread (task, compare_in_thread);
  gtk_window_present (GTK_WINDOW (self));
}

/* Two runs, while they are loaded one after the other. */
typedef struct
{
  GtkWidget *widget;
  gint64 ids[2];
  FhRunRequest *requests[2];
  FhRunResult *results[2];
  guint n_loaded;
} Loading;

static void
loading_free (Loading *loading)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_object (&loading->requests[i]);
      g_clear_object (&loading->results[i]);
    }
  g_object_unref (loading->widget);
  g_free (loading);
}

static void
show_loaded (Loading *loading)
{
  const char *const names[] = { _ ("The older run"), _ ("The newer run") };

  fh_compare_window_show (loading->widget, names, loading->requests, loading->results);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Loading *loading = user_data;
  guint i = loading->n_loaded++;
  g_autoptr (GError) error = NULL;

  if (!fh_history_load_finish (FH_HISTORY (source),
                               result,
                               NULL,
                               &loading->requests[i],
                               &loading->results[i],
                               &error))
    fh_toast_show_problem (loading->widget, error->message);
  else if (loading->n_loaded < 2)
    {
      fh_history_load_async (FH_HISTORY (source), loading->ids[1], NULL, loaded_cb, loading);
      return;
    }
  /* The window may have been closed. */
  else if (gtk_widget_get_root (loading->widget) != NULL && gtk_widget_get_mapped (loading->widget))
    show_loaded (loading);
  loading_free (loading);
}

void
fh_compare_past_runs (GtkWidget *widget, FhHistory *history, gint64 old_run, gint64 new_run)
{
  Loading *loading;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (FH_IS_HISTORY (history));

  loading = g_new0 (Loading, 1);
  loading->widget = g_object_ref (widget);
  loading->ids[0] = old_run;
  loading->ids[1] = new_run;
  fh_history_load_async (history, old_run, NULL, loaded_cb, loading);
}
