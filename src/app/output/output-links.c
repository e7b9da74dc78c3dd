/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-links.h"

#include <string.h>

#include "output/output-sources.h"
#include "parts/calls.h"

/* The output may be anything: how far a traceback is followed, in lines. */
#define MAX_TRACEBACK 2000

struct _FhOutputLinks
{
  GObject parent_instance;
  GtkTextView *view; /* weak */
  GtkTextTag *tag;
  GtkTextTag *heading;
  GPtrArray *sources; /* nullable */
  gboolean hovering;
};

G_DEFINE_FINAL_TYPE (FhOutputLinks, fh_output_links, G_TYPE_OBJECT)

/* Reads the number of the section from its heading: "[2] …". No program can print a line that has
 * the tag of a heading. 0: there are no sections, or its heading is no longer there. */
static guint
find_number (FhOutputLinks *self, const GtkTextIter *at)
{
  GtkTextIter start = *at;
  GtkTextIter end;
  g_autofree char *text = NULL;

  while (!gtk_text_iter_starts_tag (&start, self->heading))
    {
      if (!gtk_text_iter_backward_to_tag_toggle (&start, self->heading))
        return 0;
    }
  end = start;
  gtk_text_iter_forward_to_line_end (&end);
  text = gtk_text_iter_get_text (&start, &end);
  return *text == '[' ? (guint) g_ascii_strtoull (text + 1, NULL, 10) : 0;
}

/* Parses the line again, so that nothing has to be stored. */
static gboolean
find_place (FhOutputLinks *self, const GtkTextIter *at, FhSourcePlace *place)
{
  GtkTextIter start = *at;
  GtkTextIter end = *at;
  g_autofree char *text = NULL;

  if (self->sources == NULL || !gtk_text_iter_has_tag (at, self->tag))
    return FALSE;
  gtk_text_iter_set_line_offset (&start, 0);
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  text = gtk_text_iter_get_text (&start, &end);
  if (!fh_output_sources_find (self->sources, text, strlen (text), place))
    return FALSE;
  if (place->cell == 0)
    place->cell = find_number (self, at);
  return TRUE;
}

static gboolean
activate_at (FhOutputLinks *self, const GtkTextIter *at)
{
  FhSourcePlace place;

  if (!find_place (self, at, &place))
    return FALSE;
  fh_go_to_line (GTK_WIDGET (self->view), place.line, place.column, place.cell);
  return TRUE;
}

static gboolean
iter_at_point (FhOutputLinks *self, double x, double y, GtkTextIter *iter)
{
  int buffer_x, buffer_y;

  gtk_text_view_window_to_buffer_coords (self->view,
                                         GTK_TEXT_WINDOW_WIDGET,
                                         (int) x,
                                         (int) y,
                                         &buffer_x,
                                         &buffer_y);
  return gtk_text_view_get_iter_at_location (self->view, iter, buffer_x, buffer_y);
}

static void
set_hovering (FhOutputLinks *self, gboolean hovering)
{
  if (self->hovering == hovering)
    return;
  self->hovering = hovering;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->view), hovering ? "pointer" : "text");
}

static void
motion_cb (FhOutputLinks *self, double x, double y)
{
  GtkTextIter iter;

  set_hovering (self,
                iter_at_point (self, x, y, &iter) && gtk_text_iter_has_tag (&iter, self->tag));
}

static void
leave_cb (FhOutputLinks *self)
{
  set_hovering (self, FALSE);
}

static void
released_cb (FhOutputLinks *self, int n_press, double x, double y)
{
  GtkTextIter iter;

  /* A drag selects text. */
  if (gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (self->view)))
    return;
  if (iter_at_point (self, x, y, &iter))
    activate_at (self, &iter);
}

/* Moves `iter` to the first link of its line. */
static gboolean
first_place_of_line (FhOutputLinks *self, GtkTextIter *iter)
{
  int line = gtk_text_iter_get_line (iter);

  gtk_text_iter_set_line_offset (iter, 0);
  if (gtk_text_iter_starts_tag (iter, self->tag))
    return TRUE;
  return gtk_text_iter_forward_to_tag_toggle (iter, self->tag) &&
         gtk_text_iter_get_line (iter) == line;
}

static gboolean
key_pressed_cb (FhOutputLinks *self, guint keyval, guint keycode, GdkModifierType state)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter cursor;

  if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter)
    return GDK_EVENT_PROPAGATE;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
    return GDK_EVENT_PROPAGATE;
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  return first_place_of_line (self, &cursor) && activate_at (self, &cursor);
}

static void
fh_output_links_dispose (GObject *object)
{
  FhOutputLinks *self = FH_OUTPUT_LINKS (object);

  g_clear_weak_pointer (&self->view);
  g_clear_object (&self->tag);
  g_clear_object (&self->heading);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  G_OBJECT_CLASS (fh_output_links_parent_class)->dispose (object);
}

static void
fh_output_links_class_init (FhOutputLinksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_output_links_dispose;
}

static void
fh_output_links_init (FhOutputLinks *self)
{
}

