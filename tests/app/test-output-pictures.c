/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-pictures.h"

#include "fake-backend.h"
#include "run-driver.h"
#include "widget-test.h"

typedef struct
{
  FakeBackend *backend; /* each of its runs decodes a picture */
  FhOutputPictures *pictures;
  FhResultFiles *files;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhProbes) probes = NULL;
  g_autoptr (FhPictureDecoder) decoder = NULL;

  fixture->backend = fake_backend_new ();
  probes = fh_probes_new (FH_BACKEND (fixture->backend));
  decoder = fh_picture_decoder_new (probes);
  fixture->pictures = g_object_new (FH_TYPE_OUTPUT_PICTURES, NULL);
  fh_output_pictures_set_decoder (fixture->pictures, decoder);
  fixture->files = fh_result_files_new ();
  fixture->window = widget_test_window (GTK_WIDGET (fixture->pictures), 600, 300);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  FhOutputPictures *pictures = g_object_ref (fixture->pictures);

  gtk_window_destroy (fixture->window);
  widget_test_finalize (pictures);
  widget_test_settle ();
  widget_test_finalize (fixture->files);
  widget_test_finalize (fixture->backend);
}

/* As a run tells of them: one by one. */
static void
add (Fixture *fixture, guint n_files)
{
  for (guint i = 0; i < n_files; i++)
    {
      g_autofree char *path = g_strdup_printf ("%u.svg", i);
      g_autofree char *drawing = g_strdup_printf ("<svg id='%u'/>", i);
      g_autoptr (GBytes) content = g_bytes_new (drawing, strlen (drawing));
      g_autoptr (FhResultFile) file =
          fh_result_file_new (&(FhResultFileFacts){ .path = path, .content = content });

      fh_result_files_add (fixture->files, file);
    }
}

static gboolean
has_begun (FhRun *run)
{
  return run != NULL && fh_run_get_state (run) != FH_RUN_FINISHED;
}

/* Until no other decode begins, and how many there were. */
static guint
count_decodes (Fixture *fixture)
{
  widget_test_settle ();
  while (has_begun (fake_backend_get_run (fixture->backend)))
    {
      fake_backend_finish (fixture->backend, 1);
      widget_test_settle ();
    }
  return fake_backend_get_n_runs (fixture->backend);
}

/* Only what is shown is decoded, however many there are. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  fh_output_pictures_add (fixture->pictures, fixture->files);
  add (fixture, 2000);
  g_assert_cmpuint (count_decodes (fixture), ==, 8);
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (fixture->window), "1999.svg"));
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (fixture->window), "1992.svg"));
  g_assert_null (widget_test_find_label (GTK_WIDGET (fixture->window), "1991.svg"));
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (fixture->window), "1992 more in Files"));
}

/* Those of a run that is over, and again all of an answer: they are the same ones. */
static void
test_again (Fixture *fixture, gconstpointer data)
{
  add (fixture, 20);
  fh_output_pictures_add (fixture->pictures, fixture->files);
  fh_output_pictures_add (fixture->pictures, fixture->files);
  widget_test_settle ();
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (fixture->window), "19.svg"));
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (fixture->window), "12 more in Files"));
}

/* What goes is not decoded any more: neither what has begun nor what waits. */
static void
test_cleared (Fixture *fixture, gconstpointer data)
{
  fh_output_pictures_add (fixture->pictures, fixture->files);
  add (fixture, 8);
  FH_AWAIT_TRUE (fake_backend_get_n_runs (fixture->backend) == 2);
  fh_output_pictures_clear (fixture->pictures);
  widget_test_settle ();
  g_assert_cmpuint (fake_backend_get_n_stops (fixture->backend), ==, 4);
  g_assert_cmpuint (count_decodes (fixture), ==, 2);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (fixture->pictures)));
  /* Nor is what came just before. */
  add (fixture, 8);
  fh_output_pictures_clear (fixture->pictures);
  g_assert_cmpuint (count_decodes (fixture), ==, 2);
}

/* How far the name of a picture is below the strip; it is in sight if that is not positive. */
static float
get_depth (Fixture *fixture)
{
  GtkWidget *strip = GTK_WIDGET (fixture->pictures);
  GtkWidget *label = widget_test_find_label (strip, "0.svg");
  graphene_rect_t place;

  if (label == NULL || !gtk_widget_compute_bounds (label, strip, &place))
    return G_MAXFLOAT;
  return place.origin.y + place.size.height - (float) gtk_widget_get_height (strip);
}

/* Where there is less room the pictures are smaller, and grow with the room. */
static void
test_low (Fixture *fixture, gconstpointer data)
{
  GtkWidget *button;

  fh_output_pictures_add (fixture->pictures, fixture->files);
  add (fixture, 1);
  FH_AWAIT_TRUE (get_depth (fixture) <= 0);
  gtk_window_set_default_size (fixture->window, 600, 160);
  FH_AWAIT_TRUE (gtk_widget_get_height (GTK_WIDGET (fixture->window)) == 160);
  FH_AWAIT_TRUE (get_depth (fixture) <= 0);
  gtk_window_set_default_size (fixture->window, 600, 600);
  button = widget_test_find (GTK_WIDGET (fixture->pictures), GTK_TYPE_BUTTON);
  FH_AWAIT_TRUE (gtk_widget_get_height (button) > 200);
}

static int
get_button_height (Fixture *fixture)
{
  return gtk_widget_get_height (widget_test_find (GTK_WIDGET (fixture->pictures), GTK_TYPE_BUTTON));
}

/* Where nothing was printed, a picture has all the room, until something else is shown. */
static void
test_alone (Fixture *fixture, gconstpointer data)
{
  GtkWidget *strip = GTK_WIDGET (fixture->pictures);

  gtk_window_set_default_size (fixture->window, 600, 600);
  fh_output_pictures_add (fixture->pictures, fixture->files);
  fh_output_pictures_set_alone (fixture->pictures, TRUE);
  g_assert_false (gtk_widget_get_vexpand (strip));
  add (fixture, 1);
  FH_AWAIT_TRUE (gtk_widget_get_vexpand (strip) && get_button_height (fixture) > 500);
  gtk_window_set_default_size (fixture->window, 600, 400);
  FH_AWAIT_TRUE (get_button_height (fixture) < 400 && get_depth (fixture) <= 0);
  fh_output_pictures_set_alone (fixture->pictures, FALSE);
  FH_AWAIT_TRUE (!gtk_widget_get_vexpand (strip));
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/app/output-pictures/many", test_many },
                      { "/app/output-pictures/again", test_again },
                      { "/app/output-pictures/low", test_low },
                      { "/app/output-pictures/alone", test_alone },
                      { "/app/output-pictures/cleared", test_cleared });
