/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-tail.h"

#include "parts/calls.h"

/* The adjustment also moves when the view lays out text above or deletes some at the top. So
 * pausing depends on the user's input, and only resuming on the position. */

/* A distance, in pixels, that counts as the end. */
#define NEAR 2.0

struct _FhOutputTail
{
  GObject parent_instance;
  GtkScrolledWindow *scroller; /* weak */
  GtkTextView *view;           /* weak */
  GtkTextMark *end;
  guint settling; /* a tick callback of the scroller */
  double last_value;
  gboolean following;
  gboolean away;
};

G_DEFINE_FINAL_TYPE (FhOutputTail, fh_output_tail, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_FOLLOWING,
  PROP_AWAY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* The largest value. */
static double
last_value (GtkAdjustment *adjustment)
{
  return gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
}

/* A view without a size would scroll its last line to its top, and leave it there. When it gets
 * one, the adjustment changes. */
static gboolean
has_size (FhOutputTail *self)
{
  return self->view != NULL && gtk_widget_get_height (GTK_WIDGET (self->view)) > 0;
}

static void
update_away (FhOutputTail *self)
{
  GtkAdjustment *adjustment;
  gboolean away;

  if (self->scroller == NULL)
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  away = !self->following && gtk_adjustment_get_value (adjustment) < last_value (adjustment) - NEAR;
  if (self->away == away)
    return;
  self->away = away;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AWAY]);
}

static void
set_following (FhOutputTail *self, gboolean following)
{
  if (self->following == following)
    return;
  self->following = following;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOWING]);
  update_away (self);
}

static gboolean
can_scroll (FhOutputTail *self)
{
  return last_value (gtk_scrolled_window_get_vadjustment (self->scroller)) > NEAR;
}

static gboolean
settle_cb (GtkWidget *scroller, GdkFrameClock *clock, gpointer user_data)
{
  FhOutputTail *self = FH_OUTPUT_TAIL (user_data);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);

  self->settling = 0;
  if (has_size (self) && self->following &&
      !gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (self->view)))
    gtk_adjustment_set_value (adjustment, last_value (adjustment));
  update_away (self);
  return G_SOURCE_REMOVE;
}

/* The text view measures text gradually, and may be resized: the adjustment changes in the middle
 * of a layout. To scroll then, or to show the button, would queue a resize of which GTK loses
 * track, and parts of the window would stay blank. The next frame does it before its layout. */
static void
settle (FhOutputTail *self)
{
  if (self->settling == 0 && self->scroller != NULL)
    self->settling =
        gtk_widget_add_tick_callback (GTK_WIDGET (self->scroller), settle_cb, self, NULL);
}

static void
value_changed_cb (FhOutputTail *self, GtkAdjustment *adjustment)
{
  double value = gtk_adjustment_get_value (adjustment);

  if (!self->following && value > self->last_value && value >= last_value (adjustment) - NEAR)
    set_following (self, TRUE);
  self->last_value = value;
  settle (self);
}

static gboolean
scroll_cb (FhOutputTail *self, double dx, double dy)
{
  if (dy < 0 && can_scroll (self))
    set_following (self, FALSE);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
key_pressed_cb (FhOutputTail *self, guint keyval, guint keycode, GdkModifierType state)
{
  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      if (can_scroll (self))
        set_following (self, FALSE);
      break;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      if (state & GDK_CONTROL_MASK)
        fh_output_tail_resume (self);
      break;
    default:
      break;
    }
  return GDK_EVENT_PROPAGATE;
}

static void
drag_update_cb (FhOutputTail *self, double dx, double dy)
{
  if (dy > 0 && can_scroll (self))
    set_following (self, FALSE);
}

static gboolean
change_value_cb (FhOutputTail *self, GtkScrollType type, double value)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);

  if (value < gtk_adjustment_get_value (adjustment) && can_scroll (self))
    set_following (self, FALSE);
  return FALSE;
}

static void
watch_scrollbar (FhOutputTail *self)
{
  GtkWidget *bar = gtk_scrolled_window_get_vscrollbar (self->scroller);
  GtkWidget *range = gtk_widget_get_first_child (bar);

  if (GTK_IS_RANGE (range))
    fh_connect (range, "change-value", change_value_cb, self);
}

