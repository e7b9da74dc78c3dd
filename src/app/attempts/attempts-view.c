/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempts/attempts-view.h"

#include <glib/gi18n.h>

#include "attempts/attempt-details.h"
#include "attempts/attempts-table.h"
#include "parts/calls.h"
#include "run-summary.h"

struct _FhAttemptsView
{
  AdwBin parent_instance;
  FhRunRequest *request; /* NULL: nothing is shown */
  FhRun *run;            /* NULL for a past run, or none */
  FhRunResult *result;   /* of a past run; nullable */
  FhAttemptLog *log;     /* nullable */
  gboolean goes_on;      /* when `run` has ended, too: it is a part */
  guint n_seen;          /* blocked attempts when the page was last visible */
  GSignalGroup *run_signals;
  GSignalGroup *log_signals;

  GtkWidget *search_button;
  GtkWidget *stopped_button;
  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkStack *stack;
  AdwStatusPage *empty;
  FhAttemptsTable *table;
  GtkLabel *dropped;
};

static void init_page (FhResultPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhAttemptsView,
                               fh_attempts_view,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_RESULT_PAGE, init_page))

static guint
count_all (FhAttemptsView *self)
{
  return self->log != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->log)) : 0;
}

static guint
count_shown (FhAttemptsView *self)
{
  guint n_shown;

  g_object_get (self->table, "n-shown", &n_shown, NULL);
  return n_shown;
}

