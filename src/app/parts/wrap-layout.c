/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/wrap-layout.h"

#define SPACING 12

struct _FhWrapLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (FhWrapLayout, fh_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

/* Returns pixels; 0 for a child that is hidden. */
static int
natural_size (GtkWidget *child, GtkOrientation orientation, int for_size, int *minimum)
{
  int natural = 0;

  *minimum = 0;
  if (gtk_widget_should_layout (child))
    gtk_widget_measure (child, orientation, for_size, minimum, &natural, NULL, NULL);
  return natural;
}

/* How much of `width` the second child takes beside the first; -1: it does not fit there. */
static int
width_beside (GtkWidget *second, int width)
{
  int minimum;
  const int natural = natural_size (second, GTK_ORIENTATION_HORIZONTAL, -1, &minimum);

  if (natural == 0)
    return 0;
  return width < 0 || 5 * (natural + SPACING) <= 2 * width ? natural + SPACING : -1;
}

static GtkSizeRequestMode
fh_wrap_layout_get_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fh_wrap_layout_measure (GtkLayoutManager *layout,
                        GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  GtkWidget *first = gtk_widget_get_first_child (widget);
  GtkWidget *second = gtk_widget_get_next_sibling (first);
  const int beside = width_beside (second, for_size);
  int least[2];
  int usual[2];

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      usual[0] = natural_size (first, orientation, -1, &least[0]);
      usual[1] = natural_size (second, orientation, -1, &least[1]);
      *minimum = MAX (least[0], least[1]);
      *natural = usual[0] + (usual[1] > 0 ? SPACING + usual[1] : 0);
      return;
    }
  usual[0] =
      natural_size (first, orientation, for_size < 0 ? -1 : for_size - MAX (beside, 0), &least[0]);
  usual[1] = natural_size (second, orientation, -1, &least[1]);
  *minimum = beside < 0 ? least[0] + SPACING + least[1] : MAX (least[0], least[1]);
  *natural = beside < 0 ? usual[0] + SPACING + usual[1] : MAX (usual[0], usual[1]);
}

/* `x` is from where a line begins, which may be at the right. */
static void
allocate_child (GtkWidget *widget, GtkWidget *child, int whole, int x, int y, int width, int height)
{
  if (!gtk_widget_should_layout (child))
    return;
  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    x = whole - x - width;
  gtk_widget_size_allocate (child, &(GtkAllocation){ x, y, width, height }, -1);
}

static void
fh_wrap_layout_allocate (GtkLayoutManager *layout,
                         GtkWidget *widget,
                         int width,
                         int height,
                         int baseline)
{
  GtkWidget *first = gtk_widget_get_first_child (widget);
  GtkWidget *second = gtk_widget_get_next_sibling (first);
  const int beside = width_beside (second, width);
  int minimum;
  int size;

  if (beside >= 0)
    {
      allocate_child (widget, first, width, 0, 0, width - beside, height);
      allocate_child (widget, second, width, width - beside + SPACING, 0, beside - SPACING, height);
      return;
    }
  size = MIN (natural_size (second, GTK_ORIENTATION_HORIZONTAL, -1, &minimum), width);
  natural_size (second, GTK_ORIENTATION_VERTICAL, -1, &minimum);
  allocate_child (widget, first, width, 0, 0, width, height - SPACING - minimum);
  allocate_child (widget, second, width, width - size, height - minimum, size, minimum);
}

static void
fh_wrap_layout_class_init (FhWrapLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = fh_wrap_layout_get_request_mode;
  layout_class->measure = fh_wrap_layout_measure;
  layout_class->allocate = fh_wrap_layout_allocate;
}

static void
fh_wrap_layout_init (FhWrapLayout *self)
{
}
