/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/label-widths.h"

#include "fake-services.h"
#include "widget-test.h"
#include "window/window.h"

/* The height for which a box asks when no height was enough for its children. */
#define ENDLESS (1 << 20)

static int
least_width (GtkWidget *label, int height)
{
  int least, natural;

  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, height, &least, &natural, NULL, NULL);
  g_assert_cmpint (least, <=, natural);
  return least;
}

/* More height never needs more width than none at all. */
static void
check_label (GtkWidget *label)
{
  const int least = least_width (label, -1);
  int narrow, wide, ignored;

  g_test_message ("“%s”", gtk_label_get_text (GTK_LABEL (label)));
  g_assert_cmpint (least_width (label, ENDLESS), <=, least);
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, least, &narrow, &ignored, NULL, NULL);
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, ENDLESS, &wide, &ignored, NULL, NULL);
  g_assert_cmpint (wide, <=, narrow);
  g_assert_cmpint (least_width (label, narrow), <=, least);
}

static guint
check_labels (GtkWidget *root)
{
  guint count = 0;

  if (GTK_IS_LABEL (root))
    {
      check_label (root);
      count++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count += check_labels (child);
  return count;
}

/* Figures in Hebrew beside others that are not, and texts that end in spaces. */
static const char *const texts[] = {
  "%u ms\u00a0\u00a0·  CPU\u00a026\u00a0ms\u00a0\u00a0·  "
  "Speicher\u00a0\u200f11.1\u00a0מבי״ב\u00a0\u00a0·  "
  "stdout\u00a0\u200f\u200e\u200f0\u00a0\u200fבתים",
  "%u.0\u00a0s\u00a0von\u00a030\u00a0s\u00a0\u00a0·  Speicher\u00a0\u200f6.5\u00a0מבי״ב",
  "„%u“ konnte nicht gelesen werden: ",
  "In all of it: %u,   ",
  "שלום %u world  ·  one  ",
};

/* The label is cut at this end, or whole. */
static GtkWidget *
label_new (const char *text, PangoWrapMode mode, PangoEllipsizeMode end)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), mode);
  gtk_label_set_ellipsize (GTK_LABEL (label), end);
  gtk_label_set_lines (GTK_LABEL (label), end == PANGO_ELLIPSIZE_NONE ? -1 : 2);
  return label;
}

/* A box with it, as wide as can be and narrower: GTK would complain, which ends the test. */
static void
check_text (const char *text)
{
  for (PangoWrapMode mode = PANGO_WRAP_WORD; mode <= PANGO_WRAP_WORD_CHAR; mode++)
    for (PangoEllipsizeMode end = PANGO_ELLIPSIZE_NONE; end <= PANGO_ELLIPSIZE_END; end += 3)
      {
        GtkWidget *box = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
        GtkWidget *label = label_new (text, mode, end);
        int least;

        gtk_box_append (GTK_BOX (box), label);
        gtk_box_append (GTK_BOX (box), gtk_image_new ());
        check_label (label);
        least = least_width (box, -1);
        for (int width = least; width < least + 60; width += 30)
          gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, width, NULL, NULL, NULL, NULL);
        g_object_unref (box);
      }
}

static void
test_texts (gconstpointer direction)
{
  gtk_widget_set_default_direction (GPOINTER_TO_INT (direction));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint number = 0; number < 60; number += 30)
      {
        g_auto (GStrv) halves = g_strsplit (texts[i], "%u", 2);
        g_autofree char *text = g_strdup_printf ("%s%u%s", halves[0], number, halves[1]);

        check_text (text);
      }
}

/* Every label of the window, also on pages that are not shown, while a program runs and after. */
static void
test_window (gconstpointer direction)
{
  g_autofree char *folder = fake_folder_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  FhServices *services = fake_services_new (backend, folder);
  FhWindow *window;

  gtk_widget_set_default_direction (GPOINTER_TO_INT (direction));
  window = fh_window_new (NULL, services);
  fh_window_open_text (window, "raise OSError\n", NULL, NULL, TRUE);
  gtk_window_present (GTK_WINDOW (window));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (window)));
  g_assert_cmpuint (check_labels (GTK_WIDGET (window)), >, 100);
  fake_backend_write (backend, FH_STREAM_STDERR, "OSError\n");
  fake_backend_finish (backend, 1);
  widget_test_settle ();
  g_assert_cmpuint (check_labels (GTK_WIDGET (window)), >, 100);

  g_object_ref (window);
  gtk_window_destroy (GTK_WINDOW (window));
  widget_test_finalize (window);
  fake_services_free (services);
  fake_folder_free (g_steal_pointer (&folder));
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    GtkTextDirection direction;
  } directions[] = { { "from-left", GTK_TEXT_DIR_LTR }, { "from-right", GTK_TEXT_DIR_RTL } };

  /* Sizes are then told in the language of GLib, as between other words. */
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_setenv ("LANGUAGE", "he", TRUE);
  if (!widget_test_init (&argc, &argv))
    return 77;
  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    {
      gconstpointer direction = GINT_TO_POINTER (directions[i].direction);
      g_autofree char *of_texts =
          g_strconcat ("/app/label-widths/texts/", directions[i].name, NULL);
      g_autofree char *of_window =
          g_strconcat ("/app/label-widths/window/", directions[i].name, NULL);

      g_test_add_data_func (of_texts, direction, test_texts);
      g_test_add_data_func (of_window, direction, test_window);
    }
  return g_test_run ();
}
