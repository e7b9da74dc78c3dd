/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history/history-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/calls.h"
#include "parts/run-labels.h"

struct _FhHistoryRow
{
  AdwBin parent_instance;
  FhHistoryEntry *entry; /* nullable */
  gboolean is_running;
  gulong pinned_handler;

  GtkImage *icon;
  GtkLabel *title;
  GtkImage *stopped;
  GtkImage *container;
  GtkImage *pin;
  GtkLabel *time;
  GtkLabel *snippet;
  GtkLabel *duration;
};

G_DEFINE_FINAL_TYPE (FhHistoryRow, fh_history_row, ADW_TYPE_BIN)

static guint clicked_signal;
static guint menu_requested_signal;

/* Whether a line says nothing besides the title: it is that, or a fence of an answer. */
static gboolean
says_nothing (const char *line, const char *title)
{
  return (*title != '\0' && g_str_has_prefix (line + strspn (line, "#/*\"' "), title)) ||
         g_str_has_prefix (line, "```") || g_str_has_prefix (line, "~~~");
}

/* The snippet in one line, without the title. */
static char *
second_line (FhHistoryEntry *entry)
{
  const char *title = fh_history_entry_get_title (entry);
  const char *snippet = fh_history_entry_get_snippet (entry);
  g_autofree char *stripped = g_strstrip (g_strdup (snippet));
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) joined = g_string_new (NULL);

  lines = g_strsplit (stripped, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_strstrip (lines[i]);
      if (*lines[i] == '\0' || says_nothing (lines[i], title))
        continue;
      if (joined->len > 0)
        g_string_append (joined, "  ");
      g_string_append (joined, lines[i]);
    }
  return g_string_free (g_steal_pointer (&joined), FALSE);
}

/* NULL: on this computer. */
static char *
dup_place (FhHistoryEntry *entry)
{
  const FhContainerOptions container = { .image = fh_history_entry_get_image (entry) };

  return container.image != NULL ? fh_run_label_place (&container, FH_ENGINE_AUTO) : NULL;
}

static void
show_stopped (FhHistoryRow *self)
{
  guint n = fh_history_entry_get_n_stopped (self->entry);
  g_autofree char *text = fh_run_label_stopped (n, FALSE);

  gtk_widget_set_visible (GTK_WIDGET (self->stopped), n > 0);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->stopped), text);
  fh_set_accessible_label (self->stopped, text);
}

static void
show_place (FhHistoryRow *self)
{
  g_autofree char *place = dup_place (self->entry);

  gtk_widget_set_visible (GTK_WIDGET (self->container), place != NULL);
  fh_set_accessible_label (self->container, place != NULL ? place : "");
}

/* Tells how many samples of a batch that ran to its end passed. */
static const FhHistoryScore *
get_score (FhHistoryRow *self)
{
  return fh_history_entry_get_status (self->entry) == FH_RUN_STATUS_OK
             ? fh_history_entry_get_score (self->entry)
             : NULL;
}

static char *
dup_status (FhHistoryRow *self)
{
  const FhHistoryScore *score = get_score (self);

  if (self->is_running)
    return g_strdup (_ ("Running"));
  return score != NULL ? fh_run_label_score (score)
                       : g_strdup (fh_run_status_title (fh_history_entry_get_status (self->entry)));
}

static void
update_pin (FhHistoryRow *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->pin), fh_history_entry_get_pinned (self->entry));
}

void
fh_history_row_update_time (FhHistoryRow *self)
{
  g_autoptr (GDateTime) now = NULL;
  g_autoptr (GDateTime) when = NULL;
  g_autofree char *text = NULL;
  g_autofree char *full = NULL;
  g_autofree char *status = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *place = NULL;

  g_return_if_fail (FH_IS_HISTORY_ROW (self));

  if (self->entry == NULL)
    return;
  now = g_date_time_new_now_local ();
  when = g_date_time_to_local (fh_history_entry_get_started_at (self->entry));
  text = fh_run_label_time (when, now);
  gtk_label_set_text (self->time, text);
  /* xgettext:no-c-format */
  /* Translators: how g_date_time_format() writes a date and a time out: Sunday, 29 November 2026,
   * 14:05 */
  full = g_date_time_format (when, _ ("%A, %-d %B %Y, %H:%M"));
  status = dup_status (self);
  /* Translators: the status of a run, and the date and time of its start. */
  tooltip = g_strdup_printf (_ ("%s\n%s"), status, full);
  place = dup_place (self->entry);
  if (place != NULL)
    {
      g_autofree char *first = g_steal_pointer (&tooltip);

      tooltip = g_strconcat (first, "\n", place, NULL);
    }
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tooltip);
}

static void
show_entry (FhHistoryRow *self)
{
  g_autofree char *duration = fh_run_label_elapsed (fh_history_entry_get_wall_us (self->entry));
  g_autofree char *line = second_line (self->entry);

  if (self->is_running)
    fh_run_label_set_running (self->icon);
  else if (get_score (self) != NULL)
    fh_run_label_set_score (self->icon, get_score (self));
  else
    fh_run_label_set_status (self->icon, fh_history_entry_get_status (self->entry));
  gtk_label_set_text (self->title, fh_history_entry_get_title (self->entry));
  gtk_label_set_text (self->snippet, line);
  gtk_label_set_text (self->duration, self->is_running ? "" : duration);
  show_stopped (self);
  show_place (self);
  fh_history_row_update_time (self);
  update_pin (self);
}

static void
released_cb (FhHistoryRow *self, int n_press)
{
  if (n_press == 1)
    g_signal_emit (self, clicked_signal, 0);
}

static void
secondary_pressed_cb (FhHistoryRow *self, int n_press, double x, double y)
{
  g_signal_emit (self, menu_requested_signal, 0, x, y);
}

static void
long_pressed_cb (FhHistoryRow *self, double x, double y)
{
  g_signal_emit (self, menu_requested_signal, 0, x, y);
}

static void
fh_history_row_dispose (GObject *object)
{
  fh_history_row_set_entry (FH_HISTORY_ROW (object), NULL, FALSE);
  G_OBJECT_CLASS (fh_history_row_parent_class)->dispose (object);
}

static void
fh_history_row_class_init (FhHistoryRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_history_row_dispose;

  clicked_signal = fh_signal_new ("clicked", FH_TYPE_HISTORY_ROW, 0);
  menu_requested_signal =
      fh_signal_new ("menu-requested", FH_TYPE_HISTORY_ROW, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  fh_set_template (widget_class, "history/history-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, icon);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, title);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, pin);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, stopped);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, container);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, time);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, snippet);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryRow, duration);
  gtk_widget_class_bind_template_callback (widget_class, released_cb);
  gtk_widget_class_bind_template_callback (widget_class, secondary_pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, long_pressed_cb);
}

static void
fh_history_row_init (FhHistoryRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
fh_history_row_set_entry (FhHistoryRow *self, FhHistoryEntry *entry, gboolean is_running)
{
  g_return_if_fail (FH_IS_HISTORY_ROW (self));
  g_return_if_fail (entry == NULL || FH_IS_HISTORY_ENTRY (entry));

  if (self->entry != NULL)
    g_clear_signal_handler (&self->pinned_handler, self->entry);
  g_set_object (&self->entry, entry);
  self->is_running = is_running;
  if (entry == NULL)
    return;
  self->pinned_handler = fh_connect (entry, "notify::pinned", update_pin, self);
  show_entry (self);
}

FhHistoryEntry *
fh_history_row_get_entry (FhHistoryRow *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ROW (self), NULL);

  return self->entry;
}
