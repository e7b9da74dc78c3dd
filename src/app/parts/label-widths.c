/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/label-widths.h"

typedef void (*Measure) (GtkWidget *, GtkOrientation, int, int *, int *, int *, int *);

static Measure measure_of_gtk;

/* The least width is the answer where the text is no higher in it than the room there is. */
static void
measure (GtkWidget *label,
         GtkOrientation orientation,
         int for_size,
         int *minimum,
         int *natural,
         int *minimum_baseline,
         int *natural_baseline)
{
  int least, height, ignored, baseline = -1;

  measure_of_gtk (label,
                  orientation,
                  for_size,
                  minimum,
                  natural,
                  minimum_baseline,
                  natural_baseline);
  if (orientation == GTK_ORIENTATION_VERTICAL || for_size < 0 ||
      !gtk_label_get_wrap (GTK_LABEL (label)))
    return;
  measure_of_gtk (label, GTK_ORIENTATION_HORIZONTAL, -1, &least, &ignored, &baseline, &baseline);
  measure_of_gtk (label, GTK_ORIENTATION_VERTICAL, least, &height, &ignored, &baseline, &baseline);
  if (height <= for_size)
    *minimum = MIN (*minimum, least);
  *natural = MAX (*natural, *minimum);
}

void
fh_label_widths_mend (void)
{
  /* The class is never unloaded: GTK's types are static. */
  GtkWidgetClass *labels = g_type_class_ref (GTK_TYPE_LABEL);

  if (labels->measure == measure)
    return;
  measure_of_gtk = labels->measure;
  labels->measure = measure;
}
