/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempts/attempt-details.h"

#include <glib/gi18n.h>
#include <string.h>

#include "attempts/attempt-columns.h"
#include "parts/calls.h"
#include "parts/run-labels.h"
#include "run-summary.h"

/* The limits of its natural height, in pixels. */
#define MIN_HEIGHT 84
#define MAX_HEIGHT 280

struct _FhAttemptDetails
{
  GtkWidget parent_instance;
  FhAttempt *attempt; /* nullable */
  gulong handler;

  GtkWidget *scroller;
  GtkWidget *content;
  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *sentence;
  GtkLabel *why;
  GtkLabel *technical;
  GtkButton *line;
  GtkWidget *option;
  GtkLabel *option_label;
  GtkActionable *more;
};

static guint closed_signal;

G_DEFINE_FINAL_TYPE (FhAttemptDetails, fh_attempt_details, GTK_TYPE_WIDGET)

char *
fh_attempt_details_format_technical (FhAttempt *attempt)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const FhAttemptFacts *facts;
  g_auto (GStrv) parts = NULL;
  g_autofree char *time = NULL;

  g_return_val_if_fail (FH_IS_ATTEMPT (attempt), NULL);

  facts = fh_attempt_get_facts (attempt);
  if (*facts->layer != '\0')
    g_strv_builder_add (builder, facts->layer);
  fh_strv_builder_take (builder, fh_attempt_dup_call (attempt));
  if (facts->error != 0)
    {
      const char *name = strerrorname_np (facts->error);

      fh_strv_builder_take (builder,
                            name != NULL ? g_strdup (name)
                                         : g_strdup_printf ("errno %d", facts->error));
    }
  if (facts->block > 0)
    /* Translators: the number of a block of an answer */
    fh_strv_builder_take (builder, g_strdup_printf (_ ("block %u"), facts->block));
  if (facts->process != 0)
    /* Translators: the name of a process and its number */
    fh_strv_builder_take (builder,
                          g_strdup_printf (_ ("process %s %u"), facts->command, facts->process));
  time = fh_run_label_elapsed (facts->time_us);
  /* Translators: how long after the start of a program: “after 8 ms” */
  fh_strv_builder_take (builder, g_strdup_printf (_ ("after %s"), time));
  if (facts->count > 1)
    fh_strv_builder_take (
        builder,
        g_strdup_printf (ngettext ("%u time", "%u times", facts->count), facts->count));
  parts = g_strv_builder_end (builder);
  return g_strjoinv (" · ", parts);
}

static void
update_option (FhAttemptDetails *self)
{
  g_autofree char *value = NULL;
  const FhRunOption *option = fh_attempt_find_control (self->attempt, &value);
  g_autofree char *label = NULL;

  if (option != NULL)
    /* Translators: the name of an option that would allow what a program tried */
    label = g_strdup_printf (_ ("Show “%s”"), _ (option->title));
  gtk_label_set_text (self->option_label, label != NULL ? label : "");
  fh_set_accessible_label (self->option, label != NULL ? label : "");
  gtk_widget_set_visible (self->option, option != NULL);
}

/* Plain text only: the program chooses names. */
static void
update (FhAttemptDetails *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self->attempt);
  const char *classes[] = { fh_verdict_style_class (facts->verdict), NULL };
  g_autofree char *title = fh_attempt_dup_title (self->attempt);
  g_autofree char *sentence = fh_attempt_dup_sentence (self->attempt);
  g_autofree char *technical = fh_attempt_details_format_technical (self->attempt);
  g_autofree char *page = g_strconcat ("guard-", fh_guard_to_string (facts->guard), NULL);
  /* Translators: a line of the source code */
  g_autofree char *line = g_strdup_printf (_ ("Go to _Line %u"), facts->line);

  gtk_image_set_from_icon_name (self->icon, fh_verdict_icon_name (facts->verdict));
  gtk_widget_set_css_classes (GTK_WIDGET (self->icon), classes);
  fh_set_accessible_label (self->icon, fh_attempt_verdict_title (facts));
  fh_show_text (self->title, title);
  fh_show_text (self->sentence, sentence);
  gtk_label_set_text (self->why, fh_attempt_get_why (self->attempt));
  fh_show_text (self->technical, technical);
  gtk_button_set_label (self->line, line);
  gtk_widget_set_visible (GTK_WIDGET (self->line), facts->line > 0);
  update_option (self);
  gtk_actionable_set_action_target (self->more, "s", page);
}

