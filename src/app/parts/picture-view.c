/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/picture-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "parts/calls.h"

#define MIN_ZOOM (1.0 / 16)
#define MAX_ZOOM 16.0
/* Pixels of a side, however much it is enlarged. */
#define MAX_SIDE 16384.0

struct _FhPictureView
{
  AdwBin parent_instance;
  GCancellable *cancellable; /* while it is decoded */
  FhPicture *facts;          /* nullable */
  GdkTexture *texture;       /* the same */
  double zoom;

  GtkStack *stack;
  GtkSpinner *spinner;
  GtkWidget *scroller;
  GtkPicture *picture;
  GtkLabel *problem;
};

G_DEFINE_FINAL_TYPE (FhPictureView, fh_picture_view, ADW_TYPE_BIN)

static guint changed_signal;

static void
show_page (FhPictureView *self, const char *name)
{
  gtk_spinner_set_spinning (self->spinner, g_str_equal (name, "waiting"));
  gtk_stack_set_visible_child_name (self->stack, name);
  g_signal_emit (self, changed_signal, 0);
}

/* The picture in another size, which is then its natural one. (transfer full) */
static GdkPaintable *
scale (GdkTexture *texture, double width, double height)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (GDK_PAINTABLE (texture), snapshot, width, height);
  return gtk_snapshot_free_to_paintable (snapshot,
                                         &GRAPHENE_SIZE_INIT ((float) width, (float) height));
}

/* A picture that fits gets the room there is and is never enlarged; else it has its size, and is
 * scrolled. */
static void
apply_zoom (FhPictureView *self)
{
  const gboolean fits = self->zoom == 0 || self->facts == NULL;
  const GtkAlign align = fits ? GTK_ALIGN_FILL : GTK_ALIGN_CENTER;
  g_autoptr (GdkPaintable) scaled = NULL;
  double width = -1;
  double height = -1;

  if (!fits)
    {
      const double longer = MAX (self->facts->original_width, self->facts->original_height);
      const double zoom = MIN (self->zoom, MAX_SIDE / longer);

      width = MAX (1, round (self->facts->original_width * zoom));
      height = MAX (1, round (self->facts->original_height * zoom));
      scaled = scale (self->texture, width, height);
    }
  gtk_picture_set_paintable (self->picture, fits ? (GdkPaintable *) self->texture : scaled);
  gtk_widget_set_halign (GTK_WIDGET (self->picture), align);
  gtk_widget_set_valign (GTK_WIDGET (self->picture), align);
  gtk_widget_set_size_request (GTK_WIDGET (self->picture), (int) width, (int) height);
}

static void
take_picture (FhPictureView *self, FhPicture *facts)
{
  self->facts = facts;
  /* Its reader has counted the bytes. */
  self->texture = gdk_memory_texture_new ((int) facts->width,
                                          (int) facts->height,
                                          GDK_MEMORY_R8G8B8A8,
                                          facts->pixels,
                                          (gsize) facts->width * 4);
  apply_zoom (self);
  show_page (self, "picture");
}

/* `user_data`: the view, unless it was cancelled: then it may be gone. A reference would keep a
 * view that was dropped until its turn comes. */
static void
decoded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhPictureView *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  FhPicture *facts = fh_picture_decoder_decode_finish (FH_PICTURE_DECODER (source), result, &error);

  /* Something else is shown already, or nothing any more. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  if (facts != NULL)
    {
      take_picture (self, facts);
      return;
    }
  /* Translators: %s is the reason, a sentence. */
  text = g_strdup_printf (_ ("This picture could not be shown. %s"), error->message);
  gtk_label_set_text (self->problem, text);
  show_page (self, "problem");
}

static void
empty (FhPictureView *self)
{
  fh_cancel (&self->cancellable);
  g_clear_pointer (&self->facts, fh_picture_unref);
  g_clear_object (&self->texture);
}

