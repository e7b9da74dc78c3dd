/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-text.h"

#include <glib/gi18n.h>

#include "output/output-feed.h"
#include "output/output-gutter.h"
#include "output/output-links.h"
#include "output/output-sources.h"
#include "output/output-tail.h"
#include "parts/calls.h"
#include "parts/program-text.h"

/* How long a frame waits for the first output, and how often it is looked for. */
#define HOLD_US       8000
#define HOLD_LOOKS_US 100

/* Invariant: a tick callback is installed while the pane is mapped and something waits. */
struct _FhOutputText
{
  AdwBin parent_instance;
  FhOutputFeed *feed;
  FhOutputTail *tail;
  FhOutputLinks *links;
  guint tick; /* one step per painted frame */
  guint step;
  guint hold;           /* while the next frame waits for the first output */
  FhOutputLog *awaited; /* the log that is still empty then; else NULL */
  gint64 hold_until;    /* in µs of the monotonic clock */
  guint64 left_out;     /* as shown in the label */
  gboolean nothing_ran;

  GtkTextView *view;
  GtkScrolledWindow *scroller;
  GtkLabel *hint;
  GtkLabel *left_out_label;
  GtkRevealer *left_out_revealer;
  GtkRevealer *jump_revealer;
};

G_DEFINE_FINAL_TYPE (FhOutputText, fh_output_text, ADW_TYPE_BIN)

static GParamSpec *following_property;

static void
update_hint (FhOutputText *self)
{
  const char *hint = fh_output_feed_get_hint (self->feed, self->nothing_ran);

  gtk_label_set_text (self->hint, hint != NULL ? hint : "");
  gtk_widget_set_visible (GTK_WIDGET (self->hint), hint != NULL);
}

static void
update_left_out (FhOutputText *self)
{
  guint64 left_out = fh_output_feed_get_left_out (self->feed);
  g_autofree char *size = NULL;
  g_autofree char *text = NULL;

  if (left_out == self->left_out)
    return;
  self->left_out = left_out;
  if (left_out > 0)
    {
      size = g_format_size_full (left_out, G_FORMAT_SIZE_IEC_UNITS);
      /* Translators: %s is a size such as “12.3 MiB”. */
      text =
          g_strdup_printf (_ ("About %s of this output is neither shown nor searched here"), size);
    }
  gtk_label_set_text (self->left_out_label, text != NULL ? text : "");
  gtk_revealer_set_reveal_child (self->left_out_revealer, left_out > 0);
}

static void
update_all (FhOutputText *self)
{
  fh_output_tail_catch_up (self->tail);
  update_left_out (self);
  update_hint (self);
}

static gboolean
step_cb (gpointer data)
{
  FhOutputText *self = data;
  gboolean more = fh_output_feed_advance (self->feed, !fh_output_tail_is_following (self->tail));

  self->step = 0;
  update_all (self);
  if (!more)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
      self->tick = 0;
    }
  return G_SOURCE_REMOVE;
}

/* One step after each frame. Within the frame it would be too late: the text view measures new text
 * at a priority between this one and painting. */
static void
allow_step (FhOutputText *self)
{
  if (self->step == 0)
    self->step = g_idle_add_full (G_PRIORITY_HIGH_IDLE, step_cb, self, NULL);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  allow_step (FH_OUTPUT_TEXT (widget));
  return G_SOURCE_CONTINUE;
}

static void
schedule (FhOutputText *self)
{
  if (self->tick != 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  allow_step (self);
}

static void
end_hold (FhOutputText *self)
{
  g_clear_handle_id (&self->hold, g_source_remove);
  g_clear_object (&self->awaited);
}

static gboolean
hold_cb (gpointer data)
{
  FhOutputText *self = data;

  if (fh_output_log_get_total (self->awaited, FH_STREAM_STDOUT) == 0 &&
      fh_output_log_get_total (self->awaited, FH_STREAM_STDERR) == 0 &&
      g_get_monotonic_time () < self->hold_until)
    {
      g_usleep (HOLD_LOOKS_US);
      return G_SOURCE_CONTINUE;
    }
  if (self->step != 0)
    {
      g_clear_handle_id (&self->step, g_source_remove);
      step_cb (self);
    }
  self->hold = 0;
  end_hold (self);
  return G_SOURCE_REMOVE;
}

/* A prepared program writes its first output within a few milliseconds. GTK paints sooner than that
 * after a press of Run, and then not again before the next frame of the display. So what comes
 * before painting has nothing to do for a moment, but to read what the program writes. `run`:
 * nullable, as is its log. */
static void
hold_frame (FhOutputText *self, FhRun *run, FhOutputLog *log)
{
  if (run == NULL || log == NULL || fh_run_get_state (run) == FH_RUN_FINISHED ||
      !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_set_object (&self->awaited, log);
  self->hold_until = g_get_monotonic_time () + HOLD_US;
  if (self->hold == 0)
    self->hold = g_idle_add_full (G_PRIORITY_DEFAULT, hold_cb, self, NULL);
}

static void
stop (FhOutputText *self)
{
  end_hold (self);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_handle_id (&self->step, g_source_remove);
}

static void
following_cb (FhOutputText *self)
{
  schedule (self);
  g_object_notify_by_pspec (G_OBJECT (self), following_property);
}

static void
fh_output_text_map (GtkWidget *widget)
{
  FhOutputText *self = FH_OUTPUT_TEXT (widget);

  GTK_WIDGET_CLASS (fh_output_text_parent_class)->map (widget);
  fh_output_feed_set_awake (self->feed, TRUE);
}

static void
fh_output_text_unmap (GtkWidget *widget)
{
  FhOutputText *self = FH_OUTPUT_TEXT (widget);

  stop (self);
  fh_output_feed_set_awake (self->feed, FALSE);
  GTK_WIDGET_CLASS (fh_output_text_parent_class)->unmap (widget);
}

static void
fh_output_text_dispose (GObject *object)
{
  FhOutputText *self = FH_OUTPUT_TEXT (object);

  g_clear_object (&self->tail);
  g_clear_object (&self->links);
  g_clear_object (&self->feed);
  G_OBJECT_CLASS (fh_output_text_parent_class)->dispose (object);
}

static void
fh_output_text_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, fh_output_tail_is_following (FH_OUTPUT_TEXT (object)->tail));
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  fh_set_template (widget_class, "output/output-text.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOutputText, view);
  gtk_widget_class_bind_template_child (widget_class, FhOutputText, scroller);
  gtk_widget_class_bind_template_child (widget_class, FhOutputText, hint);
  gtk_widget_class_bind_template_child (widget_class, FhOutputText, left_out_label);
  gtk_widget_class_bind_template_child (widget_class, FhOutputText, left_out_revealer);
  gtk_widget_class_bind_template_child (widget_class, FhOutputText, jump_revealer);
  gtk_widget_class_bind_template_callback (widget_class, fh_output_text_jump_to_end);
}

static void
fh_output_text_class_init (FhOutputTextClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_output_text_dispose;
  object_class->get_property = fh_output_text_get_property;
  widget_class->map = fh_output_text_map;
  widget_class->unmap = fh_output_text_unmap;

  following_property = g_param_spec_boolean ("following", NULL, NULL, TRUE, FH_PARAM_READ);
  g_object_class_install_property (object_class, 1, following_property);

  bind_template (widget_class);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LOG);
}

