/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempts/attempt-columns.h"

#include <glib/gi18n.h>

#include "guard-state.h"
#include "parts/run-labels.h"

static const struct
{
  const char *icon_name;
  const char *style_class;
} verdicts[] = {
  [FH_VERDICT_DENIED] = { "action-unavailable-symbolic", "error" },
  [FH_VERDICT_HIDDEN] = { "view-conceal-symbolic", "accent" },
  [FH_VERDICT_LIMITED] = { "dialog-warning-symbolic", "warning" },
  [FH_VERDICT_OBSERVED] = { "view-reveal-symbolic", "dim-label" },
};

const char *
fh_verdict_icon_name (FhVerdict verdict)
{
  return verdicts[verdict].icon_name;
}

const char *
fh_verdict_style_class (FhVerdict verdict)
{
  return verdicts[verdict].style_class;
}

static char *
format_process (const FhAttemptFacts *facts)
{
  if (facts->process == 0)
    return g_strdup (facts->command);
  /* Translators: the name of a process and its number */
  return g_strdup_printf (C_ ("process", "%s %u"), facts->command, facts->process);
}

char *
fh_attempt_column_format (FhAttempt *attempt, guint count, FhAttemptColumn column)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);

  switch (column)
    {
    case FH_ATTEMPT_COLUMN_WHAT:
      return fh_attempt_dup_title (attempt);
    case FH_ATTEMPT_COLUMN_BLOCK:
      return facts->block > 0 ? g_strdup_printf ("%u", facts->block) : g_strdup ("");
    case FH_ATTEMPT_COLUMN_GUARD:
      return g_strdup (fh_guard_title (facts->guard));
    case FH_ATTEMPT_COLUMN_VERDICT:
      return g_strdup (fh_attempt_verdict_title (facts));
    case FH_ATTEMPT_COLUMN_COUNT:
      return g_strdup_printf ("%u", count);
    case FH_ATTEMPT_COLUMN_TIME:
      return fh_run_label_elapsed (facts->time_us);
    case FH_ATTEMPT_COLUMN_PROCESS:
      return format_process (facts);
    case FH_N_ATTEMPT_COLUMNS:
    default:
      g_return_val_if_reached (NULL);
    }
}

static char *
label_cb (gpointer object, FhAttempt *attempt, guint count, gpointer column)
{
  if (attempt == NULL)
    return NULL;
  return GPOINTER_TO_UINT (column) == FH_ATTEMPT_COLUMN_WHAT
             ? fh_attempt_dup_short_title (attempt)
             : fh_attempt_column_format (attempt, count, GPOINTER_TO_UINT (column));
}

/* NULL: the label tells all of it. */
static char *
tooltip_cb (gpointer object, FhAttempt *attempt)
{
  g_autofree char *whole = attempt != NULL ? fh_attempt_dup_title (attempt) : NULL;
  g_autofree char *shown = attempt != NULL ? fh_attempt_dup_short_title (attempt) : NULL;

  return g_strcmp0 (whole, shown) != 0 ? g_steal_pointer (&whole) : NULL;
}

static char *
icon_cb (gpointer object, FhAttempt *attempt)
{
  return attempt != NULL ? g_strdup (fh_verdict_icon_name (fh_attempt_get_facts (attempt)->verdict))
                         : NULL;
}

static GStrv
classes_cb (gpointer object, FhAttempt *attempt)
{
  const char *classes[] = { NULL, NULL };

  if (attempt != NULL)
    classes[0] = fh_verdict_style_class (fh_attempt_get_facts (attempt)->verdict);
  return g_strdupv ((char **) classes);
}

/* Otherwise the verdict tells it. */
static gboolean
reported_cb (gpointer object, FhAttempt *attempt)
{
  const FhAttemptFacts *facts = attempt != NULL ? fh_attempt_get_facts (attempt) : NULL;

  return facts != NULL && facts->is_reported && facts->verdict != FH_VERDICT_OBSERVED;
}

static GtkExpression *
item_expression (void)
{
  return gtk_property_expression_new (GTK_TYPE_LIST_ITEM, NULL, "item");
}

/* Binds a property of a widget in a cell to something about the cell's attempt. */
static void
bind (GtkWidget *widget, const char *property, GType type, GCallback function, GtkListItem *cell)
{
  GtkExpression *parameters[] = { item_expression () };

  gtk_expression_bind (
      gtk_cclosure_expression_new (type, NULL, 1, parameters, function, NULL, NULL),
      widget,
      property,
      cell);
}

