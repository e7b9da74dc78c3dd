/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/adaptive-paned.h"

#include <math.h>

#include "parts/calls.h"

/* The handle takes so much in size requests; the theme's is narrower. */
#define HANDLE_SIZE 12

enum
{
  PROP_START_CHILD = 1,
  PROP_END_CHILD,
  PROP_NARROW_WIDTH,
  PROP_SPLIT_WIDE,
  PROP_SPLIT_NARROW,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* A GtkPaned whose orientation follows the width. The minimum width is that of the wider child,
 * because the children can always be stacked. */
struct _FhAdaptivePaned
{
  GtkWidget parent_instance;

  GtkPaned *paned;
  int narrow_width;
  double split_wide;
  double split_narrow;
  int length;    /* along the paned, at the last allocation; 0 before */
  guint turning; /* a tick callback */
  guint narrow : 1;
  guint allocating : 1;
};

G_DEFINE_FINAL_TYPE (FhAdaptivePaned, fh_adaptive_paned, GTK_TYPE_WIDGET)

/* Measures the start child and the end child. */
static void
measure_children (FhAdaptivePaned *self,
                  GtkOrientation orientation,
                  int for_size,
                  int *minimum,
                  int *natural)
{
  GtkWidget *const children[] = { gtk_paned_get_start_child (self->paned),
                                  gtk_paned_get_end_child (self->paned) };

  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      minimum[i] = natural[i] = 0;
      if (children[i] != NULL && gtk_widget_get_visible (children[i]))
        gtk_widget_measure (children[i],
                            orientation,
                            for_size,
                            &minimum[i],
                            &natural[i],
                            NULL,
                            NULL);
    }
}

static gboolean
is_narrow_at (FhAdaptivePaned *self, int width)
{
  int minima[2], naturals[2];

  if (width < self->narrow_width)
    return TRUE;
  measure_children (self, GTK_ORIENTATION_HORIZONTAL, -1, minima, naturals);
  return width < minima[0] + minima[1] + HANDLE_SIZE;
}

static GtkSizeRequestMode
fh_adaptive_paned_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fh_adaptive_paned_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  FhAdaptivePaned *self = FH_ADAPTIVE_PANED (widget);
  gboolean narrow = self->narrow;
  int minima[2], naturals[2];
  int child_size = -1;

  if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0)
    {
      narrow = is_narrow_at (self, for_size);
      if (narrow)
        child_size = for_size;
    }
  measure_children (self, orientation, child_size, minima, naturals);
  *minimum = MAX (minima[0], minima[1]);
  *natural = naturals[0] + naturals[1] + HANDLE_SIZE;
  if (orientation == GTK_ORIENTATION_VERTICAL && narrow)
    *minimum = minima[0] + minima[1] + HANDLE_SIZE;
  else if (orientation == GTK_ORIENTATION_VERTICAL)
    *natural = MAX (naturals[0], naturals[1]);
}

/* Turns in the next frame, before its layout. In the middle of a layout GTK would lose track of
 * what is to be allocated, and parts of the window would stay blank. */
static gboolean
turn_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  FhAdaptivePaned *self = FH_ADAPTIVE_PANED (widget);

  self->turning = 0;
  self->narrow = is_narrow_at (self, gtk_widget_get_width (widget));
  self->length = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned),
                                  self->narrow ? GTK_ORIENTATION_VERTICAL
                                               : GTK_ORIENTATION_HORIZONTAL);
  return G_SOURCE_REMOVE;
}

/* The content may not fit before the pane turns. */
static void
allocate_paned (FhAdaptivePaned *self, int width, int height, int baseline)
{
  GtkWidget *paned = GTK_WIDGET (self->paned);
  int minimum;

  gtk_widget_measure (paned, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  width = MAX (width, minimum);
  gtk_widget_measure (paned, GTK_ORIENTATION_VERTICAL, width, &minimum, NULL, NULL, NULL);
  gtk_widget_allocate (paned, width, MAX (height, minimum), baseline, NULL);
}

static void
fh_adaptive_paned_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FhAdaptivePaned *self = FH_ADAPTIVE_PANED (widget);
  int length = self->narrow ? height : width;

  if (is_narrow_at (self, width) != self->narrow && self->turning == 0)
    self->turning = gtk_widget_add_tick_callback (widget, turn_cb, NULL, NULL);
  self->allocating = TRUE;
  allocate_paned (self, width, height, baseline);
  if (length != self->length)
    {
      double split = self->narrow ? self->split_narrow : self->split_wide;

      /* A position set before this allocation would be scaled with the length. */
      self->length = length;
      gtk_paned_set_position (self->paned, (int) lround (length * split));
      allocate_paned (self, width, height, baseline);
    }
  self->allocating = FALSE;
}