void
fh_picture_view_show (FhPictureView *self,
                      FhPictureDecoder *decoder,
                      const char *name,
                      GBytes *image,
                      gboolean goes_first)
{
  g_return_if_fail (FH_IS_PICTURE_VIEW (self));

  empty (self);
  gtk_label_set_text (self->problem, "");
  gtk_picture_set_paintable (self->picture, NULL);
  gtk_picture_set_alternative_text (self->picture, name);
  fh_picture_view_set_zoom (self, 0);
  show_page (self, "waiting");
  gtk_spinner_set_spinning (self->spinner, image != NULL);
  if (image == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  fh_picture_decoder_decode_async (decoder, image, goes_first, self->cancellable, decoded_cb, self);
}

GdkTexture *
fh_picture_view_get_texture (FhPictureView *self)
{
  g_return_val_if_fail (FH_IS_PICTURE_VIEW (self), NULL);

  return self->texture;
}

gboolean
fh_picture_view_get_size (FhPictureView *self, int *width, int *height)
{
  g_return_val_if_fail (FH_IS_PICTURE_VIEW (self), FALSE);

  if (self->facts == NULL)
    return FALSE;
  *width = (int) self->facts->original_width;
  *height = (int) self->facts->original_height;
  return TRUE;
}

char *
fh_picture_view_describe (FhPictureView *self)
{
  g_autofree char *size = NULL;

  g_return_val_if_fail (FH_IS_PICTURE_VIEW (self), NULL);

  if (self->facts == NULL)
    return NULL;
  /* Translators: width and height of a picture in pixels. */
  size = g_strdup_printf (_ ("%u × %u"), self->facts->original_width, self->facts->original_height);
  if (self->facts->is_animated)
    return g_strdup_printf (_ ("%s, the first picture of a moving one"), size);
  if (self->facts->width < self->facts->original_width)
    return g_strdup_printf (_ ("%s, shown with fewer pixels"), size);
  return g_steal_pointer (&size);
}

void
fh_picture_view_set_zoom (FhPictureView *self, double zoom)
{
  g_return_if_fail (FH_IS_PICTURE_VIEW (self));

  zoom = zoom <= 0 ? 0 : CLAMP (zoom, MIN_ZOOM, MAX_ZOOM);
  if (zoom == self->zoom)
    return;
  self->zoom = zoom;
  apply_zoom (self);
}

/* How large it is now, also when it fits. */
static double
present_zoom (FhPictureView *self)
{
  const double room =
      MIN ((double) gtk_widget_get_width (self->scroller) / self->facts->original_width,
           (double) gtk_widget_get_height (self->scroller) / self->facts->original_height);

  if (self->zoom != 0)
    return self->zoom;
  /* A view without a size yet is taken for one that fits. */
  return room > 0 ? CLAMP (room, MIN_ZOOM, 1) : 1;
}

void
fh_picture_view_zoom (FhPictureView *self, gboolean in)
{
  g_return_if_fail (FH_IS_PICTURE_VIEW (self));

  if (self->facts != NULL)
    fh_picture_view_set_zoom (self, present_zoom (self) * (in ? 1.5 : 1 / 1.5));
}

static void
fh_picture_view_dispose (GObject *object)
{
  empty (FH_PICTURE_VIEW (object));
  G_OBJECT_CLASS (fh_picture_view_parent_class)->dispose (object);
}

static void
fh_picture_view_class_init (FhPictureViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_picture_view_dispose;
  changed_signal = fh_signal_new ("changed", G_TYPE_FROM_CLASS (klass), 0);

  fh_set_template (widget_class, "parts/picture-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhPictureView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhPictureView, spinner);
  gtk_widget_class_bind_template_child (widget_class, FhPictureView, scroller);
  gtk_widget_class_bind_template_child (widget_class, FhPictureView, picture);
  gtk_widget_class_bind_template_child (widget_class, FhPictureView, problem);
}

static void
fh_picture_view_init (FhPictureView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