FhOutputLinks *
fh_output_links_new (GtkTextView *view, FhOutputStyles *styles)
{
  FhOutputLinks *self;
  GtkEventController *motion, *key;
  GtkGesture *click;

  g_return_val_if_fail (GTK_IS_TEXT_VIEW (view), NULL);
  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (styles), NULL);

  self = g_object_new (FH_TYPE_OUTPUT_LINKS, NULL);
  g_set_weak_pointer (&self->view, view);
  self->tag = g_object_ref (fh_output_styles_get_tag (styles, FH_OUTPUT_TAG_LINK));
  self->heading = g_object_ref (fh_output_styles_get_tag (styles, FH_OUTPUT_TAG_HEADING));

  motion = gtk_event_controller_motion_new ();
  fh_connect (motion, "motion", motion_cb, self);
  fh_connect (motion, "leave", leave_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (view), motion);
  click = gtk_gesture_click_new ();
  fh_connect (click, "released", released_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
  key = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  fh_connect (key, "key-pressed", key_pressed_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (view), key);
  return self;
}

void
fh_output_links_set_sources (FhOutputLinks *self, GPtrArray *sources)
{
  g_return_if_fail (FH_IS_OUTPUT_LINKS (self));

  g_clear_pointer (&self->sources, g_ptr_array_unref);
  self->sources = sources != NULL ? g_ptr_array_ref (sources) : NULL;
}

/* Moves to the start of the next or previous link. */
static gboolean
step (FhOutputLinks *self, GtkTextIter *iter, gboolean forward)
{
  while (forward ? gtk_text_iter_forward_to_tag_toggle (iter, self->tag)
                 : gtk_text_iter_backward_to_tag_toggle (iter, self->tag))
    if (gtk_text_iter_starts_tag (iter, self->tag))
      return TRUE;
  return FALSE;
}

/* A line of a Python traceback: `  File "…", line 3`, of which the indentation is not linked. */
static gboolean
is_frame (const GtkTextIter *link)
{
  const char *const word = "File \"";
  GtkTextIter start = *link;
  GtkTextIter end = *link;
  g_autofree char *text = NULL;

  gtk_text_iter_set_line_offset (&start, 0);
  gtk_text_iter_forward_chars (&end, (int) strlen (word));
  text = gtk_text_iter_get_text (&start, &end);
  return *text == ' ' && g_str_equal (g_strchug (text), word);
}

/* Whatever is between the lines of a traceback is indented as well. */
static gboolean
are_of_one_traceback (const GtkTextIter *first, const GtkTextIter *second)
{
  GtkTextIter line = *first;

  if (!is_frame (first) || !is_frame (second))
    return FALSE;
  for (guint i = 0; i < MAX_TRACEBACK && gtk_text_iter_forward_line (&line); i++)
    {
      if (gtk_text_iter_get_line (&line) >= gtk_text_iter_get_line (second))
        return TRUE;
      if (gtk_text_iter_get_char (&line) != ' ')
        return FALSE;
    }
  return FALSE;
}

/* Moves from a link to the next one of the same traceback, if there is one. */
static gboolean
step_in_traceback (FhOutputLinks *self, GtkTextIter *link, gboolean inward)
{
  GtkTextIter other = *link;

  if (!step (self, &other, inward) ||
      !(inward ? are_of_one_traceback (link, &other) : are_of_one_traceback (&other, link)))
    return FALSE;
  *link = other;
  return TRUE;
}

static void
step_to_end_of_traceback (FhOutputLinks *self, GtkTextIter *link, gboolean inward)
{
  for (guint i = 0; i < MAX_TRACEBACK && step_in_traceback (self, link, inward); i++)
    ;
}

/* Steps to the next link from here, or from the other end of the output. */
static gboolean
step_around (FhOutputLinks *self, GtkTextIter *iter, gboolean forward)
{
  GtkTextBuffer *buffer = gtk_text_iter_get_buffer (iter);

  if (step (self, iter, forward))
    return TRUE;
  if (!forward)
    gtk_text_buffer_get_end_iter (buffer, iter);
  else
    gtk_text_buffer_get_start_iter (buffer, iter);
  return (forward && gtk_text_iter_starts_tag (iter, self->tag)) || step (self, iter, forward);
}

/* Goes through the links in the order in which they are of interest: compilers tell the first fault
 * first, but a traceback ends with the line that failed. */
static gboolean
find_next (FhOutputLinks *self, GtkTextIter *iter, gboolean forward)
{
  if (gtk_text_iter_has_tag (iter, self->tag))
    {
      if (!gtk_text_iter_starts_tag (iter, self->tag))
        gtk_text_iter_backward_to_tag_toggle (iter, self->tag);
      if (step_in_traceback (self, iter, !forward))
        return TRUE;
      step_to_end_of_traceback (self, iter, forward);
    }
  if (!step_around (self, iter, forward))
    return FALSE;
  step_to_end_of_traceback (self, iter, forward);
  return TRUE;
}

gboolean
fh_output_links_go (FhOutputLinks *self, gboolean forward)
{
  GtkTextBuffer *buffer;
  GtkTextIter start, end;

  g_return_val_if_fail (FH_IS_OUTPUT_LINKS (self), FALSE);

  if (self->view == NULL)
    return FALSE;
  buffer = gtk_text_view_get_buffer (self->view);
  gtk_text_buffer_get_selection_bounds (buffer, &start, NULL);
  if (!find_next (self, &start, forward))
    return FALSE;
  end = start;
  gtk_text_iter_forward_to_tag_toggle (&end, self->tag);
  gtk_text_buffer_select_range (buffer, &start, &end);
  gtk_text_view_scroll_to_iter (self->view, &start, 0.1, FALSE, 0, 0);
  return activate_at (self, &start);
}