static void
show_empty (FhAttemptsView *self, const char *icon_name, const char *title, const char *description)
{
  adw_status_page_set_icon_name (self->empty, icon_name);
  adw_status_page_set_title (self->empty, title);
  adw_status_page_set_description (self->empty, description);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

/* NULL if attempts are recorded. */
static const char *
why_unseen (FhAttemptsView *self)
{
  GPtrArray *guards = self->run != NULL      ? fh_run_get_guards (self->run)
                      : self->result != NULL ? fh_run_result_get_parts (self->result)->guards
                                             : NULL;

  return fh_attempts_why_unseen (fh_run_request_get_parts (self->request)->guards, guards);
}

/* Whether a guard may have stopped something without that anyone has counted it. */
static gboolean
is_doubtful (FhAttemptsView *self)
{
  FhRunResult *result = self->run != NULL ? fh_run_get_result (self->run) : self->result;

  return result != NULL &&
         fh_run_result_get_parts (result)->outcome->cause == FH_RUN_CAUSE_PROCESSES;
}

static void
explain_empty (FhAttemptsView *self)
{
  const char *unseen = self->log != NULL ? why_unseen (self) : NULL;

  if (self->log == NULL)
    show_empty (self,
                "view-reveal-symbolic",
                _ ("No Run Yet"),
                _ ("What programs try, and what the guards do about it, is listed here."));
  else if (count_all (self) > 0)
    show_empty (self,
                "edit-find-symbolic",
                _ ("No Matches"),
                _ ("No attempt matches the search and the filter."));
  else if (unseen != NULL)
    show_empty (self, "view-conceal-symbolic", _ ("Not Recorded"), unseen);
  else if (self->goes_on || (self->run != NULL && fh_run_get_state (self->run) != FH_RUN_FINISHED))
    show_empty (self,
                "view-reveal-symbolic",
                _ ("No Attempts Yet"),
                _ ("The guards have not seen anything so far."));
  else if (is_doubtful (self))
    show_empty (self,
                "dialog-information-symbolic",
                _ ("No Attempts Seen"),
                _ ("As many processes and threads were running as the limit allows. If another one "
                   "was refused, only the program was told so, which may have printed it."));
  else
    show_empty (self,
                "emblem-ok-symbolic",
                _ ("No Attempts"),
                _ ("The guards did not see anything."));
}

static void
update_dropped (FhAttemptsView *self)
{
  guint n =
      self->log != NULL ? (guint) MIN (fh_attempt_log_get_n_dropped (self->log), G_MAXUINT) : 0;
  g_autofree char *text = NULL;

  /* Translators: attempts above a limit are only counted */
  text = g_strdup_printf (
      ngettext ("%u more attempt is not listed.", "%u more attempts are not listed.", n),
      n);
  gtk_label_set_text (self->dropped, text);
  gtk_widget_set_visible (GTK_WIDGET (self->dropped), n > 0);
}

static void
update (FhAttemptsView *self)
{
  gboolean has_any = count_all (self) > 0;

  if (count_shown (self) > 0)
    gtk_stack_set_visible_child_name (self->stack, "table");
  else
    explain_empty (self);
  gtk_widget_set_sensitive (self->search_button, has_any);
  gtk_widget_set_sensitive (self->stopped_button, has_any);
  update_dropped (self);
}

static guint
count_stopped (FhAttemptsView *self)
{
  return self->log != NULL ? fh_attempt_log_get_n_stopped (self->log) : 0;
}

/* Attempts that were blocked ask for attention until the user has looked at them. */
static void
stopped_cb (FhAttemptsView *self)
{
  const guint n_stopped = count_stopped (self);

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->n_seen = n_stopped;
  else if (n_stopped < self->n_seen)
    self->n_seen = 0;
  fh_result_page_changed (FH_RESULT_PAGE (self));
}

static void
search_changed_cb (FhAttemptsView *self)
{
  g_object_set (self->table,
                "search",
                gtk_editable_get_text (GTK_EDITABLE (self->search_entry)),
                NULL);
}

static void
show (FhResultPage *page, const FhShownResult *shown)
{
  FhAttemptsView *self = FH_ATTEMPTS_VIEW (page);
  FhRun *run = shown->run;
  FhAttemptLog *log = shown->attempts;

  if (run != NULL && run == self->run && log == self->log)
    return;
  g_set_object (&self->run, run);
  g_set_object (&self->log, log);
  g_set_object (&self->result, shown->result);
  g_set_object (&self->request, shown->request);
  self->goes_on = run != NULL && log != fh_run_get_attempts (run);
  g_signal_group_set_target (self->run_signals, run);
  g_signal_group_set_target (self->log_signals, log);
  fh_attempts_table_set_log (self->table, log);
  update (self);
  stopped_cb (self);
}

static void
fh_attempts_view_dispose (GObject *object)
{
  FhAttemptsView *self = FH_ATTEMPTS_VIEW (object);

  g_clear_object (&self->run_signals);
  g_clear_object (&self->log_signals);
  g_clear_object (&self->request);
  g_clear_object (&self->run);
  g_clear_object (&self->log);
  g_clear_object (&self->result);
  G_OBJECT_CLASS (fh_attempts_view_parent_class)->dispose (object);
}

static void
fh_attempts_view_class_init (FhAttemptsViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_attempts_view_dispose;

  g_type_ensure (FH_TYPE_ATTEMPTS_TABLE);
  g_type_ensure (FH_TYPE_ATTEMPT_DETAILS);
  fh_set_template (widget_class, "attempts/attempts-view.ui");
  gtk_widget_class_bind_template_child_full (widget_class, "tools", FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, search_button);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, stopped_button);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, empty);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, table);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptsView, dropped);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, fh_attempts_table_unselect);
}

static void
fh_attempts_view_init (FhAttemptsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
  self->run_signals = g_signal_group_new (FH_TYPE_RUN);
  fh_connect_group (self->run_signals, "notify::state", update, self);
  self->log_signals = g_signal_group_new (FH_TYPE_ATTEMPT_LOG);
  fh_connect_group (self->log_signals, "notify::n-stopped", stopped_cb, self);
  fh_connect_group (self->log_signals, "notify::n-items", update, self);
  fh_connect_group (self->log_signals, "notify::n-dropped", update, self);
  fh_search_bar_open_at_once (self->search_bar, GTK_EDITABLE (self->search_entry));
  fh_connect (self, "map", stopped_cb, self);
  update (self);
}

static gboolean
needs_attention (FhResultPage *page)
{
  FhAttemptsView *self = FH_ATTEMPTS_VIEW (page);

  return count_stopped (self) > self->n_seen;
}

static gboolean
concerns (const FhShownResult *shown)
{
  return shown->attempts != NULL;
}

static void
init_page (FhResultPageInterface *iface)
{
  iface->name = "attempts";
  iface->title = N_ ("Attempts");
  iface->icon_name = "view-reveal-symbolic";
  iface->concerns = concerns;
  iface->show = show;
  iface->needs_attention = needs_attention;
}
