/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/diff-line.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

/* The widgets that a line has on each side. */
typedef struct
{
  GtkWidget *box;
  GtkLabel *number;
  GtkLabel *mark;
  GtkLabel *text;
} Side;

struct _FhDiffLine
{
  AdwBin parent_instance;
  FhDiffRow *row;
  gboolean stacked;

  GtkWidget *heading;
  GtkImage *arrow;
  GtkLabel *title;
  GtkLabel *remark;
  GtkLabel *gap;
  GtkWidget *cells;
  Side sides[2];
};

G_DEFINE_FINAL_TYPE (FhDiffLine, fh_diff_line, ADW_TYPE_BIN)

/* The difference bold and underlined, which does not depend on colors. A line that is wrapped gets
 * no hyphens. */
static PangoAttrList *
attributes_of (const FhDiffCell *cell)
{
  PangoAttrList *list = pango_attr_list_new ();
  PangoAttribute *attributes[] = {
    pango_attr_weight_new (PANGO_WEIGHT_BOLD),
    pango_attr_underline_new (PANGO_UNDERLINE_SINGLE),
  };

  pango_attr_list_insert (list, pango_attr_insert_hyphens_new (FALSE));
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      attributes[i]->start_index = cell->marks[0];
      attributes[i]->end_index = cell->marks[1];
      pango_attr_list_insert (list, attributes[i]);
    }
  return list;
}

static void
show_cell (FhDiffLine *self, guint side)
{
  const FhDiffCell *cell = &fh_diff_row_get_facts (self->row)->cells[side];
  const FhDiffCell *other = &fh_diff_row_get_facts (self->row)->cells[!side];
  gboolean differs = fh_diff_row_get_facts (self->row)->differs;
  gboolean is_there = cell->text != NULL;
  gboolean is_code = cell->line > 0 || other->line > 0;
  g_autofree char *number = cell->line > 0 ? g_strdup_printf ("%u", cell->line) : NULL;
  g_autoptr (PangoAttrList) attributes = attributes_of (cell);
  Side *widgets = &self->sides[side];

  gtk_label_set_text (widgets->text, is_there ? cell->text : "");
  gtk_label_set_attributes (widgets->text, attributes);
  gtk_label_set_text (widgets->number, number != NULL ? number : "");
  gtk_widget_set_visible (GTK_WIDGET (widgets->number), is_code && is_there);
  gtk_widget_set_visible (GTK_WIDGET (widgets->mark), is_there);
  gtk_widget_set_visible (GTK_WIDGET (widgets->text), is_there);
  gtk_label_set_text (widgets->mark, differs && is_there ? (side == 0 ? "−" : "+") : " ");
  fh_set_css_class (widgets->text, "monospace", is_code);
  fh_set_css_class (widgets->box, side == 0 ? "removed" : "added", differs && is_there);
  fh_set_css_class (widgets->box, "missing", !is_there);
  /* Stacked, what is equal stands there once. */
  gtk_widget_set_visible (
      widgets->box,
      !self->stacked ||
          (is_there && (differs || side == 1 || g_strcmp0 (cell->text, other->text) != 0)));
}

static void
show_line (FhDiffLine *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->cells),
                                  self->stacked ? GTK_ORIENTATION_VERTICAL
                                                : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_homogeneous (GTK_BOX (self->cells), !self->stacked);
  show_cell (self, 0);
  show_cell (self, 1);
}

