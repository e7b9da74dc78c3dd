/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-pictures.h"

#include <glib/gi18n.h>

#include "file-content.h"
#include "parts/calls.h"
#include "parts/picture-view.h"

#define MAX_SHOWN  8
#define MAX_HEIGHT 200
#define MIN_HEIGHT 60
#define MIN_WIDTH  96
#define MAX_WIDTH  420
/* A picture has so much around it in either direction. */
#define BESIDE 44

struct _FhOutputPictures
{
  AdwBin parent_instance;
  FhPictureDecoder *decoder; /* nullable */
  gboolean is_alone;         /* nothing was printed */
  int height;                /* of a picture */
  int max_width;             /* likewise */
  guint fitting;             /* idle source: the size is to follow the room */
  GtkWidget *row;
  GtkWidget *more;      /* behind the last one */
  GQueue shown;         /* buttons, the oldest first */
  GHashTable *left_out; /* paths */

  FhResultFiles *coming; /* nullable: to which files have come in this turn */
  guint first_coming;
  guint turn; /* an idle source */
};

static guint activated_signal;
static const char file_key[] = "fh-result-file";

G_DEFINE_FINAL_TYPE (FhOutputPictures, fh_output_pictures, ADW_TYPE_BIN)

static FhResultFile *
get_file (GtkWidget *button)
{
  return g_object_get_data (G_OBJECT (button), file_key);
}

static void
clicked_cb (FhOutputPictures *self, GtkWidget *button)
{
  g_signal_emit (self, activated_signal, 0, get_file (button));
}

/* Makes the view as wide as its height asks for; one that is alone stands close to its name. */
static void
request_size (FhOutputPictures *self, FhPictureView *view)
{
  int width = 1;
  int height = 1;
  gint64 wanted;

  fh_picture_view_get_size (view, &width, &height);
  wanted = CLAMP ((gint64) width * self->height / height, MIN_WIDTH, self->max_width);
  height = self->is_alone ? (int) CLAMP (wanted * height / width, MIN_HEIGHT, self->height)
                          : self->height;
  gtk_widget_set_size_request (GTK_WIDGET (view), (int) wanted, height);
}

/* The output above has at least as much room, if there is any. */
static int
find_height (FhOutputPictures *self)
{
  const int room = gtk_widget_get_height (gtk_widget_get_parent (GTK_WIDGET (self)));

  return self->is_alone ? MAX (gtk_widget_get_height (GTK_WIDGET (self)) - BESIDE, MIN_HEIGHT)
                        : CLAMP (room / 2 - BESIDE, MIN_HEIGHT, MAX_HEIGHT);
}

/* Two pictures that have all the room are seen side by side. */
static int
find_max_width (FhOutputPictures *self)
{
  const int n = self->shown.length > 1 ? 2 : 1;

  return self->is_alone ? MAX (gtk_widget_get_width (GTK_WIDGET (self)) / n - BESIDE, MIN_WIDTH)
                        : MAX_WIDTH;
}

static gboolean
fit_cb (gpointer user_data)
{
  FhOutputPictures *self = FH_OUTPUT_PICTURES (user_data);

  self->fitting = 0;
  self->height = find_height (self);
  self->max_width = find_max_width (self);
  for (GList *link = self->shown.head; link != NULL; link = link->next)
    request_size (self,
                  FH_PICTURE_VIEW (
                      gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (link->data)))));
  return G_SOURCE_REMOVE;
}

static void
fh_output_pictures_measure (GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  gtk_widget_measure (adw_bin_get_child (ADW_BIN (widget)),
                      orientation,
                      for_size,
                      minimum,
                      natural,
                      minimum_baseline,
                      natural_baseline);
}

/* A size must not be requested during an allocation. */
static void
fh_output_pictures_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FhOutputPictures *self = FH_OUTPUT_PICTURES (widget);

  gtk_widget_allocate (adw_bin_get_child (ADW_BIN (widget)), width, height, baseline, NULL);
  if (self->fitting == 0 &&
      (self->height != find_height (self) || self->max_width != find_max_width (self)))
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_cb, self, NULL);
}

