/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "attempts/attempt-details.h"

#include <glib/gi18n.h>
#include <string.h>

#include "attempts/verdict-icon.h"
#include "parts/elapsed-time.h"

/* Where there is less room than for all of it, so much is wanted at least, and at most. */
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
  GtkLabel *reported;
  GtkLabel *why;
  GtkLabel *technical;
  GtkButton *line;
};

enum
{
  PROP_0,
  PROP_ATTEMPT,
  N_PROPS
};

enum
{
  SIGNAL_CLOSED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhAttemptDetails, fh_attempt_details, GTK_TYPE_WIDGET)

static void
take (GStrvBuilder *builder, char *part)
{
  g_strv_builder_add (builder, part);
  g_free (part);
}

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
  take (builder, g_strdup_printf ("%s %s", facts->operation, facts->object));
  if (facts->error != 0)
    {
      const char *name = strerrorname_np (facts->error);

      take (builder, name != NULL ? g_strdup (name) : g_strdup_printf ("errno %d", facts->error));
    }
  if (facts->process != 0)
    /* Translators: the name of a process and its number */
    take (builder, g_strdup_printf (_ ("process %s %u"), facts->command, facts->process));
  time = fh_elapsed_time_format (facts->time_us);
  /* Translators: how long after the start of a program: “after 8 ms” */
  take (builder, g_strdup_printf (_ ("after %s"), time));
  if (facts->count > 1)
    take (builder, g_strdup_printf (ngettext ("%u time", "%u times", facts->count), facts->count));
  parts = g_strv_builder_end (builder);
  return g_strjoinv (" · ", parts);
}

/* Plain text only: names are what the program chose. */
static void
update (FhAttemptDetails *self)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (self->attempt);
  const char *classes[] = { fh_verdict_style_class (facts->verdict), NULL };
  g_autofree char *title = fh_attempt_dup_title (self->attempt);
  g_autofree char *sentence = fh_attempt_dup_sentence (self->attempt);
  g_autofree char *technical = fh_attempt_details_format_technical (self->attempt);
  /* Translators: a line of the source code */
  g_autofree char *line = g_strdup_printf (_ ("Go to _Line %u"), facts->line);

  gtk_image_set_from_icon_name (self->icon, fh_verdict_icon_name (facts->verdict));
  gtk_widget_set_css_classes (GTK_WIDGET (self->icon), classes);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->icon),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  fh_verdict_title (facts->verdict),
                                  -1);
  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->sentence, sentence);
  gtk_label_set_text (self->why, fh_attempt_get_why (self->attempt));
  gtk_label_set_text (self->technical, technical);
  gtk_widget_set_visible (GTK_WIDGET (self->reported), facts->is_reported);
  gtk_button_set_label (self->line, line);
  gtk_widget_set_visible (GTK_WIDGET (self->line), facts->line > 0);
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
      self->handler =
          g_signal_connect_object (attempt, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
      update (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ATTEMPT]);
}

static void
line_clicked_cb (FhAttemptDetails *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self),
                              "page.go-to-line",
                              "(uu)",
                              fh_attempt_get_facts (self->attempt)->line,
                              0);
}

static void
close_clicked_cb (FhAttemptDetails *self)
{
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
}

static GtkSizeRequestMode
fh_attempt_details_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* A scrolled window does not tell how high its wrapped text would like to be. */
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
  /* One for its border. */
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
fh_attempt_details_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ATTEMPT)
    g_value_set_object (value, FH_ATTEMPT_DETAILS (object)->attempt);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fh_attempt_details_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ATTEMPT)
    set_attempt (FH_ATTEMPT_DETAILS (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fh_attempt_details_class_init (FhAttemptDetailsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fh_attempt_details_dispose;
  object_class->get_property = fh_attempt_details_get_property;
  object_class->set_property = fh_attempt_details_set_property;
  widget_class->get_request_mode = fh_attempt_details_get_request_mode;
  widget_class->measure = fh_attempt_details_measure;
  widget_class->size_allocate = fh_attempt_details_size_allocate;
  properties[PROP_ATTEMPT] = g_param_spec_object ("attempt", NULL, NULL, FH_TYPE_ATTEMPT, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[SIGNAL_CLOSED] = g_signal_new ("closed",
                                         FH_TYPE_ATTEMPT_DETAILS,
                                         G_SIGNAL_RUN_LAST,
                                         0,
                                         NULL,
                                         NULL,
                                         NULL,
                                         G_TYPE_NONE,
                                         0);

  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/attempts/attempt-details.ui");
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, scroller);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, content);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, icon);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, title);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, sentence);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, reported);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, why);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, technical);
  gtk_widget_class_bind_template_child (widget_class, FhAttemptDetails, line);
  gtk_widget_class_bind_template_callback (widget_class, line_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_clicked_cb);
}

static void
fh_attempt_details_init (FhAttemptDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