static GtkWidget *
new_label (GtkListItem *cell, FhAttemptColumn column)
{
  GtkExpression *parameters[] = {
    item_expression (),
    gtk_property_expression_new (FH_TYPE_ATTEMPT, item_expression (), "count"),
  };
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column == FH_ATTEMPT_COLUMN_COUNT ? 1 : 0);
  if (column == FH_ATTEMPT_COLUMN_BLOCK || column == FH_ATTEMPT_COLUMN_COUNT ||
      column == FH_ATTEMPT_COLUMN_TIME || column == FH_ATTEMPT_COLUMN_PROCESS)
    gtk_widget_add_css_class (label, "numeric");
  gtk_expression_bind (gtk_cclosure_expression_new (G_TYPE_STRING,
                                                    NULL,
                                                    G_N_ELEMENTS (parameters),
                                                    parameters,
                                                    G_CALLBACK (label_cb),
                                                    GUINT_TO_POINTER (column),
                                                    NULL),
                       label,
                       "label",
                       cell);
  return label;
}

static GtkWidget *
new_what_cell (GtkListItem *cell)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = new_label (cell, FH_ATTEMPT_COLUMN_WHAT);
  GtkWidget *mark = gtk_label_new (C_ ("attempt", "reported"));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  bind (label, "tooltip-text", G_TYPE_STRING, G_CALLBACK (tooltip_cb), cell);
  gtk_widget_add_css_class (mark, "caption");
  gtk_widget_add_css_class (mark, "reported-mark");
  gtk_widget_set_halign (mark, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (mark, _ ("Reported by the program itself"));
  bind (mark, "visible", G_TYPE_BOOLEAN, G_CALLBACK (reported_cb), cell);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), mark);
  return box;
}

static GtkWidget *
new_verdict_cell (GtkListItem *cell)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon =
      g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  GtkWidget *label = new_label (cell, FH_ATTEMPT_COLUMN_VERDICT);

  bind (icon, "icon-name", G_TYPE_STRING, G_CALLBACK (icon_cb), cell);
  bind (icon, "css-classes", G_TYPE_STRV, G_CALLBACK (classes_cb), cell);
  bind (label, "css-classes", G_TYPE_STRV, G_CALLBACK (classes_cb), cell);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  const FhAttemptColumn column = GPOINTER_TO_UINT (data);

  gtk_list_item_set_child (cell,
                           column == FH_ATTEMPT_COLUMN_WHAT      ? new_what_cell (cell)
                           : column == FH_ATTEMPT_COLUMN_VERDICT ? new_verdict_cell (cell)
                                                                 : new_label (cell, column));
}

static int
compare_text (FhAttempt *one, FhAttempt *other, FhAttemptColumn column)
{
  g_autofree char *text = fh_attempt_column_format (one, 1, column);
  g_autofree char *other_text = fh_attempt_column_format (other, 1, column);

  return g_utf8_collate (text, other_text);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer column)
{
  FhAttempt *one = FH_ATTEMPT ((gpointer) a);
  FhAttempt *other = FH_ATTEMPT ((gpointer) b);
  const FhAttemptFacts *facts = fh_attempt_get_facts (one);
  const FhAttemptFacts *other_facts = fh_attempt_get_facts (other);

  switch (GPOINTER_TO_UINT (column))
    {
    case FH_ATTEMPT_COLUMN_BLOCK:
      return COMPARE (facts->block, other_facts->block);
    case FH_ATTEMPT_COLUMN_GUARD:
      return COMPARE (facts->guard, other_facts->guard);
    case FH_ATTEMPT_COLUMN_VERDICT:
      return COMPARE (facts->verdict, other_facts->verdict);
    case FH_ATTEMPT_COLUMN_COUNT:
      return COMPARE (facts->count, other_facts->count);
    case FH_ATTEMPT_COLUMN_TIME:
      return COMPARE (facts->time_us, other_facts->time_us);
    default:
      return compare_text (one, other, GPOINTER_TO_UINT (column));
    }
}

void
fh_attempt_columns_add (GtkColumnView *view, GtkColumnViewColumn *columns[FH_N_ATTEMPT_COLUMNS])
{
  const char *const titles[FH_N_ATTEMPT_COLUMNS] = {
    /* Translators: headings of a table of what a program tried */
    [FH_ATTEMPT_COLUMN_WHAT] = C_ ("attempts", "What"),
    [FH_ATTEMPT_COLUMN_BLOCK] = C_ ("attempts", "Block"),
    [FH_ATTEMPT_COLUMN_GUARD] = C_ ("attempts", "Guard"),
    [FH_ATTEMPT_COLUMN_VERDICT] = C_ ("attempts", "Verdict"),
    [FH_ATTEMPT_COLUMN_COUNT] = C_ ("attempts", "Count"),
    [FH_ATTEMPT_COLUMN_TIME] = C_ ("attempts", "When"),
    [FH_ATTEMPT_COLUMN_PROCESS] = C_ ("attempts", "Process"),
  };

  for (guint i = 0; i < FH_N_ATTEMPT_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;
      g_autoptr (GtkSorter) sorter =
          GTK_SORTER (gtk_custom_sorter_new (compare_cb, GUINT_TO_POINTER (i), NULL));

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_expand (column, i == FH_ATTEMPT_COLUMN_WHAT);
      gtk_column_view_append_column (view, column);
      columns[i] = g_steal_pointer (&column);
    }
}