/* Outside of an allocation, only the user moves the handle. */
static void
position_cb (FhAdaptivePaned *self)
{
  double split;

  if (self->allocating || self->length <= 0)
    return;

  split = CLAMP ((double) gtk_paned_get_position (self->paned) / self->length, 0.0, 1.0);
  if (self->narrow)
    self->split_narrow = split;
  else
    self->split_wide = split;
  g_object_notify_by_pspec (G_OBJECT (self),
                            properties[self->narrow ? PROP_SPLIT_NARROW : PROP_SPLIT_WIDE]);
}

static void
set_split (FhAdaptivePaned *self, guint id, double *split, double value)
{
  if (*split == value)
    return;

  *split = value;
  /* The next allocation moves the handle. */
  self->length = 0;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[id]);
}

static void
fh_adaptive_paned_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhAdaptivePaned *self = FH_ADAPTIVE_PANED (object);

  g_value_set_double (value, id == PROP_SPLIT_WIDE ? self->split_wide : self->split_narrow);
}

static void
fh_adaptive_paned_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhAdaptivePaned *self = FH_ADAPTIVE_PANED (object);

  switch (id)
    {
    case PROP_START_CHILD:
      gtk_paned_set_start_child (self->paned, g_value_get_object (value));
      break;
    case PROP_END_CHILD:
      gtk_paned_set_end_child (self->paned, g_value_get_object (value));
      break;
    case PROP_NARROW_WIDTH:
      self->narrow_width = g_value_get_int (value);
      gtk_widget_queue_resize (GTK_WIDGET (self));
      break;
    case PROP_SPLIT_WIDE:
      set_split (self, id, &self->split_wide, g_value_get_double (value));
      break;
    case PROP_SPLIT_NARROW:
      set_split (self, id, &self->split_narrow, g_value_get_double (value));
      break;
    }
}

static void
fh_adaptive_paned_dispose (GObject *object)
{
  FhAdaptivePaned *self = FH_ADAPTIVE_PANED (object);

  if (self->paned != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->paned)));

  G_OBJECT_CLASS (fh_adaptive_paned_parent_class)->dispose (object);
}

static void
fh_adaptive_paned_class_init (FhAdaptivePanedClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = FH_PARAM_SET;
  const GParamFlags quiet = flags | G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY;

  object_class->dispose = fh_adaptive_paned_dispose;
  object_class->get_property = fh_adaptive_paned_get_property;
  object_class->set_property = fh_adaptive_paned_set_property;
  widget_class->get_request_mode = fh_adaptive_paned_get_request_mode;
  widget_class->measure = fh_adaptive_paned_measure;
  widget_class->size_allocate = fh_adaptive_paned_size_allocate;

  properties[PROP_START_CHILD] =
      g_param_spec_object ("start-child", NULL, NULL, GTK_TYPE_WIDGET, flags);
  properties[PROP_END_CHILD] =
      g_param_spec_object ("end-child", NULL, NULL, GTK_TYPE_WIDGET, flags);
  properties[PROP_NARROW_WIDTH] =
      g_param_spec_int ("narrow-width", NULL, NULL, 0, G_MAXINT, 0, flags);
  properties[PROP_SPLIT_WIDE] = g_param_spec_double ("split-wide", NULL, NULL, 0, 1, 0.5, quiet);
  properties[PROP_SPLIT_NARROW] =
      g_param_spec_double ("split-narrow", NULL, NULL, 0, 1, 0.5, quiet);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_css_name (widget_class, "adaptivepaned");
}

static void
fh_adaptive_paned_init (FhAdaptivePaned *self)
{
  self->split_wide = 0.5;
  self->split_narrow = 0.5;
  self->paned = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_paned_set_shrink_start_child (self->paned, FALSE);
  gtk_paned_set_shrink_end_child (self->paned, FALSE);
  gtk_widget_set_parent (GTK_WIDGET (self->paned), GTK_WIDGET (self));
  fh_connect (self->paned, "notify::position", position_cb, self);
  fh_allocate_all (self, "notify::split-wide", self);
  fh_allocate_all (self, "notify::split-narrow", self);
}