static void
fh_output_text_init (FhOutputText *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

FhOutputText *
fh_output_text_new (FhOutputStyles *styles, guint streams)
{
  FhOutputText *self;

  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (styles), NULL);
  g_return_val_if_fail (streams != 0, NULL);

  self = g_object_new (FH_TYPE_OUTPUT_TEXT, NULL);
  self->feed = fh_output_feed_new (styles, streams);
  gtk_text_view_set_buffer (self->view, fh_output_feed_get_buffer (self->feed));
  fh_show_program_text (self->view);
  self->tail = fh_output_tail_new (self->scroller, self->view);
  self->links = fh_output_links_new (self->view, styles);
  fh_output_gutter_attach (self->view, styles);
  fh_connect (self->feed, "waiting", schedule, self);
  fh_connect (self->tail, "notify::following", following_cb, self);
  fh_bind (self->tail, "away", self->jump_revealer, "reveal-child");
  fh_bind (self->tail, "away", self->jump_revealer, "can-target");
  update_hint (self);
  return self;
}

void
fh_output_text_set_log (FhOutputText *self, FhOutputLog *log, FhRun *run, const char *file_name)
{
  g_autoptr (GPtrArray) sources = fh_output_sources_new ();

  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  if (file_name != NULL)
    fh_output_sources_add (sources, file_name, 0);
  self->nothing_ran = FALSE;
  fh_output_feed_set_log (self->feed, log, run, sources);
  fh_output_links_set_sources (self->links, sources);
  fh_output_tail_resume (self->tail);
  update_all (self);
  hold_frame (self, run, log);
}

void
fh_output_text_begin_sections (FhOutputText *self, GPtrArray *sources)
{
  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  self->nothing_ran = FALSE;
  fh_output_feed_begin_sections (self->feed, sources);
  fh_output_links_set_sources (self->links, sources);
  fh_output_tail_resume (self->tail);
  update_all (self);
}

void
fh_output_text_add_section (FhOutputText *self, FhOutputSection *section)
{
  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  fh_output_feed_add_section (self->feed, section);
  fh_output_tail_resume (self->tail);
  update_all (self);
  hold_frame (self, fh_output_section_get_run (section), fh_output_section_get_log (section));
}

void
fh_output_text_set_nothing_ran (FhOutputText *self, gboolean nothing_ran)
{
  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  self->nothing_ran = nothing_ran;
  update_hint (self);
}

void
fh_output_text_clear (FhOutputText *self)
{
  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  fh_output_feed_clear (self->feed);
  fh_output_tail_resume (self->tail);
  update_all (self);
}

void
fh_output_text_set_wrap (FhOutputText *self, gboolean wrap)
{
  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  gtk_text_view_set_wrap_mode (self->view, wrap ? GTK_WRAP_WORD_CHAR : GTK_WRAP_NONE);
  fh_output_tail_catch_up (self->tail);
}

void
fh_output_text_pause (FhOutputText *self)
{
  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  fh_output_tail_pause (self->tail);
}

void
fh_output_text_jump_to_end (FhOutputText *self)
{
  g_return_if_fail (FH_IS_OUTPUT_TEXT (self));

  fh_output_tail_resume (self->tail);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

gboolean
fh_output_text_go_to_place (FhOutputText *self, gboolean forward)
{
  g_return_val_if_fail (FH_IS_OUTPUT_TEXT (self), FALSE);

  return fh_output_links_go (self->links, forward);
}

guint
fh_output_text_get_streams (FhOutputText *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_TEXT (self), 0);

  return fh_output_feed_get_streams (self->feed);
}

GtkTextView *
fh_output_text_get_view (FhOutputText *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_TEXT (self), NULL);

  return self->view;
}