static void
set_attempt (FhAttemptDetails *self, FhAttempt *attempt)
{
  if (self->attempt == attempt)
    return;
  if (self->attempt != NULL)
    g_clear_signal_handler (&self->handler, self->attempt);
  g_set_object (&self->attempt, attempt);
  gtk_widget_set_visible (GTK_WIDGET (self), attempt != NULL);
  if (attempt != NULL)
    {
      self->handler = fh_connect (attempt, "notify", update, self);
      update (self);
    }
}

static void
line_clicked_cb (FhAttemptDetails *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self->attempt);

  fh_go_to_line (GTK_WIDGET (self), facts->line, 0, facts->block);
}

static void
option_clicked_cb (FhAttemptDetails *self)
{
  g_autofree char *value = NULL;
  const FhRunOption *option = fh_attempt_find_control (self->attempt, &value);

  if (option != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self),
                                "page.show-option",
                                "(ss)",
                                option->key,
                                value != NULL ? value : "");
}

static void
close_clicked_cb (FhAttemptDetails *self)
{
  g_signal_emit (self, closed_signal, 0);
}

static GtkSizeRequestMode
fh_attempt_details_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* A scrolled window does not ask for the height of its wrapped text. */
static void
fh_attempt_details_measure (GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  FhAttemptDetails *self = FH_ATTEMPT_DETAILS (widget);
  int height;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      gtk_widget_measure (self->scroller, orientation, -1, minimum, natural, NULL, NULL);
      return;
    }
  gtk_widget_measure (self->content, orientation, for_size, NULL, &height, NULL, NULL);
  /* The border is one pixel. */
  *natural = MIN (height + 1, MAX_HEIGHT);
  *minimum = MIN (*natural, MIN_HEIGHT);
}

static void
fh_attempt_details_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (FH_ATTEMPT_DETAILS (widget)->scroller, width, height, baseline, NULL);
}

static void
fh_attempt_details_dispose (GObject *object)
{
  set_attempt (FH_ATTEMPT_DETAILS (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), FH_TYPE_ATTEMPT_DETAILS);
  G_OBJECT_CLASS (fh_attempt_details_parent_class)->dispose (object);
}

static void
fh_attempt_details_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  set_attempt (FH_ATTEMPT_DETAILS (object), g_value_get_object (value));
}

static void
fh_attempt_details_class_init (FhAttemptDetailsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_attempt_details_dispose;
  object_class->set_property = fh_attempt_details_set_property;
  widget_class->get_request_mode = fh_attempt_details_get_request_mode;
  widget_class->measure = fh_attempt_details_measure;
  widget_class->size_allocate = fh_attempt_details_size_allocate;
  g_object_class_install_property (
      object_class,
      1,
      g_param_spec_object ("attempt", NULL, NULL, FH_TYPE_ATTEMPT, FH_PARAM_SET));
  closed_signal = fh_signal_new ("closed", G_TYPE_FROM_CLASS (klass), 0);

  fh_set_template (widget_class, "attempts/attempt-details.ui");
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, scroller);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, content);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, icon);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, title);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, sentence);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, why);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, technical);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, line);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, option);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, option_label);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, more);
  gtk_widget_class_bind_template_callback (widget_class, line_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, option_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_clicked_cb);
}

static void
fh_attempt_details_init (FhAttemptDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