static GtkWidget *
create_button (FhOutputPictures *self, FhResultFile *file)
{
  const char *name = fh_result_file_get_facts (file)->name;
  FhPictureView *view = g_object_new (FH_TYPE_PICTURE_VIEW, NULL);
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *button = gtk_button_new ();

  request_size (self, view);
  fh_connect (view, "changed", request_size, self);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 12);
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (view));
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Show in Files"));
  fh_set_accessible_label (button, name);
  g_object_set_data_full (G_OBJECT (button), file_key, g_object_ref (file), g_object_unref);
  fh_connect (button, "clicked", clicked_cb, self);
  fh_picture_view_show (view, self->decoder, name, fh_result_file_get_facts (file)->content, FALSE);
  return button;
}

/* Removes the button with its view, which gives up what is decoded. */
static void
drop (FhOutputPictures *self, GList *link)
{
  gtk_box_remove (GTK_BOX (self->row), link->data);
  g_queue_delete_link (&self->shown, link);
}

static void
leave_out (FhOutputPictures *self, FhResultFile *file)
{
  g_hash_table_add (self->left_out, g_strdup (fh_result_file_get_facts (file)->path));
}

static void
drop_of_path (FhOutputPictures *self, const char *path)
{
  for (GList *link = self->shown.head; link != NULL; link = link->next)
    if (g_str_equal (fh_result_file_get_facts (get_file (link->data))->path, path))
      {
        drop (self, link);
        return;
      }
}

static void
update (FhOutputPictures *self)
{
  const guint n_left_out = g_hash_table_size (self->left_out);
  g_autofree char *text =
      g_strdup_printf (ngettext ("%u more in Files", "%u more in Files", n_left_out), n_left_out);

  gtk_label_set_text (GTK_LABEL (self->more), text);
  gtk_widget_set_visible (self->more, n_left_out > 0);
  gtk_widget_set_visible (GTK_WIDGET (self), !g_queue_is_empty (&self->shown));
  gtk_widget_set_vexpand (GTK_WIDGET (self), self->is_alone && !g_queue_is_empty (&self->shown));
  gtk_widget_set_halign (self->row, self->is_alone ? GTK_ALIGN_CENTER : GTK_ALIGN_FILL);
  gtk_widget_set_valign (self->row, gtk_widget_get_halign (self->row));
}

static gboolean
is_picture (FhResultFile *file)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);

  return facts->kind == FH_RESULT_FILE_REGULAR && facts->content != NULL &&
         fh_file_content_kind (facts->path, facts->content) == FH_FILE_CONTENT_PICTURE;
}

/* Finds the first picture that stays: the others are not decoded. */
static guint
find_first_shown (FhResultFiles *files, guint position)
{
  guint first = g_list_model_get_n_items (G_LIST_MODEL (files));
  guint n_pictures = 0;

  while (first > position && n_pictures < MAX_SHOWN)
    n_pictures += is_picture (fh_result_files_get (files, --first)) ? 1 : 0;
  return first;
}

static void
show (FhOutputPictures *self, FhResultFile *file)
{
  g_hash_table_remove (self->left_out, fh_result_file_get_facts (file)->path);
  if (self->shown.length == MAX_SHOWN)
    {
      leave_out (self, get_file (self->shown.head->data));
      drop (self, self->shown.head);
    }
  g_queue_push_tail (&self->shown, create_button (self, file));
  gtk_box_insert_child_after (GTK_BOX (self->row),
                              self->shown.tail->data,
                              self->shown.length > 1 ? self->shown.tail->prev->data : NULL);
}

static void
add_from (FhOutputPictures *self, FhResultFiles *files, guint position)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (files));
  const guint first = find_first_shown (files, position);

  for (guint i = position; i < n && self->decoder != NULL; i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);

      if (!is_picture (file))
        continue;
      drop_of_path (self, fh_result_file_get_facts (file)->path);
      if (i < first)
        leave_out (self, file);
      else
        show (self, file);
    }
  update (self);
}