static void
watch_input (FhOutputTail *self)
{
  GtkEventController *scroll, *key;
  GtkGesture *drag;

  scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
  fh_connect (scroll, "scroll", scroll_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (self->scroller), scroll);

  key = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  fh_connect (key, "key-pressed", key_pressed_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), key);

  drag = gtk_gesture_drag_new ();
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (drag), TRUE);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  fh_connect (drag, "drag-update", drag_update_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (self->scroller), GTK_EVENT_CONTROLLER (drag));
}

static void
fh_output_tail_dispose (GObject *object)
{
  FhOutputTail *self = FH_OUTPUT_TAIL (object);

  if (self->settling != 0 && self->scroller != NULL)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->scroller), self->settling);
  self->settling = 0;
  g_clear_weak_pointer (&self->scroller);
  g_clear_weak_pointer (&self->view);
  g_clear_object (&self->end);
  G_OBJECT_CLASS (fh_output_tail_parent_class)->dispose (object);
}

static void
fh_output_tail_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhOutputTail *self = FH_OUTPUT_TAIL (object);

  g_value_set_boolean (value, id == PROP_FOLLOWING ? self->following : self->away);
}

static void
fh_output_tail_class_init (FhOutputTailClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_output_tail_dispose;
  object_class->get_property = fh_output_tail_get_property;

  properties[PROP_FOLLOWING] = g_param_spec_boolean ("following", NULL, NULL, TRUE, FH_PARAM_READ);
  properties[PROP_AWAY] = g_param_spec_boolean ("away", NULL, NULL, FALSE, FH_PARAM_READ);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_output_tail_init (FhOutputTail *self)
{
  self->following = TRUE;
}

FhOutputTail *
fh_output_tail_new (GtkScrolledWindow *scroller, GtkTextView *view)
{
  FhOutputTail *self;
  GtkTextBuffer *buffer;
  GtkTextIter end;

  g_return_val_if_fail (GTK_IS_SCROLLED_WINDOW (scroller), NULL);
  g_return_val_if_fail (GTK_IS_TEXT_VIEW (view), NULL);

  self = g_object_new (FH_TYPE_OUTPUT_TAIL, NULL);
  g_set_weak_pointer (&self->scroller, scroller);
  g_set_weak_pointer (&self->view, view);
  buffer = gtk_text_view_get_buffer (view);
  gtk_text_buffer_get_end_iter (buffer, &end);
  self->end = g_object_ref (gtk_text_buffer_create_mark (buffer, NULL, &end, FALSE));
  fh_connect (gtk_scrolled_window_get_vadjustment (scroller),
              "value-changed",
              value_changed_cb,
              self);
  fh_connect (gtk_scrolled_window_get_vadjustment (scroller), "changed", settle, self);
  watch_input (self);
  watch_scrollbar (self);
  return self;
}

gboolean
fh_output_tail_is_following (FhOutputTail *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_TAIL (self), FALSE);

  return self->following;
}

void
fh_output_tail_pause (FhOutputTail *self)
{
  g_return_if_fail (FH_IS_OUTPUT_TAIL (self));

  set_following (self, FALSE);
}

void
fh_output_tail_resume (FhOutputTail *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter end;

  g_return_if_fail (FH_IS_OUTPUT_TAIL (self));

  set_following (self, TRUE);
  if (self->view == NULL)
    return;
  buffer = gtk_text_view_get_buffer (self->view);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  fh_output_tail_catch_up (self);
}

void
fh_output_tail_catch_up (FhOutputTail *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter end;

  g_return_if_fail (FH_IS_OUTPUT_TAIL (self));

  if (self->view == NULL)
    return;
  /* Without this, the frame after a key press comes before the idle callback in which the view
   * measures new text: it would measure while it is drawn, too late to resize the scrollbars. */
  gtk_widget_queue_resize (GTK_WIDGET (self->view));
  if (!self->following)
    return;
  buffer = gtk_text_view_get_buffer (self->view);
  if (gtk_text_buffer_get_has_selection (buffer))
    {
      set_following (self, FALSE);
      return;
    }
  gtk_text_buffer_get_end_iter (buffer, &end);
  /* The end of a long line would pull the view to the right. */
  if (gtk_text_view_get_wrap_mode (self->view) == GTK_WRAP_NONE)
    gtk_text_iter_set_line_offset (&end, 0);
  gtk_text_buffer_move_mark (buffer, self->end, &end);
  if (has_size (self))
    gtk_text_view_scroll_mark_onscreen (self->view, self->end);
}