static void
show_heading (FhDiffLine *self, gboolean is_open)
{
  const char *remark = fh_diff_row_get_facts (self->row)->remark;

  gtk_image_set_from_icon_name (self->arrow, is_open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_label_set_text (self->title, fh_diff_row_get_facts (self->row)->title);
  gtk_label_set_text (self->remark, remark != NULL ? remark : "");
}

static void
show_gap (FhDiffLine *self)
{
  guint n = fh_diff_row_get_facts (self->row)->n_hidden;
  g_autofree char *text = NULL;

  if (fh_diff_row_get_facts (self->row)->differs)
    text = g_strdup_printf (ngettext ("%u more line", "%u more lines", n), n);
  else
    text = g_strdup_printf (ngettext ("%u equal line", "%u equal lines", n), n);
  gtk_label_set_text (self->gap, text);
}

static void
fh_diff_line_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhDiffLine *self = FH_DIFF_LINE (object);

  if (self->stacked == g_value_get_boolean (value))
    return;
  self->stacked = g_value_get_boolean (value);
  if (self->row != NULL && fh_diff_row_get_facts (self->row)->kind == FH_DIFF_ROW_LINE)
    show_line (self);
}

static void
fh_diff_line_dispose (GObject *object)
{
  g_clear_object (&FH_DIFF_LINE (object)->row);
  G_OBJECT_CLASS (fh_diff_line_parent_class)->dispose (object);
}

static void
fh_diff_line_class_init (FhDiffLineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = fh_diff_line_set_property;
  object_class->dispose = fh_diff_line_dispose;
  g_object_class_install_property (
      object_class,
      1,
      g_param_spec_boolean ("stacked", NULL, NULL, FALSE, FH_PARAM_SET));
}

static GtkLabel *
add_label (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
add_side (FhDiffLine *self, Side *side)
{
  side->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (side->box, "diff-cell");
  side->number = add_label (side->box, "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (side->number), "monospace");
  gtk_label_set_width_chars (side->number, 4);
  gtk_label_set_xalign (side->number, 1);
  side->mark = add_label (side->box, "monospace");
  side->text = add_label (side->box, NULL);
  gtk_widget_set_hexpand (GTK_WIDGET (side->text), TRUE);
  gtk_label_set_wrap (side->text, TRUE);
  gtk_label_set_wrap_mode (side->text, PANGO_WRAP_WORD_CHAR);
  gtk_box_append (GTK_BOX (self->cells), side->box);
}

static void
fh_diff_line_init (FhDiffLine *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->heading = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->heading, "diff-heading");
  self->arrow = GTK_IMAGE (gtk_image_new ());
  gtk_box_append (GTK_BOX (self->heading), GTK_WIDGET (self->arrow));
  self->title = add_label (self->heading, "heading");
  self->remark = add_label (self->heading, "dim-label");
  self->gap = add_label (box, "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->gap), "diff-gap");
  gtk_label_set_xalign (self->gap, 0.5);
  self->cells = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  /* The old text is on the left, and code is read from there. */
  gtk_widget_set_direction (self->cells, GTK_TEXT_DIR_LTR);
  for (guint side = 0; side < 2; side++)
    {
      add_side (self, &self->sides[side]);
      gtk_widget_set_direction (self->sides[side].box, GTK_TEXT_DIR_LTR);
    }
  gtk_box_append (GTK_BOX (box), self->heading);
  gtk_box_append (GTK_BOX (box), self->cells);
  adw_bin_set_child (ADW_BIN (self), box);
}

void
fh_diff_line_set_row (FhDiffLine *self, FhDiffRow *row, gboolean is_open)
{
  FhDiffRowKind kind;

  g_return_if_fail (FH_IS_DIFF_LINE (self));

  g_set_object (&self->row, row);
  if (row == NULL)
    return;
  kind = fh_diff_row_get_facts (row)->kind;
  gtk_widget_set_visible (self->heading, kind == FH_DIFF_ROW_HEADING);
  gtk_widget_set_visible (GTK_WIDGET (self->gap), kind == FH_DIFF_ROW_GAP);
  gtk_widget_set_visible (self->cells, kind == FH_DIFF_ROW_LINE);
  if (kind == FH_DIFF_ROW_HEADING)
    show_heading (self, is_open);
  else if (kind == FH_DIFF_ROW_GAP)
    show_gap (self);
  else
    show_line (self);
}

FhDiffRow *
fh_diff_line_get_row (FhDiffLine *self)
{
  g_return_val_if_fail (FH_IS_DIFF_LINE (self), NULL);

  return self->row;
}