static void
take_coming (FhOutputPictures *self)
{
  g_autoptr (FhResultFiles) files = g_steal_pointer (&self->coming);

  g_clear_handle_id (&self->turn, g_source_remove);
  if (files != NULL)
    add_from (self, files, self->first_coming);
}

static gboolean
turn_cb (gpointer user_data)
{
  FhOutputPictures *self = user_data;

  self->turn = 0;
  take_coming (self);
  return G_SOURCE_REMOVE;
}

/* Each file of a run is told on its own, but which are the last ones is known only then. */
static void
changed_cb (FhOutputPictures *self,
            guint position,
            guint removed,
            guint added,
            FhResultFiles *files)
{
  if (added == 0 || files == self->coming)
    return;
  take_coming (self);
  self->coming = g_object_ref (files);
  self->first_coming = position;
  self->turn = g_idle_add_full (G_PRIORITY_DEFAULT, turn_cb, self, NULL);
}

void
fh_output_pictures_add (FhOutputPictures *self, FhResultFiles *files)
{
  g_return_if_fail (FH_IS_OUTPUT_PICTURES (self));
  g_return_if_fail (FH_IS_RESULT_FILES (files));

  g_signal_handlers_disconnect_by_func (files, changed_cb, self);
  fh_connect (files, "items-changed", changed_cb, self);
  take_coming (self);
  add_from (self, files, 0);
}

static void
forget_coming (FhOutputPictures *self)
{
  g_clear_handle_id (&self->turn, g_source_remove);
  g_clear_object (&self->coming);
}

void
fh_output_pictures_clear (FhOutputPictures *self)
{
  g_return_if_fail (FH_IS_OUTPUT_PICTURES (self));

  forget_coming (self);
  while (!g_queue_is_empty (&self->shown))
    drop (self, self->shown.head);
  g_hash_table_remove_all (self->left_out);
  self->is_alone = FALSE;
  update (self);
}

void
fh_output_pictures_set_alone (FhOutputPictures *self, gboolean alone)
{
  g_return_if_fail (FH_IS_OUTPUT_PICTURES (self));

  self->is_alone = alone;
  update (self);
}

void
fh_output_pictures_set_decoder (FhOutputPictures *self, FhPictureDecoder *decoder)
{
  g_return_if_fail (FH_IS_OUTPUT_PICTURES (self));

  g_set_object (&self->decoder, decoder);
}

static void
fh_output_pictures_dispose (GObject *object)
{
  FhOutputPictures *self = FH_OUTPUT_PICTURES (object);

  forget_coming (self);
  g_clear_handle_id (&self->fitting, g_source_remove);
  g_queue_clear (&self->shown);
  g_clear_object (&self->decoder);
  g_clear_pointer (&self->left_out, g_hash_table_unref);
  G_OBJECT_CLASS (fh_output_pictures_parent_class)->dispose (object);
}

static void
fh_output_pictures_class_init (FhOutputPicturesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_output_pictures_dispose;
  GTK_WIDGET_CLASS (klass)->measure = fh_output_pictures_measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = fh_output_pictures_size_allocate;
  activated_signal = fh_signal_new ("activated", FH_TYPE_OUTPUT_PICTURES, 1, FH_TYPE_RESULT_FILE);
}

static void
fh_output_pictures_init (FhOutputPictures *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  /* A layout would be asked instead of this widget, which has to know of each allocation. */
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  self->height = MAX_HEIGHT;
  self->max_width = MAX_WIDTH;
  g_queue_init (&self->shown);
  self->left_out = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->more = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->more, "dim-label");
  gtk_widget_set_margin_end (self->more, 12);
  gtk_box_append (GTK_BOX (self->row), self->more);
  gtk_widget_add_css_class (scroller, "output-pictures");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->row);
  /* The pictures may become this low: in a low window the output needs the room. */
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 60);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  fh_set_accessible_label (scroller, _ ("Pictures of the program"));
  adw_bin_set_child (ADW_BIN (self), scroller);
  update (self);
}
